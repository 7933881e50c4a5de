"""Neighbours of a line in its thread: what it follows and what follows it, two steps each way."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from shared.domain.messages.stored_message import StoredMessage

BEFORE = 0.6
AFTER = 0.5
"""What a neighbour's words count for a line, a step away; two steps away the square of it."""
STEPS = 2
NEXT_LINE = 0.5
"""... of that, where all that is known is that one was said right after the other."""
NEXT_LINE_WITHIN = timedelta(minutes=10)
"""After a longer silence the next line more often begins something else."""

Neighbours = Sequence[Mapping[int, float]]
"""For each line the others that count for it, by their place, and how much."""


def neighbours(messages: Sequence[StoredMessage], unbroken: Sequence[str]) -> Neighbours:
    """`unbroken` are ids of lines that followed each other directly, oldest first."""
    place = {one.message_id: n for n, one in enumerate(messages)}
    found: list[dict[int, float]] = [{} for _ in messages]

    def link(later: int, earlier: int, steps: int, share: float = 1.0) -> None:
        found[later][earlier] = max(found[later].get(earlier, 0.0), share * BEFORE**steps)
        found[earlier][later] = max(found[earlier].get(later, 0.0), share * AFTER**steps)

    before = [_before(one, place) for one in messages]
    for n in range(len(messages)):
        at = n
        for steps in range(1, STEPS + 1):
            earlier = before[at]
            if earlier is None or earlier == n:
                break
            link(n, earlier, steps)
            at = earlier
    order = [place[one] for one in unbroken if one in place]
    for steps in range(1, STEPS + 1):
        for earlier, later in zip(order, order[steps:], strict=False):
            gap = messages[later].create_time - messages[earlier].create_time
            if gap <= steps * NEXT_LINE_WITHIN:
                link(later, earlier, steps, NEXT_LINE)
    return found


def _before(message: StoredMessage, place: Mapping[str, int]) -> int | None:
    for one in (message.reply_message_id, message.continues):
        if one is not None and one in place:
            return place[one]
    return None
