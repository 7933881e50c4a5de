"""What somebody said of themselves or of all, put as a statement in the third person."""

import re

from .chat_text import is_han

_OPENING = re.compile(
    r"^(?:(?:是的|是啊|对|没错|好的?|嗯|收到)[\s,，。！!]+|"
    r"(?:yes|yeah|yep|right|ok|okay|agreed|so|btw|and|but)[\s,.!:]+)+",
    re.IGNORECASE,
)
_ENDING = re.compile(r"[\s。.!！~～…,，;；]+$")
_NOT_PRESENT = re.compile(
    "can|cannot|could|had|may|might|must|should|was|will|would|did|didn|went|got|made|took|said|saw|"
    "came|left|began|became|bought|brought|found|gave|kept|lost|met|quit|sold|ate|drank|wasn|won|"
    "couldn|shouldn|wouldn"
)
"""Words behind "I" that have no ending in the third person."""
_ENGLISH_SELF = (
    (r"\bI(?:'m| am)\b", "{name} is"),
    (r"\bI(?:'ve| have)\b", "{name} has"),
    (r"\bI'll\b", "{name} will"),
    (r"\bI'd\b", "{name} would"),
    (r"\bI don't\b|\bI do not\b", "{name} doesn't"),
    (r"\b[Mm]y(?:self)?\b|\b[Mm]ine\b", "{name}'s"),
    (r"\bme\b", "{name}"),
)
_PRESENT = re.compile(r"\bI ((?:always|never|usually|really|also|just|only|often) )?([^\W\d_']+)")
_ENGLISH_GROUP = (
    (r"\bwe(?:'re| are)\b", "members are"),
    (r"\bwe(?:'ve| have)\b", "members have"),
    (r"\bwe'll\b", "members will"),
    (r"\bwe\b|\bus\b", "members"),
    (r"\bour\b", "the group's"),
)
_SELF = re.compile(r"我(?!们)|\bI\b|\b[Mm]y\b")


def is_of_self(sentence: str) -> bool:
    return bool(_SELF.search(sentence))


def bare(sentence: str) -> str:
    """Without a yes before it and marks behind it."""
    return _ENDING.sub("", _OPENING.sub("", sentence.strip()))


def statement(sentence: str, name: str) -> str:
    """The sentence with names for its first persons: "I'm a baker" is "Ida is a baker"."""
    said = bare(sentence).replace("’", "'")
    if is_han(said):
        everybody = "" if "大家" in said else "大家"
        return re.sub("我们|咱们", everybody, said).replace("我", name)
    safe = name.replace("\\", "")
    for pattern, words in _ENGLISH_SELF:
        said = re.sub(pattern, words.format(name=safe), said)
    said = _PRESENT.sub(lambda found: f"{safe} {found[1] or ''}{_third(found[2])}", said)
    said = re.sub(r"\bI\b", safe, said)
    for pattern, words in _ENGLISH_GROUP:
        said = re.sub(pattern, words, said, flags=re.IGNORECASE)
    return said[:1].upper() + said[1:]


def _third(verb: str) -> str:
    if _NOT_PRESENT.fullmatch(verb) or verb.endswith(("ed", "ly")):
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search("[^aeiou]y$", verb) else f"{verb}s"
