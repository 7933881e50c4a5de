"""A few plain things a sentence says of a person, by the words right behind their name."""

import re
from dataclasses import dataclass

from .chat_text import is_han

FACT, PREFERENCE, PROJECT = "fact", "preference", "project"


@dataclass(frozen=True)
class SelfFact:
    """Of a relation that `is_single` a person has one value at a time."""

    relation: str
    type: str
    entity_type: str
    value: str
    is_single: bool = False
    label: str = ""


@dataclass(frozen=True)
class _Form:
    relation: str
    type: str
    entity_type: str
    english: str
    chinese: str
    is_single: bool = False
    label: str = ""


_FORMS = tuple(
    (form, re.compile(rf"^{form.english} (?P<value>.+)"), re.compile(f"^{form.chinese}"))
    for form in (
        _Form(
            "lives_in", FACT, "location", r"(?:(?:now )?lives in|moved to)",
            r"(?:现在)?(?:住在|搬到了?|搬去了?)(?P<value>.+)", is_single=True,
        ),
        _Form(
            "works_at", FACT, "organization", r"(?:works (?:at|for)|joined)",
            r"(?:现在)?在(?P<value>.+?)(?:上班|工作)", is_single=True,
        ),
        _Form(
            "related_to", FACT, "other", "is allergic to", "对(?P<value>.+?)过敏",
            label="allergic to",
        ),
        _Form(
            "dislikes", PREFERENCE, "other", "(?:hates|dislikes|can't stand|doesn't like)",
            "(?:讨厌|不喜欢)(?P<value>.+)",
        ),
        _Form(
            "likes", PREFERENCE, "other", "(?:really )?(?:likes|loves|enjoys|prefers)",
            "(?:很|最|更|特别|非常)?(?:喜欢|爱)(?P<value>.+)",
        ),
        _Form(
            "related_to", PROJECT, "product", "is (?:working on|building|writing|learning)",
            "(?:正)?在(?:做|开发|写|学)(?P<value>.+)", label="works on",
        ),
    )
)  # fmt: skip
_VALUE_END = re.compile(
    r"[,，。.;；!！、]| (?:and|but|because|so|since|with|on|from|last|as|for|until|now|in \d)\b"
)
_PARTICLES = re.compile("^(?:the|an?) |[了的呢啊]+$")


def self_fact(statement: str, name: str) -> SelfFact | None:
    """What a sentence that begins with the name says of its bearer."""
    if not name or not statement.startswith(name):
        return None
    predicate = statement.removeprefix(name).strip()
    for form, english, chinese in _FORMS:
        if found := (chinese if is_han(predicate) else english).match(predicate):
            value = _PARTICLES.sub("", _VALUE_END.split(found["value"], maxsplit=1)[0].strip())
            return SelfFact(
                form.relation, form.type, form.entity_type, value, form.is_single, form.label
            )
    return None


def contradicts(new: SelfFact, old: SelfFact) -> bool:
    """One lives in one place, and nobody likes what they dislike."""
    is_other = new.value.lower() != old.value.lower()
    if new.relation == old.relation:
        return new.is_single and is_other
    return {new.relation, old.relation} == {"likes", "dislikes"} and not is_other
