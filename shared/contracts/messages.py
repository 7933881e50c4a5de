"""A normalised message as the API takes it: strict about what it is given, clear about why not."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from shared.contracts.api import Body, GroupId, Id
from shared.domain.audience import Audience
from shared.domain.messages.message import (
    ATTACHMENT_KINDS,
    MAX_ATTACHMENTS,
    MAX_MENTIONS,
    MAX_NAME_CHARACTERS,
    Attachment,
    Mention,
    Message,
    Role,
)
from shared.errors import InvalidInput

MAX_BATCH = 500
"""Of one list: five commits, some seconds at the most."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SURELY_MS = 10**11  # 1973; a smaller number was meant as seconds
_WANTED = "a time is RFC 3339 with an offset, like 2024-05-01T09:30:00Z, or milliseconds since 1970"


def _moment(value: Any) -> datetime:
    """RFC 3339 with an offset, or whole milliseconds since 1970; always UTC."""
    try:
        if isinstance(value, int) and value >= _SURELY_MS:
            return _EPOCH + timedelta(milliseconds=value)
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(_WANTED) from error
    raise ValueError(_WANTED)


def _real_text(text: str) -> str:
    """JSON can hold half a character; no database can."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError("is not valid Unicode") from error
    return text


def _known_kind(kind: str) -> str:
    if kind not in ATTACHMENT_KINDS:
        raise ValueError(f"is one of {', '.join(ATTACHMENT_KINDS)}")
    return kind


Moment = Annotated[datetime, BeforeValidator(_moment)]
Text = Annotated[str, AfterValidator(_real_text)]
Name = Annotated[Text, StringConstraints(max_length=MAX_NAME_CHARACTERS)]


class _Strict(Body):
    """Types as they are said: a number is no id, a text is no flag."""

    model_config = ConfigDict(strict=True)


class MentionBody(_Strict):
    user_id: Id
    name: Name = ""


class AttachmentBody(_Strict):
    kind: Annotated[str, AfterValidator(_known_kind)]
    name: Name = ""


class MessageBody(_Strict):
    """One message of `POST /messages`. Times are RFC 3339 with an offset, or milliseconds."""

    group_id: Annotated[GroupId, AfterValidator(_real_text)]
    message_id: Id
    user_id: Id
    content: Text = ""
    create_time: Moment
    user_name: Name = ""
    role: Role = "user"
    native_id: Id | None = None
    reply_message_id: Id | None = None
    reply_native_id: Id | None = None
    root_message_id: Id | None = None
    thread_id: Id | None = None
    mentions: list[MentionBody] = Field(default_factory=list, max_length=MAX_MENTIONS)
    is_mention_bot: bool = False
    attachments: list[AttachmentBody] = Field(default_factory=list, max_length=MAX_ATTACHMENTS)
    group_name: Name | None = None
    audience: Audience | None = None
    edited_at: Moment | None = None
    recalled: bool = False

    def to_message(self) -> Message:
        attachments = tuple(Attachment(each.kind, each.name) for each in self.attachments)
        content = self.content
        if not content.strip():
            content = " ".join(each.placeholder for each in attachments)
        if not content and not self.recalled:
            raise InvalidInput("content is empty and there is no attachment")
        plain = self.model_dump(exclude={"content", "mentions", "attachments"})
        return Message(
            **plain,
            content=content,
            mentions=tuple(Mention(each.user_id, each.name) for each in self.mentions),
            attachments=attachments,
        )


class OneOrMany:
    """What OpenAPI says of the body of `POST /messages`. It is read message by message: in a list a
    bad one is told so, and the others are taken."""

    @staticmethod
    def __get_pydantic_json_schema__(_: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        many = Annotated[list[MessageBody], Field(min_length=1, max_length=MAX_BATCH)]
        return handler(TypeAdapter(MessageBody | many).core_schema)


MessagesBody = Annotated[dict[str, Any] | list[Any], OneOrMany]


def read_message(value: object) -> Message:
    """One message out of parsed JSON.

    InvalidInput says of every bad field what to fix; content over 64 KiB is TooLarge.
    """
    try:
        return MessageBody.model_validate(value).to_message()
    except ValidationError as error:
        problems = [_problem(each["loc"], each["msg"]) for each in error.errors()]
        raise InvalidInput("; ".join(problems), fields=problems) from error


def _problem(place: tuple[int | str, ...], text: str) -> str:
    field = ".".join(str(part) for part in place) or "the message"
    return f"{field}: {text.removeprefix('Value error, ')}"
