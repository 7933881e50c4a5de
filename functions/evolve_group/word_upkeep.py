"""Bringing the index of words up with a group: what failed to reach it, or was said before it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from shared.domain.group import Group
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.word_index.counts import is_sampled
from shared.domain.word_index.rows import word_rows
from shared.domain.word_index.terms import indexed_terms
from shared.stores.groups import Groups
from shared.stores.messages import Messages
from shared.stores.word_counts import CountedWords
from shared.stores.word_index import WordIndex

LINES_A_PAGE = 200
PAGES_A_GROUP = 10
"""In one call: a long history is caught up over several, and keeps no other group waiting."""
CARRIED = 100
"""Lines kept from the page before: neighbours may stand on both sides of a page's end."""


@dataclass(frozen=True)
class WordUpkeep:
    groups: Groups
    messages: Messages
    word_index: WordIndex
    counted_words: CountedWords
    now: Callable[[], datetime]

    async def catch_up(self, group: Group) -> tuple[int, bool]:
        """How many lines were indexed, and whether the rest can wait for the next upkeep: none is
        left, or the index is not there."""
        since = group.words_behind
        if since is None:
            return 0, True
        done, is_all = 0, False
        last: StoredMessage | None = None
        carried: list[StoredMessage] = []
        for _ in range(PAGES_A_GROUP):
            page = await self.messages.said_between(
                group.group_id, since, self.now(), last.message_id if last else None, LINES_A_PAGE
            )
            new = {one.message_id for one in page if one.topic_id}
            if not await self.word_index.tried(
                group.group_id, word_rows([*carried, *page], new, topic_of={})
            ):
                break
            await self._count([one for one in page if one.message_id in new])
            done += len(new)
            last = page[-1] if page else last
            carried = page[-CARRIED:]
            if len(page) < LINES_A_PAGE:
                is_all = True
                break
        reached = None if is_all else last.create_time if last else since
        if reached != since:
            await self.groups.change(group.group_id, _moved(since, reached), self.now())
        return done, is_all or not done

    async def _count(self, page: list[StoredMessage]) -> None:
        sample = [one for one in page if is_sampled(one.message_id) and one.is_readable]
        if sample:
            await self.counted_words.add(
                sample[0].group_id, [indexed_terms(one.content) for one in sample]
            )


def _moved(since: datetime, reached: datetime | None) -> Callable[[Group], Group]:
    """Unless a run of attribution has fallen behind further meanwhile."""

    def change(group: Group) -> Group:
        return replace(group, words_behind=reached) if group.words_behind == since else group

    return change
