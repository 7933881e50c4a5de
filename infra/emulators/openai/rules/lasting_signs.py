"""Signs in a sentence that what it tells lasts, or does not: function words and known wordings.

Each is a yes or no that the fitted table (`lasting`) weighs; none decides alone.
"""

import re

from . import speech
from .kinds import HABIT, PREFERENCE, TABOO, TRAIT, kind_of
from .lasting_words import FORMS, MATTERS
from .plain_facts import clauses_of, group_kind, is_doubtful, is_planned, own_kind
from .schedule import slot_of
from .wordlist import words_in

LONG = 40.0
OF_ONE = frozenset(
    words_in(
        "health diet like job study family pet home vehicle have skill hobby role longtime away"
    )
)
OF_ALL = frozenset(words_in("rule settle event every fromnow role money"))
"""Matters that people tell of themselves, and that groups settle."""
_WITH_SELF = words_in("every longtime date role health family job")
_PAIRS = tuple(
    frozenset(one.split("+"))
    for one in words_in(
        "event+date event+clock weekday+clock rule+fromnow date+clock every+weekday"
    )
)

_SIGNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"我(?!们)|\b(?:i|i'm|i've|i'll|i'd|my|me|mine)\b",
        (
            r"今[天晚早]|昨[天晚]|明[天晚早]|刚|待会|一会|马上|这次|上次|"
            r"\b(?:today|tonight|tomorrow|yesterday|just|this (?:morning|week|time|evening)|"
            r"last (?:night|time|week)|right now|later|soon)\b"
        ),
        (
            r"以后|从[^，。]{1,6}(?:起|开始)|一直|每|现在|固定|再也|永远|从来|从小|(?:到|至)[^，。]{0,4}月|"
            r"学期|这段时间|都是|\b(?:now|from|since|until|till|every|always|never|any ?more|"
            r"these days|only|still|usually|for good|in future|months?|years?|no longer|"
            r"permanently|regularly)\b"
        ),
        r"[?？吗]|谁|什么|怎么|哪|几点|\b(?:who|what|when|where|why|how|which|anyone|does|did)\b",
        r"哈哈|笑死|呢$|lol|haha|\b(?:obviously|basically|apparently|sure)\b|最爱|可太",
        (
            r"可能|也许|要是|如果|想|要不|说不定|打算|\b(?:maybe|might|perhaps|if|wish|could|would|"
            r"should|think|thinking|want|one day|hope)\b"
        ),
        r"听|据说|说是|都说|[^我]说|\b(?:heard|says?|said|told|reckons?|rumou?r)\b",
        r"不|没|别|\b(?:not|no|never|nobody|can't|cannot|don't|won't|doesn't|isn't|without)\b",
        r"你|您|\b(?:you|your|you're)\b",
        r"[他她它]|\b(?:he|she|they|his|her|their|it|that|this)\b",
        r"'ll\b|\b(?:will|going to|gonna)\b|要|会",
        r"我们|咱|大家|\b(?:we|us|our|everyone|everybody|whoever|all)\b",
        (
            r"周[一二三四五六日末]|星期|[0-9一二三四五六七八九十]+[点月号岁]|"
            r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\d|"
            r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b"
        ),
        r"了$|了[，。！]",
        r"\b(?:was|were|had|used to|got|went|came|did|\w+ed)\b",
    )
)
_HAN = re.compile(r"[\u4e00-\u9fff]")
PASSED = re.compile(
    r"今[天晚早]|昨[天晚]|明[天晚早]|刚才|刚刚|这次|上次|上回|那次|当时|待会|那天|又[^，。不没]{1,6}了|"
    r"\b(?:today|tonight|tomorrow|yesterday|just now|last (?!\w+day of)\w+|this (?:morning|"
    r"week|time|evening|weekend|year)|next (?:time|year)|was|were)\b",
    re.IGNORECASE,
)
PAST = re.compile(
    r"\bi (?:\w+ly )?(?:\w{2,}ed|won|lost|bought|made|saw|went|came|found|ate|ran|said|told|sent|"
    r"drank|met|sat|slept|heard|wrote|brought|forgot)\b|^(?!signed|retired|moved to)\w{2,}ed\b",
    re.IGNORECASE,
)
"""What somebody did once; "I have done" and "I am" tell how things are now."""
STAYS = re.compile(
    r"以后|从[^，。]{1,6}(?:起|开始)|一直|每|固定|再也|从来|[不别勿]|必须|都[要得是放]|一律|学期|"
    r"\b(?:now|from|since|until|till|every|always|never|any ?more|only|no|not|don't|nobody|"
    r"everyone|everybody|whoever|must|have to|has to|days|each|any longer|in future)\b",
    re.IGNORECASE,
)
WISH = re.compile(
    r"想|要不|打算|希望|总有一天|快要|差点|都[断死]了|[要快]死|[^我]说[^好]|"
    r"\b(?:want|need|hope|going to|gonna|one day|some day|nearly|almost|love|adore|literally|"
    r"practically|basically|so (?:tired|hungry)|could (?:eat|sleep|kill)|would|says?|said)\b",
    re.IGNORECASE,
)
FELT = re.compile(
    r"疼|痛(?!风)|酸(?!奶)|困|饿|\b(?:hurts?|aches?|aching|sore|tired|exhausted|killing me)\b",
    re.IGNORECASE,
)
"""What a body feels is gone in a week."""
_DATE = re.compile(
    r"[\d一二三四五六七八九十]+[月号日]|\b\d+(?:st|nd|rd|th)\b|"
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:\b|[a-z]*(?:ary|ber|ch|il|ust)\b)",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"(?:周|星期|礼拜)[一二三四五六日天末]|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"mon|tues?|wed|thurs?|fri|sat|sun)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"每|都|固定|以后|一般|通常|老是|从|不(?:行|在|上)|"
    r"\b(?:every|each|always|usually|never|from|until|till)\b|\b\w+days\b",
    re.IGNORECASE,
)
_FIRST = re.compile(r"我|\bi(?:'?m|'?ve|'?ll|'?d)?\b", re.IGNORECASE)


def signs(sentence: str) -> list[float]:
    """Function words, wordings of the rules, matters and forms, and which of them come together."""
    han = len(_HAN.findall(sentence))
    length = han if han > 3 else len(sentence.split()) * 1.7
    matters = {name for name, one in MATTERS.items() if one.search(sentence)}
    forms = {name for name, one in FORMS.items() if one.search(sentence)}
    found = (
        *(bool(one.search(sentence)) for one in _SIGNS),
        *_wordings(sentence),
        *(name in matters for name in MATTERS),
        *(name in forms for name in FORMS),
        *_together(matters, forms),
        *(length < 6, length < 8, length < 10, length > 25, min(length, LONG) / LONG),
    )
    return [float(one) for one in found]


def _together(matters: set[str], forms: set[str]) -> list[float | bool]:
    """What tells more beside another sign than alone."""
    is_own = bool(forms & {"i", "my"})
    own, common = len(matters & OF_ONE), len(matters & OF_ALL)
    has_time = bool(matters & {"date", "clock", "weekday"})
    return [
        min(own, 4) / 4,
        own > 0,
        own > 1,
        min(common, 4) / 4,
        common > 1,
        is_own and own > 0,
        is_own and own > 1,
        own > 0 and not is_own and "you" not in forms,
        *(is_own and name in matters for name in _WITH_SELF),
        is_own and "today" in forms,
        is_own and "past" in forms,
        is_own and "past" in forms and not own,
        is_own and "qmark" in forms,
        is_own and "neg" in forms and own > 0,
        not is_own and "you" in forms,
        not is_own and "ask" in forms,
        "i_start" in forms and own > 0,
        "i_am" in forms and own > 0,
        "laugh" in forms and not own,
        "we" in forms and "every" in matters,
        "we" in forms and "rule" in matters,
        "settle" in matters and has_time,
        *(pair <= matters for pair in _PAIRS),
    ]


def is_dated(sentence: str) -> bool:
    """Names a day of the month or a month."""
    return bool(_DATE.search(sentence))


def happens_once(sentence: str) -> bool:
    """Tells of a day that passes: today, last time, or a weekday that does not come again."""
    if speech.is_passing(sentence) or PASSED.search(sentence):
        return True
    return bool(_WEEKDAY.search(sentence)) and not _AGAIN.search(sentence)


def _wordings(sentence: str) -> list[bool]:
    clauses = clauses_of(sentence) or [sentence]
    kinds = {kind_of(one) for one in clauses}
    return [
        any(own_kind(one) for one in clauses),
        any(is_planned(one) for one in clauses),
        any(group_kind(one) for one in clauses),
        TABOO in kinds,
        HABIT in kinds,
        bool(kinds & {TRAIT, PREFERENCE}),
        speech.asks(sentence),
        speech.proposes(sentence),
        speech.hedges(sentence),
        speech.is_passing(sentence),
        speech.is_of_others(sentence),
        speech.agrees(sentence),
        is_doubtful(sentence),
        *(bool(one.search(sentence)) for one in (PASSED, PAST, STAYS, WISH, FELT)),
        slot_of(sentence) is not None,
        bool(re.search(r"\d", sentence)),
        is_dated(sentence),
        bool(_FIRST.search(sentence)),
    ]
