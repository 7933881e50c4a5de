"""What one run of attribution plans: which lines are embedded, where each goes, what is asked."""

import asyncio
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from functions.ingest_message.topic_questions import (
    ask,
    is_time_to_ask,
    questions_about,
    untitled,
)
from functions.ingest_message.topic_reads import Read, TopicReads
from functions.ingest_message.topic_vectors import NOT_EMBEDDED, Embedded, embed
from shared import log
from shared.clients.embedder import Embedder
from shared.clients.model import Model
from shared.config import Settings
from shared.domain.attribution.deciding import AttributionPlan, decide_attribution, place_messages
from shared.domain.attribution.embedding_batches import (
    bare_lines,
    is_time_to_embed,
    with_taken_back,
)
from shared.domain.attribution.poison_texts import blaming_texts, harmless
from shared.domain.attribution.proposing import Known, Thresholds
from shared.domain.attribution.questions import NO_QUESTIONS
from shared.domain.attribution.topic_updates import ClosingRules, idle_since
from shared.domain.group import Group
from shared.domain.tail import LINES
from shared.errors import Broken, OverBudget, Poisoned

if TYPE_CHECKING:
    from shared.threads import Tables

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
        bare = [one for one in bare if one.message_id not in read.found]
        # What is older than the tail is not seen again: it is embedded now.
        is_history = any(one.create_time < read.tail.reaches_back_to for one in read.waiting)
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
                [one for one in read.waiting if one.message_id not in embedded.refused],
                Known(
                    read.before,
                    read.replied,
                    frozenset(read.topics),
                    model,
                    self.tables,
                ),
                Thresholds(settings.topic_join_threshold, settings.topic_ask_threshold),
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
        roles = {message_id: one.role for message_id, one in read.messages.items()}
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
        instead = replace(read, waiting=[harmless(one) for one in read.waiting])
        nothing = Embedded({}, {}, frozenset())
        try:
            await self.planned(instead, nothing, may_ask=False)
        except Poisoned as error:
            group_id = self.group.group_id
            raise Broken(f"no message of {group_id} can be placed: {error.message}") from error
