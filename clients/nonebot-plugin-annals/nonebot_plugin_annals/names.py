"""What people are called, where an event has their number only."""

from collections import ChainMap, OrderedDict
from collections.abc import Mapping

from nonebot.adapters.onebot.v11 import GroupMessageEvent, MessageEvent

MOST_GROUPS = 500
"""Of three thousand members at most each; where nothing was said for longest goes first."""


class HeardNames:
    """Of bots by `get_login_info`, of members by what they say: what somebody is called in one
    group (`card`) is told in no other."""

    def __init__(self) -> None:
        self._own: dict[str, str] = {}
        self._heard: OrderedDict[int | None, dict[str, str]] = OrderedDict()

    def is_called(self, self_id: str, name: str) -> None:
        self._own[self_id] = name

    def hear(self, event: MessageEvent) -> None:
        if name := event.sender.card or event.sender.nickname:
            place = group_number(event)
            self._heard.setdefault(place, {})[str(event.user_id)] = name
            self._heard.move_to_end(place)
            if len(self._heard) > MOST_GROUPS:
                self._heard.popitem(last=False)

    def within(self, group: int | None) -> Mapping[str, str]:
        """By number; without a group, in private chats."""
        return ChainMap(self._own, self._heard.get(group, {}))


def group_number(event: object) -> int | None:
    return event.group_id if isinstance(event, GroupMessageEvent) else None
