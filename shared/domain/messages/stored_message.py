"""A message as it is kept: what was said, what was found in it, and where it belongs."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from shared.domain.messages.features import Features
from shared.domain.messages.message import Message
from shared.language import MessageType


class MessageState(StrEnum):
    """`pending` waits for its topic; `unattributable` was passed over, with its reason."""

    PENDING = "pending"
    ATTRIBUTED = "attributed"
    UNATTRIBUTABLE = "unattributable"
    RECALLED = "recalled"
    OPTED_OUT = "opted_out"


@dataclass(frozen=True, kw_only=True)
class StoredMessage(Message):
    """`pending_since` is there only while the message waits: it is its own attribution job.

    `received_at` and `updated_at` are the database's times; cursors run on them. `vector` is of its
    own text, by `vector_model`, in half precision: what the next lines are compared with.
    """

    state: MessageState = MessageState.PENDING
    features: Features | None = None
    """None: it was not read, or nothing may be known of it."""
    terms: tuple[str, ...] = ()
    topic_id: str | None = None
    continues: str | None = None
    vector: bytes = b""
    vector_model: str = ""
    state_reason: str | None = None
    pending_since: datetime | None = None
    received_at: datetime | None = None
    updated_at: datetime | None = None
    expires_at: datetime | None = None
    masked_at: datetime | None = None
    """When a secret in its content was masked, if one was."""

    @property
    def is_readable(self) -> bool:
        """Whether its text may be shown and learnt from."""
        return self.state not in (MessageState.RECALLED, MessageState.OPTED_OUT)

    @property
    def message_type(self) -> MessageType | None:
        return self.features.message_type if self.features else None

    @property
    def version(self) -> int:
        """Of its text: every edit has a later one."""
        return int(self.edited_at.timestamp() * 1000) if self.edited_at else 1
