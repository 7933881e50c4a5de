"""The demo's talk as data: said, edited, recalled and noted, in order, with its times."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Literal

TALK = Path(__file__).with_name("talk.txt")
BOT = "Annie"
ZONE = timezone(timedelta(hours=8))
ZONE_NAME = "Asia/Shanghai"
DAYS = 14

_LINE = re.compile(r"^(\d\d):(\d\d) (note )?([^\s:\[]+)(?: \[([^\]]*)\])?(?:: (.*))?$")
_MARKS = re.compile(
    r"^(?P<act>[=?-])?(?P<label>\w+)?(?:>(?P<reply>\w+))?(?: !(?P<answers>[\w ]+))?$"
)


class BadTalk(ValueError):
    """A line of the talk that cannot be read."""


@dataclass(frozen=True)
class Chat:
    group_id: str
    name: str
    audience: str


@dataclass(frozen=True)
class Step:
    """One delivery. `message_id` is what is said, edited or recalled; of a note, its request.
    `about` are the messages of a note, and those that answer the question.

    `at` is when it is delivered, `said_at` when the message was said: an edit has both."""

    kind: Literal["say", "edit", "recall", "note"]
    chat: Chat
    day: int
    at: datetime
    said_at: datetime
    user: str
    message_id: str
    text: str = ""
    reply_to: str | None = None
    about: tuple[str, ...] = ()
    is_question: bool = False

    @property
    def is_to_bot(self) -> bool:
        return self.kind == "say" and f"@{BOT}" in self.text

    def as_message(self) -> dict[str, Any]:
        """As `POST /messages` takes it."""
        named = [name for name in re.findall(r"@(\w+)", self.text) if name != BOT]
        body: dict[str, Any] = {
            "group_id": self.chat.group_id,
            "group_name": self.chat.name,
            "audience": self.chat.audience,
            "message_id": self.message_id,
            "user_id": user_id(self.user),
            "user_name": self.user,
            "role": "assistant" if self.user == BOT else "user",
            "content": self.text,
            "create_time": self.said_at.astimezone(UTC).isoformat(),
            "is_mention_bot": self.is_to_bot,
            "mentions": [{"user_id": user_id(name), "name": name} for name in named],
        }
        if self.reply_to:
            body["reply_message_id"] = self.reply_to
        if self.kind == "edit":
            body["edited_at"] = self.at.astimezone(UTC).isoformat()
        if self.kind == "recall":
            body["recalled"] = True
        return body

    def as_note(self) -> dict[str, Any]:
        """As `POST /end` takes it."""
        did, _, learnt = self.text.partition("||")
        return {
            "group_id": self.chat.group_id,
            "user_id": user_id(self.user),
            "request_id": self.message_id,
            "end_seq": 1,
            "action_summary": did.strip(),
            "new_info": learnt.strip(),
            "message_ids": list(self.about),
            "timezone": ZONE_NAME,
        }


@dataclass
class _Reader:
    monday: datetime
    steps: list[Step] = field(default_factory=list)
    chat: Chat | None = None
    day: int = 0
    labels: dict[str, str] = field(default_factory=dict)
    said: dict[str, datetime] = field(default_factory=dict)

    def read(self, line: str) -> None:
        if line.startswith("== "):
            group_id, name, audience = (part.strip() for part in line[3:].split("|"))
            self.chat, self.labels = Chat(group_id, name, audience), {}
        elif line.startswith("-- "):
            self.day = int(line[3:])
        else:
            self.steps.append(self._step(line))

    def _step(self, line: str) -> Step:
        found = _LINE.match(line)
        if found is None or self.chat is None:
            raise BadTalk(line)
        hour, minute, note, user, marks, text = found.groups()
        at = self.monday + timedelta(days=self.day - 1, hours=int(hour), minutes=int(minute))
        own_id = f"{self.chat.group_id.partition(':')[2]}-{len(self.steps):03d}"
        if note:
            about = tuple(self.labels[label] for label in (marks or "").split())
            return Step("note", self.chat, self.day, at, at, user, own_id, text or "", about=about)
        mark = _MARKS.match(marks or "")
        if mark is None:
            raise BadTalk(line)
        act, label, reply = mark["act"], mark["label"], mark["reply"]
        reply_to = self.labels[reply] if reply else None
        if act in ("-", "="):
            meant = self.labels[label]
            kind: Literal["edit", "recall"] = "edit" if act == "=" else "recall"
            said_at = self.said[meant]
            return Step(kind, self.chat, self.day, at, said_at, user, meant, text or "")
        if label:
            self.labels[label] = own_id
        self.said[own_id] = at
        answers = tuple(self.labels[one] for one in (mark["answers"] or "").split())
        return Step(
            "say",
            self.chat,
            self.day,
            at,
            at,
            user,
            own_id,
            text or "",
            reply_to=reply_to,
            about=answers,
            is_question=act == "?",
        )


def user_id(name: str) -> str:
    return f"demo-{name.lower()}"


def last_monday(now: datetime) -> datetime:
    """The newest Monday from which the two weeks are over by now, so that weekdays are true."""
    today = now.astimezone(ZONE).replace(hour=0, minute=0, second=0, microsecond=0)
    ended = today - timedelta(days=DAYS)
    return ended - timedelta(days=ended.weekday())


def read_talk(monday: datetime, path: Path = TALK) -> list[Step]:
    """All chats together, in the order of time; what is edited keeps the time it was said at."""
    reader = _Reader(monday)
    for line in path.read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            reader.read(line.rstrip())
    return sorted(reader.steps, key=lambda step: step.at)
