"""Which of a group's lines answer a question, over all that was said.

The last lines come from the tail, older ones from pages, neighbours and all. What is older than the
pages that are read is found by words and by meaning in the index, and comes with the page it stands
in. Every read is of one group; what was recalled is never found.
"""

import asyncio
import re
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from shared.clients.embedder import Embedder
from shared.domain.attribution.lines import own_text
from shared.domain.bm25 import Heard, rarest
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.pages import Page
from shared.domain.ranking.anchors import ANCHORS
from shared.domain.ranking.lines_at_hand import LinesAtHand, joined_lines, lines_at_hand
from shared.domain.ranking.ranker import RankedQuestion, Ranking, rank, score_of
from shared.domain.ranking.reasons import AskedWords, asked_words, reasons_of
from shared.domain.ranking.words import compared_words
from shared.domain.similarity.vectors import unpack_half
from shared.domain.word_index.terms import asked_terms, query_weights
from shared.errors import Transient
from shared.search.asked import NOT_EMBEDDED, EmbeddedQuestion, anchors_of
from shared.stores.messages import MAX_TERMS_ASKED, REPLY_DEPTH, Messages
from shared.stores.pages import Pages
from shared.stores.recent_messages import Recent
from shared.stores.vectors import Vectors
from shared.stores.word_index import WordIndex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAGES_READ = 20
"""With the tail two thousand lines, in half of the forty documents that a context may cost."""
PAGE_BYTES_READ = 6_000_000
"""What so many pages take with vectors of 1,536 numbers."""
PAGES_KEPT = 120
"""Prepared for ranking, in an instance's memory: some 25 MB with vectors of 512 numbers."""
HITS = 40
"""Ids asked of the index, by words and by meaning each; ids cost no document."""
FOUND_READ = 8
"""Of them, lines that are read."""
PAGES_AROUND = 2
"""Of them, the pages in which the best of these lines stand."""
BARE_EMBEDDED = 40
"""Lines without a vector that are embedded with the question: more than ever wait in a group that
keeps up."""
OF_A_SEARCH = {"fresh": 0.0}
"""Whoever searches does not ask about what was just said."""
_CALLS_BOT = re.compile(r"\A\s*[@＠]\S+[\s,:，：]+")


@dataclass(frozen=True)
class FoundLine:
    """`score` is between 0 and 1."""

    message: StoredMessage
    score: float
    reasons: tuple[str, ...]


class MessageSearch:
    def __init__(
        self,
        messages: Messages,
        recent: Recent,
        pages: Pages,
        vectors: Vectors,
        embedder: Embedder,
        word_index: WordIndex,
    ) -> None:
        self._messages = messages
        self._recent = recent
        self._pages = pages
        self._vectors = vectors
        self._embedder = embedder
        self._word_index = word_index
        self._prepared: OrderedDict[tuple[object, ...], LinesAtHand] = OrderedDict()

    async def chain(
        self, group_id: str, message: StoredMessage, known: Mapping[str, StoredMessage]
    ) -> list[StoredMessage]:
        """What it answers, what that answered, and so on, oldest first; only what is not known is
        read. A recalled message in between does not break the chain."""
        chain: dict[str, StoredMessage] = {}
        next_id = message.reply_message_id
        while next_id and next_id not in chain and len(chain) < REPLY_DEPTH:
            found = known.get(next_id) or await self._messages.get(group_id, next_id)
            if found is None or found.message_id == message.message_id:
                break
            chain[next_id] = found
            next_id = found.reply_message_id
        return [line for line in reversed(chain.values()) if line.is_readable]

    async def embedded(
        self, group_id: str, question: StoredMessage, budget_s: float
    ) -> EmbeddedQuestion:
        """The question, the fixed questions, and the last lines that have no vector yet, in one
        request; what was asked for before is remembered."""
        bare = [
            line
            for line in self._recent.bare(group_id, question.create_time, BARE_EMBEDDED)
            if line.message_id != question.message_id
        ]
        is_known = bool(question.vector) and question.vector_model == self._embedder.model
        asked = [] if is_known else [question.content]
        found = await self._embedder.embed(
            [*asked, *ANCHORS, *map(own_text, bare)], group_id=group_id, budget_s=budget_s
        )
        vector = [*map(float, unpack_half(question.vector))] if is_known else found[0]
        fixed = found[len(asked) : len(asked) + len(ANCHORS)]
        learnt = zip(bare, found[len(asked) + len(ANCHORS) :], strict=True)
        self._recent.learn(
            group_id,
            {line.message_id: own for line, own in learnt if own is not None},
            self._embedder.model,
        )
        return EmbeddedQuestion(vector, anchors_of(fixed))

    async def older(self, group_id: str, until: datetime, epoch: int) -> list[Page]:
        """The newest pages, as many as one answer may read, oldest first."""
        outlines = [page for page in self._recent.pages(group_id) if page.first_at <= until]
        chosen, size = [], 0
        for page in reversed(outlines[-PAGES_READ:]):
            size += page.size
            if size > PAGE_BYTES_READ:
                break
            chosen.append(page)
        return await self._pages.get(group_id, chosen[::-1], epoch)

    async def beyond(
        self,
        group_id: str,
        text: str,
        vector: Sequence[float] | None,
        at_hand: Sequence[StoredMessage],
        until: datetime,
    ) -> tuple[list[StoredMessage], list[Page]]:
        """Lines that are not at hand, by words and by meaning, and the pages of the best."""
        by_words, by_meaning = await asyncio.gather(
            self._by_words(group_id, text, at_hand, until),
            self._by_meaning(group_id, vector),
        )
        both = [key for pair in _in_turn(by_words, by_meaning) for key in pair]
        known = {line.message_id for line in at_hand}
        wanted = [key for key in dict.fromkeys(both) if key[0] not in known]
        read = await self._messages.get_many(group_id, [key for key, _ in wanted[:FOUND_READ]])
        found = [
            read[key].message
            for key, version in wanted
            if key in read and read[key].message.version == version
        ]
        lines = [line for line in found if line.is_readable and line.create_time <= until]
        times = [line.create_time for line in lines]
        return lines, await self._pages.at(group_id, times, PAGES_AROUND)

    def talk(
        self,
        group_id: str,
        *,
        last: Iterable[StoredMessage],
        pages: Sequence[Page] = (),
        found: Sequence[StoredMessage] = (),
        anchors: "NDArray[np.float32] | None" = None,
        until: datetime,
        leave_out: Collection[str] = (),
    ) -> LinesAtHand:
        """All that is at hand, each line once."""
        parts = [
            self._part(group_id, last, anchors, until),
            *(self._of_page(group_id, page, anchors, until) for page in reversed(pages)),
            self._part(group_id, found, anchors, until),
        ]
        return joined_lines(parts, leave_out)

    async def find(
        self,
        group_id: str,
        text: str,
        *,
        until: datetime,
        epoch: int,
        lines_said: int,
        limit: int = 20,
        budget_s: float = 5.0,
        leave_out: Collection[str] = (),
    ) -> list[FoundLine]:
        """The lines that answer, the best first; without vectors words alone rank."""
        await self._recent.refresh(group_id, epoch)
        question = StoredMessage(
            group_id=group_id, message_id="-", user_id="-", content=text, create_time=until
        )
        try:
            embedded = await self.embedded(group_id, question, budget_s)
        except Transient:
            embedded = NOT_EMBEDDED
        pages = await self.older(group_id, until, epoch)
        last = list(self._recent.kept(group_id).values())
        at_hand = [*last, *(line for page in pages for line in page.lines)]
        found: list[StoredMessage] = []
        if lines_said > len(at_hand):
            found, more = await self.beyond(group_id, text, embedded.vector, at_hand, until)
            pages = in_order([*more, *pages])
        talk = self.talk(
            group_id,
            last=last,
            pages=pages,
            found=found,
            anchors=embedded.anchors,
            until=until,
            leave_out=leave_out,
        )
        ranking = rank(RankedQuestion(text, embedded.vector), talk.lines, own=OF_A_SEARCH)
        asked = asked_words(text)
        return [found_line(n, ranking, talk, asked) for n in ranking.order[:limit]]

    def _of_page(
        self,
        group_id: str,
        page: Page,
        anchors: "NDArray[np.float32] | None",
        until: datetime,
    ) -> LinesAtHand:
        """Prepared once for each version of a page."""
        if page.lines[-1].create_time > until:
            return self._part(group_id, page.lines, anchors, until)
        key = (group_id, page.page_id, page.version, page.revision, anchors is None)
        made = self._prepared.pop(key, None) or self._part(group_id, page.lines, anchors, until)
        self._prepared[key] = made
        while len(self._prepared) > PAGES_KEPT:
            self._prepared.popitem(last=False)
        return made

    def _part(
        self,
        group_id: str,
        messages: Iterable[StoredMessage],
        anchors: "NDArray[np.float32] | None",
        until: datetime,
    ) -> LinesAtHand:
        model = self._embedder.model
        return lines_at_hand(group_id, messages, model=model, anchors=anchors, until=until)

    async def _by_words(
        self, group_id: str, text: str, at_hand: Sequence[StoredMessage], until: datetime
    ) -> list[tuple[str, int]]:
        """Ids and versions, the best first; of the newest that share a word where the index of
        words is missing, or knows of nothing."""
        asked = asked_terms(compared_words(text))
        wanted = set(asked)
        known = Counter(word for line in at_hand for word in line.terms if word in wanted)
        try:
            weights = query_weights(asked, known, len(at_hand))
            hits = await self._word_index.query(group_id, weights, HITS, until)
        except Transient:
            hits = []
        if hits:
            return [(hit.message_id, hit.version) for hit in hits]
        words = rarest(asked, Heard(len(at_hand), known), MAX_TERMS_ASKED)
        found = await self._messages.with_any_term(group_id, words, until=until, limit=FOUND_READ)
        return [(message.message_id, message.version) for message in found]

    async def _by_meaning(
        self, group_id: str, vector: Sequence[float] | None
    ) -> list[tuple[str, int]]:
        if vector is None:
            return []
        hits = await self._vectors.search(group_id, "message", vector, HITS)
        return [(hit.record_id, hit.version) for hit in hits]


def found_line(line: int, ranking: Ranking, talk: LinesAtHand, asked: AskedWords) -> FoundLine:
    message = talk.messages[ranking.lines.message_ids[line]]
    reasons = reasons_of(ranking.parts_of(line), asked, message.content)
    return FoundLine(message, score_of(float(ranking.scores[line])), reasons)


def in_order(pages: Iterable[Page]) -> list[Page]:
    """Each once, oldest first."""
    known = {page.page_id: page for page in pages}
    return sorted(known.values(), key=lambda page: page.lines[0].create_time)


def asked_text(message: StoredMessage) -> str:
    """What is asked, without the name by which the bot is called."""
    return _CALLS_BOT.sub("", message.content, 1) if message.is_mention_bot else message.content


def _in_turn(
    first: Sequence[tuple[str, int]], second: Sequence[tuple[str, int]]
) -> Iterable[Sequence[tuple[str, int]]]:
    for n in range(max(len(first), len(second))):
        yield [*first[n : n + 1], *second[n : n + 1]]
