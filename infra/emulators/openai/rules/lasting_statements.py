"""Statements by what a line tells, as the fitted tables (`lasting`) hear it.

Where a known wording speaks too, they only have to agree; a guess, a day that passes or a secret is
no statement however sure they are.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from . import speech
from .kinds import HABIT, PROJECT, TABOO, TRAIT, kind_of, plain_kind
from .lasting import Chances
from .lasting_signs import happens_once
from .lasting_words import matters_in
from .plain_facts import (
    clauses_of,
    group_kind,
    is_doubtful,
    own_kind,
    plain_statement,
    statement_of,
)
from .schedule import slot_of
from .statements import Statement, only_announces, statement_in
from .words import is_han

SELF_FROM, RULE_FROM = 0.6, 0.45
WORDED_FROM = 0.35
"""So sure of what a line tells of its speaker, and of what it lays down for all; where a known
wording says so too, less will do. On 37 chats that the tables were not fitted on precision is 0.68
and recall 0.26; at 0.5 for the first about 0.62 and 0.29, at 0.7 and 0.5 0.71 and 0.21."""
UNSAID_FROM = 0.8
"""Surer still where a line does not say "I": it may be about anybody."""
_SECRET = re.compile(
    r"密码|口令|验证码|账号|卡号|\b(?:pass(?:word|code)?|pin|wifi|login|code is)\b", re.IGNORECASE
)
FEWEST_WORDS, FEWEST_HAN = 4, 5
_SELF = re.compile(r"我(?!们)|俺|\b(?:i|i'm|i've|i'll|i'd|my)\b", re.IGNORECASE)
_HOW_LONG = re.compile(r"我?.?[\d一二三四五六七八九十两几半]+个?[年月天次周](?:多|半)?了?")
"""How long, and not what."""
_WORKPLACE = re.compile(
    r"^(?:at )?(?:my|our) (?:company|boss|office|school|gym|landlord|employer)\b|"
    r"^我们?(?:公司|单位|学校|老板|部门|领导)",
    re.IGNORECASE,
)
"""What is so there is neither the speaker's nor the group's."""
_ADDRESS = re.compile(
    r"^[\u3400-\u9fff]{0,3}(?:姐|哥|妈|爸|娘|姑|婆|爷|奶|叔|姨|伯|嫂|师傅|老师|总)[\s，,]*(?=我)"
)
_YOU = re.compile(r"[你您]|\b(?:you|your|u)\b", re.IGNORECASE)
_TODAY = re.compile(r"今[天晚]|暂时|\b(?:today|tonight|for now|at the moment)\b", re.IGNORECASE)
_IF = re.compile(r"如果|要是|假如|假设|万一|\b(?:if|unless)\b", re.IGNORECASE)
_DENIES = re.compile(r"[不别勿禁]|必须|\b(?:no|not|never|nobody|must|only|don't)\b", re.IGNORECASE)
_NAME_LEAD = r"^(?:(?:and|but|no|yeah|well|cos|because|也|可是?|但是?|而且)[\s,，]+|[也可但])?"
_AFTER_NAME = r"(?:'s(?= (?:got|been|had)\b)|'s|'ll|'d)?(?=\s|[\u3400-\u9fff])"


def heard_statement(pieces: Sequence[str], speaker: str, heard: Chances) -> Statement | None:
    """Of the speaker, or laid down for all, beginning in the first piece; None where the tables
    are not sure."""
    first = _what_is_so(_ADDRESS.sub("", pieces[0]))
    pieces = [first, *pieces[1:]]
    if (
        speech.guesses(first)
        or _WORKPLACE.match(first)
        or any(_SECRET.search(one) for one in pieces)
    ):
        return None
    worded = plain_statement(first, speaker)
    is_own = heard.of_self >= _least(first, is_worded=bool(worded and worded.is_own))
    is_rule = heard.of_rule >= (WORDED_FROM if worded and not worded.is_own else RULE_FROM)
    if is_own and not _TODAY.search(first) and heard.of_self >= heard.of_rule:
        return _of_speaker(pieces, speaker)
    return _for_all(pieces, speaker) if is_rule and _is_long(first) else None


def _least(first: str, *, is_worded: bool) -> float:
    if is_worded:
        return WORDED_FROM
    return SELF_FROM if _SELF.search(first) else UNSAID_FROM


def _what_is_so(sentence: str) -> str:
    """ "I don't eat fish, I choked on one when I was five": without what is guessed, or was, or is
    so today. What hangs on an "if" does so as a whole."""
    clauses = clauses_of(sentence)
    so = [one for one in clauses if not speech.guesses(one) and not _TODAY.search(one)]
    if _IF.search(sentence) or not so or len(so) == len(clauses):
        return sentence
    return ("，" if is_han(sentence) else ", ").join(so)


def _of_speaker(pieces: Sequence[str], speaker: str) -> Statement | None:
    clauses = clauses_of(pieces[0])
    place = _first(clauses, own_kind, _SELF.search, matters_in)
    if place is None or _HOW_LONG.fullmatch(clauses[place]):
        return None
    kind = own_kind(clauses[place]) or kind_of(clauses[place]) or plain_kind(pieces[0])
    return statement_of(kind, [*clauses, *_more(pieces)], place, speaker, is_own=True)


def _for_all(pieces: Sequence[str], speaker: str) -> Statement | None:
    plural = statement_in(pieces[0], speaker)
    if plural is not None and plural.is_plural:
        return plural
    clauses = [re.sub(r"我(?!们)", speaker, one) for one in clauses_of(pieces[0])]
    is_announced = any(map(only_announces, clauses))
    clauses = [one for one in clauses if not only_announces(one)]
    place = _first(clauses, group_kind, slot_of, matters_in)
    if place is None:
        return None
    kind = group_kind(clauses[place]) or kind_of(clauses[place])
    if kind is None:
        kind = TABOO if is_announced or _DENIES.search(clauses[place]) else PROJECT
    kind = HABIT if kind == TRAIT else kind
    return statement_of(kind, [*clauses, *_more(pieces)], place, speaker, is_own=False)


def _more(pieces: Sequence[str]) -> list[str]:
    """The clauses of the further pieces that speak of something."""
    return [one for piece in pieces[1:] for one in clauses_of(piece) if matters_in(one)]


def _first(clauses: Sequence[str], *signs: Callable[[str], object]) -> int | None:
    """Where a statement begins: the first clause that shows the first of these signs that any
    clause shows, with what leads up to it."""
    shown = [place for sign in signs for place, one in enumerate(clauses) if sign(one)]
    place = shown[0] if shown else 0
    while place and matters_in(clauses[place - 1]) and not _said_to(clauses[place - 1]):
        place -= 1
    return place if clauses else None


_PROPOSES = re.compile(
    r"吧$|^(?:求|跪求|麻烦|帮我?)|\b(?:let'?s|please|pls|can (?:we|someone|somebody|anyone))\b",
    re.IGNORECASE,
)


def _said_to(clause: str) -> bool:
    """Asks, proposes, guesses, or speaks to one person."""
    found = _YOU.search(clause) or _PROPOSES.search(clause)
    return bool(found) or speech.asks(clause) or is_doubtful(clause)


@dataclass(frozen=True)
class SpokenOf:
    """Whom a sentence begins with, and the sentence as they would say it of themselves."""

    name: str
    user_id: str
    own_words: str


def said_of_another(sentence: str, people: Mapping[str, str]) -> SpokenOf | None:
    for name in sorted(people, key=len, reverse=True):
        pattern = rf"{_NAME_LEAD}{re.escape(name)}{_AFTER_NAME}"
        found = re.match(pattern, sentence, re.IGNORECASE)
        if found is not None:
            first = "我" if is_han(sentence) else "I"
            own = first + re.sub(r"^\s*(?:is|has|does)\b", _as_said, sentence[found.end() :])
            return SpokenOf(name, people[name], own)
    return None


def _as_said(found: re.Match[str]) -> str:
    return {"is": " am", "has": " have", "does": " do"}[found[0].strip()]


def statement_of_another(sentence: str, spoken_of: SpokenOf, heard: Chances) -> Statement | None:
    """Of a member who is named first; `heard` is of the sentence as that member would say it."""
    name = spoken_of.name
    if not _is_long(sentence) or is_doubtful(sentence) or speech.hedges(sentence):
        return None
    least = WORDED_FROM if plain_statement(spoken_of.own_words, name) else SELF_FROM
    if heard.of_self < least or happens_once(sentence) or speech.asks(sentence):
        return None
    lead = re.compile(rf"{_NAME_LEAD}{re.escape(name)}", re.IGNORECASE)
    clauses = clauses_of(lead.sub(name, sentence))
    kind = kind_of(clauses[0]) or plain_kind(sentence)
    said = statement_of(kind, clauses, 0, name, is_own=False)
    return replace(said, about=spoken_of.user_id) if said else None


def _is_long(sentence: str) -> bool:
    if is_han(sentence):
        return len(sentence) >= FEWEST_HAN
    return len(sentence.split()) >= FEWEST_WORDS
