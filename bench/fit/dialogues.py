"""Public dialogues that chats are woven from, read from a folder of files as they are published.

KdConv (thu-coai/KdConv at 653db76, Apache-2.0): `data/{film,music,travel}/dev.json` as
`kd_{film,music,travel}_dev.json`. CPED (scutcyr/CPED at 1e4b81c, Apache-2.0):
`data/CPED/valid_split.csv` as `cped_valid.csv`. Topical-Chat (alexa/Topical-Chat at 7c93922,
CDLA-Sharing-1.0): `conversations/valid_{freq,rare}.json` as `topical_valid_{freq,rare}.json`.
"""

import csv
import json
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

FILES = (
    *("kd_film_dev.json", "kd_music_dev.json", "kd_travel_dev.json", "cped_valid.csv"),
    *("topical_valid_freq.json", "topical_valid_rare.json"),
)
LEAST_TURNS = 4
TELLING = 8
"""Characters of a line that hardly stands in two dialogues by chance."""


@dataclass(frozen=True)
class Dialogue:
    """Who says what, people counted from 0."""

    language: str
    source: str
    turns: Sequence[tuple[int, str]]

    def cut(self, most: int) -> Iterator["Dialogue"]:
        """In parts of at most so many lines; what is left over and too short is dropped."""
        for start in range(0, len(self.turns), most):
            part = self.turns[start : start + most]
            if len(part) >= LEAST_TURNS:
                yield Dialogue(self.language, self.source, part)


def read_dialogues(folder: Path, without: Set[str] = frozenset()) -> list[Dialogue]:
    """All there are, but those of which a telling line is among `without`."""
    found = [*_kdconv(folder), *_cped(folder), *_topical(folder)]
    return [
        one
        for one in found
        if len(one.turns) >= LEAST_TURNS
        and not any(len(text) >= TELLING and text in without for _, text in one.turns)
    ]


def _kdconv(folder: Path) -> Iterator[Dialogue]:
    """Two people who take turns strictly."""
    for name in FILES[:3]:
        for one in json.loads((folder / name).read_text(encoding="utf-8")):
            texts = [turn["message"].strip() for turn in one["messages"]]
            yield Dialogue("zh", "kdconv", [(n % 2, text) for n, text in enumerate(texts) if text])


def _cped(folder: Path) -> Iterator[Dialogue]:
    """Scenes of plays with up to five people."""
    scenes: dict[str, list[tuple[str, str]]] = {}
    with (folder / FILES[3]).open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            if text := row["Utterance"].strip():
                scenes.setdefault(row["Dialogue_ID"], []).append((row["Speaker"], text))
    for said in scenes.values():
        people: dict[str, int] = {}
        turns = [(people.setdefault(who, len(people)), text) for who, text in said]
        if len(people) >= 2:
            yield Dialogue("zh", "cped", turns)


def _topical(folder: Path) -> Iterator[Dialogue]:
    """Two people on what they have read."""
    for name in FILES[4:]:
        for one in json.loads((folder / name).read_text(encoding="utf-8")).values():
            people: dict[str, int] = {}
            yield Dialogue(
                "en",
                "topical",
                [
                    (people.setdefault(turn["agent"], len(people)), turn["message"].strip())
                    for turn in one["content"]
                    if turn["message"].strip()
                ],
            )
