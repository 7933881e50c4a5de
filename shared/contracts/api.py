"""What all routes agree on: strict bodies, the shapes of answers and errors, times, pages, ids."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from shared.domain.ids import checked_group_id
from shared.errors import InvalidInput

MAX_LIMIT = 200


class Body(BaseModel):
    """A request's JSON body: what it does not know, it refuses."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Answer(BaseModel):
    """What a route that succeeded tells."""

    success: Literal[True] = True


class ListAnswer(Answer):
    """`total` counts what there is in all, not what this page shows."""

    total: int


class Shown(BaseModel):
    """A stored record as the API shows it: the fields that this model names, by their names."""

    model_config = ConfigDict(from_attributes=True, frozen=True)

    @classmethod
    def of(cls, record: object) -> Self:
        return cls.model_validate(record)


def _in_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


Moment = Annotated[datetime, AfterValidator(_in_utc)]
"""A time in an answer: RFC 3339, UTC."""


class ErrorDetail(BaseModel):
    code: str
    message: str
    detail: dict[str, Any] = Field(default_factory=dict)


class ErrorBody(BaseModel):
    """Every refusal and every failure has this shape."""

    success: Literal[False] = False
    error: ErrorDetail


def _group_id(text: str) -> str:
    try:
        return checked_group_id(text)
    except InvalidInput as error:
        raise ValueError(error.message) from error


GroupId = Annotated[str, AfterValidator(_group_id)]
"""`platform:native_id`, in a path, a query or a body."""

Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT)]
Offset = Annotated[int, Field(ge=0, le=100_000)]
