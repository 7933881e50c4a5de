"""What one run of attribution plans: which lines are embedded, where each goes, what is asked."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from functions.ingest_message.attribution_reads import Read, TopicReads
from shared import log
from shared.clients.embedder import Embedder
from shared.clients.model import Model
from shared.config import Settings
from shared.contracts.replies import NEW_TOPIC, TopicChoices
from shared.domain.attribution.batches import blaming_texts, harmless
from shared.domain.attribution.deciding import (
    AttributionPlan,
    Placed,
    decide_attribution,
    place_messages,
)
from shared.domain.attribution.embedding_batches import (
    bare_lines,
    is_time_to_embed,
    with_taken_back,
)
from shared.domain.attribution.lines import (
    IndexedText,
    indexed_texts,
    own_text,
)
from shared.domain.attribution.proposing import Known, opened_by
from shared.domain.attribution.questions import (
    NO_QUESTIONS,
    TITLE_TRIES,
    Answers,
    Assignment,
    Questions,
    Title,
    questions,
    quotable,
    unquoted,
)
from shared.domain.attribution.topic_updates import ClosingRules, idle_since
from shared.domain.group import Group
from shared.domain.similarity.vectors import pack_half
from shared.domain.tail import LINES, UnindexedLine
from shared.errors import BadReply, Broken, OverBudget, Poisoned, Transient
from shared.stores.vectors import VectorPlan, vector_id

if TYPE_CHECKING:
    from shared.threads import Tables


@dataclass(frozen=True)
class Embedded:
    """`own` is of what was said, for deciding; `indexed` also of what it follows, for finding it;
    `refused` are the messages that the embedder does not take."""

    own: Mapping[str, Sequence[float]]
    indexed: Mapping[str, tuple[IndexedText, Sequence[float]]]
    refused: frozenset[str]


async def embed(
    group_id: str, read: Read, embedder: Embedder, *, is_indexing: bool, budget_s: float
) -> Embedded:
    """All in one call: each message alone, and with the one it seems to follow. That is a guess,
    as no vector is known yet; it is used only where the decision confirms it."""
    with blaming_texts():
        own, indexed = await asyncio.to_thread(_texts, read, is_indexing)
    texts = [*own.values(), *(text.text for text in indexed.values())]
    vectors = await embedder.embed(texts, group_id=group_id, budget_s=budget_s)
    own_vectors = dict(zip(own, vectors[: len(own)], strict=True))
    index_vectors = dict(zip(indexed, vectors[len(own) :], strict=True))
    return Embedded(
        own={key: vector for key, vector in own_vectors.items() if vector is not None},
        indexed={
            key: (indexed[key], vector)
            for key, vector in index_vectors.items()
            if vector is not None
        },
        refused=frozenset(key for key, vector in own_vectors.items() if vector is None),
    )


def _texts(read: Read, is_indexing: bool) -> tuple[dict[str, str], dict[str, IndexedText]]:
    own = {message.message_id: text for message in read.waiting if (text := own_text(message))}
    return own, indexed_texts(read.waiting, read.messages) if is_indexing else {}


def unindexed_lines(
    plan: AttributionPlan, read: Read, embedded: Embedded, *, is_indexing: bool
) -> list[UnindexedLine]:
    """The placed lines, each with the vector it is to be found by, if vectors are kept. Those that
    are yet to be embedded are not owed before."""
    topic_of = {
        message.message_id: message.topic_id
        for message in read.messages.values()
        if message.topic_id
    }
    topic_of |= {message_id: topic_id for message_id, (topic_id, _) in plan.moves.items()}
    topic_of |= {
        assignment.message.message_id: assignment.topic_id for assignment in plan.assignments
    }
    return [
        UnindexedLine(
            assignment.message.message_id,
            pack_half(values)
            if is_indexing and (values := _indexed(assignment, topic_of, embedded)) is not None
            else b"",
        )
        for assignment in plan.assignments
        if assignment.message.message_id in embedded.own or not own_text(assignment.message)
    ]


NOT_EMBEDDED = Embedded({}, {}, frozenset())
"""Of a run that leaves its lines for a later one to embed."""


def vectors_to_drop(plan: AttributionPlan) -> VectorPlan:
    """Of topics that are no more: after the commit, as nobody shows a hit without its record."""
    return VectorPlan(deletes=[vector_id("topic", topic_id) for topic_id in sorted(plan.gone)])


def _indexed(
    assignment: Assignment, topic_of: Mapping[str, str], embedded: Embedded
) -> Sequence[float] | None:
    message_id = assignment.message.message_id
    if message_id in embedded.indexed:
        text, values = embedded.indexed[message_id]
        if text.after is None or topic_of.get(text.after) == assignment.topic_id:
            return values
    return embedded.own.get(message_id)


def untitled(read: Read) -> set[str]:
    """Topics that still lack a title, and of which there are lines to make it from."""
    shown = {message.topic_id for message in read.before}
    return {
        topic.topic_id
        for topic in read.outlines.values()
        if not topic.is_titled and topic.title_tries < TITLE_TRIES and topic.topic_id in shown
    }


def is_time_to_ask(before: int, count: int, every: int) -> bool:
    """Doubts and titles are collected: one question for so many messages."""
    return (before + count) // every > before // every


async def questions_about(
    group_id: str, placed: Placed, read: Read, reads: TopicReads
) -> Questions:
    quoted = quotable(read.before, placed.proposals)
    lacking = unquoted(quoted, placed.proposals)
    if lacking:
        quoted = {**quoted, **await reads.last_of(group_id, lacking)}
    with blaming_texts():
        return questions(placed.proposals, read.topics, quoted)


async def ask(group_id: str, wishes: Questions, model: Model, budget_s: float) -> Answers | None:
    """One call for everything; None if there is no model: then likeness decides, keywords name."""
    if not wishes:
        return None
    try:
        answer = await model.ask(
            "topic_attribute",
            TopicChoices,
            wishes.data,
            group_id=group_id,
            budget_s=budget_s,
        )
    except (Transient, BadReply) as error:
        log.warning("topics_without_model", group_id=group_id, code=error.code)
        return None
    return _answers(answer.reply, wishes)


def _answers(reply: TopicChoices, wishes: Questions) -> Answers:
    """What the model said, by message and topic; what it says of no question is passed over."""
    choices: dict[str, int | None] = {}
    titles: dict[str, Title] = {}
    for answer in reply.answers:
        if 1 <= answer.n <= len(wishes.asked):
            message = wishes.asked[answer.n - 1].message
            if message.message_id in choices:
                continue
            is_new = answer.choice == NEW_TOPIC
            choices[message.message_id] = None if is_new else int(answer.choice)
            if is_new and answer.title:
                titles[opened_by(message)] = Title(answer.title, answer.description)
    for wish in reply.titles:
        if 1 <= wish.n <= len(wishes.untitled):
            titles.setdefault(wishes.untitled[wish.n - 1], Title(wish.title, wish.description))
    return Answers(choices, titles)


EMBEDDING_SHARE = 1 / 3
"""Of the time for models; the rest is for the one question."""


@dataclass(frozen=True)
class Planning:
    """One run's: nothing is written here. `tables` None: the shipped ones."""

    group: Group
    settings: Settings
    reads: TopicReads
    embedder: Embedder
    model: Model
    model_budget_s: float
    tables: "Tables | None"

    async def embedded(self, read: Read) -> tuple[Read, Embedded]:
        """Once enough lines have gathered, all of them in one call, and all are placed with their
        vectors. One that is looked at alone may be to blame for something: nothing comes along."""
        group, settings = self.group, self.settings
        is_alone = len(read.waiting) == 1 and read.is_more
        bare = [] if is_alone else bare_lines(read.tail.lines[-LINES:])
        bare = [message for message in bare if message.message_id not in read.found]
        # What is older than the tail is not seen again: it is embedded now.
        is_history = any(
            message.create_time < read.tail.reaches_back_to for message in read.waiting
        )
        every = 1 if is_history else settings.embed_every_messages
        if not is_time_to_embed(group.attributed_messages, len(bare), len(read.waiting), every):
            return read, NOT_EMBEDDED
        alone = read
        if bare:
            idle = timedelta(hours=settings.topic_idle_hours)
            read = await self.reads.with_bare(group.group_id, read, bare, idle)
        try:
            embedded = await embed(
                group.group_id,
                read,
                self.embedder,
                is_indexing=settings.message_vectors,
                budget_s=self.model_budget_s * EMBEDDING_SHARE,
            )
        except OverBudget as error:
            # Structure and words place what no vector may be paid for today.
            log.info("topics_without_vectors", group_id=group.group_id, code=error.code)
            return alone, NOT_EMBEDDED
        return read, embedded

    async def planned(
        self, read: Read, embedded: Embedded, *, may_ask: bool = True
    ) -> tuple[AttributionPlan, Read, int]:
        """What is to be stored, all that was read for it, and how many doubts were asked about."""
        group, settings, model = self.group, self.settings, self.embedder.model
        again = len(read.taken.again) if read.taken else 0
        settled = group.attributed_messages - again
        # A hundred messages hold the processor for a tenth of a second: not on the loop.
        with blaming_texts():
            placed = await asyncio.to_thread(
                place_messages,
                [message for message in read.waiting if message.message_id not in embedded.refused],
                Known(
                    read.before,
                    read.replied,
                    frozenset(read.topics),
                    model,
                    settings.topic_join_threshold,
                    settings.topic_ask_threshold,
                    self.tables,
                ),
                embedded.own,
                read.outlines,
                settled if embedded is not NOT_EMBEDDED else None,
            )
        idle = timedelta(hours=settings.topic_idle_hours)
        is_asking = may_ask and (
            group.attributed_messages == 0
            or (
                embedded is not NOT_EMBEDDED
                and is_time_to_ask(settled, len(placed.proposals), settings.topic_ask_every)
            )
        )
        touched = placed.topics_touched(is_asking=is_asking)
        touched |= idle_since(read.waiting, read.outlines, idle)
        if is_asking:
            touched |= untitled(read)
        read = await self.reads.with_topics(group.group_id, read, touched)
        placed = placed.as_it_is(read.topics)
        wishes = NO_QUESTIONS
        if is_asking:
            wishes = await questions_about(group.group_id, placed, read, self.reads)
        answers = await ask(
            group.group_id, wishes, self.model, self.model_budget_s * (1 - EMBEDDING_SHARE)
        )
        roles = {message_id: message.role for message_id, message in read.messages.items()}
        with blaming_texts():
            plan = decide_attribution(
                placed,
                read.before,
                read.topics,
                embedded.own,
                ClosingRules(
                    idle,
                    settings.enable_summaries,
                    settings.summary_every_messages,
                    settings.trigger_tokens,
                    timedelta(hours=settings.summary_every_hours),
                ),
                embedding_model=model,
                answers=answers,
                title_wishes=wishes.untitled,
                refused=embedded.refused,
                roles=roles,
            )
        if read.taken is not None:
            plan = with_taken_back(plan, read.taken, embedded.own, model, roles)
        return plan, read, len(wishes.asked)

    async def check_it_is_the_message(self, read: Read) -> None:
        """Broken if a harmless message in its place fails as well: then it is the group's own
        records, or our code, and no message is passed over for that."""
        instead = replace(read, waiting=[harmless(message) for message in read.waiting])
        nothing = Embedded({}, {}, frozenset())
        try:
            await self.planned(instead, nothing, may_ask=False)
        except Poisoned as error:
            group_id = self.group.group_id
            raise Broken(f"no message of {group_id} can be placed: {error.message}") from error
