"""Events as the API shows them."""

from typing import Annotated

from pydantic import BaseModel, Field

from shared.contracts.api import (
    AskedTime,
    GroupId,
    Id,
    Limit,
    ListAnswer,
    Offset,
    Showing,
)
from shared.domain.knowledge.event import Event


class EventQuestion(BaseModel):
    group_id: GroupId
    time_from: AskedTime | None = None
    time_to: AskedTime | None = None
    user_id: Id | None = None
    text: Annotated[str, Field(max_length=500)] | None = None
    limit: Limit = 20
    offset: Offset = 0


ShownEvent = Annotated[
    Event,
    Showing(
        "ShownEvent",
        "event_id group_id canonical_text request_id end_seq timestamp_utc timestamp_local "
        "timezone location_abs request_type user_id sender_id message_ids has_new_info new_info "
        "is_absolute degraded worded_by rewrites viewpoint schema_version",
    ),
]


class EventList(ListAnswer):
    events: list[ShownEvent]
