"""Brings the indexes of words and meanings up with a group: what failed to reach them, or was said
before there were any."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.clients.embedder import Embedder
from shared.config import Settings
from shared.contracts.queues import queues
from shared.domain.attribution.lines import IndexedText, indexed_texts
from shared.domain.group import Group
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.word_index.rows import word_rows
from shared.stores.groups import Groups
from shared.stores.messages import Messages
from shared.stores.tails import Tails
from shared.stores.vectors import Vector, VectorPlan, Vectors, vector_id
from shared.stores.word_index import WordIndex
from shared.wiring import Services

LINES_A_PAGE = 200
PAGES_A_GROUP = 10
"""In one call: a long history is caught up over several, and keeps no other group waiting."""
CARRIED = 100
"""Lines kept from the page before: neighbours may stand on both sides of a page's end."""


@dataclass(frozen=True)
class LineUpkeep:
    groups: Groups
    messages: Messages
    tails: Tails
    vectors: Vectors
    embedder: Embedder
    word_index: WordIndex
    now: Callable[[], datetime]
    budget_s: float

    async def catch_up(self, group: Group, own: Settings) -> tuple[int, bool]:
        """How many lines were indexed, and whether the rest can wait for the next upkeep: none is
        left, or the index is not there."""
        owed = await self._owed(group.group_id, own.index_every_messages)
        begins = [one for one in (group.unindexed_since, *owed.values()) if one]
        if not begins:
            return 0, True
        since = min(begins)
        done, is_all = 0, False
        last: StoredMessage | None = None
        carried: list[StoredMessage] = []
        for _ in range(PAGES_A_GROUP):
            page = await self.messages.said_between(
                group.group_id, since, self.now(), last.message_id if last else None, LINES_A_PAGE
            )
            new = [one for one in page if one.topic_id and one.is_readable]
            around = [*carried, *page]
            if not await self.word_index.tried(
                group.group_id, word_rows(around, {one.message_id for one in new}, topic_of={})
            ):
                break
            if own.message_vectors:
                await self._put_vectors(group.group_id, new, around)
            done += len(new)
            last = page[-1] if page else last
            carried = page[-CARRIED:]
            if len(page) < LINES_A_PAGE:
                is_all = True
                break
        reached = None if is_all else last.create_time if last else since
        if is_all and owed:
            await self.tails.mark_indexed(group.group_id, owed)
        if reached != since and group.unindexed_since is not None:
            await self.groups.change(
                group.group_id, _moved(group.unindexed_since, reached), self.now()
            )
        return done, is_all or not done

    async def _owed(self, group_id: str, gathered: int) -> dict[str, datetime]:
        """Lines that wait in the tail, by id, if they are so many that a run has tried in vain: a
        few wait until there are more."""
        tail = await self.tails.get(group_id)
        if tail is None or len(tail.unindexed) < gathered:
            return {}
        waiting = {one.message_id for one in tail.unindexed}
        return {one.message_id: one.create_time for one in tail.lines if one.message_id in waiting}

    async def _put_vectors(
        self, group_id: str, new: Sequence[StoredMessage], around: Sequence[StoredMessage]
    ) -> None:
        """Only of what the index lacks: asking it costs less than embedding again."""
        known = await self.vectors.known(
            group_id, [vector_id("message", one.message_id) for one in new]
        )
        lacking = [one for one in new if vector_id("message", one.message_id) not in known]
        texts: dict[str, IndexedText] = {}
        for one in lacking:  # each among the lines of its own topic, as attribution would
            topic = {other.message_id: other for other in around if other.topic_id == one.topic_id}
            texts |= indexed_texts([one], topic)
        embedded = await self.embedder.embed(
            [one.text for one in texts.values()], group_id=group_id, budget_s=self.budget_s
        )
        vectors = dict(zip(texts, embedded, strict=True))
        await self.vectors.apply(
            group_id,
            VectorPlan(
                [
                    Vector("message", one.message_id, values, one.version, one.create_time)
                    for one in lacking
                    if (values := vectors.get(one.message_id)) is not None
                ]
            ),
        )


def line_upkeep(made: Services) -> LineUpkeep:
    """A quarter of the run's budget is for embedding: there are other groups."""
    return made.deps(LineUpkeep, budget_s=queues()["evolve"].model_budget_s / 4)


def _moved(since: datetime, reached: datetime | None) -> Callable[[Group], Group]:
    """Unless a run of attribution has fallen behind further meanwhile."""

    def change(group: Group) -> Group:
        is_ours = group.unindexed_since == since
        return replace(group, unindexed_since=reached) if is_ours else group

    return change
