"""Summaries of topics: how a talk begins and ends, parts joined, words borne out."""

import re
from typing import Any

from .chat_text import (
    content_marks,
    first_clause,
    is_chinese,
    is_question,
    sentences,
    share_of,
    shortened,
)
from .prompt_input import Given, child, objects, text, texts

MOST_SENTENCES = 8
"""As the prompts allow."""
OPENING_LINES, CLOSING_LINES = 2, 3
"""What a talk is told by; its end says how it came out."""
_DECIDED = re.compile(r"决定|说好了|定了|\b(?:decided|agreed)\b", re.IGNORECASE)
_UNDECIDED = re.compile(r"没|未|还|\bnot\b|n't", re.IGNORECASE)


def summarize_segment(given: Given) -> Given:
    messages = [message for message in objects(given, "messages") if text(message, "content")]
    people = [message for message in messages if message.get("role") != "assistant"]
    lines = [sentence for message in people for sentence in sentences(text(message, "content"))]
    told = [*sentences(text(given, "previous")), *_told(messages)]
    return {
        "summary": _joined(told),
        "title": text(child(given, "topic"), "title") or first_clause(lines[0] if lines else ""),
        "keywords": objects(given, "keywords"),
        "decisions": [shortened(line) for line in lines if _is_decision(line)],
        "open_questions": _open_questions(messages),
        "people": _distinct([text(message, "user_name") for message in people]),
        "sentiment": "",
    }


def summarize_talks(given: Given) -> Given:
    """Each talk by itself."""
    talks = []
    for talk in objects(given, "talks"):
        summary = summarize_segment({**talk, "topic": talk})
        del summary["people"]
        talks.append({"n": talk.get("n"), **summary, "keywords": texts(talk, "keywords")})
    return {"talks": talks}


def merge_summaries(given: Given) -> Given:
    """What stood before and the new parts one after the other, nothing twice."""
    parts = [_as_summary(given.get("previous")), *objects(given, "segments")]
    told = [line for part in parts for line in sentences(text(part, "summary", "content"))]
    titles = [text(child(given, "topic"), "title"), *(text(part, "title") for part in parts)]
    return {
        "summary": _joined(told),
        "title": next((title for title in titles if title), "") or first_clause(" ".join(told)),
        "keywords": objects(given, "keywords") or _keywords_of(parts),
        "sentiment": "",
        **{
            name: _distinct([item for part in parts for item in texts(part, name)])
            for name in ("decisions", "people")
        },
        # Earlier questions may have been answered since: only the newest part's are known open.
        "open_questions": texts(parts[-1], "open_questions"),
    }


def judge_summary(given: Given) -> Given:
    """How many of the summary's own words the messages bear out."""
    summary = text(given, "summary") or text(child(given, "summary"), "summary", "content")
    said = " ".join(
        f"{text(message, 'user_name')} {text(message, 'content')}"
        for message in objects(given, "messages")
    )
    score = round(share_of(content_marks(summary), content_marks(said)), 2)
    if is_chinese(summary + said):
        reason = f"{score:.0%}的用词有原文依据"
    else:
        reason = f"{score:.0%} of its words stand in the messages"
    return {"score": score, "reasons": [reason]}


def _told(messages: list[Given]) -> list[str]:
    """Who said what, the first sentence of the first messages and of the last."""
    chosen = messages
    if len(messages) > OPENING_LINES + CLOSING_LINES:
        chosen = [*messages[:OPENING_LINES], *messages[-CLOSING_LINES:]]
    lines = []
    for message in chosen:
        speaker = text(message, "user_name")
        sentence = (sentences(text(message, "content")) or [""])[0]
        colon, stop = ("：", "。") if is_chinese(sentence) else (": ", ".")
        said = re.sub(r"[\s。.,，;；]+$", "", shortened(sentence))
        ending = "" if said.endswith(("!", "?", "！", "？")) else stop
        lines.append(f"{speaker}{colon if speaker else ''}{said}{ending}")
    return lines


def _joined(lines: list[str]) -> str:
    """At most as many as a summary has: the first, and the latest of the rest."""
    lines = _distinct(lines)
    if len(lines) > MOST_SENTENCES:
        lines = [lines[0], *lines[1 - MOST_SENTENCES :]]
    return ("" if is_chinese(" ".join(lines)) else " ").join(lines)


def _is_decision(line: str) -> bool:
    return bool(_DECIDED.search(line)) and not _UNDECIDED.search(line) and not is_question(line)


def _open_questions(messages: list[Given]) -> list[str]:
    """What was asked after the last word of anybody else."""
    speaker = text(messages[-1], "user_name") if messages else ""
    questions: list[str] = []
    for message in reversed(messages):
        if text(message, "user_name") != speaker:
            break
        asked = [line for line in sentences(text(message, "content")) if is_question(line)]
        questions = [shortened(line) for line in asked] + questions
    return questions


def _keywords_of(parts: list[Given]) -> list[Given]:
    named = {
        text(keyword, "keyword"): keyword for part in parts for keyword in objects(part, "keywords")
    }
    return list(named.values())[:10]


def _as_summary(value: Any) -> Given:
    if isinstance(value, str):
        return {"summary": value}
    return value if isinstance(value, dict) else {}


def _distinct(items: list[str]) -> list[str]:
    return list(dict.fromkeys(item for item in items if item))
