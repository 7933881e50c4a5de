"""An event: a dated happening in absolute words. A note: what the bot says as a turn ends."""

from dataclasses import dataclass
from datetime import datetime

SCHEMA_VERSION = "final_v1"


@dataclass(frozen=True)
class Note:
    """The end-of-turn note, as `/end` took it."""

    group_id: str
    user_id: str
    request_id: str
    end_seq: int
    action_summary: str
    new_info: str
    force: bool
    message_ids: tuple[str, ...]
    location: str = ""
    timezone: str = ""
    received_at: datetime | None = None

    @property
    def event_id(self) -> str:
        return f"{self.request_id}:{self.end_seq}"

    @property
    def told_in(self) -> str:
        """The message that the turn answered, the last of its messages; the turn if it has none."""
        return f"message:{self.message_ids[-1]}" if self.message_ids else f"turn:{self.request_id}"

    @property
    def is_empty(self) -> bool:
        return not (self.action_summary or self.new_info)


@dataclass(frozen=True)
class Event:
    """`is_absolute` is false, and `degraded` true, where pronouns, relative times or places were
    left after the last rewrite. `worded_by` is the model, the note itself or an import. `told_in`
    is the message that it came of. A copy for a `viewpoint` is that member's own, with their
    `user_id`."""

    event_id: str
    group_id: str
    canonical_text: str
    request_id: str
    end_seq: int
    timestamp_utc: datetime
    timestamp_local: str
    timezone: str
    location_abs: str
    request_type: str
    user_id: str
    sender_id: str
    message_ids: tuple[str, ...]
    source_users: tuple[str, ...]
    has_new_info: bool
    new_info: str = ""
    is_absolute: bool = True
    degraded: bool = False
    worded_by: str = "model"
    rewrites: int = 0
    viewpoint: str = ""
    told_in: str = ""
    schema_version: str = SCHEMA_VERSION


def is_about(event: Event, user_id: str | None, text: str | None) -> bool:
    """Whether the member had a part in it and it has every word of the text."""
    if user_id and user_id not in (event.user_id, *event.source_users):
        return False
    said = event.canonical_text.casefold()
    return all(word in said for word in (text or "").casefold().split())
