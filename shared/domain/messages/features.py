"""What is known about a message before any model sees it; stored with the message."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from shared.language import Language, MessageType

ReplyType = Literal["quote", "mention", "thread"]


@dataclass(frozen=True)
class ReplyInfo:
    """What a message answers. A `mention` answers somebody, not a message."""

    reply_type: ReplyType
    reply_to_message_id: str | None = None
    reply_to_native_id: str | None = None
    reply_to_user_id: str | None = None


@dataclass(frozen=True)
class Features:
    """`keywords` (weights up to 1) are for showing the subject of the message."""

    message_type: MessageType
    language: Language
    reply: ReplyInfo | None = None
    keywords: Mapping[str, float] = field(default_factory=dict)
