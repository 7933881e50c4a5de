"""`extract`: facts about people, entities and relations, from what people say of themselves."""

import re

from . import speech
from .extractive import cleaned, shortened
from .facts import (
    PERSON,
    PREFERENCE,
    PROJECT,
    Trait,
    conflicts,
    trait_of,
)
from .prompt_input import Given, number, objects, text
from .similarity import Likeness
from .statements import put_down
from .words import is_han, keywords, marks, sentences, shared

OWN_WORDS, OF_OTHERS, HEDGED = 0.9, 0.7, 0.4
"""Confidence in what somebody says of themselves, of somebody else, and with an if or a maybe."""
_FIRST = re.compile(r"我(?!们)|\b(?:I|I'm|I've|I'll|(?i:my))\b")
_TAGS = {PREFERENCE: ("偏好", "preference"), PROJECT: ("项目", "project")}


def extract_facts(given: Given, _: Likeness) -> Given:
    extraction = _Extraction(given)
    for message in objects(given, "messages"):
        if message.get("role") != "assistant" and not speech.orders(text(message, "content")):
            extraction.read(message)
    return extraction.answer()


class _Extraction:
    def __init__(self, given: Given) -> None:
        self._most = given.get("max_facts") if isinstance(given.get("max_facts"), int) else None
        self._least = number(given, "min_confidence", 0.0)
        self._people = _people(given)
        self._known = objects(given, "existing_facts")
        self._facts: list[Given] = []
        self._entities: dict[str, Given] = {}
        self._relations: list[Given] = []

    def read(self, message: Given) -> None:
        speaker = text(message, "user_name") or text(message, "user_id")
        self._meet(speaker, PERSON)
        for sentence in sentences(text(message, "content")):
            if speech.asks(sentence) or speech.supposes(sentence):
                continue
            for clause in _clauses(cleaned(sentence)):
                self._read_clause(clause, sentence, speaker, message)

    def _read_clause(self, clause: str, sentence: str, speaker: str, message: Given) -> None:
        is_own = bool(_FIRST.search(clause))
        said = put_down(clause, speaker, is_own=True) if is_own else clause
        subject = speaker if is_own else self._subject(said)
        if not subject or subject not in said:
            return
        said = _dated(said, message)
        predicate = said[said.index(subject) + len(subject) :]
        trait = trait_of(predicate, is_chinese=is_han(said))
        if trait is None:
            return
        confidence = OWN_WORDS if is_own else OF_OTHERS
        if speech.hedges(sentence) or speech.proposes(sentence):
            confidence = HEDGED
        self._keep(subject, said, trait, confidence, message)

    def _subject(self, said: str) -> str:
        """The known person a sentence begins with."""
        heads = [name for name in self._people if said.startswith(name)]
        return max(heads, key=len, default="")

    def _keep(
        self, subject: str, said: str, trait: Trait, confidence: float, message: Given
    ) -> None:
        if confidence < self._least:
            return
        source = text(message, "id", "message_id")
        content = shortened(re.sub(r"[\s。！？!?.,，]+$", "", said))
        for fact in self._facts:
            if fact["content"] == content:
                fact["sources"] = [*dict.fromkeys([*fact["sources"], source])]
                return
        if any(_says_the_same(content, text(old, "content")) for old in self._known):
            return
        rivals = [
            fact
            for fact in self._facts
            if fact["subject"] == subject and conflicts(trait, fact["_trait"])
        ]
        if any(fact["confidence"] > confidence for fact in rivals):
            return
        self._facts = [fact for fact in self._facts if fact not in rivals]
        self._facts.append(
            {
                "content": content,
                "type": trait.kind,
                "subject": subject,
                "tags": _tags(trait, is_chinese=is_han(content)),
                "confidence": confidence,
                "replaces": self._replaced(subject, trait),
                "sources": [source],
                "_trait": trait,
            }
        )
        self._meet(subject, PERSON, content)
        if trait.target and trait.value:
            self._meet(trait.value, trait.target, content, confidence)
            self._relations.append(
                {
                    "source": subject,
                    "target": trait.value,
                    "type": trait.attribute,
                    "evidence": content,
                    "confidence": confidence,
                    "sources": [source],
                }
            )

    def _replaced(self, subject: str, trait: Trait) -> str | None:
        for old in self._known:
            content = text(old, "content")
            if subject not in content or text(old, "subject") not in (
                "",
                subject,
                *self._ids(subject),
            ):
                continue
            predicate = content[content.index(subject) + len(subject) :]
            known = trait_of(predicate, is_chinese=is_han(content))
            if known is not None and conflicts(trait, known):
                return text(old, "id", "fact_id", "memory_id") or content
        return None

    def _ids(self, subject: str) -> list[str]:
        return [user_id for name, user_id in self._people.items() if name == subject]

    def _meet(self, name: str, kind: str, said: str = "", sure: float = OWN_WORDS) -> None:
        if not name:
            return
        kind = PERSON if name in self._people else kind
        fresh = {"name": name, "type": kind, "description": said, "mentions": 0, "confidence": sure}
        entity = self._entities.setdefault(name, fresh)
        entity["description"] = entity["description"] or said
        entity["mentions"] += 1

    def answer(self) -> Given:
        facts = [
            {**fact, "subject": self._people.get(fact["subject"]) or fact["subject"]}
            for fact in self._facts
        ]
        for fact in facts:
            del fact["_trait"]
        facts.sort(key=lambda fact: -float(fact["confidence"]))
        kept = facts[: self._most] if self._most is not None else facts
        return {
            "facts": kept,
            "entities": list(self._entities.values()),
            "relations": self._relations,
        }


def _people(given: Given) -> dict[str, str]:
    """Names to ids of those who may be spoken of."""
    people: dict[str, str] = {}
    for message in objects(given, "messages"):
        if message.get("role") != "assistant":
            people[text(message, "user_name") or text(message, "user_id")] = text(
                message, "user_id"
            )
    for person in objects(given, "known_people"):
        name = text(person, "name", "user_name", "content")
        people.setdefault(name, text(person, "user_id", "id"))
    people.pop("", None)
    return people


def _clauses(sentence: str) -> list[str]:
    """Clauses that can stand alone; one without a subject borrows the first person before it."""
    parts = [
        part
        for part in re.split(r"[，,;；]\s*|\s+(?:but|and)\s+(?=I\b|my\b)", sentence)
        if part.strip()
    ]
    clauses: list[str] = []
    for part in parts:
        if is_han(part) and clauses and not _FIRST.search(part) and _FIRST.search(clauses[-1]):
            part = "我" + part
        clauses.append(part.strip())
    return clauses


def _dated(said: str, message: Given) -> str:
    """With the dates that the asker's own rules read in the message (`dates`, words and date)."""
    for hint in objects(message, "dates"):
        words, date = text(hint, "words"), text(hint, "date")
        if words and date:
            said = said.replace(words, date)
    return said


def _says_the_same(content: str, known: str) -> bool:
    return content == known or (
        shared(marks(content), marks(known)) == 1.0 and len(marks(content)) == len(marks(known))
    )


def _tags(trait: Trait, *, is_chinese: bool) -> list[str]:
    label = _TAGS.get(trait.kind, ("事实", "fact"))[0 if is_chinese else 1]
    return [label, *(word for word, _ in keywords([trait.value], limit=2))]
