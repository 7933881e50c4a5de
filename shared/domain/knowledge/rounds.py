"""Rounds of dialogue: what one extraction reads, and when there is enough for one. Pure.

A round is a user's message that the bot answered; a second answer in a row ends no other.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.domain.group import Group, cursor_after
from shared.domain.jobs.job import KeptReply
from shared.domain.messages.stored_message import StoredMessage

CURSOR = "extract"
"""The name under which a group keeps how far extraction has read."""
MAX_MESSAGES = 1000
"""Read for one batch at most: in a busy group five rounds may lie that far apart."""
LINES_OF_A_ROUND = 5
"""Before the bot's answer: what it was about. What people say far from the bot is evolution's."""


@dataclass(frozen=True)
class RoundsPage:
    """Messages read in one go, oldest first, and how many rounds end in them. `answer` is what the
    model said of exactly these before a crash."""

    messages: Sequence[StoredMessage]
    rounds: int
    is_more: bool = False
    answer: str | None = None

    @property
    def until(self) -> str | None:
        return self.messages[-1].message_id if self.messages else None

    @property
    def spoken(self) -> list[StoredMessage]:
        """The lines of the rounds that may be read and learnt from."""
        ends = [at for at, _ in enumerate(self.messages) if _ends_a_round(self.messages, at)]
        near = {at for end in ends for at in range(max(0, end - LINES_OF_A_ROUND), end + 1)}
        lines = [one for at, one in enumerate(self.messages) if at in near]
        return [one for one in lines if one.is_readable and one.content.strip()]


def rounds_page(
    found: Sequence[StoredMessage], group: Group, batch: int, reply: KeptReply | None
) -> RoundsPage:
    """The next batch of rounds, or an empty page while there are too few.

    What the model was asked about before a crash is the same page again, unless something was
    forgotten since: then the answer may quote it. Where attribution counted more rounds than the
    order of the lines shows, what there is is taken.
    """
    if reply is not None and reply.epoch == group.epoch:
        places = {one.message_id: place for place, one in enumerate(found, 1)}
        end = places.get(reply.until or "")
        if end is not None:
            taken = found[:end]
            more = count_rounds(found[end:]) >= batch
            return RoundsPage(taken, count_rounds(taken), more, json.loads(reply.answer))
    ends = [at for at, _ in enumerate(found) if _ends_a_round(found, at)]
    if len(ends) >= batch:
        last = ends[batch - 1]
        return RoundsPage(found[: last + 1], batch, len(ends) >= 2 * batch)
    if len(found) >= MAX_MESSAGES:
        return RoundsPage(found, len(ends))
    if ends and group.rounds_since_extraction >= batch:
        return RoundsPage(found[: ends[-1] + 1], len(ends))
    return RoundsPage((), 0)


def count_rounds(messages: Sequence[StoredMessage]) -> int:
    return sum(_ends_a_round(messages, at) for at, _ in enumerate(messages))


def _ends_a_round(messages: Sequence[StoredMessage], at: int) -> bool:
    if messages[at].role != "assistant":
        return False
    return at > 0 and messages[at - 1].role != "assistant"


def kept_reply(page: RoundsPage, raw_answer: str, epoch: int) -> KeptReply:
    return KeptReply(json.dumps(raw_answer), epoch, page.until)


def extracted_until(page: RoundsPage, group: Group, now: datetime) -> Group:
    """The cursor goes on, never back, and only over what was read."""
    cursors = dict(group.cursors)
    moved = cursor_after(cursors.get(CURSOR), page.messages, now)
    if moved is not None:
        cursors[CURSOR] = moved
    left = max(0, group.rounds_since_extraction - page.rounds)
    return replace(group, cursors=cursors, rounds_since_extraction=left)


def is_batch_complete(before: int, rounds: int, batch: int) -> bool:
    """Whether these rounds make another batch full."""
    return batch > 0 and (before + rounds) // batch > before // batch
