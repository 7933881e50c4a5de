"""What all routes agree on: strict bodies, the shapes of answers and errors, times, pages, ids."""

import base64
import binascii
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self, get_type_hints

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    WithJsonSchema,
    create_model,
)

from shared.domain.ids import MAX_ID_CHARACTERS, checked_group_id, checked_id
from shared.domain.storable import FIRST_YEAR, LARGEST, YEAR_AFTER, is_possible
from shared.errors import InvalidInput

MAX_LIMIT = 200
"""Of a page: a caller who wants more turns it."""


_OF_RECORDS = ConfigDict(from_attributes=True, frozen=True)


class Body(BaseModel):
    """A request's JSON body: what it does not know, it refuses."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Answer(BaseModel):
    """What a route that succeeded tells."""

    success: Literal[True] = True


class ListAnswer(Answer):
    """`total` counts what there is in all, not what this page shows."""

    total: int


class Showing:
    """In `Annotated[Event, Showing("ShownEvent", "event_id group_id")]`: an answer shows these
    fields of a record, with the types that they have there. Whoever makes the answer hands over
    the record itself."""

    def __init__(self, name: str, fields: str) -> None:
        self._name = name
        self._fields = fields.split()

    def __get_pydantic_core_schema__(self, record: Any, handler: GetCoreSchemaHandler) -> Any:
        types = get_type_hints(record, include_extras=True)
        fields: dict[str, Any] = {name: (_in_answers(types[name]), ...) for name in self._fields}
        shown = create_model(self._name, __config__=_OF_RECORDS, __module__=__name__, **fields)
        return handler.generate_schema(shown)


class Shown(BaseModel):
    """A stored record with more than its own fields: the model names all that it shows."""

    model_config = _OF_RECORDS

    @classmethod
    def from_record(cls, record: object) -> Self:
        return cls.model_validate(record)


def _in_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


Moment = Annotated[datetime, AfterValidator(_in_utc)]
"""A time in an answer: RFC 3339, UTC."""


def _in_answers(kind: Any) -> Any:
    """Times as answers tell them."""
    return {datetime: Moment, datetime | None: Moment | None}.get(kind, kind)


class ErrorDetail(BaseModel):
    code: str
    message: str
    detail: dict[str, Any] = Field(default_factory=dict)


class ErrorBody(BaseModel):
    """Every refusal and every failure has this shape."""

    success: Literal[False] = False
    error: ErrorDetail


def group_id_of(text: str) -> str:
    """An id without a platform is of a generic one: callers that serve only one need no prefix."""
    try:
        return checked_group_id(text if ":" in text or not text else f"generic:{text}")
    except InvalidInput as error:
        raise ValueError(error.message) from error


def _id(text: str) -> str:
    try:
        return checked_id("it", text)
    except InvalidInput as error:
        raise ValueError(error.message) from error


def _shape(pattern: str) -> WithJsonSchema:
    length = {"minLength": 1, "maxLength": MAX_ID_CHARACTERS}
    return WithJsonSchema({"type": "string", "pattern": pattern, **length})


GroupId = Annotated[
    str,
    AfterValidator(group_id_of),
    _shape(r"^(?:[^/:\x00-\x1f\x7f]+:[^/\x00-\x1f\x7f]+|[^/:\x00-\x1f\x7f]+)$"),
]
"""`platform:native_id` in a path, a query or a body; without a platform it is `generic`."""

WhichGroup = Annotated[
    GroupId | None,
    Field(description="Which group it is in, where several have a record of this id."),
]

Id = Annotated[str, AfterValidator(_id), _shape(r"^[^/\x00-\x1f\x7f]+$")]
"""What a platform or a bot calls a message, a person, a turn: anything that a path can name."""


def _possible(moment: datetime) -> datetime:
    """Without an offset it is meant in UTC."""
    if not is_possible(moment):
        raise ValueError(f"a time is between {FIRST_YEAR} and {YEAR_AFTER}")
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)


AskedTime = Annotated[
    datetime,
    AfterValidator(_possible),
    Field(description="RFC 3339; without an offset it is meant in UTC."),
]
"""A time that a caller asks about. A message's own time must say its offset: by a wrong one a whole
history would be out of order."""

EndSeq = Annotated[int, Field(ge=0, le=LARGEST)]
"""The number of a turn's note; no database keeps a larger one."""

Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT)]
Offset = Annotated[int, Field(ge=0, le=100_000)]

MAX_QUERY_CHARACTERS = 4096
"""The length of a Telegram message; what is longer is no question."""
Words = Annotated[str, Field(min_length=1, max_length=MAX_QUERY_CHARACTERS)]
"""A question. It may quote people, so whatever takes one in a query takes it in a body too: access
logs hold queries."""


MAX_CURSOR_CHARACTERS = 4096
"""A time and an id of 512 characters, of which each may be escaped, in base64."""


@dataclass(frozen=True)
class PagePlace:
    """Behind this record: its time, and its id among those of the same time."""

    at: datetime
    record_id: str


def write_place(place: PagePlace) -> str:
    told = json.dumps([place.at.astimezone(UTC).isoformat(), place.record_id])
    return base64.urlsafe_b64encode(told.encode()).decode().rstrip("=")


def read_place(cursor: str) -> PagePlace:
    """InvalidInput for what `write_place` did not write."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        at, record_id = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is None or not is_possible(moment):
            raise ValueError("not a time of a record")
        if not (isinstance(record_id, str) and record_id):
            raise ValueError("not a place")
        record_id.encode()
        return PagePlace(moment.astimezone(UTC), record_id)
    except (ValueError, TypeError, binascii.Error, RecursionError, OverflowError) as error:
        raise InvalidInput("the cursor is not one that a page gave") from error
