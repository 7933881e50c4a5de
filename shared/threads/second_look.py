"""A second look some lines later: small topics that nobody took up go where they belong.

A topic is provisional while it is small and new. One that is still of a single line ten lines later
was an aside more often than an opening, so it follows the likeliest line after all, if that is
likely enough; one that takes an earlier matter up again joins it whole, replies and all.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shared.threads.talk import Talk

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
    talk: "Talk", new: int, sizes: Mapping[str, int], unsettled: Set[str] = frozenset()
) -> dict[str, Dissolved]:
    """The topics to dissolve, after so many `new` lines. `sizes` has those that may be, with all
    their messages counted: one of which a line is out of sight stays. The `unsettled` messages are
    left alone."""
    from shared.threads.window import SEEN

    window = talk.window
    end = len(window)
    topics = [window.topic_ids[number] for number in window.column("topic", 0, end)]
    parents = window.column("parent", 0, end)
    begin = max(0, end - BACK - SEEN)
    found: dict[str, Dissolved] = {}
    taken: set[str] = set()
    for place in range(max(0, end - BACK - new), end - WAIT):
        topic_id = topics[place]
        lines = [one for one in range(max(0, end - 2 * SEEN), end) if topics[one] == topic_id]
        is_first = bool(parents[place] < 0) and lines[0] == place
        if not is_first or len(lines) > SMALL or sizes.get(topic_id) != len(lines):
            continue
        if topic_id in taken or any(window.lines[one].message_id in unsettled for one in lines):
            continue
        line, vector = window.lines[place], window.column("vector", place, place + 1)[0]
        parent = _rejoined(talk, lines, begin)
        if parent is None and len(lines) == 1:
            parent = _likeliest(talk, line, vector, place)
        if parent is None or window.lines[parent].message_id in unsettled:
            continue
        target = topics[parent]
        for one in lines:
            topics[one] = target
            window.move(one, target, parent if one == place else int(parents[one]))
        found[topic_id] = Dissolved(target, line.message_id, window.lines[parent].message_id)
        taken.add(target)
    return found


def _likeliest(talk: "Talk", line: Any, vector: Any, place: int) -> int | None:
    """The line it most likely follows, if it is likely enough that it follows any."""
    weighed = talk.weigh_again(line, vector, place)
    best = next(iter(talk.candidates(weighed)), None)
    if best is None or best.continues is None or best.chance < talk.table(place).lonely:
        return None
    return talk.place(best.continues)


def _rejoined(talk: "Talk", lines: list[int], start: int) -> int | None:
    """The last line before of the earlier topic that these lines take up again, if one is likely
    enough."""
    from shared.threads.rejoining import odds, rejoinable

    window, place = talk.window, lines[0]
    table = talk.table(place)
    if table.rejoins is None or place == start:
        return None
    line, vector = window.lines[place], window.column("vector", place, place + 1)[0]
    weighed = talk.weigh_again(line, vector, place)
    pairs = talk.seeing(place).pairs(window, line, vector, place)
    found = rejoinable(
        window, start, lines, pairs, weighed.masses(), float(weighed.chances[-1]), talk.names
    )
    if found is None:
        return None
    above = odds(found.rows, table.rejoins) - table.enough.least(found.rows)
    best = int(above.argmax())
    if above[best] < 0.0:
        return None
    topic = window.column("topic", start, place)
    return start + int((topic == found.topics[best]).nonzero()[0][-1])
