"""Statements that no pattern names: what a sentence tells by its meaning and its function words.

The fitted table (`lasting`) has to be sure, and nothing may speak against it: a question, a doubt,
hearsay, irony, a day that passes.
"""

import re

from . import speech
from .kinds import TABOO, TRAIT, kind_of
from .lasting import Chances
from .plain_facts import clauses_of, is_doubtful, statement_of
from .schedule import slot_of
from .statements import Statement
from .words import is_han

SELF_FROM = 0.55
RULE_FROM = 0.42
"""As sure as this: chosen on the worked-on talks and on the labelled chats, each left out of the
fit."""
_SECRET = re.compile(
    r"密码|口令|验证码|账号|卡号|\b(?:pass(?:word|code)?|pin|wifi|login|code is)\b", re.IGNORECASE
)
FEWEST_WORDS, FEWEST_HAN = 4, 5
_SELF = re.compile(r"我(?!们)|俺|\b(?:i|i'm|i've|i'll|i'd|my)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"[你您他她]|我们|咱|大家|[帮给让叫替]我|\b(?:you|your|he|she|they|him|we|us)\b", re.IGNORECASE
)
_PASSED = re.compile(
    r"今[天晚早]|昨[天晚]|明[天晚早]|刚才|刚刚|这次|上次|待会|那天|"
    r"\b(?:today|tonight|tomorrow|yesterday|just now|last (?!\w+day of)\w+|this (?:morning|"
    r"week|time|evening|weekend|year)|next (?:time|year)|was|were)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\bi (?:\w+ly )?(?:\w{2,}ed|won|lost|bought|made|saw|went|came|found|ate|ran|said|told|sent|"
    r"drank|met|sat|slept|heard|wrote|brought|forgot)\b|^(?!signed|retired|moved to)\w{2,}ed\b",
    re.IGNORECASE,
)
"""What somebody did once; "I have done" and "I am" tell how things are now."""
_STAYS = re.compile(
    r"以后|从[^，。]{1,6}(?:起|开始)|一直|每|固定|再也|从来|[不别勿]|必须|都[要得是放]|一律|学期|"
    r"\b(?:now|from|since|until|till|every|always|never|any ?more|only|no|not|don't|nobody|"
    r"everyone|everybody|whoever|must|have to|has to|days|each|any longer|in future)\b",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"想|要不|打算|希望|总有一天|快要|差点|都[断死]了|[要快]死|[^我]说[^好]|"
    r"\b(?:want|need|hope|going to|gonna|one day|some day|nearly|almost|love|adore|literally|"
    r"practically|basically|so (?:tired|hungry)|could (?:eat|sleep|kill)|would|says?|said)\b",
    re.IGNORECASE,
)
_FELT = re.compile(
    r"疼|痛(?!风)|酸(?!奶)|困|饿|\b(?:hurts?|aches?|aching|sore|tired|exhausted|killing me)\b",
    re.IGNORECASE,
)
"""What a body feels is gone in a week."""
_HOW_LONG = re.compile(r"我?.?[\d一二三四五六七八九十两几半]+个?[年月天次周](?:多|半)?了?")
"""How long, and not what."""


def lasting_statement(sentence: str, speaker: str, heard: Chances) -> Statement | None:
    """Of the speaker, or laid down for all; None where the table is not sure."""
    if not _is_long(sentence) or is_doubtful(sentence) or speech.asks(sentence):
        return None
    is_over = speech.is_passing(sentence) or _PASSED.search(sentence)
    if speech.hedges(sentence) or is_over or _WISH.search(sentence):
        return None
    if _SECRET.search(sentence) or _FELT.search(sentence):
        return None
    clauses = clauses_of(sentence)
    if heard.of_self >= SELF_FROM:
        for place, clause in enumerate(clauses):
            is_own = _SELF.search(clause) and not _OTHER.search(clause)
            is_own = is_own and not _HOW_LONG.fullmatch(clause)
            if is_own and (_STAYS.search(sentence) or not _PAST.search(clause)):
                kind = kind_of(clause) or TRAIT
                return statement_of(kind, clauses, place, speaker, is_own=True)
        return None
    is_laid_down = slot_of(sentence) is not None or _STAYS.search(sentence)
    if heard.of_rule >= RULE_FROM and is_laid_down and not _SELF.search(sentence):
        place = next((at for at, one in enumerate(clauses) if slot_of(one)), 0)
        kind = kind_of(clauses[place]) or TABOO
        return statement_of(kind, clauses, place, speaker, is_own=False)
    return None


def _is_long(sentence: str) -> bool:
    if is_han(sentence):
        return len(sentence) >= FEWEST_HAN
    return len(sentence.split()) >= FEWEST_WORDS
