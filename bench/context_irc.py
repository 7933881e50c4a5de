"""Recall and precision of the score on labelled chat: a context of 20 out of the last 200 lines.

Once by the lines alone, once with the topics that the product finds for them; the question itself
has none yet, as when a bot asks.
"""

import gzip
import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.labelled_chats import read_chats
from bench.quality.topics import LocalVectors, attributed
from shared.domain.context.five_factor_scorer import FiveFactors
from shared.domain.context.relevance import Evidence, Scorer, asked_of
from shared.domain.messages.stored_message import StoredMessage
from shared.language import terms

LINES = 200
HOURS = 24
MESSAGES = 20
HAND_SET = (82.9, 38.7)
"""What a hand-set sum reaches on the dev file; not to be undercut."""

Topics = Mapping[str, tuple[str, str | None]]
"""The topic of each message, and the message it follows."""
Case = tuple[StoredMessage, list[StoredMessage], set[str]]


def found_topics(path: Path) -> list[Topics]:
    """Of each chat, by the product's own decisions, as if the model were down."""
    vectors = LocalVectors()
    try:
        return [
            {
                one.message_id: (str(one.topic_id), one.continues)
                for one in attributed(chat, vectors).messages.values()
            }
            for chat in read_chats(path)
        ]
    finally:
        vectors.close()


def measure(
    path: Path,
    every: int = 1,
    scorer: Scorer | None = None,
    topics: Sequence[Topics] | None = None,
) -> dict[str, float]:
    """Macro averages in percent over each `every`-th question."""
    scorer = scorer or FiveFactors()
    recalls: list[float] = []
    precisions: list[float] = []
    for number, (asked, candidates, gold) in enumerate(cases(path, topics)):
        if number % every:
            continue
        scored = scorer.score(asked_of(asked), candidates, Evidence())
        ranked = sorted(range(len(candidates)), key=lambda n: (-scored[n].score, -n))[:MESSAGES]
        right = len(gold & {candidates[n].message_id for n in ranked})
        recalls.append(right / len(gold))
        precisions.append(right / len(ranked))
    return {
        "questions": len(recalls),
        "recall": round(100 * statistics.mean(recalls), 1),
        "precision": round(100 * statistics.mean(precisions), 1),
    }


def cases(path: Path, topics: Sequence[Topics] | None = None) -> Iterator[Case]:
    """Every annotated message with an antecedent; gold = earlier ones of its conversation."""
    for number, rows in enumerate(_chats(path)):
        messages = [_message(row) for row in rows]
        known = topics[number] if topics else {}
        placed = [_placed(one, known) for one in messages]
        for place, row in enumerate(rows):
            answers = [one for one in row["reply_to"] if one < row["message_id"]]
            if not row["annotated"] or row["kind"] == "system" or not answers:
                continue
            since = messages[place].create_time - timedelta(hours=HOURS)
            before = [
                n
                for n in range(max(0, place - LINES), place)
                if rows[n]["kind"] != "system" and messages[n].create_time >= since
            ]
            gold = {
                messages[n].message_id
                for n in before
                if rows[n]["conversation"] == row["conversation"]
            }
            if gold:
                yield messages[place], [placed[n] for n in before], gold


def _chats(path: Path) -> Iterator[Sequence[dict[str, Any]]]:
    chats: dict[str, list[dict[str, Any]]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            chats.setdefault(row["chat"], []).append(row)
    yield from chats.values()


def _message(row: dict[str, Any]) -> StoredMessage:
    text = row["text"] or ""
    return StoredMessage(
        group_id="irc:channel",
        message_id=str(row["message_id"]),
        user_id=row["user"],
        user_name=row["user"],
        content=text,
        create_time=datetime.fromisoformat(row["time"]).replace(tzinfo=UTC),
        terms=tuple(terms(text)),
    )


def _placed(message: StoredMessage, topics: Topics) -> StoredMessage:
    if message.message_id not in topics:
        return message
    topic_id, continues = topics[message.message_id]
    return replace(message, topic_id=topic_id, continues=continues)
