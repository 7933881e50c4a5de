"""Records as prompts show them to a model."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from shared.domain.ids import digest
from shared.domain.messages.stored_message import StoredMessage

SAME_TIME = timedelta(minutes=10)
SHORT = 6
"""Digits of a short id, which models read as two tokens; hexadecimal ones would be five. Of two
hundred, two are the same once in fifty times, and then both stay whole."""
MESSAGE_COLUMNS = ("id", "user_id", "content", "time", "user_name", "role", "dates")
MEMORY_COLUMNS = ("id", "statement", "kind", "subject", "last_supported_at", "status")
TALK_COLUMNS = ("user_name", "content", "time", "role")


def prompt_day(moment: datetime | None) -> str | None:
    """In UTC."""
    return None if moment is None else moment.astimezone(UTC).date().isoformat()


def prompt_message(message: StoredMessage, most_characters: int | None = None) -> dict[str, Any]:
    """A member without a name goes by the id; a long text is cut. Every word is paid for, so only
    the bot's lines say whose they are, and a time goes to the minute."""
    shown = {
        "id": message.message_id,
        "user_id": message.user_id,
        "user_name": message.user_name or message.user_id,
        "time": f"{message.create_time.astimezone(UTC):%Y-%m-%dT%H:%MZ}",
        "content": message.content[:most_characters],
    }
    return shown if message.role == "user" else {**shown, "role": message.role}


def with_fewer_times(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Where a line comes within ten minutes of the last one whose time is told, its own is not."""
    shown: list[dict[str, Any]] = []
    last: datetime | None = None
    for line in lines:
        at = datetime.fromisoformat(line["time"])
        if last is not None and last <= at < last + SAME_TIME:
            line = {name: value for name, value in line.items() if name != "time"}
        else:
            last = at
        shown.append(line)
    return shown


def as_table(lines: Sequence[dict[str, Any]], columns: Sequence[str]) -> dict[str, Any]:
    """The lines as rows: the names of their fields, which each line would pay for again, are said
    once. What a row lacks is null, and at its end left out."""
    used = [name for name in columns if any(name in line for line in lines)]
    rows = []
    for line in lines:
        row = [line.get(name) for name in used]
        while row and row[-1] is None:
            row.pop()
        rows.append(row)
    return {"columns": used, "rows": rows}


class ShortIds:
    """Ids of a prompt in six digits: a platform's own are as long as what was said. The same id
    is always the same six, so an answer that was kept can be read beside other ones."""

    def __init__(self, ids: Iterable[str]) -> None:
        made = {full_id: _short(full_id) for full_id in ids if len(full_id) > SHORT}
        taken = Counter(made.values())
        self._short = {full_id: short for full_id, short in made.items() if taken[short] == 1}
        self._whole = {short: full_id for full_id, short in self._short.items()}

    def short(self, one: str) -> str:
        return self._short.get(one, one)

    def whole(self, short: str) -> str:
        """The whole id of a short one; an unknown short id is returned unchanged."""
        return self._whole.get(short.strip(), short)


def _short(one: str) -> str:
    return f"{int(digest('short', one), 16) % 10**SHORT:0{SHORT}d}"
