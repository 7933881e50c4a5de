"""How long messages gather before their topics are found: short where the bot is asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.domain.messages.message import Message


@dataclass(frozen=True)
class Slots:
    """`asked` where the bot was spoken to or has spoken; `ordinary` for talk among people; `late`
    for such talk while the queue does not keep up: longer slots make fewer runs of more messages.
    """

    asked: timedelta
    ordinary: timedelta
    late: timedelta

    def all(self) -> tuple[timedelta, ...]:
        """Each length once."""
        return tuple(dict.fromkeys((self.asked, self.ordinary, self.late)))

    def slot(self, *, is_asked: bool, last_wait: timedelta) -> timedelta:
        """`last_wait`: how long the oldest message of the group's last run had waited for it."""
        if is_asked:
            return self.asked
        return self.late if last_wait > 2 * self.late else self.ordinary


def is_bot_asked(said: Iterable[Message], answered: Iterable[Message]) -> bool:
    """Whether a context is likely to be wanted soon: in a private chat, after a mention of the bot,
    a line of its own, or an answer to one."""
    is_spoken_to = any(
        one.is_mention_bot or one.role == "assistant" or one.audience == "private" for one in said
    )
    return is_spoken_to or any(one.role == "assistant" for one in answered)


def wait_of(pending_since: Iterable[datetime | None], now: datetime) -> timedelta:
    """Of the one that waited longest."""
    return max((now - one for one in pending_since if one), default=timedelta(0))
