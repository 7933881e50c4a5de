"""Chats with known topics, read from the data folder: public chat, woven chat, labelled groups."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from shared.domain.messages.analyser import analysed
from shared.domain.messages.stored_message import StoredMessage

GROUP = "bench:chat"
_NUMBER = re.compile(r" #\d+$")
"""Of the question that a line answers, in talks that have questions."""


@dataclass(frozen=True)
class LabelledChat:
    """`messages` are what a platform delivers; `scored` the labelled ids, those of the system
    among them, which no platform delivers. `follows` has the ids that a labelled message follows
    (none: it opens a topic) and `topics` the conversation of each."""

    name: str
    messages: Sequence[StoredMessage]
    scored: Sequence[str]
    follows: Mapping[str, Sequence[str]] = field(default_factory=dict)
    topics: Mapping[str, str] = field(default_factory=dict)


def read_chats(path: Path) -> Iterator[LabelledChat]:
    """A file of lines, gzipped or not, a labelled group or talk of its own, or a folder of such."""
    if path.is_dir():
        for one in sorted((*path.glob("*.json"), *path.glob("*.txt"))):
            yield from read_chats(one)
    elif path.suffix == ".txt":
        yield labelled_talk(path.stem, path.read_text(encoding="utf-8"))
    elif path.name.endswith(".json"):
        yield labelled_group(json.loads(path.read_text(encoding="utf-8")))
    else:
        yield from lines_of(path)


def lines_of(path: Path) -> Iterator[LabelledChat]:
    """Lines `{chat, message_id, time, user, text, kind, reply_to, conversation, annotated,
    reply_message_id?}`."""
    chats: dict[str, list[dict[str, Any]]] = {}
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            chats.setdefault(str(row["chat"]), []).append(row)
    for name, rows in chats.items():
        yield chat_of_rows(name, rows)


def chat_of_rows(name: str, rows: Sequence[Mapping[str, Any]]) -> LabelledChat:
    labelled = [row for row in rows if row["annotated"]]
    return LabelledChat(
        name=name,
        messages=[
            message(
                str(row["message_id"]),
                str(row["user"]),
                str(row["user"]),
                row["text"] or "",
                _time(row["time"], place),
                row.get("reply_message_id"),
            )
            for place, row in enumerate(rows)
            if row["kind"] != "system"
        ],
        scored=[str(row["message_id"]) for row in labelled],
        follows={str(row["message_id"]): [str(one) for one in row["reply_to"]] for row in labelled},
        topics={str(row["message_id"]): str(row["conversation"]) for row in rows},
    )


def labelled_group(found: Mapping[str, Any]) -> LabelledChat:
    """Threads only: which line follows which was not labelled, so each follows the last of its
    thread."""
    names = {one["user_id"]: one["name"] for one in [*found["members"], found["bot"]]}
    rows = found["messages"]
    last: dict[str, str] = {}
    follows: dict[str, list[str]] = {}
    for row in rows:
        follows[row["message_id"]] = [last[row["thread"]]] if row["thread"] in last else []
        last[row["thread"]] = row["message_id"]
    return LabelledChat(
        name=found["name"],
        messages=[
            message(
                row["message_id"],
                row["user_id"],
                names[row["user_id"]],
                row["text"],
                datetime.fromisoformat(row["time"]).astimezone(UTC),
                row["reply_to"],
                is_bot=row["user_id"] == found["bot"]["user_id"],
            )
            for row in rows
        ],
        scored=[row["message_id"] for row in rows],
        follows=follows,
        topics={row["message_id"]: row["thread"] for row in rows},
    )


def labelled_talk(name: str, text: str) -> LabelledChat:
    """Lines `HH:MM thread name: text` under headings `== YYYY-MM-DD`; the first names the chat,
    and its bot after `| bot`, if it has one. Questions of a talk that has some are passed over."""
    rows: list[dict[str, Any]] = []
    first, *lines = text.splitlines()
    bot = first.partition("| bot ")[2].strip()
    day = ""
    for line in lines:
        if line.startswith("== "):
            day = line[3:]
            continue
        if line.startswith("? "):
            continue
        clock, thread, said = line.split(" ", 2)
        user, _, words = said.partition(": ")
        rows.append(
            {
                "message_id": str(len(rows) + 1),
                "time": f"{day}T{clock}:00+00:00",
                "user_id": user,
                "text": _NUMBER.sub("", words),
                "thread": thread,
                "reply_to": None,
            }
        )
    people = [{"user_id": one, "name": one} for one in sorted({row["user_id"] for row in rows})]
    named = {"user_id": bot, "name": bot}
    return labelled_group({"name": name, "members": people, "bot": named, "messages": rows})


def message(
    message_id: str,
    user_id: str,
    user_name: str,
    text: str,
    at: datetime,
    replies_to: object = None,
    *,
    is_bot: bool = False,
) -> StoredMessage:
    """As ingest would store it."""
    made = StoredMessage(
        group_id=GROUP,
        message_id=message_id,
        user_id=user_id,
        user_name=user_name,
        content=text,
        create_time=at,
        role="assistant" if is_bot else "user",
        reply_message_id=None if replies_to is None else str(replies_to),
    )
    features, terms = analysed(made)
    return replace(made, features=features, terms=terms)


def _time(text: str, place: int) -> datetime:
    """Some files know minutes only; lines of one minute keep their order."""
    at = datetime.fromisoformat(text)
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return at + timedelta(microseconds=place)
