"""Answers before a reply: what matters, on time, whatever is down."""

import asyncio
import hashlib
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from functions.build_context.reads import Reads
from functions.build_context.selection import Found, likely_topic, select, telling_terms
from shared.clients.ring import Recent
from shared.config import Settings, effective
from shared.contracts.context import ContextAnswer, ContextItem, ContextRequest
from shared.domain.calibration import calibrated
from shared.domain.context import EMPTY, Context, Offer, fit, traditional
from shared.domain.group import Group, new_group
from shared.domain.language import guess_language
from shared.domain.memory import Memory
from shared.domain.profile import Profile
from shared.domain.relevance import Asked, FiveFactors, Scorer, Weights, asked_of
from shared.domain.sections import (
    event_offer,
    relevant_memories,
    similarities_of,
    stable_offers,
    summary_offer,
)
from shared.domain.stored_message import StoredMessage
from shared.domain.triggers import Rules, why_no_memory
from shared.domain.words import terms
from shared.errors import AnnalsError, InvalidInput, NotFound, Transient
from shared.runtime import log
from shared.search.events import EventHit, EventSearch
from shared.search.summaries import SummaryHit, SummarySearch
from shared.search.talk import Near, Talk
from shared.stores.contexts import Contexts
from shared.stores.groups import Groups
from shared.stores.memories import Memories
from shared.stores.messages import Messages
from shared.stores.profiles import Profiles

WINDOW_MESSAGES = 50
ACTIVE_MEMORIES = 50
SUMMARIES = 2
SHARED_PROFILES = 20
SIMILAR = 0.3
"""Calibrated; rank decides among what is above it."""
RECORD_CAP_S = 0.15
USABLE = 0.85
"""Of the deadline; the rest is for scoring, rendering and the way back."""
OPENING, RECENT, SELECTING, FALLING_BACK = 0.35, 0.5, 0.7, 0.95
"""Each rung's reads must have ended at this share of the usable time."""
AHEAD = timedelta(minutes=5)
"""How far a platform's clock may be ahead of ours."""

Mode = Literal["intelligent", "traditional", "empty"]


@dataclass(frozen=True)
class Deps:
    groups: Groups
    messages: Messages
    recent: Recent
    talk: Talk
    memories: Memories
    profiles: Profiles
    events: EventSearch
    summaries: SummarySearch
    contexts: Contexts
    settings: Settings
    now: Callable[[], datetime]


@dataclass(frozen=True)
class Question:
    """What is asked, where, and under which settings."""

    request: ContextRequest
    group: Group
    settings: Settings
    message: StoredMessage
    asked: Asked

    @property
    def until(self) -> datetime:
        """Nothing later is shown. Words only just heard follow all that was said."""
        return self.asked.create_time + (timedelta(0) if self.asked.message_id else AHEAD)

    @property
    def since(self) -> datetime:
        hours = self.request.window_hours or self.settings.time_window_hours
        return self.asked.create_time - timedelta(hours=hours)


@dataclass(frozen=True)
class Built:
    context: Context
    mode: Mode
    reason: str
    trace: dict[str, Any]
    is_recorded: bool = True


class Fallen(Exception):
    """A rung of the ladder broke; the message says why."""


async def build_context(request: ContextRequest, deps: Deps) -> ContextAnswer:
    """Intelligent if it can be had in time, else traditional, else empty; the answer says which
    and why. Whatever hangs, it is there before the deadline, and nothing goes on after it."""
    started = time.perf_counter()
    deadline_s = (
        request.deadline_ms / 1000
        if request.deadline_ms
        else deps.settings.context_build_timeout_seconds
    )
    reads = Reads(USABLE * deadline_s)
    try:
        built = await _ladder(request, deps, reads)
    finally:
        await reads.close()
    timings = {**reads.timings_ms, "total": round((time.perf_counter() - started) * 1000, 1)}
    answer = _answer(built, timings)
    if built.is_recorded:
        await _recorded(
            lambda: deps.contexts.add(request, answer, built.trace),
            min(RECORD_CAP_S, deadline_s - (time.perf_counter() - started)),
        )
    return answer


async def _ladder(request: ContextRequest, deps: Deps, reads: Reads) -> Built:
    falls_back = deps.settings.fallback_on_error
    why: list[str] = []
    try:
        question = await _question(request, deps, reads)
        falls_back = question.settings.fallback_on_error
        off = _why_not_intelligent(question)
        if off is None:
            try:
                return await _intelligent(question, deps, reads)
            except Fallen as fallen:
                if not falls_back:
                    raise
                why.append(str(fallen))
        return await _traditional(question, deps, reads, off or why[0])
    except Fallen as fallen:
        if not falls_back:
            raise Transient(f"the context could not be built: {fallen}") from fallen
        reason = "; ".join(dict.fromkeys([*why, str(fallen)]))
        is_recorded = deps.settings.enable_async_data_collection
        return Built(EMPTY, "empty", reason, {}, is_recorded)


async def _question(request: ContextRequest, deps: Deps, reads: Reads) -> Question:
    group_id = request.group_id
    reading = reads.start("group", deps.groups.find(group_id), until=OPENING)
    reads.start("ring", deps.recent.refresh(group_id), until=OPENING)
    message: StoredMessage | None = None
    if request.message_id is not None:
        asking = deps.messages.get(group_id, request.message_id)
        message = await reads.maybe(reads.start("message", asking, until=OPENING))
    group = await reads.maybe(reading)
    for name in ("group", "message"):
        if name in reads.failures:
            raise Fallen(reads.failures[name])
    if group is not None and group.is_deleted:
        raise NotFound(f"there is no group {group_id}")
    if request.message_id is not None and message is None:
        raise NotFound(f"there is no message {request.message_id} in this group")
    group = group or new_group(group_id, deps.now())
    settings = _settings_of(group, deps.settings)
    if message is not None:
        return Question(request, group, settings, message, asked_of(message))
    said = StoredMessage(
        group_id=group_id,
        message_id="-",
        user_id=request.user_id or "-",
        content=request.message or "",
        create_time=deps.now(),
        terms=tuple(terms(request.message or "")),
    )
    asked = replace(asked_of(said), message_id=None, user_id=request.user_id)
    return Question(request, group, settings, said, asked)


def _settings_of(group: Group, settings: Settings) -> Settings:
    try:
        return effective(settings, group.settings)
    except InvalidInput as error:
        log.warning("group_settings_not_valid", group_id=group.group_id, reason=error.message)
        return settings


def _why_not_intelligent(question: Question) -> str | None:
    settings, group_id = question.settings, question.group.group_id
    if not settings.enable_intelligent_memory:
        return "intelligent memory is switched off"
    if not is_released(group_id, settings.grey_share, settings.grey_groups):
        return "intelligent memory is not released for this group"
    return None


def is_released(group_id: str, share: float, groups: Sequence[str]) -> bool:
    """Always the same groups for the same share, and a larger share only adds some."""
    place = int.from_bytes(hashlib.sha256(group_id.encode()).digest()[:4], "big") / 2**32
    return group_id in groups or place < share


async def _intelligent(question: Question, deps: Deps, reads: Reads) -> Built:
    recent = await _recent(question, deps, reads)
    question = _named(question, recent)
    asked, group_id, settings = question.asked, question.group.group_id, question.settings
    scorer = _scorer(settings)
    include: set[str] = set(question.request.include)
    no_memory = why_no_memory(question.message, recent, _rules(settings))
    known = deps.recent.kept(group_id)
    reads.start("chain", deps.talk.chain(group_id, asked, known), until=SELECTING)
    vector = reads.start(
        "vector",
        deps.talk.vector(
            group_id,
            asked,
            question.message.state if asked.message_id else None,
            (SELECTING - 0.1) * reads.left(),
        ),
        until=SELECTING - 0.1,
    )
    if "messages" in include:
        words = telling_terms(asked.terms, recent)
        reads.start("thread", deps.talk.thread(group_id, asked), until=SELECTING)
        reads.start("words", deps.talk.by_words(group_id, words, question.until), until=SELECTING)
        reads.start("meaning", _by_meaning(question, deps, vector), until=SELECTING)
    if no_memory is None:
        _start_memory(question, deps, reads, vector, include)
    chain = await reads.get("chain", list[StoredMessage]())
    if "chain" in reads.failures:
        raise Fallen(reads.failures["chain"])
    topic_id = likely_topic(asked, chain, recent, scorer)
    if "messages" in include:
        reads.start("topic", deps.talk.topic(group_id, topic_id, question.until), until=SELECTING)
    if no_memory is None and "summaries" in include:
        reads.start("topic_summary", deps.summaries.own(group_id, topic_id), until=SELECTING)
    found = Found(
        chain=chain,
        recent=recent,
        thread=await reads.get("thread", list[StoredMessage]()),
        topic=await reads.get("topic", list[StoredMessage]()),
        by_words=await reads.get("words", list[StoredMessage]()),
        by_meaning=await reads.get("meaning", list[Near]()),
    )
    selection = select(group_id, asked, found, scorer, settings.relevance_threshold, question.until)
    offers = selection.offers if "messages" in include else []
    stable, remembered = await _memory(question, reads, await reads.maybe(vector))
    context = _fitted(question, stable, [*offers, *remembered])
    trace = {
        "factors": selection.factors,
        "considered": selection.considered,
        "threshold": settings.relevance_threshold,
        "scorer": "five_factors",
    }
    is_recorded = settings.enable_async_data_collection
    return Built(context, "intelligent", _reason(no_memory, reads), trace, is_recorded)


async def _recent(question: Question, deps: Deps, reads: Reads) -> list[StoredMessage]:
    """The last of the window; refreshed anew if the group forgot something since it was kept."""
    group_id = question.group.group_id
    await reads.get("ring", None)
    if not deps.recent.is_of_epoch(group_id, question.group.epoch):
        reads.start("ring_again", deps.recent.refresh(group_id), until=RECENT)
        await reads.get("ring_again", None)
    window = deps.recent.window(
        group_id,
        since=question.since,
        until=question.until,
        limit=WINDOW_MESSAGES,
    )
    reads.start("recent", window, until=RECENT)
    found = await reads.get("recent", list[StoredMessage]())
    for name in ("ring", "ring_again", "recent"):
        if name in reads.failures:
            raise Fallen(reads.failures[name])
    return found


def _named(question: Question, recent: Sequence[StoredMessage]) -> Question:
    """Whoever asks with words only is known by what they said before."""
    asked = question.asked
    if asked.user_name or asked.user_id is None:
        return question
    own = [one.user_name for one in recent if one.user_id == asked.user_id and one.user_name]
    return replace(question, asked=replace(asked, user_name=own[-1])) if own else question


async def _by_meaning(
    question: Question, deps: Deps, vector: "asyncio.Task[list[float] | None]"
) -> list[Near]:
    found = await asyncio.shield(vector)
    return await deps.talk.by_meaning(question.group.group_id, question.asked.content, found)


def _start_memory(
    question: Question,
    deps: Deps,
    reads: Reads,
    vector: "asyncio.Task[list[float] | None]",
    include: set[str],
) -> None:
    group_id, text, settings = question.group.group_id, question.asked.content, question.settings
    user_id = question.asked.user_id

    async def events() -> list[EventHit]:
        found = await asyncio.shield(vector)
        return await deps.events.near(
            group_id, text, found, limit=settings.auto_top_k, threshold=SIMILAR
        )

    async def summaries() -> list[SummaryHit]:
        found = await asyncio.shield(vector)
        return await deps.summaries.near(group_id, text, found, limit=SUMMARIES, threshold=SIMILAR)

    async def profiles() -> list[Profile]:
        wanted: list[Any] = [("group", group_id)]
        wanted += [("user", user_id)] if user_id else []
        own = list((await deps.profiles.get_many(group_id, wanted)).values())
        if settings.profile_sharing == "shared" and user_id:
            own += [
                one
                for one in await deps.profiles.of_user_everywhere(user_id, SHARED_PROFILES)
                if one.group_id != group_id
            ]
        return own

    if "memories" in include:
        reads.start("memories", deps.memories.active(group_id, ACTIVE_MEMORIES), until=SELECTING)
    if "summaries" in include:
        reads.start("summaries", summaries(), until=SELECTING)
    if settings.enable_cognitive:
        if "events" in include:
            reads.start("events", events(), until=SELECTING)
        if "profiles" in include:
            reads.start("profiles", profiles(), until=SELECTING)


async def _memory(
    question: Question, reads: Reads, vector: list[float] | None
) -> tuple[list[Offer], list[Offer]]:
    group_id, text, settings = question.group.group_id, question.asked.content, question.settings
    memories = await reads.get("memories", list[Memory]())
    profiles = await reads.get("profiles", list[Profile]())
    stable = stable_offers(
        group_id,
        profiles,
        memories,
        speaker_id=question.asked.user_id,
        shares_profiles=settings.profile_sharing == "shared",
        core_threshold=settings.core_threshold,
    )
    near: dict[str, float] = {}
    if vector is not None and memories:
        language = guess_language(text)
        near = {
            memory_id: calibrated(settings.embedding_model, language, cosine)
            for memory_id, cosine in similarities_of(memories, vector).items()
        }
    dynamic = relevant_memories(
        group_id,
        memories,
        near,
        text,
        core_threshold=settings.core_threshold,
        threshold=SIMILAR,
        limit=settings.max_return,
    )
    dynamic += [
        event_offer(hit.event, hit.score)
        for hit in await reads.get("events", list[EventHit]())
        if hit.event.group_id == group_id
    ]
    hits = [
        *await reads.get("topic_summary", list[SummaryHit]()),
        *await reads.get("summaries", list[SummaryHit]()),
    ]
    unlike = {hit.summary.topic_id: hit for hit in reversed(hits)}
    dynamic += [
        summary_offer(hit.summary, hit.score, "of this topic" if hit.is_own else "near in meaning")
        for hit in unlike.values()
        if hit.summary.group_id == group_id
    ]
    return stable, dynamic


async def _traditional(question: Question, deps: Deps, reads: Reads, reason: str) -> Built:
    group_id, asked = question.group.group_id, question.asked
    reads.start("last_chain", deps.talk.chain(group_id, asked, {}), until=FALLING_BACK)
    reads.start(
        "last",
        deps.messages.recent(
            group_id, since=question.since, until=question.until, limit=WINDOW_MESSAGES
        ),
        until=FALLING_BACK,
    )
    chain = await reads.get("last_chain", list[StoredMessage]())
    recent = await reads.get("last", list[StoredMessage]())
    for name in ("last_chain", "last"):
        if name in reads.failures:
            raise Fallen(reads.failures[name])
    offers = [
        one
        for one in traditional(chain, recent, exclude=asked.message_id)
        if one.message is not None and one.message.group_id == group_id
    ]
    if "messages" not in question.request.include:
        offers = []
    trace = {"scorer": "traditional"}
    is_recorded = question.settings.enable_async_data_collection
    return Built(_fitted(question, [], offers), "traditional", reason, trace, is_recorded)


def _fitted(question: Question, stable: Sequence[Offer], dynamic: Sequence[Offer]) -> Context:
    request, settings = question.request, question.settings
    return fit(
        stable,
        dynamic,
        max_messages=request.max_messages or settings.max_context_messages,
        max_tokens=request.max_tokens or settings.max_context_tokens,
    )


def _scorer(settings: Settings) -> Scorer:
    return FiveFactors(
        Weights(
            reply_chain=settings.reply_chain_weight,
            time_decay=settings.time_decay_weight,
            user_continuity=settings.user_continuity_weight,
            mention_relation=settings.mention_relation_weight,
            keyword_overlap=settings.keyword_overlap_weight,
        )
    )


def _rules(settings: Settings) -> Rules:
    return Rules(
        enable_long_term=settings.enable_long_term,
        first_round_empty=settings.first_round_empty,
        min_query_length=settings.min_query_length,
        long_term_trigger=settings.long_term_trigger,
        trigger_keywords=settings.trigger_keywords,
    )


def _reason(no_memory: str | None, reads: Reads) -> str:
    parts = ["selected by relevance"]
    if no_memory:
        parts.append(f"no long-term memory: {no_memory}")
    for why in dict.fromkeys(reads.failures.values()):
        missing = [name for name, other in reads.failures.items() if other == why]
        parts.append(f"without {', '.join(sorted(missing))}: {why}")
    return "; ".join(parts)


def _answer(built: Built, timings: dict[str, float]) -> ContextAnswer:
    context = built.context
    return ContextAnswer(
        context_id=uuid.uuid4().hex,
        mode=built.mode,
        reason=built.reason,
        stable=context.stable,
        dynamic=context.dynamic,
        text=context.text,
        messages=[dict(message) for message in context.messages],
        items=[
            ContextItem(
                kind=item.kind,
                id=item.id,
                score=item.score,
                reasons=list(item.reasons),
                tokens=item.tokens,
            )
            for item in context.items
        ],
        tokens={
            "stable": context.stable_tokens,
            "dynamic": context.dynamic_tokens,
            "total": context.stable_tokens + context.dynamic_tokens,
        },
        timings_ms=timings,
    )


async def _recorded(write: Callable[[], Awaitable[None]], cap_s: float) -> None:
    """The record of what was offered: worth 150 ms, never the answer."""
    try:
        async with asyncio.timeout(max(0.0, cap_s)):
            await write()
    except (AnnalsError, TimeoutError) as error:
        log.warning("context_not_recorded", reason=type(error).__name__)
