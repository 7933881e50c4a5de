"""A line beside each earlier one, whatever topics they are in.

Everything is read off the last hundred lines as they were when the line was said; nothing looks
ahead. Distances are logarithms of one plus the count, times are in units of the chat's own pace.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from shared.threads.lines import Line
from shared.threads.window import SEEN, Window

PAUSE_S = 30 * 60.0
"""A longer silence is a pause, and says nothing of the pace."""
LEAST_PACE_S = 5.0
"""Nobody talks faster for long: a few pasted lines must not make every gap after them long."""
USUAL_PACE_S = 60.0
"""Assumed where too little was said to tell."""
PACE_LINES = 50
"""The last lines that the pace is taken from."""
ADDRESSING_SHARE = 0.3
"""People here say whom they talk to, if so large a share of the lines does."""
VISITING_SHARE = 0.08
"""People look in now and then, if so large a share of the lines comes after a pause: of woven talk
that flows one in fifty does, of friends' and colleagues' groups one in ten."""
FEW_LINES = 20
"""A share of fewer lines than this would say too much."""
MOST_SHARED = 8.0
"""Shared rare words count up to here: a text that is quoted whole shares all of them."""
VOTERS = 40
"""Lines that have a vote on whether they and the new one are of one topic."""
MOST_VOTE = 4.0
"""One line's vote, however sure, so that it does not outvote all others."""
LONG = 8
"""A meaning is trusted in proportion to the words behind it, up to so many. The tables were fitted
with all of these numbers: who changes one fits them anew."""
_LATER = np.triu(np.ones((SEEN, SEEN), bool), 1)

PAIR_FEATURES = (
    *("lines", "seconds", "time", "previous", "same", "same_time", "cosine", "cosine_other"),
    *("reply", "shared", "addresses", "addressed", "to_others", "named", "answers", "reaction"),
    *("reacts_to_previous", "reacts_time", "own_since", "theirs_since", "opener", "cosine_long"),
    *("reply_time", "short_before", "short", "addressing", "asks", "third"),
)


@dataclass(frozen=True)
class Probes:
    """What was learnt of one embedding model's vectors: which texts open a topic, and which
    directions tell that one text replies to another. None: nothing is known of this model."""

    opener: Any = None
    opener_bias: Any = 0.0
    reply: Any = None


def log1p(values: Any) -> Any:
    return np.log1p(np.maximum(values, 0.0))


@dataclass(frozen=True)
class Pairs:
    """A line beside each earlier one, whatever topics they are in: what the votes are made of."""

    start: int
    line: Line
    person: int
    at: Any
    speaker: Any
    asks: Any
    reacts: Any
    addresses_somebody: Any
    gap: Any
    elapsed: Any
    time: Any
    same: Any
    own_since: Any
    theirs_since: Any
    third: Any
    is_author: Any
    to_us: Any
    names_author: Any
    shared: Any
    cosine: Any
    reply: Any
    opener: float
    pace: float
    addressing: float
    votes: Any
    voted: Any


def addressing_of(window: Window, place: int) -> float:
    """From 0 to 1: whether people here say whom they talk to."""
    start = max(0, place - SEEN)
    addressed = float(window.column("addresses", start, place).sum())
    return min(1.0, addressed / max(FEW_LINES, place - start) / ADDRESSING_SHARE)


def visiting_of(window: Window, place: int) -> float:
    """From 0 to 1: whether people here look in now and then."""
    start = max(0, place - SEEN)
    paused = float((np.diff(window.column("at", start, place)) > PAUSE_S).sum())
    return min(1.0, paused / max(PACE_LINES, place - start) / VISITING_SHARE)


class SeeingPairs:
    """Reads pairs off a window; `votes` are the weights of a pair's log-odds, bias last.

    `scale` and `shift` make another embedding model's cosines mean what those of the fitted do.
    """

    def __init__(self, probes: Probes, votes: Any, scale: float = 1.0, shift: float = 0.0) -> None:
        self._probes = probes
        self._votes = votes
        self._scale, self._shift = scale, shift

    def pairs(self, window: Window, line: Line, vector: Any, place: int) -> Pairs:
        """There is at least one line before."""
        start = max(0, place - SEEN)
        m = place - start
        at = window.column("at", start, place)
        speaker = window.column("speaker", start, place)
        asks = window.column("asks", start, place)
        reacts = window.column("reacts", start, place)
        addressed = window.column("addresses", start, place)
        words_before = window.column("words", start, place)
        person = window.person(line.speaker)
        is_question = float(line.kind == "question")
        is_reaction = float(line.kind == "casual")
        words = len(line.terms)
        opener = self._opener(vector)
        pace = _pace(at)
        addressing = addressing_of(window, place)
        gap = np.arange(m, 0, -1, dtype=np.float32)
        elapsed = np.maximum(0.0, line.at - at)
        time = log1p(elapsed / pace)
        same = (speaker == person).astype(np.float32)
        other = 1.0 - same
        own_since = same[::-1].cumsum()[::-1] - same
        by_person = speaker[:, None] == speaker[None, :]
        theirs_since = (by_person & _LATER[:m, :m]).sum(1).astype(np.float32)
        third = log1p(gap - 1 - theirs_since - np.where(same > 0, 0.0, own_since))
        to = window.people(line.to)
        addresses = float(bool(line.to))
        is_author = np.isin(speaker, to).astype(np.float32) if to else np.zeros(m, np.float32)
        before = window.lines[start:place]
        to_us = np.fromiter((line.speaker in one.to for one in before), np.float32, m)
        named = window.people(line.names)
        names_author = np.isin(speaker, named).astype(np.float32) if named else np.zeros(m)
        shared = _shared(line, before)
        vectors = window.column("vector", start, place)
        cosine = self._meant(vectors @ vector) if vector.size else np.zeros(m, np.float32)
        reply = self._reply(vectors, vector, cosine)
        previous = (gap == 1).astype(np.float32)
        ones = np.ones(m, np.float32)
        columns = {
            "lines": np.log(gap),
            "seconds": log1p(elapsed),
            "time": time,
            "previous": previous,
            "same": same,
            "same_time": same * time,
            "cosine": cosine,
            "cosine_other": cosine * other,
            "reply": reply,
            "shared": shared,
            "addresses": is_author * other,
            "addressed": to_us,
            "to_others": other * (addresses * (1 - is_author) + addressed * (1 - to_us)),
            "named": names_author,
            "answers": asks * other * (1 - is_question),
            "reaction": reacts,
            "reacts_to_previous": is_reaction * previous,
            "reacts_time": is_reaction * time,
            "own_since": log1p(own_since),
            "theirs_since": log1p(theirs_since),
            "opener": opener * ones,
            "cosine_long": (
                cosine * min(words, LONG) / LONG * np.minimum(words_before, LONG) / LONG
            ),
            "reply_time": reply * time,
            "short_before": words_before <= 2,
            "short": (words <= 2) * ones,
            "addressing": addressing * ones,
            "asks": is_question * ones,
            "third": third,
        }
        near = max(0, m - VOTERS)
        voted = np.ones((m - near, len(PAIR_FEATURES) + 1), np.float32)
        for index, name in enumerate(PAIR_FEATURES):
            voted[:, index] = columns[name][near:]
        votes = np.zeros(m, np.float32)
        if self._votes is not None:
            votes[near:] = np.clip(voted @ self._votes, -MOST_VOTE, MOST_VOTE)
        return Pairs(
            start, line, person, at, speaker, asks, reacts, addressed, gap, elapsed, time, same,
            own_since, theirs_since, third, is_author, to_us, names_author, shared, cosine, reply,
            opener, pace, addressing, votes, voted,
        )  # fmt: skip

    def _meant(self, cosines: Any) -> Any:
        return cosines if self._scale == 1.0 else self._scale * cosines + self._shift

    def _opener(self, vector: Any) -> float:
        if self._probes.opener is None or not vector.size:
            return 0.0
        return float(vector @ self._probes.opener) + float(self._probes.opener_bias)

    def _reply(self, vectors: Any, vector: Any, cosine: Any) -> Any:
        if self._probes.reply is None or not vector.size:
            return cosine
        return vectors @ (vector * self._probes.reply)


def _pace(at: Any) -> float:
    """The usual time between two lines, pauses left out."""
    gaps = np.diff(at[-PACE_LINES:])
    flowing = gaps[gaps <= PAUSE_S]
    return max(LEAST_PACE_S, float(flowing.mean())) if len(flowing) else USUAL_PACE_S


def _shared(line: Line, before: list[Line]) -> Any:
    """How rare the words in common are, together."""
    found = np.zeros(len(before), np.float32)
    if not line.terms:
        return found
    common = [line.terms & one.terms for one in before]
    counts: dict[str, int] = {}
    for terms in common:
        for term in terms:
            counts[term] = counts.get(term, 0) + 1
    rarity = {
        term: max(0.0, float(np.log((1 + len(before)) / (0.5 + count))))
        for term, count in counts.items()
    }
    for place, terms in enumerate(common):
        if terms:
            found[place] = min(MOST_SHARED, sum(rarity[term] for term in terms))
    return found
