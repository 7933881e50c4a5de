"""OneBot v11 as NapCat and LLOneBot post it (QQ)."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tests.platforms.clients.case import ClientCase, ignored, message

NAPCAT = "NapCat 4.18.19"
LLONEBOT = "LLOneBot 7.0.0"
BOT = 10001


def napcat(segments: Any, **changed: Any) -> dict[str, Any]:
    """`initializeMessage` and `handleGroupMessage` of napcat-onebot/api/msg.ts."""
    return {
        "self_id": BOT,
        "user_id": 20002,
        "time": 1700000000,
        "message_id": 1342177280,
        "message_seq": 1342177280,
        "real_id": 1342177280,
        "real_seq": "5123",
        "message_type": "group",
        "sender": {"user_id": 20002, "nickname": "Ann", "card": "安安", "role": "member"},
        "raw_message": "(not used)",
        "font": 14,
        "sub_type": "normal",
        "message": segments,
        "message_format": "array",
        "post_type": "message",
        "group_id": 900,
        "group_name": "读书会",
        **changed,
    }


def napcat_private(segments: Any, **changed: Any) -> dict[str, Any]:
    """Private chats carry the peer as `target_id`, and no group."""
    event = napcat(segments, message_type="private", sub_type="friend", target_id=20002, **changed)
    del event["group_id"], event["group_name"]
    event["sender"] = {"user_id": event["user_id"], "nickname": "Ann", "card": ""}
    return event


def llonebot(segments: Any, **changed: Any) -> dict[str, Any]:
    """`OB11Entities.message` of LLOneBot: a title beside the role, no `real_id`."""
    return {
        "self_id": BOT,
        "user_id": 30003,
        "time": 1700000100,
        "message_id": 778899,
        "message_seq": 4412,
        "message_type": "group",
        "sender": {
            "user_id": 30003,
            "nickname": "Bob",
            "card": "",
            "role": "admin",
            "title": "老书虫",
        },
        "raw_message": "(not used)",
        "font": 14,
        "sub_type": "normal",
        "message": segments,
        "message_format": "array",
        "post_type": "message",
        "group_id": 900,
        "group_name": "读书会",
        **changed,
    }


def notice(notice_type: str, **fields: Any) -> dict[str, Any]:
    """`OB11BaseNoticeEvent`: the time is the bot host's own clock, in both clients."""
    return {
        "time": 1700000050,
        "self_id": BOT,
        "post_type": "notice",
        "notice_type": notice_type,
        **fields,
    }


def segment(kind: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "data": data}


TEXT = segment("text", text="明天七点")

NAPCAT_CASES = [
    ("text", napcat([TEXT]), message("明天七点", group_id="onebot:900", user_name="安安")),
    ("nickname without a card", napcat([TEXT], sender={"user_id": 20002, "nickname": "Ann",
     "card": "", "role": "owner"}), message("明天七点", user_name="Ann")),
    ("a string with CQ codes", napcat("[CQ:at,qq=10001,name=小助手] 在吗&#91;笑&#93;",
     message_format="string"), message("@小助手 在吗[笑]", is_mention_bot=True)),
    ("a CQ reply", napcat("[CQ:reply,id=-55]好的", message_format="string"),
     message("好的", reply_native_id="-55")),
    ("an at with a name", napcat([segment("at", qq="20003", name="@老王"), TEXT]),
     message("@老王 明天七点", mentions=[{"user_id": "20003", "name": "老王"}])),
    ("everybody", napcat([segment("at", qq="all"), TEXT]),
     message("@all 明天七点", mentions=[{"user_id": "all", "name": "all"}])),
    ("a reply with its sequence number", napcat([segment("reply", id="12", seq=5120), TEXT]),
     message("明天七点", reply_native_id="12")),
    ("an image with a summary", napcat([segment("image", file="A.jpg", sub_type=0, url="https://x",
     file_size="10", summary="[动画表情]")]), message("[image]")),
    ("a sticker of the shop", napcat([segment("mface", emoji_package_id=1, emoji_id="ab", key="k",
     summary="[晚安]")]), message("[sticker: 晚安]")),
    ("a voice", napcat([segment("record", file="v.amr", path="/v.amr", url="", file_size="9")]),
     message("[audio]")),
    ("a file", napcat([segment("file", file="书单.xlsx", file_id="/1", file_size="99")]),
     message("[file: 书单.xlsx]")),
    ("a file sent online", napcat([segment("onlinefile", msgId="1", elementId="2",
     fileName="书.pdf", fileSize="3", isDir=False)]), message("[file: 书.pdf]")),
    ("a card as a string", napcat([segment("json", data='{"prompt":"[QQ小程序]订餐"}')]),
     message("[card: QQ小程序订餐]")),
    ("a card as an object", napcat([segment("json", data={"prompt": "位置共享"})]),
     message("[card: 位置共享]")),
    ("dice", napcat([segment("dice", result="6")]), message("[other: dice 6]")),
    ("rock, paper, scissors", napcat([segment("rps", result=2)]), message("[other: rps 2]")),
    ("a forward with its lines", napcat([segment("forward", id="f1", content=[
        napcat([segment("text", text="我对花生过敏")], group_id=284840486),
        napcat([segment("image", file="b.png")], sender={"user_id": 9, "nickname": "Bob"}),
     ])]), message("[forward]\n安安: 我对花生过敏\nBob: [image]")),
    ("a forward in a forward", napcat([segment("forward", id="f1", content=[
        napcat([segment("forward", id="f2", content=[napcat([TEXT])])]),
     ])]), message("[forward]\n安安: [forward]\n安安: 明天七点")),
    ("a forward that is only named", napcat([segment("forward", id="f1")]), message("[forward]")),
    ("a time in milliseconds", napcat([TEXT], time=1700000000123), message("明天七点",
     create_time="2023-11-14T22:13:20.123000+00:00", message_id="1342177280-1700000000")),
    ("the bot's own words", napcat([TEXT], post_type="message_sent", user_id=BOT, target_id=900),
     message("明天七点", role="assistant", user_id="10001")),
    ("a private chat", napcat_private([TEXT]),
     message("明天七点", group_id="onebot:private-20002", audience="private")),
    ("the bot's own words in private", napcat_private([TEXT], user_id=BOT,
     post_type="message_sent"), message("明天七点", group_id="onebot:private-20002",
     role="assistant")),
    ("a customer of an enterprise account", napcat([TEXT], message_type="qidian"),
     ignored("onebot message of type qidian")),
    ("a recall in a group", notice("group_recall", group_id=900, user_id=20002, operator_id=20002,
     message_id=1342177280), {"is": "recall", "group_id": "onebot:900",
     "native_id": "1342177280"}),
    ("a friend's recall", notice("friend_recall", user_id=20002, message_id=77),
     {"is": "recall", "group_id": "onebot:private-20002", "native_id": "77"}),
    ("the bot's own private recall names no chat", notice("friend_recall", user_id=BOT,
     message_id=78), {"is": "recall", "native_id": "78", "is_somewhere_private": True,
     "user_id": "10001"}),
    ("a card was changed", notice("group_card", group_id=900, user_id=20002, card_new="安",
     card_old=""), ignored("onebot notice group_card")),
    ("somebody types", notice("notify", sub_type="input_status", user_id=20002, group_id=0,
     status_text="对方正在输入...", event_type=1), ignored("onebot notice notify input_status")),
    ("an emoji under a message", notice("group_msg_emoji_like", group_id=900, user_id=20002,
     message_id=1, likes=[{"emoji_id": "76", "count": 1}], is_add=True),
     ignored("onebot notice group_msg_emoji_like")),
]  # fmt: skip

LLONEBOT_CASES = [
    ("text", llonebot([TEXT]), message("明天七点", message_id="778899-1700000100",
     user_name="Bob")),
    ("an at whose name lost its sign", llonebot([segment("at", qq="10001", name="小助手"), TEXT]),
     message("@小助手 明天七点", is_mention_bot=True)),
    ("a reply", llonebot([segment("reply", id="778800"), TEXT]),
     message("明天七点", reply_native_id="778800")),
    ("an image", llonebot([segment("image", file="A.jpg", subType=0, url="https://x",
     file_size="10")]), message("[image]")),
    ("a video", llonebot([segment("video", file="v.mp4", url="", path="/v.mp4", file_size="9")]),
     message("[video]")),
    ("files sent at once", llonebot([segment("flash_file", title="照片.zip", file_set_id="s",
     scene_type=1)]), message("[file: 照片.zip]")),
    ("markdown with buttons", llonebot([segment("markdown", content="**投票**"),
     segment("keyboard", rows=[])]), message("**投票**")),
    ("dice", llonebot([segment("dice", result=3)]), message("[other: dice 3]")),
    ("a shake", llonebot([segment("shake")]), ignored("empty message")),
    ("a forward of another chat", llonebot([segment("forward", id="7301")]), message("[forward]")),
    ("forwarded nodes", llonebot([segment("node", nickname="Eve", user_id=5,
     content=[segment("text", text="我周三不在")])]), message("[forward]\nEve: 我周三不在")),
    ("a temporary chat", {**llonebot([TEXT], message_type="private", sub_type="group",
     temp_source=0), "sender": {"user_id": 30003, "nickname": "Bob", "card": "",
     "group_id": 900}}, message("明天七点", group_id="onebot:private-30003")),
    ("a recall by an admin", notice("group_recall", group_id=900, user_id=20002,
     operator_id=30003, message_id=778899), {"is": "recall", "native_id": "778899",
     "user_id": "30003"}),
    ("a group was closed", notice("group_dismiss", group_id=900, user_id=30003),
     {"is": "group_event", "group_id": "onebot:900", "happening": "disbanded"}),
    ("a member came", notice("group_increase", sub_type="approve", group_id=900,
     operator_id=30003, user_id=40004), {"is": "group_event", "happening": "member_joined",
     "user_id": "40004"}),
    ("a heartbeat", {"time": 1700000000, "self_id": BOT, "post_type": "meta_event",
     "meta_event_type": "heartbeat", "status": {"online": True, "good": True},
     "interval": 30000}, ignored("onebot meta_event")),
]  # fmt: skip

CASES = [
    ClientCase(client, *case)
    for client, cases in ((NAPCAT, NAPCAT_CASES), (LLONEBOT, LLONEBOT_CASES))
    for case in cases
]


SECRETS = {"onebot_secret": "development-onebot-secret"}
SIGNED_HEADERS = ("X-Signature",)


def signed(body: bytes, secrets: Mapping[str, str], _now: datetime) -> tuple[dict[str, str], bytes]:
    digest = hmac.new(secrets["onebot_secret"].encode(), body, hashlib.sha1).hexdigest()
    return {"X-Self-ID": str(BOT), "X-Signature": f"sha1={digest}"}, body
