"""`profile_merge`, plain cases only: every new sentence becomes a bullet of its own, whole; of two
that say where the same person lives or works the newer stays."""

import re

from .chat_text import sentences
from .prompt_input import Given, child, objects, text, texts

MOST_TAGS = 8
STATED, SEEN_AGAIN = 0.8, 0.05
"""Confidence in what was said once, and what saying it again adds."""
_ONE_AT_A_TIME = (
    re.compile(r"\b(?:lives? (?:in|at)|moved(?: from .+)? to)\b|住在|搬到"),
    re.compile(r"\bworks? (?:at|for|as)\b|上班|任职|就职"),
)
"""Of these only one can hold."""
_LIKES = re.compile(
    r"^\s*(?:(?P<likes>likes?|loves?|prefers?|最?喜欢|爱)|(?P<dislikes>dislikes?|hates?|avoids?|不喜欢|讨厌))\s*(?P<what>\S.*)"
)
_IS = re.compile(r"^\s*(?:is an? |是)(?P<what>.+)")


def merge_profile(given: Given) -> Given:
    """The whole profile anew."""
    profile, entity = child(given, "profile"), child(given, "entity")
    name = text(entity, "name") or text(profile, "name") or text(entity, "id")
    body = [line.strip() for line in text(profile, "body").splitlines() if line.strip()]
    news = [_bare(line) for info in texts(given, "new_info") for line in sentences(info)]
    for said in dict.fromkeys(news):
        body = [line for line in body if not _gives_way(line, said, name)]
        body.append(f"- {said}")
    if not any(line.startswith("#") for line in body):
        body.insert(0, f"# {name}")
    told = [said.removeprefix(name) for said in news if said.startswith(name)]
    return {
        "name": name,
        "body": "\n".join(body),
        "tags": texts(profile, "tags")[-MOST_TAGS:],
        "preferences": _preferences(objects(profile, "preferences"), told),
        "traits": _traits(objects(profile, "traits"), told),
    }


def _bare(line: str) -> str:
    return re.sub(r"^\s*[-*]\s+|[\s。.]+$", "", line)


def _gives_way(line: str, said: str, name: str) -> bool:
    """The same sentence, or the same single matter of the same person."""
    old = _bare(line)
    both_own = all(re.match(rf"{re.escape(name)}(?!['’的])", one) for one in (old, said))
    return old == said or (
        both_own and any(matter.search(old) and matter.search(said) for matter in _ONE_AT_A_TIME)
    )


def _preferences(known: list[Given], told: list[str]) -> list[Given]:
    """What the entity itself likes or does not: a sentence that begins with its name."""
    merged = {(text(one, "key"), text(one, "value")): one for one in known}
    for match in filter(None, map(_LIKES.match, told)):
        key = "likes" if match["likes"] else "dislikes"
        pair = (key, match["what"])
        merged.pop(("dislikes" if key == "likes" else "likes", match["what"]), None)
        sure = merged[pair].get("confidence", STATED) + SEEN_AGAIN if pair in merged else STATED
        merged[pair] = {"key": key, "value": match["what"], "confidence": min(1.0, round(sure, 2))}
    return list(merged.values())


def _traits(known: list[Given], told: list[str]) -> list[Given]:
    """ "Ben is a nurse" is a trait of Ben's; "Ben's sister is a nurse" is none."""
    names = [text(one, "name", "trait_name") for one in known]
    fresh = [match["what"] for match in filter(None, map(_IS.match, told))]
    return [*known, *({"name": one, "confidence": STATED} for one in fresh if one not in names)]
