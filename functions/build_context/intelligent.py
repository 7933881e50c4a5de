"""The intelligent rung: all reads at once, then what scores, then what fits."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from functions.build_context.built_context import Built
from functions.build_context.deps import Deps
from functions.build_context.long_term import memory_offers, start_memory
from functions.build_context.question import WINDOW_MESSAGES, Question, plain_tokens
from functions.build_context.reads import RECENT, SELECTING, Reads
from functions.build_context.recall_reads import FINDING, RecallReads
from functions.build_context.selection import (
    ALL_READ,
    EVEN,
    Found,
    Trust,
    first_for,
    lifted_for,
    select,
    trust_in,
)
from shared.config import Settings
from shared.domain.attribution.lines import follow
from shared.domain.context.five_factor_scorer import FiveFactors, Weights
from shared.domain.context.learned_scorer import Learned
from shared.domain.context.memory_triggers import TriggerRules, why_no_memory
from shared.domain.context.record import left_out
from shared.domain.context.relevance import Scorer, called, with_its_line
from shared.domain.context.rendering import names_of
from shared.domain.memories.memory import Memory
from shared.domain.messages.analyser import analyse
from shared.domain.messages.stored_message import StoredMessage
from shared.language import MessageType

if TYPE_CHECKING:
    from shared.threads import Following

MAX_BARE = 40
"""Lines without a vector that are embedded with the question: more than ever wait in a group that
keeps up."""


async def build_intelligent(question: Question, deps: Deps, reads: Reads) -> Built:
    """What of the talk and of long-term memory this question calls for; Fallen if the talk itself
    cannot be read."""
    recent = await _recent(question, deps, reads)
    question = _named(question, recent)
    question = replace(question, asked=with_its_line(question.asked, recent))
    asked, group_id, settings = question.asked, question.group.group_id, question.settings
    include: set[str] = set(question.request.include)
    known = deps.recent.kept(group_id)
    no_memory = why_no_memory(
        question.message,
        recent,
        _rules(settings),
        is_first_round=_is_first_round(question, [*known.values(), *recent]),
    )
    recall = RecallReads(question, deps, known)
    reads.start("chain", deps.talk.chain(group_id, asked, known), until=SELECTING)
    vector = reads.start(
        "vector",
        _vector(question, deps, FINDING * reads.left()),
        until=FINDING,
    )
    if "messages" in include:
        reads.start("thread", deps.talk.thread(group_id, asked), until=SELECTING)
        recall.start(reads, vector)
    if no_memory is None:
        start_memory(question, deps, reads, vector, include)
    chain = await reads.get("chain", list[StoredMessage]())
    reads.need("chain")
    following = follow(
        question.message,
        await reads.maybe(vector),
        [
            one
            for one in deps.recent.kept(group_id).values() or recent
            if one.message_id != asked.said_as
        ],
        model=settings.embedding_model,
    )
    topic_id = asked.topic_id or topic_of(chain) or Learned(following).topic_id
    scorer = _scorer(settings, following)
    trust = _trust(question, following, recent, recall.names_something)
    if "messages" in include and trust.near:
        reads.start("topic", deps.talk.topic(group_id, topic_id, question.until), until=SELECTING)
    if no_memory is None and "summaries" in include and (trust.near or chain):
        reads.start("topic_summary", deps.summaries.own(group_id, topic_id), until=SELECTING)
    found = Found(
        chain=chain,
        recent=recent,
        thread=await reads.get("thread", list[StoredMessage]()),
        topic=await reads.get("topic", list[StoredMessage]()),
        recalled=await recall.ranked(reads) if "messages" in include else (),
    )
    selection = select(
        group_id,
        asked,
        found,
        scorer,
        settings.relevance_threshold,
        question.until,
        trust,
        question.times,
    )
    offers = selection.offers if "messages" in include else []
    stable, remembered = await memory_offers(
        question, reads, await reads.maybe(vector), names_of([*known.values(), *recent])
    )
    context = question.fit(stable, [*offers, *remembered])
    trace = {
        "factors": selection.factors,
        "considered": selection.considered,
        "threshold": settings.relevance_threshold,
        "scorer": settings.context_scorer,
        "recall_weights": dict(settings.recall_weights),
    }
    memories = await reads.get("memories", list[Memory]())
    aside = left_out(
        {key: float(one["score"]) for key, one in selection.left_out.items()},
        [*stable, *offers, *remembered],
        context,
        [one.memory_id for one in memories],
    )
    return question.built(
        context,
        "intelligent",
        _reason(no_memory, reads),
        trace,
        left_out=aside,
        plain_tokens=plain_tokens(recent),
    )


async def _vector(question: Question, deps: Deps, budget_s: float) -> Sequence[float] | None:
    """Of the question; lines that wait to be embedded are compared with it all the same."""
    group_id = question.group.group_id
    bare = deps.recent.bare(group_id, question.until, MAX_BARE)
    asked, others = await deps.talk.vector(group_id, question.message, budget_s, bare)
    deps.recent.learn(group_id, others, question.settings.embedding_model)
    return asked


async def _recent(question: Question, deps: Deps, reads: Reads) -> list[StoredMessage]:
    """The last of the window; refreshed anew if the group forgot something since it was kept."""
    group_id = question.group.group_id
    await reads.get("ring", None)
    if deps.recent.drop_if_stale(group_id, question.group.epoch):
        reads.start("ring_again", deps.recent.refresh(group_id, question.group.epoch), until=RECENT)
        await reads.get("ring_again", None)
    window = deps.recent.window(
        group_id,
        since=question.since,
        until=question.until,
        limit=WINDOW_MESSAGES,
    )
    reads.start("recent", window, until=RECENT)
    found = await reads.get("recent", list[StoredMessage]())
    reads.need("ring", "ring_again", "recent")
    return found


def _named(question: Question, recent: Sequence[StoredMessage]) -> Question:
    """Whoever asks with words only is known by what they said before."""
    asked = question.asked
    if asked.user_name or asked.user_id is None:
        return question
    own = [one.user_name for one in recent if one.user_id == asked.user_id and one.user_name]
    if not own:
        return question
    return replace(
        question,
        asked=replace(asked, user_name=own[-1]),
        message=replace(question.message, user_name=own[-1]),
    )


def _is_first_round(question: Question, lately: Sequence[StoredMessage]) -> bool:
    """Whether the group has no message before the one asked about."""
    own = question.asked.message_id or question.asked.said_as
    others = any(one.message_id != own for one in lately)
    return not others and question.group.attributed_messages <= bool(own)


def _trust(
    question: Question,
    following: "Following",
    recent: Sequence[StoredMessage],
    names_something: bool,
) -> Trust:
    asked = question.asked
    members = frozenset[str]().union(*(called(one) for one in recent if one.role == "user"))
    own = {asked.user_id, asked.user_name.casefold()}
    trust = trust_in(
        following.opens,
        is_question=analyse(question.message).message_type is MessageType.QUESTION,
        speaks_to_member=bool((asked.addressed & members) - own),
        speaks_to_bot=asked.message_id is None or question.message.is_mention_bot,
        names_something=names_something,
    )
    if question.settings.context_scorer != "learned":
        # then the five weights alone say what is near
        trust = replace(EVEN, recall=trust.recall, near_lines=ALL_READ)
    room = question.max_tokens
    return replace(trust, lifted=lifted_for(room), first=first_for(room))


def topic_of(chain: Sequence[StoredMessage]) -> str | None:
    """Of what is answered: the last of it that has one."""
    return next((one.topic_id for one in reversed(chain) if one.topic_id), None)


def _scorer(settings: Settings, following: "Following") -> Scorer:
    if settings.context_scorer == "learned":
        return Learned(following)
    return FiveFactors(
        Weights(
            reply_chain=settings.reply_chain_weight,
            time_decay=settings.time_decay_weight,
            user_continuity=settings.user_continuity_weight,
            mention_relation=settings.mention_relation_weight,
            keyword_overlap=settings.keyword_overlap_weight,
        )
    )


def _rules(settings: Settings) -> TriggerRules:
    return TriggerRules(
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
