"""A few plain things a sentence says of a person, by the words right behind their name."""

import re
from dataclasses import dataclass, replace

from .chat_text import is_han

FACT, PREFERENCE, PROJECT = "fact", "preference", "project"


@dataclass(frozen=True)
class SelfFact:
    """Of a relation that `is_single` a person has one value at a time."""

    relation: str
    type: str
    entity_type: str
    value: str = ""
    is_single: bool = False
    label: str = ""


_FORMS = tuple(
    (fact, re.compile(rf"^{english} (?P<value>.+)"), re.compile(f"^{chinese}"))
    for fact, english, chinese in (
        (
            SelfFact("lives_in", FACT, "location", is_single=True),
            r"(?:(?:now )?lives in|moved to)", r"(?:现在)?(?:住在|搬到了?|搬去了?)(?P<value>.+)",
        ),
        (
            SelfFact("works_at", FACT, "organization", is_single=True),
            r"(?:works (?:at|for)|joined)", r"(?:现在)?在(?P<value>.+?)(?:上班|工作)",
        ),
        (
            SelfFact("related_to", FACT, "other", label="allergic to"),
            "is allergic to", "对(?P<value>.+?)过敏",
        ),
        (
            SelfFact("dislikes", PREFERENCE, "other"),
            "(?:hates|dislikes|can't stand|doesn't like)", "(?:讨厌|不喜欢)(?P<value>.+)",
        ),
        (
            SelfFact("likes", PREFERENCE, "other"),
            "(?:really )?(?:likes|loves|enjoys|prefers)",
            "(?:很|最|更|特别|非常)?(?:喜欢|爱)(?P<value>.+)",
        ),
        (
            SelfFact("related_to", PROJECT, "product", label="works on"),
            "is (?:working on|building|writing|learning)",
            "(?:正)?在(?:做|开发|写|学)(?P<value>.+)",
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
            return replace(form, value=value)
    return None


def contradicts(new: SelfFact, old: SelfFact) -> bool:
    """One lives in one place, and nobody likes what they dislike."""
    is_other = new.value.lower() != old.value.lower()
    if new.relation == old.relation:
        return new.is_single and is_other
    return {new.relation, old.relation} == {"likes", "dislikes"} and not is_other
