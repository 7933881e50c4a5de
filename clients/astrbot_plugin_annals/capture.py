"""What AstrBot's events say to Annals: which group, which message, and whether it may be kept."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from astrbot.api.event import AstrMessageEvent
from astrbot.api.event.filter import CustomFilter
from astrbot.core.platform.message_type import MessageType

ONEBOT = "aiocqhttp"
KEPT_NOTICES = ("group_recall", "friend_recall", "notify")
MOST_DATA_CHARACTERS = 16_000
"""Of one field of a segment that is no text: pictures may come as base64."""


class HearEverything(CustomFilter):
    """Handlers run behind AstrBot's rate limit and out of order; a filter sees every message as it
    comes. It must not raise: AstrBot would post the error into the chat."""

    listener: Callable[[tuple[AstrMessageEvent, Any]], None] | None = None

    def filter(self, event: AstrMessageEvent, cfg: Any) -> bool:
        if HearEverything.listener is not None:
            HearEverything.listener((event, cfg))
        return False


def group_of(event: AstrMessageEvent) -> str:
    """The group's id in Annals. `session_id` will not do: it changes with `unique_session`."""
    name = event.get_platform_name()
    platform = "onebot" if name == ONEBOT else name
    group_id = event.get_group_id()
    return f"{platform}:{group_id}" if group_id else f"{platform}:private-{event.get_sender_id()}"


def is_allowed(event: AstrMessageEvent, settings: Any) -> bool:
    """AstrBot's white list, which comes after the filters."""
    rules = settings["platform_settings"]
    listed = [str(one).strip() for one in rules["id_whitelist"] if str(one).strip()]
    if not rules["enable_id_white_list"] or not listed or event.get_platform_name() == "webchat":
        return True
    if event.role == "admin":
        kind = event.get_message_type()
        if kind == MessageType.GROUP_MESSAGE and rules["wl_ignore_admin_on_group"]:
            return True
        if kind == MessageType.FRIEND_MESSAGE and rules["wl_ignore_admin_on_friend"]:
            return True
    return event.unified_msg_origin in listed or str(event.get_group_id()).strip() in listed


def relayed(event: AstrMessageEvent) -> dict[str, Any] | None:
    """OneBot's own event, where there is one: a message, a recall, a new name of the group."""
    raw = event.message_obj.raw_message
    if event.get_platform_name() != ONEBOT or not isinstance(raw, dict):
        return None
    kind = raw.get("post_type")
    if kind == "message" or (kind == "notice" and raw.get("notice_type") in KEPT_NOTICES):
        told: dict[str, Any] = json.loads(json.dumps(raw, default=str))
        told.pop("raw_message", None)
        told["message"] = [_small(one) for one in told.get("message") or ()]
        return told
    return None


def _small(segment: dict[str, Any]) -> dict[str, Any]:
    if segment.get("type") in ("text", "markdown"):
        return segment
    data = segment.get("data") or {}
    kept = {name: value for name, value in data.items() if len(str(value)) <= MOST_DATA_CHARACTERS}
    return {"type": segment.get("type"), "data": kept}


def said(event: AstrMessageEvent) -> dict[str, Any] | None:
    """A message of any other platform; None for what has no words (joins, pokes, recalls)."""
    text = event.get_message_outline().strip()
    if event.get_platform_name() == ONEBOT or not text:
        return None
    return {
        "group_id": group_of(event),
        "message_id": str(event.message_obj.message_id),
        "user_id": event.get_sender_id(),
        "user_name": event.get_sender_name(),
        "content": text,
        "create_time": datetime.fromtimestamp(event.message_obj.timestamp, UTC).isoformat(),
        "audience": "private" if event.is_private_chat() else "group",
    }


def own_words(event: AstrMessageEvent, text: str) -> dict[str, Any]:
    """The bot's reply. AstrBot does not say under which id it was sent."""
    return {
        "group_id": group_of(event),
        "user_id": event.get_self_id() or "bot",
        "content": text,
        "role": "assistant",
        "audience": "private" if event.is_private_chat() else "group",
    }
