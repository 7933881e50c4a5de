"""Labelled chats for attribution: public ones from a file, and talks of our own, woven together."""

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.attribution_scores import Link, connected
from functions.ingest_message.analysis import analysed
from shared.domain.messages.stored_message import StoredMessage
from tests.project import ROOT

TALKS = ROOT / "tests" / "fixtures" / "talks" / "talks.json"
GROUP = "bench:chat"
START = datetime(2026, 3, 2, 8, tzinfo=UTC)


@dataclass(frozen=True)
class Chat:
    """`scored` are the labelled lines. Those of the system are scored too, as conversations of
    their own, but no platform delivers them: they are never among the `messages`."""

    messages: Sequence[StoredMessage]
    scored: Sequence[str]
    gold: frozenset[Link]

    def gold_talks(self) -> dict[str, str]:
        known = {one.message_id for one in self.messages} | set(self.scored)
        return connected(known, self.gold)


def irc_chats(path: Path, every: int = 1) -> Iterator[Chat]:
    """Each `every`-th chat of a file of lines `{chat, message_id, time, user, text, kind,
    reply_to, annotated}`, gzipped."""
    chats: dict[str, list[dict[str, Any]]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            chats.setdefault(row["chat"], []).append(row)
    for rows in list(chats.values())[::every]:
        labelled = [row for row in rows if row["annotated"]]
        yield Chat(
            messages=[
                _message(str(row["message_id"]), row["user"], row["text"] or "", _time(row, place))
                for place, row in enumerate(rows)
                if row["kind"] != "system"
            ],
            scored=[str(row["message_id"]) for row in labelled],
            gold=frozenset(
                (str(row["message_id"]), str(other))
                for row in labelled
                for other in (row["reply_to"] or [row["message_id"]])
            ),
        )


def woven_chats(
    count: int, *, side_by_side: int, seconds: tuple[float, float], language: str | None = None
) -> Iterator[Chat]:
    """Our own talks, several at a time, in random order; each line follows the one before it.
    People are in several talks, and hardly ever say whom they talk to."""
    talks = json.loads(TALKS.read_text(encoding="utf-8"))
    if language is not None:
        talks = [talk for talk in talks if talk["language"] == language]
    for seed in range(count):
        yield _woven(talks, random.Random(seed), side_by_side, seconds)


def _woven(
    talks: Sequence[dict[str, Any]],
    dice: random.Random,
    side_by_side: int,
    seconds: tuple[float, float],
) -> Chat:
    waiting = list(talks)
    dice.shuffle(waiting)
    going = [_numbered(waiting.pop()) for _ in range(side_by_side)]
    messages: list[StoredMessage] = []
    gold: set[Link] = set()
    last: dict[str, str] = {}
    at = START
    while going:
        talk = dice.choice(going)
        try:
            name, speaker, text = next(talk)
        except StopIteration:
            going.remove(talk)
            if waiting:
                going.append(_numbered(waiting.pop()))
            continue
        at += timedelta(seconds=dice.uniform(*seconds))
        message_id = f"m{len(messages)}"
        gold.add((message_id, last.get(name, message_id)))
        last[name] = message_id
        messages.append(_message(message_id, speaker, text, at))
    return Chat(messages, [one.message_id for one in messages], frozenset(gold))


def _numbered(talk: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for speaker, text in talk["lines"]:
        yield talk["name"], speaker, text


def _message(message_id: str, user: str, text: str, at: datetime) -> StoredMessage:
    message = StoredMessage(
        group_id=GROUP,
        message_id=message_id,
        user_id=user,
        user_name=user,
        content=text,
        create_time=at,
    )
    features, terms = analysed(message)
    return replace(message, features=features, terms=terms)


def _time(row: dict[str, Any], place: int) -> datetime:
    """The file knows minutes; lines of one minute keep their order."""
    at = datetime.fromisoformat(row["time"]).replace(tzinfo=UTC)
    return at + timedelta(microseconds=place)
