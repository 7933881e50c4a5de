"""Statements by what a sentence tells: its meaning, its function words, and known wordings.

The fitted table (`lasting`) weighs them all. Where a known wording speaks, it only has to agree;
where none does, it has to be sure, and surer still of a day that passes, a wish or a pain.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from . import speech
from .kinds import HABIT, PROJECT, TABOO, TRAIT, kind_of
from .lasting import Chances
from .lasting_signs import FELT, PAST, STAYS, WISH, happens_once, is_dated
from .plain_facts import clauses_of, is_doubtful, plain_statement, statement_of
from .schedule import slot_of
from .statements import Statement
from .words import is_han

WORDED_FROM = 0.35
"""A known wording is believed unless the table is this sure of the contrary."""
SELF_FROM, SURE_OF_SELF = 0.7, 0.8
RULE_FROM, SURE_OF_RULE = 0.5, 0.65
"""As sure as this without a known wording, and where something speaks against it: chosen on the
worked-on talks and on labelled chats, each left out of the fit. At 0.53 six chats that nobody had
seen held 18 of 45 rightly, at 0.7 15 of 31: a wrong memory is worse than none."""
_SECRET = re.compile(
    r"密码|口令|验证码|账号|卡号|\b(?:pass(?:word|code)?|pin|wifi|login|code is)\b", re.IGNORECASE
)
FEWEST_WORDS, FEWEST_HAN = 4, 5
_SELF = re.compile(r"我(?!们)|俺|\b(?:i|i'm|i've|i'll|i'd|my)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"[你您他她]|我们|咱|大家|[帮给让叫替]我|"
    r"\b(?:you|your|he|she|they|him|we|us|it|that|this|there)(?:'\w+)?\b",
    re.IGNORECASE,
)
_HOW_LONG = re.compile(r"我?.?[\d一二三四五六七八九十两几半]+个?[年月天次周](?:多|半)?了?")
"""How long, and not what."""
_DENIES = re.compile(r"[不别勿禁]|必须|\b(?:no|not|never|nobody|must|only|don't)\b", re.IGNORECASE)
_NAME_LEAD = r"^(?:(?:and|but|no|yeah|well|cos|because|也|可是?|但是?|而且)[\s,，]+|[也可但])?"
_AFTER_NAME = r"(?:'s(?= (?:got|been|had)\b)|'s|'ll|'d)?(?=\s|[\u3400-\u9fff])"


def heard_statement(sentence: str, speaker: str, heard: Chances) -> Statement | None:
    """Of the speaker, or laid down for all; None where neither wording nor table is sure."""
    worded = plain_statement(sentence, speaker)
    if worded is not None:
        least = SELF_FROM if worded.is_own and happens_once(sentence) else WORDED_FROM
        return worded if heard.of_self + heard.of_rule >= least else None
    if not _is_long(sentence) or is_doubtful(sentence) or speech.asks(sentence):
        return None
    if speech.hedges(sentence) or _SECRET.search(sentence):
        return None
    if heard.of_self >= heard.of_rule:
        return _of_speaker(sentence, speaker, heard.of_self)
    return _for_all(sentence, speaker, heard.of_rule)


def _of_speaker(sentence: str, speaker: str, sure: float) -> Statement | None:
    is_doubted = bool(WISH.search(sentence) or FELT.search(sentence))
    speaks_against = is_doubted or happens_once(sentence) or speech.is_of_others(sentence)
    if sure < (SURE_OF_SELF if speaks_against else SELF_FROM):
        return None
    clauses = clauses_of(sentence)
    own = [at for at, one in enumerate(clauses) if _SELF.search(one) and not _OTHER.search(one)]
    if not own and not _OTHER.search(sentence) and (sure >= SURE_OF_SELF or is_dated(sentence)):
        own = [0]  # Hasty talk leaves "I" out.
    for place in own:
        clause = clauses[place]
        if _HOW_LONG.fullmatch(clause) or (PAST.search(clause) and not STAYS.search(sentence)):
            continue
        return statement_of(kind_of(clause) or TRAIT, clauses, place, speaker, is_own=True)
    return None


def _for_all(sentence: str, speaker: str, sure: float) -> Statement | None:
    is_laid_down = slot_of(sentence) is not None or STAYS.search(sentence)
    speaks_against = not is_laid_down or WISH.search(sentence) or _SELF.search(sentence)
    if sure < (SURE_OF_RULE if speaks_against else RULE_FROM):
        return None
    clauses = [re.sub(r"我(?!们)", speaker, one) for one in clauses_of(sentence)]
    place = next((at for at, one in enumerate(clauses) if slot_of(one)), 0)
    kind = kind_of(clauses[place])
    if kind is None:
        kind = TABOO if _DENIES.search(clauses[place]) else PROJECT
    kind = HABIT if kind == TRAIT else kind
    return statement_of(kind, clauses, place, speaker, is_own=False)


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
    said = statement_of(kind_of(clauses[0]) or TRAIT, clauses, 0, name, is_own=False)
    return replace(said, about=spoken_of.user_id) if said else None


def _is_long(sentence: str) -> bool:
    if is_han(sentence):
        return len(sentence) >= FEWEST_HAN
    return len(sentence.split()) >= FEWEST_WORDS
