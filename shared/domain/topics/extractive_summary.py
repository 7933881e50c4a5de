"""A summary without a model: the lines that say most, and what was decided or left open. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from shared.domain.topics.bursts import Burst
from shared.language import terms

MAX_LINES = 6
LINE_CHARACTERS = 160
"""An extract is read at a glance: so many lines, each about as long as one of a chat."""
SAME = 0.6
"""A line that shares so many of its words with one already taken says nothing new."""
QUESTION = 0.6
"""A question tells less than its answer."""
DECISION = 1.5
"""What was decided is what people look for later."""
ANSWERED_WITHIN = 4
"""Bursts after a question in which an answer is looked for."""
MAX_LISTED = 5
"""Of decisions and of open questions, the latest."""

_DECIDED = re.compile(
    r"(?:决定|定了|说好了|敲定|就这么[定办]|一致同意|最终[选用定]|确定[了用在为]|改[到成在](?!了)|那就"
    r"|\b(?:decided|agreed|settled on|let's go with|going with|the plan is|moved to|"
    r"change of plan|it is then|we'll)\b)",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"(?:没[有]?[决]?定|未定|不确定|再定|要不|是不是|如果|吗|[?？]"
    r"|\b(?:not decided|undecided|should we|not sure|maybe|if)\b)",
    re.IGNORECASE,
)
_ONLY_AGREES = re.compile(
    r"(?:ok(?:ay)?|好|行|那|嗯|yes|yep|right|great)?[\s,，]{0,3}"
    r"(?:decided|agreed|settled|it's settled|定了|说好了|敲定|就这么[定办][了吧]?)"
    r"(?: then)?\s{0,3}(?:$|[.!。！，,;])",
    re.IGNORECASE,
)
"""Says that something is decided, not what: the line before does."""
_NO_ANSWER = re.compile(
    r"不知道|不清楚|不晓得|没人知道|还没人|没人说|谁知道|我也想知道|再看吧?$|看时间|再说吧?$"
    r"|\b(?:no idea|nobody knows|no clue|don't know|dunno|not sure|who knows|didn't say|unclear|"
    r"good question)\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"https?://[^\s，。！？；、（）】》”]+")


@dataclass(frozen=True)
class Extract:
    """`content` is whole lines of the talk, in their order, each with who said it."""

    content: str
    message_ids: tuple[str, ...]
    decisions: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


def extract(talk: Sequence[Burst], keywords: Mapping[str, float], previous: str = "") -> Extract:
    """What is left when there is no model. Starts from the last summary, if there is one."""
    wanted = {
        term: weight
        for word, weight in keywords.items()
        for term in (word.casefold(), *terms(word))
    }
    room = MAX_LINES if not previous else MAX_LINES // 2
    chosen: list[int] = []
    by_worth = sorted(range(len(talk)), key=lambda place: (-_worth(talk[place], wanted), place))
    for place in by_worth:
        if len(chosen) == room:
            break
        if not any(says_the_same(talk[place].terms, talk[other].terms) for other in chosen):
            chosen.append(place)
    lines = [line_of(talk[place]) for place in sorted(chosen)]
    return Extract(
        content="\n".join([*([previous] if previous else []), *lines]),
        message_ids=tuple(
            message_id for place in sorted(chosen) for message_id in talk[place].message_ids
        ),
        decisions=decisions_in(talk),
        open_questions=open_questions_in(talk),
        links=links_in(talk),
    )


def line_of(burst: Burst) -> str:
    return f"{burst.user_name}: {shortened(burst.content)}"


def shortened(text: str, characters: int = LINE_CHARACTERS) -> str:
    """Cut at the last clause or word that fits."""
    if len(text) <= characters:
        return text
    cut = text[:characters]
    end = max(cut.rfind(mark) for mark in "，。；、,;. /")
    return (cut[:end] if end > characters // 2 else cut).rstrip(" ，。；、,;./") + " …"


def decisions_in(talk: Sequence[Burst]) -> tuple[str, ...]:
    """The newest that still hold: a later one on the same words replaces an earlier one."""
    found: list[Burst] = []
    for place, said in enumerate(talk):
        if is_decision(said.content):
            one = talk[place - 1] if place and _ONLY_AGREES.match(said.content) else said
            found = [other for other in found if not says_the_same(one.terms, other.terms)]
            found.append(one)
    return tuple(line_of(burst) for burst in found[-MAX_LISTED:])


def is_decision(text: str) -> bool:
    return bool(_DECIDED.search(text)) and not _UNDECIDED.search(text)


def open_questions_in(talk: Sequence[Burst]) -> tuple[str, ...]:
    """Asked, and nobody else said anything to it soon after."""
    found = []
    for place, burst in enumerate(talk):
        if burst.message_type != "question":
            continue
        later = _replies(talk[place + 1 : place + 1 + ANSWERED_WITHIN])
        if not any(_answers(other, burst) for other in later):
            found.append(line_of(burst))
    return tuple(found[-MAX_LISTED:])


def _replies(later: Sequence[Burst]) -> Sequence[Burst]:
    """Where the first reply is that nobody knows, what follows the next question answers that."""
    if not later or not _NO_ANSWER.search(later[0].content):
        return later
    asked = [place for place, burst in enumerate(later) if burst.message_type == "question"]
    return later[: asked[0]] if asked else later


def links_in(talk: Sequence[Burst]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(link for burst in talk for link in _LINK.findall(burst.content)))


def _answers(later: Burst, question: Burst) -> bool:
    if later.user_id == question.user_id or later.message_type == "question":
        return False
    return is_answer(later.content)


def is_answer(text: str) -> bool:
    """Whether it is not just that nobody knows."""
    return not _NO_ANSWER.search(text)


def _worth(burst: Burst, wanted: Mapping[str, float]) -> float:
    said = burst.content.casefold()
    about = sum(weight for word, weight in wanted.items() if word in burst.terms or word in said)
    telling = min(len(burst.terms), 12) / 12
    worth = about + telling
    if burst.message_type == "question":
        worth *= QUESTION
    return worth * (DECISION if is_decision(burst.content) else 1.0)


def says_the_same(one: Collection[str], other: Collection[str]) -> bool:
    """Two lines, by their words."""
    smaller = min(len(one), len(other))
    return bool(smaller) and len(set(one) & set(other)) / smaller > SAME
