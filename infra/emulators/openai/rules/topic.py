"""`topic_attribute`: the topic that shares most words with a message, and a title for a new one."""

from typing import Any

from .chat_text import content_marks, first_clause, sentences, shortened
from .prompt_input import Given, child, objects, text, texts

NEW = "new"
SHORT_MARKS = 1
"""A message with so few words of its own follows what was said last."""


def attribute_topics(given: Given) -> Given:
    return {
        "answers": [_answer(question) for question in objects(given, "questions")],
        "titles": [
            {"n": wanted.get("n"), **title_of(texts(wanted, "messages"))}
            for wanted in objects(given, "titles")
        ],
    }


def title_of(messages: list[str]) -> Given:
    """The first clause of the opening line, as a mail's subject would be, and its sentence."""
    opening = next((line for message in messages for line in sentences(message)), "")
    return {"title": first_clause(opening), "description": shortened(opening)}


def _answer(question: Given) -> Given:
    message = child(question, "message")
    candidates = objects(question, "candidates")
    scores = [_score(message, candidate) for candidate in candidates]
    if candidates:
        best = scores.index(max(scores))  # The asker's order decides between equals.
        if scores[best] or len(content_marks(text(message, "content"))) <= SHORT_MARKS:
            return {"n": question.get("n"), "choice": candidates[best].get("number")}
    return {"n": question.get("n"), "choice": NEW, **title_of([text(message, "content")])}


def _score(message: Given, candidate: Given) -> int:
    """Words in common, and two more for everybody of the topic who is named in the message."""
    content = text(message, "content")
    said = [_speaker_and_words(line) for line in _last_messages(candidate)]
    about = [
        text(candidate, "title"),
        text(candidate, "description"),
        *(words for _, words in said),
    ]
    speakers = {speaker for speaker, _ in said if speaker and speaker != text(message, "user_name")}
    named = sum(speaker in content for speaker in speakers)
    return len(content_marks(content) & content_marks("\n".join(about))) + 2 * named


def _last_messages(candidate: Given) -> list[Any]:
    found = candidate.get("last_messages")
    return found if isinstance(found, list) else []


def _speaker_and_words(line: Any) -> tuple[str, str]:
    """Of a message given as an object or as "name: words"."""
    if isinstance(line, dict):
        return text(line, "user_name"), text(line, "content")
    speaker, colon, words = str(line).partition(": ")
    return (speaker, words) if colon else ("", str(line))
