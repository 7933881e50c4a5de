"""The words of a run: what of it goes into the word index, and into the count of words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.domain.messages.stored_message import StoredMessage
from shared.domain.word_index.counts import is_sampled
from shared.domain.word_index.rows import word_rows
from shared.domain.word_index.terms import indexed_terms
from shared.stores.database import Write
from shared.stores.word_counts import CountedWords, put_counts
from shared.stores.word_index import WordIndex


@dataclass(frozen=True)
class IndexedWords:
    """`writes` go into the run's commit. `behind_since` is the time of the earliest line that did
    not reach the index, if one did not: upkeep takes it up from there."""

    writes: Sequence[Write] = ()
    behind_since: datetime | None = None


@dataclass(frozen=True)
class Words:
    word_index: WordIndex
    counted_words: CountedWords

    async def put(
        self,
        group_id: str,
        lines: Iterable[StoredMessage],
        decided: Mapping[str, str],
    ) -> IndexedWords:
        """The lines that were `decided`, by their topics, with the neighbours they change."""
        known = {one.message_id: one for one in lines}
        new = [known[one] for one in decided if one in known]
        rows = word_rows(known.values(), decided.keys(), decided)
        is_done = await self.word_index.tried(group_id, rows)
        return IndexedWords(
            await self._counts(group_id, new),
            None if is_done else min(one.create_time for one in new),
        )

    async def _counts(self, group_id: str, new: Sequence[StoredMessage]) -> list[Write]:
        sample = [one for one in new if is_sampled(one.message_id)]
        if not sample:
            return []
        counts = await self.counted_words.get(group_id)
        return [put_counts(group_id, counts.plus(indexed_terms(one.content) for one in sample))]
