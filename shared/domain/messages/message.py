"""A message as Annals knows it, and the other things a chat platform can bring.

Platforms and the API turn what they receive into these; everything behind them sees nothing else.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from shared.domain.audience import Audience
from shared.domain.ids import MAX_ID_CHARACTERS, checked_group_id
from shared.errors import InvalidInput, TooLarge

Role = Literal["user", "assistant"]
Happening = Literal[
    "bot_added", "bot_removed", "disbanded", "member_joined", "member_left", "migrated", "renamed"
]

MAX_CONTENT_BYTES = 64 * 1024
MAX_NAME_CHARACTERS = 512
MAX_MENTIONS = 200
MAX_ATTACHMENTS = 100
"""Far more than any platform allows in a message, and far less than the MiB of a record."""

ATTACHMENT_KINDS = (
    "image", "audio", "video", "file", "sticker", "card", "location", "contact", "poll", "link",
    "forward", "event", "other",
)  # fmt: skip
# A name holds no bracket: looking for the end never passes the next beginning, so that no text
# costs more than one pass.
_PLACEHOLDER = re.compile(rf"\[(?:{'|'.join(ATTACHMENT_KINDS)})(?:: ([^\[\]]*))?\]")


@dataclass(frozen=True)
class Mention:
    """Somebody addressed in the text. `user_id` is a handle (`@ann`) where no id was given."""

    user_id: str
    name: str = ""


EVERYONE = Mention("all", "all")
"""What @all, @everyone, @channel and @here become."""


@dataclass(frozen=True)
class Attachment:
    """Something beside the text; `kind` is one of ATTACHMENT_KINDS."""

    kind: str
    name: str = ""

    @property
    def placeholder(self) -> str:
        """How the attachment stands in a message's content."""
        name = self.name.replace("[", "(").replace("]", ")").strip()
        return f"[{self.kind}: {name}]" if name else f"[{self.kind}]"


def without_placeholders(content: str) -> str:
    """`content` with `[image]` left out and `[file: name]` as its name: what a person wrote."""
    return _PLACEHOLDER.sub(lambda match: match[1] or "", content)


@dataclass(frozen=True, kw_only=True)
class Message:
    """One utterance. Times are aware; ids are what the platform uses, as text.

    Where a platform's ids repeat (OneBot), `message_id` has the time in it, `native_id` is what
    the platform said, and a reply knows only the `reply_native_id` of what it answers: it means
    the newest earlier message of the group with that native id.
    """

    group_id: str
    message_id: str
    user_id: str
    content: str
    create_time: datetime
    user_name: str = ""
    role: Role = "user"
    native_id: str | None = None
    reply_message_id: str | None = None
    reply_native_id: str | None = None
    root_message_id: str | None = None
    thread_id: str | None = None
    mentions: tuple[Mention, ...] = ()
    is_mention_bot: bool = False
    attachments: tuple[Attachment, ...] = ()
    group_name: str | None = None
    audience: Audience | None = None
    edited_at: datetime | None = None
    recalled: bool = False

    def __post_init__(self) -> None:
        checked_group_id(self.group_id)
        for name in ("message_id", "user_id"):
            _check_id(name, getattr(self, name))
        for name in (
            "native_id", "reply_message_id", "reply_native_id", "root_message_id", "thread_id",
        ):  # fmt: skip
            if getattr(self, name) is not None:
                _check_id(name, getattr(self, name))
        if max(len(self.user_name), len(self.group_name or "")) > MAX_NAME_CHARACTERS:
            raise InvalidInput(f"a name has more than {MAX_NAME_CHARACTERS} characters")
        _check_aware("create_time", self.create_time)
        _check_aware("edited_at", self.edited_at)
        if len(self.content.encode()) > MAX_CONTENT_BYTES:
            raise TooLarge(f"content has more than {MAX_CONTENT_BYTES} bytes in UTF-8")


@dataclass(frozen=True, kw_only=True)
class Recall:
    """A message was taken back. Exactly one of `message_id` and `native_id` says which.

    With a `native_id` it is the newest message of the group with that id, whatever the times say:
    `recalled_at` may come from another clock. `is_somewhere_private`: the platform did not say
    which chat; it is the private one in which `user_id` said that.
    """

    group_id: str
    message_id: str | None = None
    native_id: str | None = None
    recalled_at: datetime | None = None
    user_id: str | None = None
    is_somewhere_private: bool = False

    def __post_init__(self) -> None:
        checked_group_id(self.group_id)
        if (self.message_id is None) == (self.native_id is None):
            raise InvalidInput("a recall names either a message_id or a native_id")
        _check_id("message_id", self.message_id or self.native_id or "")
        _check_aware("recalled_at", self.recalled_at)


@dataclass(frozen=True, kw_only=True)
class GroupEvent:
    """Something happened to the group; `user_id` came or went, `group_name` is its name now,
    `previous_group_id` what it was called by the platform before it migrated."""

    group_id: str
    happening: Happening
    at: datetime | None = None
    user_id: str | None = None
    user_name: str = ""
    group_name: str | None = None
    previous_group_id: str | None = None

    def __post_init__(self) -> None:
        checked_group_id(self.group_id)
        if self.previous_group_id is not None:
            checked_group_id(self.previous_group_id)
        _check_aware("at", self.at)


@dataclass(frozen=True)
class Ignored:
    """Nothing to remember; the reason is for logs and carries no message text."""

    reason: str


Arrival = Message | Recall | GroupEvent | Ignored
"""What one webhook can bring."""


def _check_id(name: str, value: str) -> None:
    if not value:
        raise InvalidInput(f"{name} is empty")
    if len(value) > MAX_ID_CHARACTERS:
        raise InvalidInput(f"{name} has more than {MAX_ID_CHARACTERS} characters")


def _check_aware(name: str, moment: datetime | None) -> None:
    if moment is not None and moment.utcoffset() != timedelta(0):
        raise InvalidInput(f"{name} must be in UTC")
