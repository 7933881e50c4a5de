"""Events as the API shows them."""

from shared.contracts.api import ListAnswer, Moment, Shown


class ShownEvent(Shown):
    event_id: str
    group_id: str
    canonical_text: str
    request_id: str
    end_seq: int
    timestamp_utc: Moment
    timestamp_local: str
    timezone: str
    location_abs: str
    request_type: str
    user_id: str
    sender_id: str
    message_ids: list[str]
    has_new_info: bool
    new_info: str
    is_absolute: bool
    degraded: bool
    worded_by: str
    rewrites: int
    viewpoint: str
    schema_version: str


class EventList(ListAnswer):
    events: list[ShownEvent]
