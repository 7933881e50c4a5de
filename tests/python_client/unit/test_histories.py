"""Exports of five programs and plain lines, as messages: nothing doubled, replies kept."""

import json
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from annals.histories import UnknownFormat, messages_of, read_history
from annals.histories.plain import read as plain_rows
from annals.histories.slack import SeveralChannels

START = datetime(2025, 5, 1, 9, tzinfo=UTC)
TALK = [("u1", "Ada", "shall we ship on friday?"), ("u2", "小满", "好的"), ("u1", "Ada", "done")]


def seconds(n: int) -> int:
    return int((START + timedelta(minutes=n)).timestamp())


def chatlab() -> dict[str, Any]:
    return {
        "chatlab": {"version": "0.0.2"},
        "meta": {"name": "Crew", "platform": "qq", "type": "group"},
        "members": [{"platformId": u, "accountName": n} for u, n, _ in TALK[:2]],
        "messages": [
            {
                "platformMessageId": f"p{n}",
                "sender": u,
                "timestamp": seconds(n),
                "type": 0,
                "content": text,
                **({"replyToMessageId": "p0"} if n == 1 else {}),
            }
            for n, (u, _, text) in enumerate(TALK)
        ]
        + [{"sender": "u2", "timestamp": seconds(9), "type": 81, "content": "recalled a message"}],
    }


def chatlab_rows() -> list[dict[str, Any]]:
    whole = chatlab()
    return [
        {"_type": "header", "chatlab": whole["chatlab"], "meta": whole["meta"]},
        *({"_type": "member", **one} for one in whole["members"]),
        *({"_type": "message", **one} for one in whole["messages"]),
    ]


def qq() -> dict[str, Any]:
    def row(n: int, user: str, name: str, text: str) -> dict[str, Any]:
        reply = {"type": "reply", "data": {"referencedMessageId": "q0"}}
        return {
            "id": f"q{n}",
            "timestamp": seconds(n) * 1000,
            "sender": {"uin": user, "name": name},
            "content": {"text": text, "elements": [reply] if n == 1 else []},
            "recalled": False,
            "system": False,
        }

    rows = [row(n, *line) for n, line in enumerate(TALK)]
    gone = {**row(8, "u2", "小满", "oops"), "recalled": True}
    return {
        "metadata": {},
        "chatInfo": {"name": "Crew", "type": "group"},
        "messages": [*rows, gone],
    }


def telegram() -> dict[str, Any]:
    def row(n: int, user: str, name: str, text: str) -> dict[str, Any]:
        return {
            "id": n,
            "type": "message",
            "date_unixtime": str(seconds(n)),
            "from": name,
            "from_id": f"user{user}",
            "text": text if n else [{"type": "bold", "text": text[:5]}, text[5:]],
            **({"reply_to_message_id": 0} if n == 1 else {}),
        }

    rows = [row(n, *line) for n, line in enumerate(TALK)]
    joined = {"id": 7, "type": "service", "date_unixtime": str(seconds(7)), "text": ""}
    return {"name": "Crew", "type": "private_group", "id": 1, "messages": [*rows, joined]}


def discord() -> dict[str, Any]:
    def row(n: int, user: str, name: str, text: str) -> dict[str, Any]:
        return {
            "id": f"d{n}",
            "type": "Reply" if n == 1 else "Default",
            "timestamp": (START + timedelta(minutes=n)).isoformat(),
            "content": text,
            "author": {"id": user, "name": name, "isBot": False},
            **({"reference": {"messageId": "d0"}} if n == 1 else {}),
        }

    rows = [row(n, *line) for n, line in enumerate(TALK)]
    pinned = {**row(5, "u1", "Ada", "pinned"), "type": "ChannelPinnedMessage"}
    return {"guild": {}, "channel": {"name": "Crew", "type": "Text"}, "messages": [*rows, pinned]}


def slack(path: Path, channels: tuple[str, ...] = ("Crew",)) -> Path:
    users = [{"id": u, "profile": {"display_name": n}} for u, n, _ in TALK[:2]]
    rows: list[dict[str, Any]] = [
        {
            "type": "message",
            "user": user,
            "ts": f"{seconds(n)}.000100",
            "text": text,
            **({"thread_ts": f"{seconds(0)}.000100"} if n == 1 else {}),
        }
        for n, (user, _, text) in enumerate(TALK)
    ]
    rows.append(
        {"type": "message", "subtype": "channel_join", "user": "u2", "ts": "1.0", "text": "x"}
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("users.json", json.dumps(users))
        archive.writestr("channels.json", json.dumps([{"id": "C77", "name": "Crew"}]))
        for channel in channels:
            archive.writestr(f"{channel}/2025-05-01.json", json.dumps(rows))
    return path


def plain() -> list[dict[str, Any]]:
    return [
        {
            "message_id": f"m{n}",
            "user_id": user,
            "user_name": name,
            "content": text,
            "create_time": (START + timedelta(minutes=n)).isoformat(),
            **({"reply_message_id": "m0"} if n == 1 else {}),
        }
        for n, (user, name, text) in enumerate(TALK)
    ]


def written(path: Path, form: str) -> Path:
    match form:
        case "Slack":
            return slack(path.with_suffix(".zip"))
        case "ChatLab lines":
            rows = chatlab_rows()
        case "JSON lines":
            rows = plain()
        case "QQ chunks":
            whole = qq()
            (path / "chunks").mkdir(parents=True)
            (path / "manifest.json").write_text(json.dumps({"chatInfo": whole["chatInfo"]}))
            for n, row in enumerate(whole["messages"]):
                (path / "chunks" / f"{n:04}.jsonl").write_text(json.dumps(row) + "\n")
            return path
        case _:
            made = {"ChatLab": chatlab, "QQ": qq, "Telegram": telegram, "Discord": discord}[form]()
            path.write_text(json.dumps(made), "utf-8")
            return path
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


FORMS = (
    "ChatLab",
    "ChatLab lines",
    "QQ",
    "QQ chunks",
    "Telegram",
    "Discord",
    "Slack",
    "JSON lines",
)


@pytest.mark.parametrize("form", FORMS)
def test_an_export_is_read_as_the_talk_it_holds(tmp_path: Path, form: str) -> None:
    history = read_history(written(tmp_path / "Crew", form))
    messages = list(messages_of(history, "demo:1"))

    assert form.startswith(history.format)
    assert history.name == "Crew"
    assert [(one["user_id"], one["user_name"], one["content"]) for one in messages] == TALK
    said_at = [datetime.fromisoformat(one["create_time"]) for one in messages]
    assert [one.replace(microsecond=0) for one in said_at] == [
        START + timedelta(minutes=n) for n in range(3)
    ]
    assert messages[1]["reply_message_id"] == messages[0]["message_id"]
    assert "reply_message_id" not in messages[2]


def test_all_exports_of_one_talk_give_the_same_ids(tmp_path: Path) -> None:
    ids = {
        tuple(
            one["message_id"] for one in messages_of(read_history(written(tmp_path / f, f)), "d:1")
        )
        for f in FORMS
    }
    assert len(ids) == 1


def test_the_same_words_in_one_second_are_two_messages_and_the_same_two_again() -> None:
    row = {"user_id": "u", "content": "ha", "create_time": START.isoformat()}

    def ids() -> list[str]:
        return [one["message_id"] for one in messages_of(plain_rows("x", [row, row]), "d:1")]

    assert len(set(ids())) == 2
    assert ids() == ids()


def test_the_ids_are_the_platforms_own_where_the_groups_webhook_gives_the_same(
    tmp_path: Path,
) -> None:
    supergroup = {**telegram(), "type": "private_supergroup", "id": 77}
    of_discord = {**discord(), "channel": {"id": "55", "name": "Crew", "type": "GuildTextChat"}}
    exports = {"telegram:-10077": supergroup, "discord:55": of_discord}
    for group, whole in exports.items():
        path = tmp_path / group.partition(":")[0]
        path.write_text(json.dumps(whole))
        own = [str(one["id"]) for one in whole["messages"][:3]]
        history = read_history(path)
        assert [one["message_id"] for one in messages_of(history, group)] == own
        elsewhere = [one["message_id"] for one in messages_of(history, "demo:1")]
        assert all(one.startswith("h-") for one in elsewhere)
    history = read_history(slack(tmp_path / "s.zip"))
    ids = [one["message_id"] for one in messages_of(history, "slack:C77")]
    assert ids == [f"{seconds(n)}.000100" for n in range(3)]


def test_what_has_no_text_keeps_its_kind_and_a_forward_its_author(tmp_path: Path) -> None:
    whole = telegram()
    photo, voice, passed = whole["messages"][:3]
    photo |= {"text": "", "photo": "photos/1.jpg"}
    voice |= {"text": "", "media_type": "voice_message", "file": "v.ogg"}
    passed |= {"forwarded_from": "Ben", "forwarded_from_id": "user9"}
    path = tmp_path / "t"
    path.write_text(json.dumps(whole))
    messages = list(messages_of(read_history(path), "demo:1"))

    assert [one["content"] for one in messages] == ["[image]", "[audio]", "done"]
    assert [one["attachments"][0]["kind"] for one in messages] == ["image", "audio", "forward"]
    assert (messages[2]["user_id"], messages[2]["user_name"]) == ("9", "Ben")


WHATSAPP = """[12/11/2026, 21:04:33] Crew: \u200eMessages and calls are end-to-end encrypted.
[13/11/2026, 21:04:33] Ada: shall we ship
on friday?
[13/11/2026, 21:05:00] 小满: \u200eimage omitted
[13/11/2026, 21:06:00] Ben added Zoe
[13/11/2026, 21:07:00] Ada: This message was deleted.
"""
STAMPS = {
    "13/11/26, 9:04\u202fPM - Ada: hi": "2026-11-13T21:04:00+00:00",
    "11/13/26, 9:04 AM - Ada: hi": "2026-11-13T09:04:00+00:00",
    "13.11.26, 21:04 - Ada: hi": "2026-11-13T21:04:00+00:00",
    "[2026/11/13 下午9:04:33] Ada: hi": "2026-11-13T21:04:33+00:00",
    "\u200e[13/11/2026, 12:04:33 a.m.] Ada: hi": "2026-11-13T00:04:33+00:00",
    "[11/12/26, 21:04:33] Ada: hi\n[11/13/26, 21:04:33] Ada: hi": "2026-11-12T21:04:33+00:00",
    "[1/2/26, 8:00:00] Ada: hi\n[2/1/26, 8:00:00] Ada: hi": "2026-01-02T08:00:00+00:00",
}


@pytest.mark.parametrize("text", STAMPS)
def test_whatsapp_is_read_in_its_forms_of_dates(tmp_path: Path, text: str) -> None:
    path = tmp_path / "WhatsApp Chat with Crew.txt"
    path.write_text(text, "utf-8")
    history = read_history(path, timezone="UTC")
    first = next(messages_of(history, "demo:1"))
    assert (history.format, first["user_name"], first["content"]) == ("WhatsApp", "Ada", "hi")
    assert first["create_time"] == STAMPS[text]


def test_a_whatsapp_chat_is_read_whole_also_from_its_zip(tmp_path: Path) -> None:
    path = tmp_path / "chat.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_chat.txt", WHATSAPP)
        archive.writestr("0001-PHOTO.jpg", b"x")
    history = read_history(path, timezone="Asia/Shanghai")
    messages = list(messages_of(history, "demo:1"))
    assert [(one["user_name"], one["content"]) for one in messages[1:]] == [
        ("Ada", "shall we ship\non friday?"), ("小满", "[image]"),
    ]  # fmt: skip
    assert messages[1]["create_time"] == "2026-11-13T13:04:33+00:00"
    assert history.skipped == {"of the system": 1, "recalled": 1}


def test_a_date_that_could_be_two_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("[1/2/26, 8:00:00] Ada: hi\n")
    with pytest.raises(ValueError, match="--dates"):
        read_history(path)
    for dates, day in (("dmy", "2026-02-01"), ("mdy", "2026-01-02")):
        told = read_history(path, dates=dates, timezone="UTC")
        assert next(messages_of(told, "demo:1"))["create_time"].startswith(day)


LINE = """[LINE] Chat history with Crew
Saved on: 2026/11/14, 10:00

2026/11/12(Thu)
21:04\tAda\t"shall we ship
on friday?"
21:05\t小满\t[Photo]
21:06\t\tAda unsent a message.

2026/11/13(Fri)
上午9:04\tBen\tdone
"""


def test_a_line_chat_is_read(tmp_path: Path) -> None:
    path = tmp_path / "[LINE] Crew.txt"
    path.write_text(LINE, "utf-8")
    history = read_history(path, timezone="UTC")
    assert history.format == "LINE"
    assert [(one["create_time"][:16], one["user_name"], one["content"])
            for one in messages_of(history, "demo:1")] == [
        ("2026-11-12T21:04", "Ada", "shall we ship\non friday?"),
        ("2026-11-12T21:05", "小满", "[image]"),
        ("2026-11-13T09:04", "Ben", "done"),
    ]  # fmt: skip


def test_of_several_channels_one_must_be_named(tmp_path: Path) -> None:
    path = slack(tmp_path / "two.zip", ("general", "random"))
    with pytest.raises(SeveralChannels, match="general, random"):
        read_history(path)
    assert read_history(path, "random").name == "random"


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        '{"a": 1}',
        "3",
        '[{"a": 1}]',
        '{"a": 1}\n{"b": 2}',
        '{"a": 1}\nnot json',
        "[1]\n[2]",
    ],
)
def test_what_is_no_history_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(UnknownFormat, match=r"x\.json"):
        read_history(path)
