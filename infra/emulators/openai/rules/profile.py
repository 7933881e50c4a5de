"""`profile_merge`, plain cases only: every new sentence becomes a bullet of its own, whole; of two
that say where the same person lives or works the newer stays."""

import re

from .chat_text import sentences
from .prompt_input import Given, child, objects, text, texts

MOST_TAGS = 8
_ONE_AT_A_TIME = (
    re.compile(r"\b(?:lives? (?:in|at)|moved(?: from .+)? to)\b|住在|搬到"),
    re.compile(r"\bworks? (?:at|for|as)\b|上班|任职|就职"),
)
"""Of these only one can hold."""


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
    return {
        "name": name,
        "body": "\n".join(body),
        "tags": texts(profile, "tags")[-MOST_TAGS:],
        "preferences": objects(profile, "preferences"),
        "traits": objects(profile, "traits"),
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
