"""A second look some lines later: small topics that nobody took up go where they belong.

A topic is provisional while it is small and new. One that is still of a single line ten lines later
was an aside more often than an opening, so it follows the likeliest line after all, if that is
likely enough; one that takes an earlier matter up again joins it whole, replies and all.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from shared.threads.pairs import pairs_of
from shared.threads.rejoining import odds, rejoinable
from shared.threads.talk import Talk
from shared.threads.window import SEEN

EVERY = 10
"""Lines between two looks: ten lines of hindsight tell as much as fifty."""
WAIT = 10
"""Lines that must have come since: until then somebody may still take it up."""
BACK = 40
"""Lines looked at besides the new ones: each a few times, as what comes after it grows."""
SMALL = 12
"""Lines of a topic that can still be taken for a part of another: all of them move."""


@dataclass(frozen=True)
class Dissolved:
    """A topic goes into `topic_id`, all of it; its first line then follows `continues`."""

    topic_id: str
    first: str
    continues: str


def is_due(attributed_before: int, attributed_now: int) -> bool:
    """Whether the last of these lines end another ten."""
    return (attributed_before + attributed_now) // EVERY > attributed_before // EVERY


def look_back(
    talk: Talk, new: int, sizes: Mapping[str, int], unsettled: Set[str] = frozenset()
) -> dict[str, Dissolved]:
    """The topics to dissolve, after so many `new` lines. `sizes` has those that may be, with all
    their messages counted: one of which a line is out of sight stays. The `unsettled` messages are
    left alone."""
    window = talk.window
    end = len(window)
    topics = [window.topic_ids[number] for number in window.topic[:end]]
    parents = window.parent[:end].tolist()
    begin = max(0, end - BACK - SEEN)
    found: dict[str, Dissolved] = {}
    taken: set[str] = set()
    for place in range(max(0, end - BACK - new), end - WAIT):
        topic_id = topics[place]
        lines = [at for at in range(max(0, end - 2 * SEEN), end) if topics[at] == topic_id]
        is_first = parents[place] < 0 and lines[0] == place
        if not is_first or len(lines) > SMALL or sizes.get(topic_id) != len(lines):
            continue
        if topic_id in taken or any(window.lines[at].message_id in unsettled for at in lines):
            continue
        parent = _rejoined(talk, lines, begin)
        if parent is None and len(lines) == 1:
            parent = _likeliest(talk, place)
        if parent is None or window.lines[parent].message_id in unsettled:
            continue
        target = topics[parent]
        for at in lines:
            topics[at] = target
            window.move(at, target, parent if at == place else parents[at])
        first = window.lines[place].message_id
        found[topic_id] = Dissolved(target, first, window.lines[parent].message_id)
        taken.add(target)
    return found


def _likeliest(talk: Talk, place: int) -> int | None:
    """The line it most likely follows, if it is likely enough that it follows any."""
    best = next(iter(talk.candidates(talk.weigh_again(place))), None)
    if best is None or best.continues is None or best.chance < talk.table(place).lonely:
        return None
    return talk.place(best.continues)


def _rejoined(talk: Talk, lines: Sequence[int], start: int) -> int | None:
    """The last line before of the earlier topic that these lines take up again, if one is likely
    enough."""
    window, place = talk.window, lines[0]
    table = talk.table(place)
    if table.rejoins is None or place == start:
        return None
    weighed = talk.weigh_again(place)
    pairs = pairs_of(window, weighed.line, weighed.vector, place, table.votes)
    opens = float(weighed.chances[-1])
    found = rejoinable(window, start, lines, pairs, weighed.masses(), opens, talk.names)
    if found is None:
        return None
    above = odds(found.rows, table.rejoins) - table.enough.least(found.rows)
    best = int(above.argmax())
    if above[best] < 0.0:
        return None
    earlier = window.topic[start:place] == found.topics[best]
    return start + int(earlier.nonzero()[0][-1])
