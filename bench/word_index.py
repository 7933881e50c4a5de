"""What the index of words finds and costs: `python -m bench.word_index [--data DIR]`.

Recall of the lines that hold the answer, on chats and dialogues written elsewhere, by words alone:
the product's own terms, rows and weights, scored exactly as the index does. Then what a message
costs to index, and whether a rare word is found in a long history through the real emulator.
"""

import argparse
import asyncio
import gzip
import itertools
import json
import math
import random
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.emulators_pinecone import load_sparse
from shared.domain.bm25 import heard, scores
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.word_index.counts import WordCounts, is_sampled, query_weights
from shared.domain.word_index.rows import WordRow, word_rows
from shared.domain.word_index.terms import indexed_terms
from shared.language import terms
from shared.stores.vectors import Index
from shared.stores.word_index import WordIndex
from tests.services import WORDS_INDEX, all_emulators

CUTS = (5, 10, 20)
LATELY = 100
START = datetime(2026, 1, 1, tzinfo=UTC)
KB = 1_000
LEAST_UNITS = 5
"""Pinecone bills a write by the kilobyte of each record, and at least five units a request."""


@dataclass(frozen=True)
class Question:
    text: str
    gold: frozenset[str]
    lines: int
    """It is asked after so many lines."""


@dataclass(frozen=True)
class Chat:
    name: str
    lines: Sequence[StoredMessage]
    questions: Sequence[Question]


def labelled_chats(data: Path) -> Iterator[Chat]:
    for path in sorted((data / "chats").glob("*.json")):
        chat = json.loads(path.read_text("utf-8"))
        lines = [
            _line(n, one["message_id"], one["text"], one["thread"])
            for n, one in enumerate(chat["messages"])
        ]
        place = {one.message_id: n for n, one in enumerate(lines)}
        questions = [
            Question(one["text"], frozenset(one["gold"]), place[one["after"]] + 1)
            for one in chat["questions"]
        ]
        yield Chat(path.stem, lines, questions)


def dialogues(data: Path) -> Iterator[Chat]:
    """Two people, sessions of talk; a session is one thread. Questions come at the end."""
    turns: dict[str, list[StoredMessage]] = defaultdict(list)
    asked: dict[str, list[Question]] = defaultdict(list)
    with gzip.open(data / "locomo_7.jsonl.gz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            sample = row["sample"]
            if row["type"] == "turn":
                text = " ".join(filter(None, [row["text"], row.get("image_caption")]))
                turns[sample].append(
                    _line(len(turns[sample]), row["dia_id"], text, f"s{row['session']}")
                )
            elif row["category"] in (1, 2, 3, 4):
                asked[sample].append(
                    Question(row["question"], frozenset(row["evidence"]), len(turns[sample]))
                )
    for sample, lines in turns.items():
        yield Chat(sample, lines, [Question(q.text, q.gold, len(lines)) for q in asked[sample]])


def _line(number: int, message_id: str, text: str, thread: str) -> StoredMessage:
    return StoredMessage(
        group_id="bench:1",
        message_id=message_id,
        user_id="u",
        content=text,
        create_time=START + timedelta(minutes=number),
        topic_id=thread,
        state=MessageState.ATTRIBUTED,
    )


def recall(
    chats: Sequence[Chat], *, with_neighbours: bool, kinds: str, counted: str
) -> list[float]:
    """At 5, 10 and 20, in per cent, over all questions that have a gold line."""
    found: list[list[float]] = []
    for chat in chats:
        rows: dict[int, dict[str, WordRow]] = {}
        for question in chat.questions:
            gold = question.gold & {one.message_id for one in chat.lines}
            if not gold:
                continue
            if question.lines not in rows:
                rows = {question.lines: _rows(chat.lines[: question.lines], with_neighbours)}
            best = _ranked(
                question, chat.lines[: question.lines], rows[question.lines], kinds, counted
            )
            found.append([len(gold & set(best[:cut])) / len(gold) for cut in CUTS])
    return [100 * sum(column) / len(found) for column in zip(*found, strict=True)]


def _rows(lines: Sequence[StoredMessage], with_neighbours: bool) -> dict[str, WordRow]:
    topic_of = {} if with_neighbours else {one.message_id: one.message_id for one in lines}
    return {
        row.message_id: row for row in word_rows(lines, {one.message_id for one in lines}, topic_of)
    }


def _ranked(
    question: Question,
    lines: Sequence[StoredMessage],
    rows: dict[str, WordRow],
    kinds: str,
    counted: str,
) -> list[str]:
    """`counted` says whether rarity comes from all lines or from what the product knows."""
    words = set(terms(question.text))
    asked = [
        term
        for term, weight in indexed_terms(question.text).items()
        if term in words or ("pairs" in kinds and weight == 1.0) or "characters" in kinds
    ]
    if counted == "all":
        weights = query_weights(asked, WordCounts(), [_terms_of(one) for one in lines])
    else:
        sample = [_terms_of(one) for one in lines if is_sampled(one.message_id)]
        lately = [_terms_of(one) for one in lines[-LATELY:]]
        weights = query_weights(asked, WordCounts().plus(sample), lately)
    worth = {
        message_id: sum(
            weight * row.weights.get(dimension, 0.0) for dimension, weight in weights.items()
        )
        for message_id, row in rows.items()
    }
    newest_first = [one.message_id for one in reversed(lines) if one.message_id in worth]
    return sorted(newest_first, key=lambda one: -worth[one])


_TERMS: dict[str, frozenset[str]] = {}


def _terms_of(line: StoredMessage) -> frozenset[str]:
    if line.content not in _TERMS:
        _TERMS[line.content] = frozenset(indexed_terms(line.content))
    return _TERMS[line.content]


def plain_bm25(chats: Sequence[Chat]) -> list[float]:
    """The usual one (k1 1.5, b 0.75), words as they are written, Chinese by the character."""
    found: list[list[float]] = []
    for chat in chats:
        texts = [_plain(one.content) for one in chat.lines]
        for question in chat.questions:
            gold = question.gold & {one.message_id for one in chat.lines}
            if gold:
                known = texts[: question.lines]
                worth = scores(_plain(question.text), known, heard(known), k1=1.5, b=0.75)
                order = sorted(range(len(known)), key=lambda n: (-worth[n], -n))
                best = [chat.lines[n].message_id for n in order]
                found.append([len(gold & set(best[:cut])) / len(gold) for cut in CUTS])
    return [100 * sum(column) / len(found) for column in zip(*found, strict=True)]


def _plain(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]", text.lower())


def write_units(chats: Sequence[Chat], lines_a_run: int) -> tuple[float, float, float]:
    """Of the dense and of the sparse index, a message; and values in a row."""
    dense = sparse = values = rows_made = lines = 0
    for chat in chats:
        for start in range(0, len(chat.lines), lines_a_run):
            until = chat.lines[: start + lines_a_run]
            run = until[start:]
            lines += len(run)
            dense += max(LEAST_UNITS, len(run) * math.ceil((512 * 4 + 100) / KB))
            rows = word_rows(until[-LATELY:], {one.message_id for one in run}, {})
            sizes = [8 * len(row.weights) + 100 for row in rows]
            sparse += max(LEAST_UNITS, sum(math.ceil(size / KB) for size in sizes))
            values += sum(len(row.weights) for row in rows)
            rows_made += len(rows)
    return dense / lines, sparse / lines, values / rows_made


async def long_history(count: int) -> dict[str, object]:
    """At which place of 60 the right line comes: one with a word said once, at the very beginning
    of a long history, and one that has two common words together. Words follow Zipf's law."""
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        counts = _load_history(running.told["admin"]["pinecone"], count)
        host = running.told["PINECONE_CONTROLLER_HOST"]
        index = WordIndex(Index(api_key="local", host=host, name=WORDS_INDEX))
        places: dict[str, object] = {"bytes of the counts": len(counts.packed)}
        for name, question, gold in (
            ("a word said once, with three that are common", "quetzal w40 w90 w200", "m0"),
            ("a word said once, with one that is less so", "quetzal w1000", "m0"),
            ("two words together", "w300 w301", "m5000"),
        ):
            weights = query_weights(terms(question), counts, [])
            hits = await index.query("bench:1", weights, 60, START + timedelta(minutes=count))
            found = [one.message_id for one in hits]
            places[name] = found.index(gold) + 1 if gold in found else None
        await index.close()
        return places


def _load_history(admin: str, count: int) -> WordCounts:
    chance = random.Random(count)
    vocabulary = [f"w{n}" for n in range(50_000)]
    shares = list(itertools.accumulate(1 / (n + 10) for n in range(len(vocabulary))))
    counts = WordCounts()
    for start in range(0, count, 10_000):
        drawn = chance.choices(vocabulary, cum_weights=shares, k=12 * 10_000)
        texts = [" ".join(drawn[n : n + 12]) for n in range(0, len(drawn), 12)]
        if start == 0:
            texts[0], texts[5_000] = "quetzal behind the picture", "w300 w301"
        lines = [
            _line(start + n, f"m{start + n}", text, f"t{start + n}") for n, text in enumerate(texts)
        ]
        rows = word_rows(lines, {one.message_id for one in lines}, {})
        load_sparse(
            admin,
            WORDS_INDEX,
            "bench:1",
            [row.message_id for row in rows],
            [list(row.weights.items()) for row in rows],
            [
                {"id": row.message_id, "version": 1, "time": int(row.time.timestamp())}
                for row in rows
            ],
        )
        sample = [one for one in lines if is_sampled(one.message_id)]
        counts = counts.plus(indexed_terms(one.content) for one in sample)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--history", type=int, nargs="*", default=[200_000])
    args = parser.parse_args()
    chats = list(labelled_chats(args.data))
    chinese = [one for one in chats if "_zh_" in one.name]
    sets = {
        "labelled chats": chats,
        "of them Chinese": chinese,
        "LoCoMo": list(dialogues(args.data)),
    }
    everything = "words pairs characters"
    variants = {
        "words": ("words", False, "product"),
        "+ pairs": ("words pairs", False, "product"),
        "+ characters": (everything, False, "product"),
        "+ neighbours: the index": (everything, True, "product"),
        "the same, every word counted": (everything, True, "all"),
    }
    print("recall at 5 / 10 / 20")
    for name, found in sets.items():
        _show(name, "plain BM25", plain_bm25(found))
        for variant, (kinds, with_neighbours, counted) in variants.items():
            _show(
                name,
                variant,
                recall(found, with_neighbours=with_neighbours, kinds=kinds, counted=counted),
            )
    print("write units a message: dense, sparse; values a row")
    for lines_a_run in (1, 3, 10, 50):
        units = write_units(chats, lines_a_run)
        print(f"  {lines_a_run:3} lines a run   {units[0]:.1f}  {units[1]:.1f}   {units[2]:.0f}")
    for count in args.history:
        print(f"place among {count} messages: {json.dumps(asyncio.run(long_history(count)))}")


def _show(name: str, variant: str, found: Sequence[float]) -> None:
    print(f"  {name:16} {variant:30} " + " / ".join(f"{one:.1f}" for one in found), flush=True)


if __name__ == "__main__":
    main()
