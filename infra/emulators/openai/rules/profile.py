"""`profile_merge`: what is newly known of a person or a group, worked into their profile."""

import re
from collections.abc import Mapping

from .extractive import shortened
from .facts import FACT, PREFERENCE, Trait, conflicts, trait_of
from .prompt_input import Given, child, number, objects, text, texts
from .words import (
    CHINESE,
    is_han,
    keywords,
    language_of,
    marks,
    sentences,
)

MOST_RECENT = 200
"""A profile keeps what was said first as well, up to so many lines."""
MOST_TAGS = 8
STATED, SEEN_AGAIN = 0.8, 0.05
"""Confidence in what was said once, and what saying it again adds."""
_HEADINGS = {
    CHINESE: ("稳定特征", "偏好", "近期"),
    "en": ("Stable traits", "Preferences", "Recent"),
}


def merge_profile(given: Given) -> Given:
    """The whole profile anew: what is newer replaces what it contradicts, nothing stands twice."""
    profile, entity = child(given, "profile"), child(given, "entity")
    name = text(entity, "name") or text(profile, "name") or text(entity, "id")
    news = [line for info in texts(given, "new_info") for line in sentences(info)]
    lines = [_Line(line, name) for line in _bullets(text(profile, "body"))]
    for line in news:
        lines = _with(lines, _Line(line, name))
    lang = language_of([*(line.text for line in lines), name])
    preferences = _preferences(objects(profile, "preferences"), lines)
    traits = _traits(objects(profile, "traits"), lines)
    words = [*texts(profile, "tags"), *_tags([_Line(line, name) for line in news], name)]
    return {
        "name": name,
        "body": _body(name, lines, lang),
        "tags": list(dict.fromkeys(words))[-MOST_TAGS:],
        "preferences": preferences,
        "traits": traits,
    }


class _Line:
    """One bullet of a profile and what it says of the entity."""

    def __init__(self, said: str, name: str) -> None:
        self.text = shortened(re.sub(r"[\s。.]+$", "", said.strip()))
        self.trait: Trait | None = None
        if name and name in said:
            predicate = said[said.index(name) + len(name) :]
            self.trait = trait_of(predicate, is_chinese=is_han(said))

    @property
    def section(self) -> int:
        if self.trait is None:
            return 2
        return {FACT: 0, PREFERENCE: 1}.get(self.trait.kind, 2)


def _tags(lines: list[_Line], name: str) -> list[str]:
    said = [line.trait.value if line.trait else line.text.replace(name, " ") for line in lines]
    return [word for word, _ in keywords(said, limit=4)]


def _bullets(body: str) -> list[str]:
    return [line[2:].strip() for line in body.splitlines() if line.startswith(("- ", "* "))]


def _with(lines: list[_Line], new: _Line) -> list[_Line]:
    kept = []
    for line in lines:
        if line.text == new.text:
            continue
        if new.trait and line.trait and conflicts(new.trait, line.trait):
            continue
        own, other = marks(new.text), marks(line.text)
        if own == other and own:
            continue
        kept.append(line)
    return [*kept, new]


def _preferences(known: list[Given], lines: list[_Line]) -> list[Given]:
    """Kept as they were, surer if said again, gone if contradicted."""
    said = [line.trait for line in lines if line.trait and line.trait.kind == PREFERENCE]
    merged: list[Given] = []
    for old in known:
        trait = Trait(
            text(old, "key") or "likes", PREFERENCE, str(old.get("value", "")),
            is_single=text(old, "key").startswith("favourite"),
            is_negative=text(old, "key") in ("dislikes", "avoids"),
        )  # fmt: skip
        if any(conflicts(new, trait) for new in said):
            continue
        confidence = number(old, "confidence", STATED)
        if any((new.attribute, new.value) == (trait.attribute, trait.value) for new in said):
            confidence = min(1.0, confidence + SEEN_AGAIN)
        merged.append(
            {"key": trait.attribute, "value": trait.value, "confidence": round(confidence, 2)}
        )
    have = {(one["key"], one["value"]) for one in merged}
    for new in said:
        if (new.attribute, new.value) not in have:
            merged.append({"key": new.attribute, "value": new.value, "confidence": STATED})
            have.add((new.attribute, new.value))
    return merged


def _traits(known: list[Given], lines: list[_Line]) -> list[Given]:
    said = {line.text: line.trait for line in lines if line.trait and line.trait.kind == FACT}
    merged: list[Given] = []
    for old in known:
        name = text(old, "name", "trait_name", "trait", "content")
        if name and not any(_overrides(trait, name, said) for trait in said.values()):
            confidence = number(old, "confidence", STATED)
            merged.append({"name": name, "confidence": round(confidence, 2)})
    have = {one["name"] for one in merged}
    merged += [{"name": line, "confidence": STATED} for line in said if line not in have]
    return merged


def _overrides(new: Trait | None, known: str, said: Mapping[str, Trait | None]) -> bool:
    """A known trait gives way to a line that says otherwise about the same attribute."""
    if new is None or known in said:
        return False
    for line, trait in said.items():
        subject = _common_head(line, known)
        if trait is new and subject:
            old = trait_of(known[len(subject) :], is_chinese=is_han(known))
            if old is not None and conflicts(new, old):
                return True
    return False


def _common_head(left: str, right: str) -> str:
    size = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        size += 1
    head = left[:size]
    return head if is_han(head) else head.rsplit(" ", 1)[0] if " " in head else head


def _body(name: str, lines: list[_Line], lang: str) -> str:
    parts = [f"# {name}"]
    for section, heading in enumerate(_HEADINGS[lang]):
        bullets = [line.text for line in lines if line.section == section]
        if section == 2:
            bullets = bullets[-MOST_RECENT:]
        if bullets:
            parts += ["", f"## {heading}", *(f"- {bullet}" for bullet in bullets)]
    return "\n".join(parts)
