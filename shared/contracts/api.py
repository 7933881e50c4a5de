"""What all routes agree on: the shape of errors, strict bodies, pages of lists, group ids."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from shared.domain.ids import checked_group_id
from shared.errors import InvalidInput

MAX_LIMIT = 200


class Body(BaseModel):
    """A request's JSON body: what it does not know, it refuses."""

    model_config = ConfigDict(extra="forbid", frozen=True)


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
