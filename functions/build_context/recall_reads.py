"""Recall for a context: the lines that answer, ranked; each read may fail and costs only itself."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from functions.build_context.deps import Deps
from functions.build_context.question import Question
from functions.build_context.reads import SELECTING, Reads
from shared.domain.context.fitting import is_offerable
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.recall.question import RecallQuestion, recall_question
from shared.domain.recall.ranking import Ranked, rank
from shared.errors import AnnalsError
from shared.search.messages import CONTEXT_REACH, Compared, Match

FINDING = SELECTING - 0.1
"""Words and meaning must have ended a little earlier: then comes what stands beside them."""


class RecallReads:
    """What is found by words and meaning over all that was said, and the last lines, which are at
    hand whether they are indexed yet or not."""

    def __init__(self, question: Question, deps: Deps, kept: Mapping[str, StoredMessage]) -> None:
        self._question = question
        self._deps = deps
        last = [one for one in kept.values() if self._may_be_shown(one)]
        last.sort(key=lambda one: (one.create_time, one.message_id))
        self._last = last

    def start(self, reads: Reads, vector: "asyncio.Task[Sequence[float] | None]") -> None:
        group_id = self._question.group.group_id
        asked = self._asked(self._last)
        words = self._deps.talk.by_words(
            group_id,
            (*asked.words, *asked.pairs),
            self._last,
            self._question.until,
            read=CONTEXT_REACH.by_words,
        )
        reads.start("words", words, until=FINDING)
        reads.start("meaning", self._by_meaning(group_id, vector), until=FINDING)
        budget_s = FINDING * reads.left()
        reads.start("usual_questions", self._usual(group_id, vector, budget_s), until=FINDING)
        self._vector = vector

    @property
    def names_something(self) -> bool:
        """Whether the question has anything to be found by: a word, a person, a day."""
        asked = self._asked(self._last)
        return bool(asked.words or asked.pairs or asked.named.people or asked.days)

    async def ranked(self, reads: Reads) -> list[Ranked]:
        """The best first."""
        matches = await reads.get("words", list[Match]())
        compared = await reads.get("meaning", Compared())
        vector = await reads.maybe(self._vector)
        usual = await reads.get("usual_questions", list[Sequence[float]]())
        pool = self._pool([*compared.messages, *(one.message for one in matches), *self._last])
        best = self._rank(pool, compared, vector, usual)
        beside = [one.message for one in best if one.message.message_id not in self._unbroken]
        around = self._deps.talk.around(
            self._question.group.group_id, beside[: CONTEXT_REACH.around], pool
        )
        reads.start("around", around, until=SELECTING)
        more = self._pool(await reads.get("around", list[StoredMessage]()))
        if more.keys() <= pool.keys():
            return best
        return self._rank({**more, **pool}, compared, vector, usual)

    async def _by_meaning(
        self, group_id: str, vector: "asyncio.Task[Sequence[float] | None]"
    ) -> Compared:
        known = {one.message_id: one for one in self._last}
        return await self._deps.talk.by_meaning(
            group_id,
            await asyncio.shield(vector),
            known,
            unindexed=self._deps.recent.unindexed(group_id),
        )

    async def _usual(
        self, group_id: str, vector: "asyncio.Task[Sequence[float] | None]", budget_s: float
    ) -> list[Sequence[float]]:
        """Asked for together with the question's own, so they follow it and cost no request."""
        try:
            if await asyncio.shield(vector) is None:
                return []
        except (AnnalsError, TimeoutError):
            return []  # what failed is the question's own vector, and is told as that
        return await self._deps.talk.usual_questions(group_id, budget_s)

    def _rank(
        self,
        pool: Mapping[str, StoredMessage],
        compared: Compared,
        vector: Sequence[float] | None,
        usual: Sequence[Sequence[float]],
    ) -> list[Ranked]:
        kept = self._deps.recent.kept(self._question.group.group_id)
        # Some of the last lines have got their vectors since they were read.
        messages = [
            kept[key] if key in kept and kept[key].vector else one for key, one in pool.items()
        ]
        lines = self._deps.talk.lines(messages, compared, list(self._unbroken), vector, usual)
        return rank(self._asked(messages), lines, self._question.settings.recall_weights)

    def _asked(self, messages: Iterable[StoredMessage]) -> RecallQuestion:
        asked, said = self._question.asked, list(messages)
        return recall_question(
            asked.content,
            {one.user_id: one.user_name for one in said},
            now=asked.create_time,
            asker=asked.user_id,
            bots={one.user_id for one in said if one.role == "assistant"},
        )

    @cached_property
    def _unbroken(self) -> dict[str, None]:
        return dict.fromkeys(one.message_id for one in self._last)

    def _pool(self, messages: Iterable[StoredMessage]) -> dict[str, StoredMessage]:
        return {one.message_id: one for one in messages if self._may_be_shown(one)}

    def _may_be_shown(self, message: StoredMessage) -> bool:
        return (
            message.group_id == self._question.group.group_id
            and message.create_time <= self._question.until
            and is_offerable(
                message, self._question.asked.message_id or self._question.asked.said_as
            )
        )
