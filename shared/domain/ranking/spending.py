"""A budget of tokens spent on ranked lines: whole lines, best first, until it is used. Pure."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from shared.language import estimate_tokens

MOST_OF_LEFT = 0.5
"""A long line that alone would take more than this share of what is left is cut to that."""
LONG = 100
"""Tokens. A shorter line is shown whole or not at all: a piece of it says too little."""
CUT = "..."


@dataclass(frozen=True)
class SpentLine:
    """A line that is shown, and what of the budget it may take: less than it costs if it is cut."""

    line: int
    tokens: int


def spend(
    order: Iterable[int],
    costs: Sequence[int],
    budget: int,
    *,
    days: Sequence[str] | None = None,
    day_cost: int = 0,
    needed: Sequence[int] = (),
) -> list[SpentLine]:
    """In the order taken. `needed` (the reply chain) comes first. One that has no room is passed
    over. The first line of a day pays `day_cost` for the line that names the day."""
    spent: list[SpentLine] = []
    shown_days: set[str] = set()
    left = budget
    taken = set(needed)
    for line in [*needed, *(one for one in order if one not in taken)]:
        day = days[line] if days is not None else ""
        room = left - (day_cost if day and day not in shown_days else 0)
        tokens = costs[line]
        if tokens > LONG:
            tokens = min(tokens, max(LONG, int(MOST_OF_LEFT * room)))
        if tokens > room:
            continue
        spent.append(SpentLine(line, tokens))
        left = room - tokens
        shown_days.add(day)
    return spent


def cut_around(text: str, words: Collection[str], max_tokens: int) -> str:
    """As much of the text as has room, around the first place where the words stand closest."""
    if estimate_tokens(text) <= max_tokens:
        return text
    lowered = text.lower()
    places = sorted(at for word in words if (at := lowered.find(word.lower())) >= 0)
    share = max_tokens / max(1, estimate_tokens(text))
    width = max(1, int(len(text) * share))
    start = _best_start(places, width, len(text))
    while width > 0:
        piece = text[start : start + width].strip()
        shown = f"{CUT if start else ''}{piece}{CUT if start + width < len(text) else ''}"
        if estimate_tokens(shown) <= max_tokens:
            return shown
        width -= max(1, width // 10)
    return ""


def _best_start(places: Sequence[int], width: int, length: int) -> int:
    """Where a window holds most of the places, a little before the first of them."""
    if not places or places[-1] < width:
        return 0
    most = max(places, key=lambda at: sum(at <= other < at + width * 3 // 4 for other in places))
    return max(0, min(most - width // 4, length - width))
