"""Questions with the memories they are asked of, in one form: from the bench's own groups, from
files of pairs, and from labelled chats.

A file of pairs has a line `{id, lang, query, positive, distractors}` a case. A labelled chat is a
JSON object with `memories`; its questions are the paraphrases of `bench/recall_paraphrases.py`, or,
for a chat without any there, those of its own `questions` whose `gold` shares a message with a
memory's `sources`.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from bench.recall_paraphrases import PARAPHRASES
from bench.recall_questions import FIRST, HELD_OUT, LAST, Remembering
from shared.domain.memories.memory import KINDS
from shared.language import kind_of_statement


@dataclass(frozen=True)
class Held:
    """A memory put in by hand: about whom (nobody: the group), of which kind, what it says."""

    subject: str
    kind: str
    statement: str


@dataclass(frozen=True)
class Case:
    """`right` are the places of the memories that answer; none, if none does. What is
    `held_back` fits nothing and chooses nothing."""

    source: str
    case_id: str
    language: str
    query: str
    right: frozenset[int]
    memories: tuple[Held, ...]
    held_back: bool


def cases_in(path: Path) -> list[Case]:
    """Of a file of pairs, of one chat, or of a folder with any of them."""
    if path.is_dir():
        files = [*sorted(path.rglob("*pairs*.jsonl")), *sorted(path.rglob("chats/*.json"))]
        return [case for one in files or sorted(path.glob("*.json")) for case in cases_in(one)]
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return list(_of_chat(path.stem, json.loads(text)))
    return [_of_pair(json.loads(line)) for line in text.splitlines() if line.strip()]


def written() -> list[Case]:
    """The groups of `bench/recall_questions.py`; the first ones fit, the others are held back."""
    return [
        case
        for groups, held_back in ((FIRST, False), (HELD_OUT, True), (LAST, True))
        for group in groups
        for case in _of_group(group, held_back)
    ]


def _of_group(group: Remembering, held_back: bool) -> Iterator[Case]:
    letters = list(group.memories)
    memories = tuple(Held(*one) for one in group.memories.values())
    language = "zh" if "Chinese" in group.name else "en"
    for number, (query, right) in enumerate(group.questions):
        places = frozenset(map(letters.index, right))
        name = f"{group.name} {number}"
        yield Case("written", name, language, query, places, memories, held_back)


def _of_pair(pair: dict[str, Any]) -> Case:
    """In halves by the id, so that both languages of one matter are on one side."""
    statements = [pair["positive"], *pair["distractors"]]
    memories = tuple(Held("", kind_of_statement(one), one) for one in statements)
    half = crc32(pair["id"].rpartition("-")[2].encode()) % 2 == 1
    return Case(
        "pairs", pair["id"], pair["lang"], pair["query"], frozenset({0}), memories, held_back=half
    )


def _of_chat(name: str, chat: dict[str, Any]) -> Iterator[Case]:
    listed = chat["memories"]
    memories = tuple(
        Held(
            "" if one["about"] == "group" else one["about"],
            one["kind"] if one["kind"] in KINDS else kind_of_statement(one["statement"]),
            one["statement"],
        )
        for one in listed
    )
    language = chat["language"]
    asked = PARAPHRASES.get(name, {})
    for place, questions in asked.items():
        for number, query in enumerate(questions):
            right = frozenset({place})
            case_id = f"{name} {place}.{number}"
            yield Case("chats", case_id, language, query, right, memories, place % 2 == 1)
    if asked:
        return
    for question in chat["questions"]:
        gold = set(question["gold"])
        right = frozenset(place for place, one in enumerate(listed) if gold & {*one["sources"]})
        if right:
            text = question["text"]
            yield Case("questions", question["id"], language, text, right, memories, True)
