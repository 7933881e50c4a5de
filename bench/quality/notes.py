"""How many notes of real talk come out of the rules with the right people and days in them.

    python -m bench.quality notes [--half seen|aside] [--faults]

`bench/notes/*.txt` hold notes as a bot takes them at the end of its turn, with what each must say
(more than one wording may be right). Compared are the people in their order, the days, the hours
where the right text has them, and that no relative word is left; not the wording between them. No
model is asked. `aside` is each second note: nothing is to be mended for it.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path
from zoneinfo import ZoneInfo

from shared.domain.historian.gate import violations
from shared.domain.historian.people import people_of
from shared.domain.historian.resolve import resolve_note

FOLDER = Path(__file__).parents[1] / "notes"
HALVES = ("seen", "aside")
_MONTHS = "January February March April May June July August September October November December"
_DAY = re.compile(
    r"\d{4}-\d{2}(?:-\d{2})?|\d{4}年(?:\d{1,2}月)?|"
    rf"(?:{'|'.join(_MONTHS.split())}) \d{{4}}|\b(?:19|20)\d\d\b"
)
_HOUR = re.compile(r"\b(\d{1,2}:\d{2})\b")
_SOMEBODY = r"某人|另一个人|[Ss]omebody(?: else)?|(?<!the )\b[Oo]thers\b"


@dataclass(frozen=True)
class Note:
    """`is_told` if it says what the bot did; `also` are further words that name somebody."""

    lang: str
    at: datetime
    bot: str
    group: str
    names: tuple[str, ...]
    is_told: bool
    text: str
    right: tuple[str, ...]
    also: tuple[str, ...]


def notes_of(lines: list[str]) -> Iterator[Note]:
    """A head line (`# lang | time | zone | bot | group | names, sender first`) and its notes."""
    head: list[str] = []
    for line in lines:
        if line.startswith("# "):
            head = [one.strip() for one in line[2:].split("|")]
        elif line:
            lang, at, zone, bot, group, names = head
            text, _, right = line[2:].partition(" => ")
            also = re.search(r" \[([^\]]*)\]$", right)
            yield Note(
                lang,
                datetime.fromisoformat(at).replace(tzinfo=ZoneInfo(zone)),
                bot,
                group,
                tuple(names.split(",")),
                line.startswith("D"),
                text,
                tuple((right[: also.start()] if also else right).split(" || ")),
                tuple(also[1].split(",")) if also else (),
            )


def by_rules(note: Note) -> str:
    people = people_of(
        sender_id="u0",
        roster={f"u{number}": name for number, name in enumerate(note.names)},
        said=(),
        bot=note.bot,
        group=note.group,
        is_chinese=note.lang == "zh",
    )
    if note.is_told:
        return resolve_note(note.text, "", people, note.at, "").did
    return resolve_note("", note.text, people, note.at, "").learnt


def is_right(note: Note, text: str) -> bool:
    return any(
        _marks(note, text) == _marks(note, one)
        and _hours(one) <= _hours(text)
        and _relative(note, text) <= _relative(note, one)
        for one in note.right
    )


def _relative(note: Note, text: str) -> set[str]:
    """Words the gate refuses; a right text may hold an "it" that means no thing."""
    return {one.word for one in violations(text, (*note.names, note.bot))}


def _marks(note: Note, text: str) -> list[str]:
    """Who and which day, in order; a name said twice on end counts once, the bot at the start not
    at all."""
    names = sorted((*note.names, *note.also, note.group, note.bot), key=len, reverse=True)
    pattern = re.compile(f"{_DAY.pattern}|{_SOMEBODY}|{'|'.join(map(re.escape, names))}")
    found = [one for one, _ in groupby(_plain(match[0]) for match in pattern.finditer(text))]
    return found[1:] if found[:1] == [note.bot] else found


def _plain(mark: str) -> str:
    if re.fullmatch(_SOMEBODY, mark):
        return "?"
    if chinese := re.fullmatch(r"(\d{4})年(?:(\d{1,2})月)?", mark):
        return f"{chinese[1]}-{int(chinese[2]):02d}" if chinese[2] else chinese[1]
    english = re.fullmatch(r"([A-Z]\w+) (\d{4})", mark)
    if english and english[1] in _MONTHS.split():
        return f"{english[2]}-{_MONTHS.split().index(english[1]) + 1:02d}"
    return mark


def _hours(text: str) -> set[str]:
    return set(_HOUR.findall(text))


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.quality notes", description=__doc__)
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--faults", action="store_true", help="print the notes that are not right")
    parser.add_argument("--data", help="not read: the notes are our own")
    asked = parser.parse_args(argv)
    total: Counter[tuple[str, str, str]] = Counter()
    right: Counter[tuple[str, str, str]] = Counter()
    for path in sorted(FOLDER.glob("*.txt")):
        for number, note in enumerate(notes_of(path.read_text("utf-8").splitlines())):
            half = HALVES[number % 2]
            if asked.half not in (None, half):
                continue
            text, key = by_rules(note), (path.stem, half, note.lang)
            total[key] += 1
            right[key] += is_right(note, text)
            if asked.faults and not is_right(note, text):
                left = ", ".join(sorted(_relative(note, text)))
                print(f"- {note.text}\n  {text}\n  {note.right[0]}\n  left: {left or 'nothing'}")
    for key in sorted(total):
        share = 100 * right[key] / total[key]
        print(f"notes {' '.join(key)}: {right[key]} of {total[key]} wholly right ({share:.0f} %)")
    return 0
