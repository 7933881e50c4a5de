"""A line beside each earlier one, whatever topics they are in.

Everything is read off the last hundred lines as they were when the line was said; nothing looks
ahead. Distances are logarithms of one plus the count, times are in units of the chat's own pace.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shared.threads.lines import ThreadLine
from shared.threads.window import SEEN, Floats, Integers, Likeness, Window

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
"""A meaning is trusted in proportion to the words behind it, up to so many. The table was fitted
with all of these numbers: who changes one fits it anew."""
_LATER = np.triu(np.ones((SEEN, SEEN), bool), 1)

PAIR_FEATURES = (
    *("lines", "seconds", "time", "previous", "same", "same_time", "alike", "alike_other"),
    *("shared", "addresses", "addressed", "to_others", "named", "answers", "reaction"),
    *("reacts_to_previous", "reacts_time", "own_since", "theirs_since", "alike_long"),
    *("alike_time", "short_before", "short", "addressing", "asks", "third"),
)


def log1p(values: Floats | Integers) -> Floats:
    return np.log1p(np.maximum(values, 0.0))


@dataclass(frozen=True)
class Pairs:
    """A line beside each earlier one from `start` on: what the votes are made of."""

    start: int
    line: ThreadLine
    person: int
    at: Floats
    speaker: Integers
    asks: Floats
    reacts: Floats
    addresses_somebody: Floats
    gap: Floats
    elapsed: Floats
    time: Floats
    same: Floats
    own_since: Floats
    theirs_since: Floats
    third: Floats
    is_author: Floats
    to_us: Floats
    names_author: Floats
    shared: Floats
    likeness: Likeness
    standard: Floats
    """How alike they are, as `likeness` gives it before it is clipped."""
    alike: Floats
    pace: float
    addressing: float
    visiting: float
    votes: Floats
    voted: Floats


def addressing_of(window: Window, place: int) -> float:
    """From 0 to 1: whether people here say whom they talk to."""
    start = max(0, place - SEEN)
    addressed = float(window.addresses[start:place].sum())
    return min(1.0, addressed / max(FEW_LINES, place - start) / ADDRESSING_SHARE)


def visiting_of(window: Window, place: int) -> float:
    """From 0 to 1: whether people here look in now and then."""
    start = max(0, place - SEEN)
    paused = float((np.diff(window.at[start:place]) > PAUSE_S).sum())
    return min(1.0, paused / max(PACE_LINES, place - start) / VISITING_SHARE)


def pairs_of(
    window: Window, line: ThreadLine, vector: Floats, place: int, vote_weights: Floats | None
) -> Pairs:
    """There is at least one line before. `vote_weights` are those of a pair's log-odds, bias
    last."""
    start = max(0, place - SEEN)
    count = place - start
    at = window.at[start:place]
    speaker = window.speaker[start:place]
    asks = window.asks[start:place]
    reacts = window.reacts[start:place]
    addressed = window.addresses[start:place]
    words_before = window.words[start:place]
    person = window.person(line.speaker)
    is_question = float(line.kind == "question")
    is_reaction = float(line.kind == "casual")
    words = len(line.terms)
    pace = _pace(at)
    addressing = addressing_of(window, place)
    gap = np.arange(count, 0, -1, dtype=np.float32)
    elapsed = np.maximum(0.0, line.at - at)
    time = log1p(elapsed / pace)
    same = (speaker == person).astype(np.float32)
    other = 1.0 - same
    own_since = same[::-1].cumsum()[::-1] - same
    by_person = speaker[:, None] == speaker[None, :]
    theirs_since = (by_person & _LATER[:count, :count]).sum(1).astype(np.float32)
    third = log1p(gap - 1 - theirs_since - np.where(same > 0, 0.0, own_since))
    to = window.people(line.to)
    addresses = float(bool(line.to))
    is_author = np.isin(speaker, to).astype(np.float32)
    before = window.lines[start:place]
    to_us = np.fromiter((line.speaker in earlier.to for earlier in before), np.float32, count)
    names_author = np.isin(speaker, window.people(line.names)).astype(np.float32)
    shared = _shared(line, before)
    likeness = window.likeness(start, place)
    known = window.known[start:place] * float(vector.any())
    cosines = window.vector[start:place] @ vector if known.any() else np.zeros(count, np.float32)
    standard = likeness.standard(cosines, known)
    alike = likeness.told(standard)
    previous = (gap == 1).astype(np.float32)
    ones = np.ones(count, np.float32)
    columns: dict[str, Any] = {
        "lines": np.log(gap),
        "seconds": log1p(elapsed),
        "time": time,
        "previous": previous,
        "same": same,
        "same_time": same * time,
        "alike": alike,
        "alike_other": alike * other,
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
        "alike_long": alike * min(words, LONG) / LONG * np.minimum(words_before, LONG) / LONG,
        "alike_time": alike * time,
        "short_before": words_before <= 2,
        "short": (words <= 2) * ones,
        "addressing": addressing * ones,
        "asks": is_question * ones,
        "third": third,
    }
    near = max(0, count - VOTERS)
    voted = np.ones((count - near, len(PAIR_FEATURES) + 1), np.float32)
    for index, name in enumerate(PAIR_FEATURES):
        voted[:, index] = columns[name][near:]
    votes = np.zeros(count, np.float32)
    if vote_weights is not None:
        votes[near:] = np.clip(voted @ vote_weights, -MOST_VOTE, MOST_VOTE)
    return Pairs(
        start=start, line=line, person=person, at=at, speaker=speaker, asks=asks, reacts=reacts,
        addresses_somebody=addressed, gap=gap, elapsed=elapsed, time=time, same=same,
        own_since=own_since, theirs_since=theirs_since, third=third, is_author=is_author,
        to_us=to_us, names_author=names_author, shared=shared, likeness=likeness,
        standard=standard, alike=alike, pace=pace, addressing=addressing,
        visiting=visiting_of(window, place), votes=votes, voted=voted,
    )  # fmt: skip


def _pace(at: Floats) -> float:
    """The usual time between two lines, pauses left out."""
    gaps = np.diff(at[-PACE_LINES:])
    flowing = gaps[gaps <= PAUSE_S]
    return max(LEAST_PACE_S, float(flowing.mean())) if len(flowing) else USUAL_PACE_S


def _shared(line: ThreadLine, before: Sequence[ThreadLine]) -> Floats:
    """How rare the words in common are, together."""
    found = np.zeros(len(before), np.float32)
    common = [line.terms & earlier.terms for earlier in before]
    rarity = rarity_of(common, len(before))
    for place, terms in enumerate(common):
        if terms:
            found[place] = min(MOST_SHARED, sum(rarity[term] for term in terms))
    return found


def rarity_of(said: Sequence[frozenset[str]], lines: int) -> dict[str, float]:
    """Of each word, among so many lines."""
    counts = Counter(term for terms in said for term in terms)
    return {
        term: max(0.0, float(np.log((1 + lines) / (0.5 + count)))) for term, count in counts.items()
    }
