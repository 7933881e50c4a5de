"""The NoneBot plugin in a process of its own: it loads with nothing set, and what it relays."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.bots.running import environment

LOAD = """
import json, nonebot
nonebot.init()
from nonebot.adapters.onebot.v11 import Adapter, Message, MessageSegment
nonebot.get_driver().register_adapter(Adapter)
plugin = nonebot.load_plugin("nonebot_plugin_annals")
"""


def told(script: str, folder: Path) -> Any:
    variables = environment(folder, {"base": "", "key": ""})
    del variables["ANNALS_URL"], variables["ANNALS_KEY"]
    ran = subprocess.run(
        [sys.executable, "-c", LOAD + script],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def test_it_loads_without_any_configuration(tmp_path: Path) -> None:
    meta = told("print(json.dumps([plugin.metadata.name, plugin.metadata.type]))", tmp_path)

    assert meta == ["Annals", "library"]


def test_the_bots_words_are_relayed_as_onebot_writes_them(tmp_path: Path) -> None:
    script = """
from nonebot_plugin_annals.onebot_events import reply_event
words = Message([MessageSegment.text("see"), MessageSegment.image(b"x" * 100_000)])
in_group = {"group_id": 7, "user_id": 2, "message_type": "group", "message": words}
alone = {"user_id": 2, "message_type": "private", "message": "hello"}
print(json.dumps([
    reply_event("1", "send_msg", in_group, {"message_id": 9}, {"1": "Robin"}),
    reply_event("1", "send_msg", alone, {"message_id": 9}, {}),
    reply_event("1", "send_msg", alone, None, {}),
    reply_event("1", "get_msg", alone, {"message_id": 9}, {}),
]))
"""
    grouped, private, failed, other = told(script, tmp_path)

    assert (grouped["group_id"], grouped["message_id"], grouped["user_id"]) == (7, 9, 1)
    assert (grouped["sender"]["nickname"], private["sender"]["nickname"]) == ("Robin", "")
    assert grouped["message"][0] == {"type": "text", "data": {"text": "see"}}
    assert "file" not in grouped["message"][1]["data"], "a hundred kilobytes of base64"
    assert (private["message_type"], private["target_id"]) == ("private", 2)
    assert (failed, other) == (None, None)


def test_a_mention_has_the_name_that_its_group_knows(tmp_path: Path) -> None:
    script = """
from nonebot.adapters.onebot.v11 import GroupMessageEvent
from nonebot_plugin_annals.names import HeardNames, group_number
from nonebot_plugin_annals.onebot_events import message_id_of, relayed_event
def said(group, user, card, *mentioned, at=1767312000):
    message = [{"type": "at", "data": {"qq": one}} for one in mentioned]
    message.append({"type": "text", "data": {"text": "hello"}})
    return GroupMessageEvent.model_validate({
        "time": at, "self_id": 1, "post_type": "message", "message_type": "group",
        "sub_type": "normal", "message_id": 5, "group_id": group, "user_id": user, "font": 0,
        "message": message, "original_message": message, "raw_message": "hello",
        "sender": {"user_id": user, "nickname": "nick", "card": card},
    })
names = HeardNames()
names.is_called("1", "Robin")
names.hear(said(7, 20, "Ada"))
found = []
for event in (said(7, 21, "Ben", "1", "20", "all"), said(8, 21, "Ben", "20")):
    told = relayed_event(event, names.within(group_number(event)))
    found.append([one["data"].get("name") for one in told["message"] if one["type"] == "at"])
times = (1767312000, 1767312000123)
print(json.dumps([found, [message_id_of(said(7, 20, "Ada", at=one)) for one in times]]))
"""
    (here, elsewhere), ids = told(script, tmp_path)

    assert here == ["Robin", "Ada", None]
    assert elsewhere == [None], "what somebody is called in one group is told in no other"
    assert ids == ["5-1767312000", "5-1767312000"]
