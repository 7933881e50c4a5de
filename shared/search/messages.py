"""Messages that a question may mean: by reply, thread, topic and time, by words, by meaning.

Every read is of one group. What was recalled is never found, and what the index finds is read again
from Firestore and dropped if it is missing, recalled, or was edited since it was indexed.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.clients.embedder import Embedder
from shared.domain.attribution.lines import own_text
from shared.domain.bm25 import heard, rarest, scores
from shared.domain.context.relevance import Asked
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.recall.question import recall_question
from shared.domain.recall.ranking import Lines, Ranked, rank
from shared.domain.recall.reply_meaning import USUAL_QUESTIONS, reply_scores
from shared.domain.similarity.vectors import cosines, unpack_half
from shared.domain.word_index.counts import query_weights
from shared.domain.word_index.rows import dot, weighted
from shared.domain.word_index.terms import asked_terms, indexed_terms
from shared.errors import Transient
from shared.stores.messages import MAX_TERMS_ASKED, REPLY_DEPTH, Messages
from shared.stores.vectors import Hit, Vectors
from shared.stores.word_counts import CountedWords
from shared.stores.word_index import WordIndex

THREAD = 15
"""The newest of a thread, read for every reply in one."""
TOPIC = 20
"""... and of the topic that is going on."""
BY_WORDS = 60
"""Found by words, before they are ranked together with what is found by meaning."""
WORD_CANDIDATES = 60
"""Without the word index: Firestore gives the newest that have any of the words, and many are
needed for the best to be among them."""
COMPARED = 200
"""Ids and cosines asked of the index: they cost no document, and tell what a high cosine is."""


NO_VECTORS: Mapping[str, Sequence[float]] = {}


@dataclass(frozen=True)
class Reach:
    """How many documents a search may read: found by words, by meaning, and beside how many of the
    best found. What was said lately is at hand and costs none."""

    by_words: int
    by_meaning: int
    around: int


CONTEXT_REACH = Reach(by_words=14, by_meaning=10, around=3)
"""Read before every reply: with what stands beside them, about thirty documents of the forty that a
context may cost."""
SEARCH_REACH = Reach(by_words=60, by_meaning=60, around=30)
"""A tool that a model calls when it wants to know."""


@dataclass(frozen=True)
class Compared:
    """What the index knows of a question: the nearest messages, and the cosines of many more."""

    messages: Sequence[StoredMessage] = ()
    cosines: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Match:
    """A message found by its words, and what they are worth together: rare ones more."""

    message: StoredMessage
    score: float


@dataclass(frozen=True)
class MessageSearch:
    messages: Messages
    vectors: Vectors
    embedder: Embedder
    word_index: WordIndex
    counted_words: CountedWords

    async def chain(
        self,
        group_id: str,
        asked: Asked | StoredMessage,
        known: Mapping[str, StoredMessage] | None = None,
    ) -> list[StoredMessage]:
        """What it answers, what that answered, and so on, oldest first; only what is not known is
        read. A recalled message in between does not break the chain."""
        chain: dict[str, StoredMessage] = {}
        next_id = asked.reply_message_id
        while next_id and next_id not in chain and len(chain) < REPLY_DEPTH:
            found = (known or {}).get(next_id) or await self.messages.get(group_id, next_id)
            if found is None or found.message_id == asked.message_id:
                break
            chain[next_id] = found
            next_id = found.reply_message_id
        return _readable(reversed(chain.values()))

    async def thread(self, group_id: str, asked: Asked) -> list[StoredMessage]:
        """The platform's own thread: its newest messages, and the one it began with."""
        root, thread = asked.root_message_id, asked.thread_id
        if not (root or thread):
            return []
        found = await self.messages.in_thread(
            group_id, root_id=root, thread_id=thread, limit=THREAD
        )
        if root and root not in {one.message_id for one in found}:
            first = await self.messages.get(group_id, root)
            found = [first, *found] if first else found
        return _readable(found)

    async def topic(
        self, group_id: str, topic_id: str | None, until: datetime
    ) -> list[StoredMessage]:
        """The newest of the topic, oldest first."""
        if topic_id is None:
            return []
        found = await self.messages.of_topic(group_id, topic_id, limit=TOPIC, until=until)
        return _readable(found)

    async def by_words(
        self,
        group_id: str,
        terms: Iterable[str],
        recent: Sequence[StoredMessage],
        until: datetime,
        limit: int = BY_WORDS,
        read: int = SEARCH_REACH.by_words,
    ) -> list[Match]:
        """The best match first, over all that was said, attributed or not; give words and, for
        Chinese, pairs of characters. What was said `recent`ly needs no reading, and is found also
        before it is indexed; of the others at most `read` documents are read, the best."""
        asked = list(dict.fromkeys(terms))
        if not asked:
            return []
        try:
            found = await self._by_word_index(group_id, asked, recent, until, limit, read)
        except Transient:
            found = []
        # Also when the index knows of nothing: it may lag, or still be catching up with the group.
        return found or await self._by_stored_terms(
            group_id, asked, recent, until, min(limit, read)
        )

    async def _by_word_index(
        self,
        group_id: str,
        asked: Sequence[str],
        recent: Sequence[StoredMessage],
        until: datetime,
        limit: int,
        read: int,
    ) -> list[Match]:
        said = {
            one.message_id: indexed_terms(one.content)
            for one in _readable(recent)
            if one.create_time <= until
        }
        counts = await self.counted_words.get(group_id)
        weights = query_weights(asked_terms(asked), counts, said.values())
        hits = await self.word_index.query(group_id, weights, limit, until)
        known = {one.message_id: one for one in recent if one.message_id in said}
        unread = [hit.message_id for hit in hits if hit.message_id not in known]
        found = await self.messages.get_many(group_id, unread[:read])
        known |= {key: one.message for key, one in found.items() if one.message.is_readable}
        worth = {
            hit.message_id: hit.score
            for hit in hits
            if hit.message_id in known and known[hit.message_id].version == hit.version
        }
        for message_id, own in said.items():
            alone = dot(weights, weighted([(own, 1.0)]))
            if alone > worth.get(message_id, 0.0):
                worth[message_id] = alone
        best = sorted(worth, key=lambda one: known[one].create_time, reverse=True)
        best.sort(key=lambda one: -worth[one])  # of equals the newest
        return [Match(known[one], worth[one]) for one in best[:limit]]

    async def _by_stored_terms(
        self,
        group_id: str,
        asked: Sequence[str],
        recent: Sequence[StoredMessage],
        until: datetime,
        limit: int,
    ) -> list[Match]:
        """The best of the newest that share a word: all that Firestore can tell."""
        lately = heard(one.terms for one in recent)
        words = rarest(asked, lately, MAX_TERMS_ASKED)
        found = _readable(
            await self.messages.with_any_term(group_id, words, until=until, limit=WORD_CANDIDATES)
        )
        others = {one.message_id: one for one in (*recent, *found)}
        known = heard(one.terms for one in others.values())
        worth = scores(words, [one.terms for one in found], known)
        newest_first = [Match(*pair) for pair in zip(found, worth, strict=True)]
        return sorted(newest_first, key=lambda one: -one.score)[:limit]

    async def vector(
        self,
        group_id: str,
        message: StoredMessage,
        budget_s: float,
        bare: Sequence[StoredMessage] = (),
    ) -> tuple[Sequence[float] | None, dict[str, Sequence[float]]]:
        """Of the question's own text: the one that attribution has stored with it, or a new one.
        With it, in the same call, those of last lines that have none yet, by id."""
        if message.vector and message.vector_model == self.embedder.model:
            return [float(one) for one in unpack_half(message.vector)], {}
        others = [one for one in bare if one.message_id != message.message_id]
        asked, *vectors = await self._embedded(
            group_id, [message.content, *map(own_text, others)], budget_s
        )
        found = zip(others, vectors, strict=True)
        return asked, {line.message_id: one for line, one in found if one is not None}

    async def _embedded(
        self, group_id: str, texts: Sequence[str], budget_s: float
    ) -> list[list[float] | None]:
        """In one request with the usual questions, which from then on are remembered."""
        found = await self.embedder.embed(
            [*texts, *USUAL_QUESTIONS], group_id=group_id, budget_s=budget_s
        )
        return found[: len(texts)]

    async def usual_questions(self, group_id: str, budget_s: float) -> list[Sequence[float]]:
        """Vectors of questions that name nothing; none if they cannot be had."""
        try:
            found = await self.embedder.embed(USUAL_QUESTIONS, group_id=group_id, budget_s=budget_s)
        except Transient:
            return []
        known = [one for one in found if one is not None]
        return list(known) if len(known) == len(found) else []

    async def by_meaning(
        self,
        group_id: str,
        vector: Sequence[float] | None,
        known: Mapping[str, StoredMessage],
        limit: int = CONTEXT_REACH.by_meaning,
        unindexed: Mapping[str, Sequence[float]] = NO_VECTORS,
    ) -> Compared:
        """The nearest, read but for those that are `known`; dropped if gone or edited since. Lines
        that the index does not know yet are compared here."""
        if vector is None:
            return Compared()
        hits = await self.vectors.search(group_id, "message", vector, COMPARED)
        hits = _with_unindexed(hits, vector, known, unindexed)
        wanted = [hit.record_id for hit in hits if hit.record_id not in known][:limit]
        read = await self.messages.get_many(group_id, wanted)
        found = {**known, **{key: one.message for key, one in read.items()}}
        cosines: dict[str, float] = {}
        near: list[StoredMessage] = []
        for hit in hits:
            message = found.get(hit.record_id)
            is_gone = message is None and hit.record_id in wanted
            if is_gone or (message is not None and message.version != hit.version):
                continue
            cosines[hit.record_id] = hit.score
            if message is not None and message.is_readable:
                near.append(message)
        return Compared(near, cosines)

    async def around(
        self,
        group_id: str,
        messages: Sequence[StoredMessage],
        known: Mapping[str, StoredMessage],
    ) -> list[StoredMessage]:
        """What each of them follows, and what follows it."""
        before = [
            one
            for message in messages
            for one in (message.reply_message_id, message.continues)
            if one is not None and one not in known
        ]
        earlier, later = await asyncio.gather(
            self.messages.get_many(group_id, before),
            self.messages.following(group_id, [one.message_id for one in messages]),
        )
        return _readable([*(one.message for one in earlier.values()), *later])

    async def find(
        self,
        group_id: str,
        text: str,
        *,
        recent: Sequence[StoredMessage],
        until: datetime,
        unindexed: Mapping[str, Sequence[float]] = NO_VECTORS,
        asker: str | None = None,
        limit: int = 20,
        budget_s: float = 5.0,
    ) -> list[Ranked]:
        """The lines that answer, the best first, by words and by meaning over all that was said."""
        known = {one.message_id: one for one in recent if one.is_readable}
        members = {one.user_id: one.user_name for one in recent}
        asked = recall_question(text, members, now=until, asker=asker)
        (vector,) = await self._embedded(group_id, [text], budget_s)
        usual = await self.usual_questions(group_id, budget_s)
        matches, compared = await asyncio.gather(
            self.by_words(group_id, (*asked.words, *asked.pairs), recent, until),
            self.by_meaning(group_id, vector, known, SEARCH_REACH.by_meaning, unindexed),
        )
        pool = {one.message_id: one for one in compared.messages}
        pool |= {one.message.message_id: one.message for one in matches} | known
        members = {one.user_id: one.user_name for one in pool.values()}
        asked = recall_question(text, members, now=until, asker=asker, is_of_the_talk=False)
        unbroken = [one.message_id for one in recent]
        best = rank(asked, self.lines(list(pool.values()), compared, unbroken, vector, usual))
        beside = [one.message for one in best if one.message.message_id not in known]
        more = await self.around(group_id, beside[: SEARCH_REACH.around], pool)
        pool = {one.message_id: one for one in more} | pool
        lines = [one for one in pool.values() if one.create_time <= until]
        return rank(asked, self.lines(lines, compared, unbroken, vector, usual))[:limit]

    def lines(
        self,
        messages: Sequence[StoredMessage],
        compared: Compared,
        unbroken: Sequence[str],
        vector: Sequence[float] | None,
        usual: Sequence[Sequence[float]] = (),
    ) -> Lines:
        """What is ranked, with what is known of each; the question's `vector` may be missing, and
        so may the `usual` questions it is compared with."""
        replies = reply_scores(vector, messages, self.embedder.model, usual)
        return Lines(messages, compared.cosines, unbroken, replies, self.embedder.model)


def _with_unindexed(
    hits: list[Hit],
    vector: Sequence[float],
    known: Mapping[str, StoredMessage],
    unindexed: Mapping[str, Sequence[float]],
) -> list[Hit]:
    """The index's answer with the known lines that it lacks, the nearest first."""
    lacking = {
        key: own for key, own in unindexed.items() if key in known and len(own) == len(vector)
    }
    if not lacking:
        return hits
    own_hits = [
        Hit("message", key, known[key].version, cosine)
        for key, cosine in zip(lacking, cosines(vector, list(lacking.values())), strict=True)
    ]
    others = [one for one in hits if one.record_id not in lacking]
    return sorted([*others, *own_hits], key=lambda one: -one.score)


def _readable(messages: Iterable[StoredMessage]) -> list[StoredMessage]:
    return [one for one in messages if one.is_readable]
