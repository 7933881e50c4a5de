"""Labelled chats and long dialogues as the product receives them.

A chat is a JSON object with `messages`, `questions` and their gold lines, or a text as in
`bench/asked_talks`; a dialogue is lines of `{type: turn}` and `{type: question}`, as the data
folder's README describes them.
"""

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from shared.domain.messages.message import Message

TURN_S = 30
"""Turns of a dialogue have the time of their session only; so many seconds lie between two."""
SAME_MINUTE = timedelta(seconds=20)
"""Between two lines of a written talk that have the same minute."""
ASKED_TALKS = Path(__file__).parent.parent / "asked_talks"
_SAID = re.compile(
    r"(?P<time>\d\d:\d\d) (?P<thread>\S+) (?P<name>[^:]+): (?P<text>.*?)(?: #(?P<number>\d+))?$"
)
_ASKED = re.compile(r"\? (?P<name>\S+) #(?P<number>\d+): (?P<text>.*)$")
CATEGORIES = (1, 2, 3, 4)
"""Of a dialogue's questions; the fifth kind has no answer."""


@dataclass(frozen=True)
class Question:
    """Asked right after the message `after`; `gold` are the ids of the lines that answer."""

    id: str
    text: str
    gold: frozenset[str]
    after: str
    asked_by: str | None = None


@dataclass(frozen=True)
class Chat:
    """`threads` are the labels of the lines, where there are any; never shown to the system."""

    name: str
    messages: Sequence[Message]
    questions: Sequence[Question]
    threads: Mapping[str, str] = field(default_factory=dict)

    def place(self, message_id: str) -> int:
        return next(n for n, one in enumerate(self.messages) if one.message_id == message_id)


def labelled_chats(data: Path | None, file: Path | None) -> list[Chat]:
    """Of a file, of a folder of files, or of the data's folder `chats`."""
    if file and not file.is_dir():
        return [labelled_chat(file)]
    folder = file or (data / "chats" if data else None)
    return [labelled_chat(one) for one in sorted(folder.glob("*.json"))] if folder else []


def asked_talks() -> list[Chat]:
    """The project's own, in the order of their numbers."""
    return [asked_talk(one) for one in sorted(ASKED_TALKS.glob("*.txt"))]


def labelled_chat(path: Path) -> Chat:
    if path.suffix == ".txt":
        return asked_talk(path)
    found = json.loads(path.read_text(encoding="utf-8"))
    bot = found["bot"]["user_id"]
    names = {one["user_id"]: one["name"] for one in (*found["members"], found["bot"])}
    group_id = f"bench:{path.stem}"
    messages = [
        Message(
            group_id=group_id,
            message_id=row["message_id"],
            user_id=row["user_id"],
            user_name=names.get(row["user_id"], row["user_id"]),
            content=row["text"],
            create_time=datetime.fromisoformat(row["time"]).astimezone(UTC),
            role="assistant" if row["user_id"] == bot else "user",
            reply_message_id=row["reply_to"],
        )
        for row in found["messages"]
    ]
    questions = [
        Question(
            id=row["id"],
            text=row["text"],
            gold=frozenset(row["gold"]),
            after=row["after"],
            asked_by=row["asked_by"],
        )
        for row in found["questions"]
    ]
    threads = {row["message_id"]: row["thread"] for row in found["messages"]}
    return Chat(path.stem, messages, questions, threads)


def asked_talk(path: Path) -> Chat:
    """A talk as in `bench/asked_talks`; the seconds of a minute are shared out among its lines."""
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    bot = first.partition("| bot ")[2].strip()
    messages: list[Message] = []
    threads: dict[str, str] = {}
    gold: dict[str, set[str]] = {}
    asked: list[tuple[str, str, str, str]] = []
    day = ""
    for line in lines:
        if line.startswith("== "):
            day = line[3:].strip()
        elif found := _ASKED.match(line):
            asked.append((found["number"], found["name"], found["text"], messages[-1].message_id))
        elif found := _SAID.match(line):
            message_id = f"m{len(messages) + 1:03}"
            at = datetime.fromisoformat(f"{day}T{found['time']}:00+00:00")
            if messages and at <= messages[-1].create_time:
                at = messages[-1].create_time + SAME_MINUTE
            messages.append(
                Message(
                    group_id=f"bench:{path.stem}",
                    message_id=message_id,
                    user_id=found["name"].lower(),
                    user_name=found["name"],
                    content=found["text"],
                    create_time=at,
                    role="assistant" if found["name"] == bot else "user",
                )
            )
            threads[message_id] = found["thread"]
            if found["number"]:
                gold.setdefault(found["number"], set()).add(message_id)
        else:
            raise ValueError(f"{path.name}: not a line of a talk: {line}")
    questions = [
        Question(number, text, frozenset(gold[number]), after, name.lower())
        for number, name, text, after in asked
    ]
    return Chat(path.stem, messages, questions, threads)


def dialogues(path: Path) -> list[Chat]:
    turns: dict[str, list[dict[str, Any]]] = {}
    asked: dict[str, list[dict[str, Any]]] = {}
    for row in rows(path):
        (turns if row["type"] == "turn" else asked).setdefault(row["sample"], []).append(row)
    found = []
    for sample, said in turns.items():
        messages = list(_turns(sample, said))
        known = {one.message_id for one in messages}
        questions = [
            Question(row["qid"], row["question"], gold, messages[-1].message_id)
            for row in asked.get(sample, [])
            if row["category"] in CATEGORIES and (gold := frozenset(row["evidence"]) & known)
        ]
        found.append(Chat(sample, messages, questions))
    return found


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Of a file of JSON lines, gzipped or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _turns(sample: str, said: Sequence[dict[str, Any]]) -> Iterator[Message]:
    """A picture's caption stands where a platform's own would."""
    begun: dict[int, int] = {}
    for row in said:
        place = begun[row["session"]] = begun.get(row["session"], -1) + 1
        at = datetime.fromisoformat(row["session_time"]).replace(tzinfo=UTC)
        caption = row.get("image_caption")
        text = f"{row['text'] or ''} [image: {caption}]" if caption else row["text"] or ""
        yield Message(
            group_id=f"bench:{sample}",
            message_id=row["dia_id"],
            user_id=row["speaker"].lower(),
            user_name=row["speaker"],
            content=text,
            create_time=at + timedelta(seconds=TURN_S * place),
        )
