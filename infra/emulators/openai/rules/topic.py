"""`topic_attribute`: the topic that shares most words with a message, and a title for a new one."""

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
    content, said = text(message, "content"), objects(candidate, "last_messages")
    titles = [text(candidate, "title"), text(candidate, "description")]
    about = [*titles, *(text(line, "content") for line in said)]
    speakers = {text(line, "user_name") for line in said} - {"", text(message, "user_name")}
    named = sum(speaker in content for speaker in speakers)
    return len(content_marks(content) & content_marks("\n".join(about))) + 2 * named
