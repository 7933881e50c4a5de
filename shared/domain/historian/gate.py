"""The gate: what a rewritten note must not say, and what it must.

Pronouns, relative times, relative places and placeholders are refused (the word lists are in
`shared.language`), and so is what the code can check against the note: quotations, people by their
ids, dates. Which of several wordings is kept is decided here, too.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.domain.historian.calendar import dates_in, unfounded_dates
from shared.language import (
    named_days,
    named_weekdays,
    placeholders,
    quotations,
    relative_words,
    tells_habit,
    without_quotes,
)

GROUP = "group"
"""What `about` says of something that is about the group as a whole."""
RELATIVE = ("pronoun", "relative time", "relative place")
"""What a wording may be left with if no better one comes; the other findings are untruths."""
_SELF = re.compile(r"(?i)\b\w+sel(?:f|ves)\b|自己|自个|互相|彼此|each other|one another")


@dataclass(frozen=True)
class Finding:
    kind: str
    word: str


@dataclass(frozen=True)
class NoteSource:
    """What a note was written from: its own words, and its messages with their local times.
    `people` are the names of all who may be meant, by id; `known` are ids that the note, its
    messages or their senders name. `others` are names of what is no person: the group, a place."""

    action_summary: str
    new_info: str
    at: datetime
    people: Mapping[str, str]
    messages: Sequence[tuple[str, datetime]] = ()
    known: frozenset[str] = frozenset()
    others: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        return f"{self.action_summary}\n{self.new_info}"

    @property
    def texts(self) -> list[tuple[str, datetime]]:
        return [(self.note, self.at), *self.messages]

    @property
    def names(self) -> list[str]:
        return [*self.people.values(), *self.others]


@dataclass(frozen=True)
class Wording:
    """A note as somebody worded it. `actor` did what was done, `meant` are those it was done to or
    for, `about` is whom the new information is about: ids, or the group."""

    canonical_text: str
    new_info: str
    actor: str = ""
    meant: tuple[str, ...] = ()
    about: str = ""
    author: str = "model"
    findings: tuple[Finding, ...] = ()

    @property
    def is_absolute(self) -> bool:
        return not self.findings


def judged(wording: Wording, source: NoteSource) -> Wording:
    """The wording with everything the gate holds against it."""
    found = [
        *([Finding("missing", "new_info")] if source.new_info and not wording.new_info else []),
        *relative(wording, source.names),
        *_placeholders(wording, source),
        *_lost_quotations(wording, source),
        *_people(wording, source),
        *_dates(wording, source),
    ]
    return replace(wording, findings=tuple(dict.fromkeys(found)))


def as_it_came(action_summary: str, new_info: str, names: Iterable[str]) -> Wording:
    """The note's own words, where no wording of the model's is better."""
    text = " ".join(part for part in (action_summary, new_info) if part)
    wording = Wording(text, new_info, author="note")
    return replace(wording, findings=tuple(dict.fromkeys(relative(wording, names))))


def best_of(tried: Sequence[Wording], unchanged: Wording) -> Wording:
    """The one with the fewest relative words. A wording that says something untrue is never
    taken: a wrong name is worse than none."""
    honest = [
        wording
        for wording in tried
        if all(finding.kind in RELATIVE for finding in wording.findings)
    ]
    return min([*honest, unchanged], key=lambda wording: len(wording.findings))


def relative(wording: Wording, names: Iterable[str]) -> list[Finding]:
    known = list(names)
    return [
        Finding(kind, word)
        for text in (wording.canonical_text, wording.new_info)
        for kind, word in relative_words(text, known)
    ]


def _placeholders(wording: Wording, source: NoteSource) -> list[Finding]:
    """Unless the note or a message said so itself."""
    said = "\n".join(text for text, _ in source.texts).casefold()
    found = placeholders(wording.canonical_text, source.names)
    return [Finding("placeholder", word) for word in found if word.casefold() not in said]


def _lost_quotations(wording: Wording, source: NoteSource) -> list[Finding]:
    found = quotations(source.note)
    return [Finding("changed quotation", q) for q in found if q not in wording.canonical_text]


def _people(wording: Wording, source: NoteSource) -> list[Finding]:
    """The ids are people of the group; nobody does something to themselves unless the note says
    so; the text calls those it is about by their names, and names nobody without a reason."""
    text, people = wording.canonical_text, source.people
    acting = [(key, text) for key in (wording.actor, *wording.meant) if key]
    if wording.about not in ("", GROUP):
        acting.append((wording.about, wording.new_info))
    found = [Finding("unknown id", key) for key, _ in acting if key not in people]
    if wording.actor in wording.meant and not _SELF.search(source.note):
        found.append(Finding("acts on themselves", people.get(wording.actor, wording.actor)))
    found += [
        Finding("not named", people[key])
        for key, said in acting
        if key in people and people[key].casefold() not in said.casefold()
    ]
    plain = without_quotes(text)
    reasons = {people[key] for key in source.known if key in people}
    found += [
        Finding("named without a reason", name)
        for name in dict.fromkeys(people.values())
        if name not in reasons and _stands_in(name, plain)
    ]
    return found


def _stands_in(name: str, text: str) -> bool:
    edge = r"(?<![A-Za-z]){}(?![A-Za-z])" if name.isascii() else "{}"
    return len(name) > 1 and bool(re.search(edge.format(re.escape(name)), text))


def _dates(wording: Wording, source: NoteSource) -> list[Finding]:
    """No date without a reason; "tomorrow" is the day after the note, and Friday a Friday."""
    text = f"{wording.canonical_text}\n{wording.new_info}"
    found = [Finding("date without a reason", said) for said in unfounded_dates(text, source.texts)]
    told = {day for _, day in dates_in(wording.canonical_text) if day}
    found += [
        Finding("date is missing", f"{word} = {day}")
        for word, day in named_days(source.note, source.at.date())
        if day not in told
    ]
    weekdays = {day.weekday() for day in told}
    if not tells_habit(wording.canonical_text):
        found += [
            Finding("date is missing", f"{word}: its date, or say that it is every {word}")
            for word, weekday in named_weekdays(source.note, source.names)
            if weekday not in weekdays
        ]
    return found
