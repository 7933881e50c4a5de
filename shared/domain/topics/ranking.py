"""Which topics a question means: by the words of their titles, keywords and summaries, by meaning,
and by both. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from shared.domain.bm25 import Heard, heard, scores
from shared.domain.similarity.matching import MEANING, WORDS
from shared.domain.topics.topic import SearchMode, Topic
from shared.language import terms

FIRST = 5
"""That somebody looks at."""
MAX_TERMS = 64
"""That a topic is found by: as many as an index entry takes."""
TITLE_TWICE = 2
"""A word of the title tells more of the whole than one of its summary."""


@dataclass(frozen=True)
class RankedTopic:
    """`keyword_score` is a share of the best, `vector_score` a chance: `score` orders one answer
    and does not compare between two."""

    topic: Topic
    score: float
    keyword_score: float
    vector_score: float


def search_terms(
    title: str, keywords: Sequence[str], content: str, said: Sequence[str] = ()
) -> tuple[str, ...]:
    """What a topic is found by, the title's and keywords' first, then the summary's; where there is
    room, what else was `said`: a summary leaves out the one word that somebody remembers."""
    found = dict.fromkeys([*terms(title), *(term for word in keywords for term in terms(word))])
    return tuple(dict.fromkeys([*found, *terms(content), *said]))[:MAX_TERMS]


def telling_words(texts: Iterable[str]) -> tuple[str, ...]:
    """The words of a talk, the longest first: those are the rare ones."""
    found = {term for text in texts for term in terms(text) if not term.isdigit()}
    return tuple(sorted(found, key=lambda term: (-len(term), term))[:MAX_TERMS])


def ranked_topics(
    topics: Sequence[Topic],
    query: str,
    chances: Mapping[str, float],
    *,
    mode: SearchMode,
    user_id: str | None = None,
) -> list[RankedTopic]:
    """The best first; what neither words nor meaning bring is left out.

    `chances` are how probably each topic is meant. One that says all the words of the question is
    meant as probably as one that is near it in meaning: a rare word that stands in one topic only
    is not outweighed by five that are a little like it.
    """
    of_user = [topic for topic in topics if user_id is None or user_id in topic.user_ids]
    texts = [[*topic.search_terms, *terms(topic.title) * TITLE_TWICE] for topic in of_user]
    asked = terms(query)
    known = heard(texts)
    by_words = _shares(scores(asked, texts, known))
    covered = [_covered(asked, words, known) for words in texts]
    by_meaning = [round(chances.get(topic.topic_id, 0.0), 4) for topic in of_user]
    weights = {"keyword": (1.0, 0.0), "vector": (0.0, 1.0), "hybrid": (WORDS, MEANING)}[mode]
    if mode == "vector":
        covered = [0.0] * len(of_user)
    found = [
        RankedTopic(
            topic,
            round(weights[0] * words + weights[1] * max(meaning, said if words else 0.0), 4),
            words,
            meaning,
        )
        for topic, words, meaning, said in zip(of_user, by_words, by_meaning, covered, strict=True)
    ]
    found.sort(key=lambda topic: (-topic.score, -topic.topic.last_message_at.timestamp()))
    found = [topic for topic in found if topic.score > 0]
    return _with_leaders(found) if mode == "hybrid" else found


def _with_leaders(found: list[RankedTopic]) -> list[RankedTopic]:
    """What is best by words, and what is best by meaning, is among the first five in any case."""
    for leads in (_by_meaning, _by_words):
        leader = max(found, key=leads, default=None)
        if leader is not None and leads(leader) and leader not in found[:FIRST]:
            rest = [topic for topic in found if topic is not leader]
            found = [*rest[: FIRST - 1], leader, *rest[FIRST - 1 :]]
    return found


def _by_words(one: RankedTopic) -> float:
    return one.keyword_score


def _by_meaning(one: RankedTopic) -> float:
    return one.vector_score


def _covered(asked: Sequence[str], words: Sequence[str], known: Heard) -> float:
    """Which share of the question, by how rare its words are, is said; squared: half is little."""
    whole = sum(known.rarity(word) for word in set(asked))
    said = sum(known.rarity(word) for word in set(asked) & set(words))
    return (said / whole) ** 2 if whole else 0.0


def _shares(values: Sequence[float]) -> list[float]:
    best = max(values, default=0.0)
    return [round(value / best, 4) if best else 0.0 for value in values]
