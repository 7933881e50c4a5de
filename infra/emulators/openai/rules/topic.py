"""`topic_attribute`: which open topic a message continues, and what a new topic is called."""

from typing import Any

from .extractive import Line, central, cleaned, lines_of, shortened
from .prompt_input import Given, child, objects, text, texts
from .similarity import Likeness
from .words import is_han, keywords, marks

NEW = "new"
TITLE_HINTS = 3
TITLE_CHARACTERS = {"、": 15, ", ": 48}
"""By what stands between the words."""
JOINS_AT = 0.45
"""Least score with which a message joins a topic rather than opening one."""


def attribute_topics(given: Given, likeness: Likeness) -> Given:
    questions = objects(given, "questions")
    likeness.learn([said for question in questions for said in _texts_of(question)])
    answers = [_answer(question, likeness) for question in questions]
    titles = [
        {"n": wanted.get("n"), **title_of(texts(wanted, "messages"), texts(wanted, "keywords"))}
        for wanted in objects(given, "titles")
    ]
    return {"answers": answers, "titles": titles}


def _answer(question: Given, likeness: Likeness) -> Given:
    message = child(question, "message")
    scored = [
        (score(message, candidate, likeness), -place, candidate)
        for place, candidate in enumerate(objects(question, "candidates"))
    ]
    best = max(scored, key=lambda one: one[:2], default=None)
    if best is not None and best[0] >= JOINS_AT:
        return {"n": question.get("n"), "choice": best[2].get("number")}
    named = title_of([text(message, "content")], texts(question, "keywords"))
    return {"n": question.get("n"), "choice": NEW, **named}


def score(message: Given, candidate: Given, likeness: Likeness) -> float:
    """How well a message continues a topic: meaning, shared words, who speaks to whom.

    The weights were chosen on the Ubuntu IRC conversations (Kummerfeld et al., CC BY 4.0).
    """
    content = text(message, "content")
    about = _about(candidate)
    recent = [_split(one) for one in _recent(candidate)]
    meanings = sorted(
        [
            likeness.between(content, about),
            *(likeness.between(content, said) for _, said in recent),
        ],
        reverse=True,
    )
    meaning = 0.7 * meanings[0] + 0.3 * (meanings[1] if len(meanings) > 1 else meanings[0])
    own = marks(content)
    others = marks(about).union(*(marks(said) for _, said in recent))
    words = min(len(own & others) / 2, 1.0)
    speakers = {speaker for speaker, _ in recent if speaker}
    user = text(message, "user_name")
    addresses = any(speaker in content for speaker in speakers - {user})
    was_addressed = bool(user) and any(user in said for speaker, said in recent if speaker != user)
    structure = 0.5 * addresses + 0.25 * was_addressed + 0.15 * (user in speakers)
    return 0.7 * meaning + 0.3 * words + structure


def _about(candidate: Given) -> str:
    words = [text(one, "keyword", "word", "content") for one in objects(candidate, "keywords")]
    return " ".join([text(candidate, "title"), text(candidate, "description"), *words]).strip()


def _recent(candidate: Given) -> list[Any]:
    found = candidate.get("last_messages")
    return found if isinstance(found, list) else []


def _split(said: Any) -> tuple[str, str]:
    """(speaker, content) of a message given as an object or as "name: text"."""
    if isinstance(said, dict):
        return text(said, "user_name"), text(said, "content")
    speaker, colon, content = str(said).partition(": ")
    return (speaker, content) if colon and len(speaker) <= 40 else ("", str(said))


def _texts_of(question: Given) -> list[str]:
    found = [text(child(question, "message"), "content")]
    for candidate in objects(question, "candidates"):
        found += [_about(candidate), *(_split(one)[1] for one in _recent(candidate))]
    return found


def title_of(messages: list[str], hints: list[str] | None = None) -> Given:
    """A title (at most 18 characters or 8 words) and one sentence of description. What the asker
    counted names a talk better than one of its sentences."""
    lines = lines_of([("", "", said) for said in messages])
    best = (central(lines[:8], 1) or lines[:1] or [Line("")])[0]
    title = shortened(cleaned(best.text), han=18, words=8)
    words = [word for word, _ in keywords([line.text for line in lines], limit=3)]
    described = shortened(best.text.strip())
    if hints:
        title = joined_title(hints)
    return {"title": title or " ".join(words), "description": described}


def joined_title(hints: list[str]) -> str:
    """The strongest side by side, as many as a title holds."""
    kept = hints[:TITLE_HINTS]
    glue = "、" if any(is_han(hint) for hint in kept) else ", "
    while len(kept) > 1 and len(glue.join(kept)) > TITLE_CHARACTERS[glue]:
        kept.pop()
    return glue.join(kept)
