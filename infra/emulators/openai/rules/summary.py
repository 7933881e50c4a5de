"""Summaries of topics: a segment's, several merged into one, and how good one is."""

import re
from typing import Any

from .extractive import (
    Line,
    central,
    cleaned,
    lines_of,
    shortened,
)
from .prompt_input import Given, child, objects, text, texts
from .similarity import Likeness
from .speech import asks
from .topic import title_of
from .words import (
    CHINESE,
    keywords,
    language_of,
    marks,
    sentences,
    shared,
)

MOST_LINES = 10

_DECIDED = re.compile(
    r"决定|定了|说好了|敲定|就这么[定办]|那就(?![好行算是])[^，,。！!？?]{3,30}(?=[，,。！!]|$)|就(?:去|用|选|"
    r"定在|按).{1,30}?(?:吧|了|好了)(?=[，,。！!]|$)|一致同意|"
    r"最终(?:选|用|定)|通过了|确定(?:了|用|在|为)|"
    r"\b(?:decided|agreed|settled on|final decision|let's go with|going with|we(?:'ll| will) "
    r"(?:go with|use|"
    r"meet|move|take|do|start|ship)|the plan is|it's settled|voted (?:for|to))\b",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"没(?:有)?(?:决定|定)|未定|不确定|再定|还没|要不|是不是|如果|\b(?:not (?:yet )?decided|"
    r"undecided|if|should we|"
    r"haven't|hasn't|not sure|agreed\?)\b",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"^[^：:，。]{1,24}(?:：|: )")
_NO_ANSWER = re.compile(
    r"不知道|不清楚|没听说|同问|\b(?:no idea|not sure|don't know|dunno|same question)\b",
    re.IGNORECASE,
)


# ---- one segment


def summarize_segment(given: Given, _: Likeness) -> Given:
    messages = objects(given, "messages")
    told = [
        (text(m, "id", "message_id"), text(m, "user_name"), text(m, "content")) for m in messages
    ]
    lines = lines_of(told)
    limit = max(2, min(6, 2 + len(messages) // 8))
    chosen = central([line for line in lines if not asks(line.text)], limit)
    chosen = chosen or central(lines, limit) or lines[:1]
    is_chinese = language_of([line.text for line in lines]) == CHINESE
    before = sentences(text(given, "previous"))
    summary = _told(chosen, is_chinese)
    if before:
        summary = _shortest_whole([*before, *sentences(summary)], is_chinese)
    people = _people(messages)
    return {
        "summary": summary,
        "title": _title(given, [line.text for line in lines]),
        "keywords": _keywords(given),
        "decisions": _decisions(lines),
        "open_questions": _open_questions(messages),
        "people": people,
        "sentiment": "",
    }


def summarize_talks(given: Given, likeness: Likeness) -> Given:
    """Each talk by itself."""
    told = []
    for talk in objects(given, "talks"):
        hints = [
            {"keyword": word, "weight": round(1 / place, 2)}
            for place, word in enumerate(texts(talk, "keywords"), 1)
        ]
        whole = {**talk, "topic": {"title": text(talk, "title")}, "keywords": hints}
        said = summarize_segment(whole, likeness)
        words = [text(one, "keyword") for one in objects(said, "keywords")]
        del said["people"]
        told.append({"n": talk.get("n"), **said, "keywords": words})
    return {"talks": told}


def _title(given: Given, said: list[str]) -> str:
    """The one it has; else what the asker counted, the strongest side by side."""
    known = text(child(given, "topic"), "title")
    hints = [text(one, "keyword") for one in objects(given, "keywords")]
    return known or str(title_of(said, hints)["title"])


def _keywords(given: Given) -> list[Given]:
    """As the asker counted them."""
    hints = objects(given, "keywords")
    return [{"keyword": text(one, "keyword"), "weight": one.get("weight")} for one in hints]


def _shortest_whole(lines: list[str], is_chinese: bool) -> str:
    distinct = _distinct(lines)
    placed = [Line(line, place=place) for place, line in enumerate(distinct)]
    kept = placed if len(placed) <= MOST_LINES else central(placed, MOST_LINES)
    return ("" if is_chinese else " ").join(line.text for line in kept)


def _told(lines: list[Line], is_chinese: bool) -> str:
    colon, end, glue = ("：", "。", "") if is_chinese else (": ", ".", " ")
    parts = []
    for line in lines:
        said = shortened(cleaned(line.text))
        parts.append((f"{line.speaker}{colon}" if line.speaker else "") + said + end)
    return glue.join(parts)


def _decisions(lines: list[Line]) -> list[str]:
    found: list[str] = []
    for line in lines:
        said = cleaned(line.text)
        if _DECIDED.search(said) and not _UNDECIDED.search(said) and not asks(line.text):
            _add_newer(found, shortened(said))
    return found


def _add_newer(found: list[str], said: str) -> None:
    """Append, in place of an older one about the same matter."""
    about = marks(said)
    found[:] = [other for other in found if shared(marks(other), about) < 0.6]
    found.append(said)


def _open_questions(messages: list[Given]) -> list[str]:
    found = []
    for place, message in enumerate(messages):
        asked = [one for one in sentences(text(message, "content")) if asks(one)]
        if asked and not _is_answered(message, messages[place + 1 :]):
            found.append(shortened(asked[-1].strip()))
    return found


def _is_answered(question: Given, later: list[Given]) -> bool:
    """A reply, the next thing somebody else says, or something on the same words soon after."""
    about = marks(text(question, "content"))
    asker = text(question, "user_name")
    is_next = True
    for message in later[:6]:
        said = text(message, "content")
        if text(message, "user_name") == asker:
            continue
        is_empty = _only_asks(said) or bool(_NO_ANSWER.search(said))
        is_reply = message.get("reply_message_id") == question.get("id", object())
        if not is_empty and (is_reply or is_next or shared(about, marks(said)) >= 0.3):
            return True
        is_next = False
    return False


def _only_asks(said: str) -> bool:
    return all(asks(part) for part in re.split(r"[，,]|(?<=[.!。！])", said) if part.strip())


def _people(messages: list[Given]) -> list[str]:
    names = [text(message, "user_name") for message in messages]
    for message in messages:
        names += [text(one, "name", "user_name") for one in objects(message, "mentions")]
    return list(dict.fromkeys(name for name in names if name))


# ---- segments to one summary


def merge_summaries(given: Given, _: Likeness) -> Given:
    """The last summary and the new segments as one; what is newer wins."""
    parts = [
        _as_summary(given.get("previous")),
        *objects(given, "segments"),
    ]
    parts = [part for part in parts if part]
    lines = [line for part in parts for line in sentences(text(part, "summary", "content"))]
    is_chinese = language_of(lines) == CHINESE
    decisions: list[str] = []
    for part in parts:
        for decision in texts(part, "decisions"):
            _add_newer(decisions, decision)
    questions = list(dict.fromkeys(q for part in parts for q in texts(part, "open_questions")))
    settled = [marks(decision) for decision in decisions]
    people = list(dict.fromkeys(name for part in parts for name in texts(part, "people")))
    said = [_SPEAKER.sub("", line) for line in lines]
    return {
        "summary": _shortest_whole(lines, is_chinese),
        "title": _title(given, said),
        "keywords": _keywords(given)
        or [
            {"keyword": word, "weight": weight}
            for word, weight in keywords(said)
            if word not in people
        ],
        "sentiment": "",
        "decisions": decisions,
        "open_questions": [
            asked
            for asked in questions
            if not any(shared(marks(asked), about) >= 0.6 for about in settled)
        ],
        "people": people,
    }


def _as_summary(value: Any) -> Given:
    if isinstance(value, str):
        return {"summary": value} if value.strip() else {}
    return value if isinstance(value, dict) else {}


def _distinct(lines: list[str]) -> list[str]:
    kept: list[str] = []
    for line in lines:
        about = marks(line)
        if not any(line == other or shared(about, marks(other)) > 0.85 for other in kept):
            kept.append(line)
    return kept


# ---- quality


def judge_summary(given: Given, _: Likeness) -> Given:
    """Does it name what the messages come back to, is it backed by them, is it short?"""
    summary = text(given, "summary") or text(child(given, "summary"), "summary", "content")
    said = [text(message, "content") for message in objects(given, "messages")]
    own = marks(summary)
    wanted = [word for word, _ in keywords(said, limit=10)]
    named = [word for word in wanted if shared(marks(word), own) >= 0.5]
    coverage = len(named) / len(wanted) if wanted else 0.0
    backed = [max((shared(marks(line), marks(one)) for one in said), default=0.0)
              for line in sentences(summary)]  # fmt: skip
    support = sum(backed) / len(backed) if backed else 0.0
    length, whole = len(summary), sum(map(len, said))
    brevity = 1.0 if length <= max(200, whole // 2) else max(200, whole // 2) / length
    score = (0.45 * coverage + 0.4 * support + 0.15 * brevity) if summary else 0.0
    is_chinese = language_of([summary, *said]) == CHINESE
    return {"score": round(score, 3), "reasons": _reasons(coverage, support, brevity, is_chinese)}


def _reasons(coverage: float, support: float, brevity: float, is_chinese: bool) -> list[str]:
    if is_chinese:
        return [
            f"覆盖了{coverage:.0%}的关键词",
            f"{support:.0%}的内容有原文依据",
            "长度合适" if brevity == 1.0 else "偏长",
        ]
    return [
        f"names {coverage:.0%} of the key words",
        f"{support:.0%} of it is backed by the messages",
        "short enough" if brevity == 1.0 else "too long",
    ]
