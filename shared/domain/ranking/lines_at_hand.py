"""Lines at hand of one group: as they are stored, and prepared for ranking. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from shared.domain.messages.stored_message import StoredMessage
from shared.domain.ranking.lines import Line, PreparedLines, joined, prepare, without
from shared.domain.similarity.vectors import unpack_half

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class LinesAtHand:
    """`lines` oldest first; `messages` are the same by their id."""

    messages: Mapping[str, StoredMessage]
    lines: PreparedLines


def lines_at_hand(
    group_id: str,
    messages: Iterable[StoredMessage],
    *,
    model: str,
    anchors: "NDArray[np.float32] | None",
    until: datetime,
) -> LinesAtHand:
    """What may be shown of them. Vectors of another model than `model` count as unknown."""
    shown = sorted(
        (
            message
            for message in messages
            if message.group_id == group_id
            and message.is_readable
            and message.create_time <= until
            and message.content.strip()
        ),
        key=lambda message: (message.create_time, message.message_id),
    )
    lines = [_line(message, model) for message in shown]
    return LinesAtHand({message.message_id: message for message in shown}, prepare(lines, anchors))


def joined_lines(
    newest_first: Sequence[LinesAtHand], leave_out: Collection[str] = ()
) -> LinesAtHand:
    """Each line once, as the newest part has it."""
    seen = set(leave_out)
    messages: dict[str, StoredMessage] = {}
    prepared: list[PreparedLines] = []
    for part in newest_first:
        prepared.append(without(part.lines, seen & part.messages.keys()))
        messages = {**part.messages, **messages}
        seen |= part.messages.keys()
    for key in leave_out:
        messages.pop(key, None)
    return LinesAtHand(messages, joined(prepared[::-1]))


def _line(message: StoredMessage, model: str) -> Line:
    is_known = bool(message.vector) and message.vector_model == model
    return Line(
        message_id=message.message_id,
        user_name=message.user_name,
        text=message.content,
        time=message.create_time,
        reply_to=message.reply_message_id,
        is_to_bot=message.is_mention_bot or message.role == "assistant",
        vector=unpack_half(message.vector) if is_known else None,
        terms=message.terms or None,
    )
