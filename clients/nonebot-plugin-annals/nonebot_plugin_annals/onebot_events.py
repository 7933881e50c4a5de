"""What Annals is told of an event: the event itself, as OneBot v11 writes it."""

import time
from collections.abc import Iterable, Mapping
from typing import Any

from nonebot.adapters.onebot.v11 import (
    Event,
    FriendRecallNoticeEvent,
    GroupMessageEvent,
    GroupRecallNoticeEvent,
    Message,
    MessageEvent,
    MessageSegment,
)
from nonebot.compat import model_dump

LEFT_OUT = {"message", "original_message", "raw_message", "reply", "to_me", "font", "anonymous"}
"""What NoneBot made of it, and what nobody reads."""
MOST_DATA_CHARACTERS = 16_000
"""Of one field of a segment that is no text: pictures come as megabytes of base64."""
MILLISECONDS = 10**11
"""A time beyond this is in milliseconds: NapCat's, where QQ gave none."""
Names = Mapping[str, str]
"""Of members and of the bot itself, by their numbers."""
SENDING = ("send_msg", "send_group_msg", "send_private_msg")


def group_of(event: MessageEvent) -> str:
    """The group's id in Annals; a private chat is a group of its own."""
    if isinstance(event, GroupMessageEvent):
        return f"onebot:{event.group_id}"
    return f"onebot:private-{event.user_id}"


def is_private(event: Event) -> bool:
    return isinstance(event, FriendRecallNoticeEvent) or (
        isinstance(event, MessageEvent) and not isinstance(event, GroupMessageEvent)
    )


def message_id_of(event: MessageEvent) -> str:
    """The message's id in Annals: OneBot's repeat, so the time is in it."""
    seconds = event.time // 1000 if event.time >= MILLISECONDS else event.time
    return f"{event.message_id}-{seconds}"


def relayed_event(event: Event, names: Names) -> dict[str, Any] | None:
    """A message as it was said (`message` has lost the @ and the reply by now), or a recall."""
    if isinstance(event, MessageEvent):
        told = model_dump(event, exclude=LEFT_OUT)
        return {**told, "message": segments(event.original_message, names)}
    if isinstance(event, GroupRecallNoticeEvent | FriendRecallNoticeEvent):
        return model_dump(event)
    return None


def reply_event(
    self_id: str, api: str, data: dict[str, Any], result: object, names: Names
) -> dict[str, Any] | None:
    """The bot's own words, as a client reports them that reports its own messages."""
    message_id = result.get("message_id") if isinstance(result, dict) else None
    if api not in SENDING or message_id is None:
        return None
    in_group = bool(data.get("group_id")) and data.get("message_type") != "private"
    place = {"group_id": data["group_id"]} if in_group else {"target_id": data.get("user_id")}
    return {
        "post_type": "message_sent",
        "message_type": "group" if in_group else "private",
        "time": int(time.time()),
        "self_id": int(self_id),
        "user_id": int(self_id),
        "sender": {"user_id": int(self_id), "nickname": names.get(self_id, "")},
        "message_id": message_id,
        "message": segments(data.get("message"), names),
        **place,
    }


def segments(message: object, names: Names) -> str | list[dict[str, Any]]:
    """As OneBot writes them; a text may have CQ codes and is left alone."""
    if isinstance(message, str):
        return message
    if isinstance(message, MessageSegment):
        message = Message(message)
    return [_segment(one, names) for one in message] if isinstance(message, Iterable) else []


def _segment(segment: MessageSegment | dict[str, Any], names: Names) -> dict[str, Any]:
    """An @ has a number only: with the name of whom it means it can be read."""
    kind, data = (
        (segment.type, segment.data)
        if isinstance(segment, MessageSegment)
        else (segment.get("type"), segment.get("data") or {})
    )
    if kind in ("text", "markdown"):
        return {"type": kind, "data": dict(data)}
    kept = {name: value for name, value in data.items() if len(str(value)) <= MOST_DATA_CHARACTERS}
    if kind == "at" and not kept.get("name") and (name := names.get(str(kept.get("qq")))):
        kept["name"] = name
    return {"type": kind, "data": kept}
