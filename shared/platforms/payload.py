"""Reading a payload by type: platforms add and drop fields, and nothing here may crash on it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from shared.domain.ids import MAX_ID_CHARACTERS
from shared.domain.messages.message import (
    MAX_ATTACHMENTS,
    MAX_CONTENT_BYTES,
    MAX_MENTIONS,
    MAX_NAME_CHARACTERS,
    Attachment,
    Mention,
)
from shared.errors import InvalidInput


class Node:
    """One JSON object of a payload.

    What is needed and missing, or of the wrong kind, is InvalidInput named by its path; what is
    optional and of the wrong kind counts as absent. Numbers read as text: ids are text here.
    """

    def __init__(self, value: Any, path: str = "") -> None:
        self._value: dict[str, Any] = value if isinstance(value, dict) else {}
        self._path = path

    def __bool__(self) -> bool:
        return bool(self._value)

    def raw(self, key: str) -> Any:
        return self._value.get(key)

    def text(self, key: str) -> str:
        """The text or number under `key`; empty if there is none."""
        value = self._value.get(key)
        if isinstance(value, str):
            return clean(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return ""

    def need(self, key: str) -> str:
        text = self.text(key)
        if not text:
            raise InvalidInput(f"the payload lacks {self._path}{key}")
        return text

    def true(self, key: str) -> bool:
        return self._value.get(key) is True

    def node(self, key: str) -> "Node":
        """The object under `key`; an empty one if there is none."""
        return Node(self._value.get(key), f"{self._path}{key}.")

    def need_node(self, key: str) -> "Node":
        node = self.node(key)
        if not node:
            raise InvalidInput(f"the payload lacks {self._path}{key}")
        return node

    def nodes(self, key: str) -> Iterator["Node"]:
        """The objects of the list under `key`."""
        value = self._value.get(key)
        if isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, dict):
                    yield Node(item, f"{self._path}{key}.{index}.")

    def seconds(self, key: str) -> datetime:
        """A needed time in seconds, also with a fraction: `1700000000.000100`."""
        whole, _, fraction = self.need(key).partition(".")
        return self._moment(key, whole, (fraction + "000000")[:6])

    def milliseconds(self, key: str) -> datetime:
        text = self.need(key)
        return self._moment(key, text[:-3], f"{text[-3:]}000")

    def iso(self, key: str) -> datetime:
        """A needed time in ISO 8601 with an offset."""
        try:
            moment = datetime.fromisoformat(self.need(key))
            if moment.tzinfo is None:
                raise ValueError("no offset")
            return moment.astimezone(UTC)
        except (ValueError, OverflowError) as error:
            raise InvalidInput(f"{self._path}{key} is no time with an offset") from error

    def _moment(self, key: str, seconds: str, microseconds: str) -> datetime:
        digits = seconds + microseconds
        try:
            if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
                raise ValueError(digits)
            moment = datetime.fromtimestamp(int(seconds or "0"), UTC)
            return moment.replace(microsecond=int(microseconds))
        except (ValueError, OverflowError, OSError) as error:
            raise InvalidInput(f"{self._path}{key} is no time") from error


@dataclass(frozen=True)
class PlatformText:
    """What a message says, in a platform's own form made plain."""

    text: str
    mentions: tuple[Mention, ...] = ()
    is_mention_bot: bool = False
    attachments: tuple[Attachment, ...] = ()
    reply_native_id: str | None = None


def clean(text: str) -> str:
    """`text` without lone surrogates: JSON can hold them, no database can."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def content(*parts: str) -> str:
    """The parts that say something, side by side, cut at the size a message may have."""
    text = " ".join(part.strip() for part in parts if part.strip())
    if len(text.encode()) <= MAX_CONTENT_BYTES:
        return text
    return text.encode()[: MAX_CONTENT_BYTES - 3].decode(errors="ignore") + "…"


def mentions(found: Iterable[Mention]) -> tuple[Mention, ...]:
    """Each person once, in order."""
    unique: dict[str, Mention] = {}
    for mention in found:
        if 0 < len(mention.user_id) <= MAX_ID_CHARACTERS:
            named = Mention(mention.user_id, mention.name[:MAX_NAME_CHARACTERS])
            unique.setdefault(mention.user_id, named)
    return tuple(unique.values())[:MAX_MENTIONS]


def attachments(found: Iterable[Attachment]) -> tuple[Attachment, ...]:
    return tuple(Attachment(each.kind, each.name[:MAX_NAME_CHARACTERS]) for each in found)[
        :MAX_ATTACHMENTS
    ]


def placeholders(found: Iterable[Attachment]) -> str:
    return " ".join(each.placeholder for each in found)
