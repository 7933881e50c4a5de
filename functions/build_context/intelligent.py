"""The intelligent rung: all reads at once, then one ranking, then what fits."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from functions.build_context.built_context import Built
from functions.build_context.deps import Deps
from functions.build_context.long_term import memory_offers, start_memory
from functions.build_context.question import (
    WINDOW_MESSAGES,
    Question,
    plain_tokens,
    with_its_line,
)
from functions.build_context.reads import RECENT, SELECTING, Reads
from shared.config import Settings
from shared.domain.attribution.lines import follow
from shared.domain.context.fitting import Offer, offer_message
from shared.domain.context.five_factors import (
    FiveFactors,
    five_factors,
    ranking_weights,
    weights_of,
)
from shared.domain.context.memory_triggers import TriggerRules, why_no_memory
from shared.domain.context.record import LEFT_OUT, left_out
from shared.domain.context.rendering import Names, names_of
from shared.domain.memories.memory import Memory
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.pages import Page
from shared.domain.ranking.floor import worth_spending
from shared.domain.ranking.lines_at_hand import LinesAtHand
from shared.domain.ranking.ranker import RankedQuestion, Ranking, rank, score_of
from shared.domain.ranking.reasons import asked_words
from shared.language import is_question
from shared.search.asked import NOT_EMBEDDED, EmbeddedQuestion
from shared.search.messages import found_line, in_order

FINDING = SELECTING - 0.1
"""Vectors and pages must have ended a little earlier: then comes what is older than they are."""
LAST_LINES = 3
"""Of the talk that goes on, where nothing that was said answers: a greeting, a sum, a poem."""
LEAST_WORTH = 0.1
"""So small a share of the budget is worth no more than the last lines."""
LEAST_PART = 0.005
"""A smaller part of a score is not worth a field of the record."""
LEAN_GAP, LEAN_LINES = 3.5, 16
"""`lean`: lines within so much of the best, in the ranker's units, and at most so many."""


async def build_intelligent(question: Question, deps: Deps, reads: Reads) -> Built:
    """What of the talk and of long-term memory this question calls for; Fallen if the talk itself
    cannot be read."""
    group_id = question.group.group_id
    recent = await _recent(question, deps, reads)
    question = with_its_line(question, recent)
    include: set[str] = set(question.request.include)
    known = deps.recent.kept(group_id)
    no_memory = why_no_memory(
        question.message,
        recent,
        _rules(question.settings),
        is_first_round=_is_first_round(question, [*known.values(), *recent]),
    )
    reads.start("chain", deps.talk.chain(group_id, question.message, known), until=SELECTING)
    embedding = reads.start(
        "vector",
        deps.talk.embedded(group_id, question.message, FINDING * reads.left()),
        until=FINDING,
    )
    if "messages" in include:
        older = deps.talk.older(group_id, question.until, question.group.epoch)
        reads.start("pages", older, until=FINDING)
    if no_memory is None:
        start_memory(question, deps, reads, embedding, include)
    chain = await reads.get("chain", list[StoredMessage]())
    reads.need("chain")
    embedded = await reads.get("vector", NOT_EMBEDDED)
    talk = await _talk(question, deps, reads, embedded, include)
    conversation = _conversation(question, embedded, known)
    ranked = _ranked(question, talk, embedded, chain, conversation)
    names = names_of(talk.messages.values() or recent)
    stable, records = await memory_offers(question, reads, embedded, names)
    lines = ranked.offers(question, chain, names) if "messages" in include else iter(())
    context = question.fit(
        stable,
        records if ranked.worth else [],
        lines,
        names,
        lines_share=ranked.worth or 1.0,
    )
    memories = await reads.get("memories", list[Memory]())
    return question.built(
        context,
        "intelligent",
        _reason(no_memory, ranked, reads),
        ranked.trace(question.settings, {item.id for item in context.items}),
        left_out=left_out(
            ranked.best_scores(), [*stable, *records], context, [one.memory_id for one in memories]
        ),
        plain_tokens=plain_tokens(recent),
    )


async def _talk(
    question: Question, deps: Deps, reads: Reads, embedded: EmbeddedQuestion, include: set[str]
) -> LinesAtHand:
    """The last lines, the pages before them, and of what is older the lines that are found."""
    group_id, until = question.group.group_id, question.until
    pages = await reads.get("pages", list[Page]())
    last = list(deps.recent.kept(group_id).values())

    at_hand = [*last, *(line for page in pages for line in page.lines)]
    found: list[StoredMessage] = []
    if "messages" in include and question.group.attributed_messages > len(at_hand):
        text = question.message.content
        beyond = deps.talk.beyond(group_id, text, embedded.vector, at_hand, until)
        reads.start("beyond", beyond, until=SELECTING)
        nothing: tuple[list[StoredMessage], list[Page]] = ([], [])
        found, more = await reads.get("beyond", nothing)
        pages = in_order([*more, *pages])
    return deps.talk.talk(
        group_id,
        last=last,
        pages=pages,
        found=found,
        anchors=embedded.anchors,
        until=until,
        leave_out=question.own_ids,
    )


@dataclass(frozen=True)
class RankedLines:
    """Best first: lines by their number in `talk`, each with its score and the parts of it."""

    talk: LinesAtHand
    text: str
    ranking: Ranking
    order: Sequence[int]
    five: Mapping[str, FiveFactors] | None
    worth: float
    """The share of the budget that lines are worth; 0: nothing that was said seems to answer, and
    only the last lines are offered."""

    def offers(
        self, question: Question, chain: Sequence[StoredMessage], names: Names
    ) -> Iterator[Offer]:
        """The reply chain, and then line by line what ranks best, as long as somebody takes it."""
        times, asked = question.times, asked_words(self.text)
        linked = {line.message_id for line in chain} - question.own_ids
        for line in chain:
            if line.message_id in linked:
                yield offer_message(line, names, 1.0, ("reply chain",), times=times)
        for n in self.order:
            key = self.talk.lines.message_ids[n]
            if key in linked:
                continue
            message = self.talk.messages[key]
            if self.five is not None:
                own = self.five[key]
                yield offer_message(message, names, own.score, own.reasons, times=times)
            elif not self.worth:
                yield offer_message(message, names, 0.0, ("among the last",), times=times)
            else:
                found = found_line(n, self.ranking, self.talk, asked)
                yield offer_message(message, names, found.score, found.reasons, times=times)

    def best_scores(self) -> dict[str, float]:
        best = self.ranking.order[: 3 * LEFT_OUT]
        keys = self.talk.lines.message_ids
        return {keys[n]: score_of(float(self.ranking.scores[n])) for n in best}

    def trace(self, settings: Settings, shown: set[str]) -> dict[str, Any]:
        keys = self.talk.lines.message_ids
        factors = {
            key: dict(self.five[key].factors)
            if self.five is not None
            else {
                name: round(part, 3)
                for name, part in self.ranking.parts_of(n).items()
                if abs(part) >= LEAST_PART
            }
            for n, key in enumerate(keys)
            if key in shown
        }
        return {
            "factors": factors,
            "considered": len(keys),
            "threshold": settings.relevance_threshold if self.five is not None else None,
            "scorer": settings.context_scorer,
            "recall_weights": dict(settings.recall_weights),
        }


def _ranked(
    question: Question,
    talk: LinesAtHand,
    embedded: EmbeddedQuestion,
    chain: Sequence[StoredMessage],
    conversation: Mapping[str, float],
) -> RankedLines:
    settings, text = question.settings, question.message.content
    asked = RankedQuestion(text, embedded.vector)
    ranking = rank(asked, talk.lines, own=ranking_weights(settings), talk=conversation)
    keys = talk.lines.message_ids
    if settings.context_scorer == "five_factor":
        five = five_factors(
            question.message,
            [talk.messages[key] for key in keys],
            {line.message_id for line in chain},
            weights_of(settings),
        )
        order = [
            n
            for n in sorted(range(len(keys)), key=lambda n: (-five[keys[n]].score, -n))
            if five[keys[n]].score >= settings.relevance_threshold
        ]
        return RankedLines(talk, text, ranking, order, five, worth=1.0)
    worth = worth_spending(ranking, asked, embedded.anchors)
    worth = worth if worth >= LEAST_WORTH else 0.0
    order = ranking.order if worth else [*range(len(keys))][-LAST_LINES:][::-1]
    if worth and settings.context_spending == "lean":
        best = max(ranking.scores, default=0.0)
        order = [n for n in order[:LEAN_LINES] if ranking.scores[n] >= best - LEAN_GAP]
    return RankedLines(talk, text, ranking, order, None, worth)


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


def _is_first_round(question: Question, lately: Sequence[StoredMessage]) -> bool:
    """Whether the group has no message before the one asked about."""
    others = any(line.message_id not in question.own_ids for line in lately)
    return not others and question.group.attributed_messages <= len(question.own_ids)


def _conversation(
    question: Question, embedded: EmbeddedQuestion, known: Mapping[str, StoredMessage]
) -> dict[str, float]:
    """How surely each of the last lines is of the talk that the message is made in. A question or a
    call to the bot asks for something else: of it the platform's own thread alone is told."""
    message = question.message
    thread = {key: 1.0 for key, line in known.items() if _is_of_thread(message, line)}
    if message.is_mention_bot or is_question(message.content):
        return thread
    before = [line for line in known.values() if line.message_id not in question.own_ids]
    model = question.settings.embedding_model
    following = follow(message, embedded.vector, before, model=model)
    return {**following.masses, **thread}


def _is_of_thread(message: StoredMessage, line: StoredMessage) -> bool:
    """Whether the platform itself says that they belong together."""
    root = message.root_message_id
    return bool(
        (message.thread_id and message.thread_id == line.thread_id)
        or (root and root in (line.root_message_id, line.message_id))
    )


def _rules(settings: Settings) -> TriggerRules:
    return TriggerRules(
        enable_long_term=settings.enable_long_term,
        first_round_empty=settings.first_round_empty,
        min_query_length=settings.min_query_length,
        long_term_trigger=settings.long_term_trigger,
        trigger_keywords=settings.trigger_keywords,
    )


def _reason(no_memory: str | None, ranked: RankedLines, reads: Reads) -> str:
    parts = ["selected by relevance" if ranked.worth else "nothing said here seems to answer"]
    if no_memory:
        parts.append(f"no long-term memory: {no_memory}")
    for why in dict.fromkeys(reads.failures.values()):
        missing = [name for name, other in reads.failures.items() if other == why]
        parts.append(f"without {', '.join(sorted(missing))}: {why}")
    return "; ".join(parts)
