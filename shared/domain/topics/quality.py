"""How good a summary is: coverage, coherence, relevance, and what a model says of it. Pure.

- Coverage: which share of the topic's keywords, by weight, the summary speaks of.
- Coherence: whether its sentences follow the order of the talk, and each hangs together with the
  one before it or with the talk where that one ended.
- Relevance: which share of what the summary says, by words, the talk bears out.
- The model's judgement is sampled; where it is missing the other three are weighed up to one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from shared.domain.topics.bursts import Burst
from shared.domain.topics.keywords import keywords_of
from shared.language import sentences_of, terms

COVERAGE, COHERENCE, RELEVANCE, JUDGEMENT = 0.3, 0.2, 0.2, 0.3
"""As the design weighs them."""
SUBJECTS = 30
"""Keywords a summary is held against: more than are shown, for the small things too."""
BORNE_OUT = 0.4
"""A sentence that shares less of its words with the whole talk is about something else."""


@dataclass(frozen=True)
class Quality:
    """Each from 0 to 1; `judged` is None where no model was asked."""

    coverage: float
    coherence: float
    relevance: float
    judged: float | None = None

    @property
    def total(self) -> float:
        measured = (
            COVERAGE * self.coverage + COHERENCE * self.coherence + RELEVANCE * self.relevance
        )
        if self.judged is None:
            return round(measured / (COVERAGE + COHERENCE + RELEVANCE), 4)
        return round(measured + JUDGEMENT * self.judged, 4)

    def as_fields(self) -> dict[str, float | bool | None]:
        return {
            "coverage": self.coverage,
            "coherence": self.coherence,
            "relevance": self.relevance,
            "judged": self.judged,
            "is_sampled": self.judged is not None,
            "total": self.total,
        }


def measure(
    summary: str,
    talk: Sequence[Burst],
    judged: float | None = None,
    previous: str = "",
) -> Quality:
    """`previous` is the summary it started from: what stood there needs no new source."""
    said = [frozenset(terms(burst.content)) | burst.terms for burst in talk]
    if previous:
        said = [*(frozenset(terms(sentence)) for sentence in sentences_of(previous)), *said]
    told = [frozenset(terms(sentence)) for sentence in sentences_of(summary)]
    told = [words for words in told if words]
    return Quality(
        coverage=_coverage(summary, keywords_of([burst.content for burst in talk], limit=SUBJECTS)),
        coherence=_coherence(told, said),
        relevance=_relevance(told, said),
        judged=judged,
    )


def changed_sentences(before: str, after: str) -> tuple[list[str], list[str]]:
    """What a text says that another did not, and what it no longer says, each in its order."""
    old, new = sentences_of(before), sentences_of(after)
    return [line for line in new if line not in old], [line for line in old if line not in new]


def _coverage(summary: str, keywords: Mapping[str, float]) -> float:
    whole = sum(keywords.values())
    if not whole:
        return 1.0 if summary.strip() else 0.0
    plain, words = summary.casefold(), set(terms(summary))
    named = sum(
        weight
        for word, weight in keywords.items()
        if word.casefold() in plain or ((own := set(terms(word))) and own <= words)
    )
    return round(named / whole, 4)


def _coherence(told: Sequence[frozenset[str]], said: Sequence[frozenset[str]]) -> float:
    """Of two neighbouring sentences the later should not be about what was said earlier."""
    places = [_place(words, said) for words in told]
    known = [place for place in places if place is not None]
    if not told or not known:
        return 0.0
    pairs = list(pairwise(known))
    in_order = sum(later >= earlier for earlier, later in pairs) / len(pairs) if pairs else 1.0
    return round(in_order * len(known) / len(places), 4)


def _place(sentence: frozenset[str], said: Sequence[frozenset[str]]) -> int | None:
    """Where in the talk the sentence is from."""
    best = max(range(len(said)), key=lambda n: (len(sentence & said[n]), -n), default=None)
    return best if best is not None and sentence & said[best] else None


def _relevance(told: Sequence[frozenset[str]], said: Sequence[frozenset[str]]) -> float:
    whole = frozenset[str]().union(*said)
    if not told:
        return 0.0
    shares = [len(words & whole) / len(words) for words in told]
    return round(sum(share for share in shares if share >= BORNE_OUT) / len(told), 4)
