"""What a sentence says of a person: lives somewhere, likes something, works on something.

The patterns read sentences in the third person, so they read new talk (once the pronouns are
names) and facts put down earlier alike.
"""

import re
from dataclasses import dataclass

FACT, PREFERENCE, PROJECT = "fact", "preference", "project"
PERSON, PLACE, ORGANIZATION = "person", "location", "organization"
PRODUCT, WORK, ANIMAL, OTHER = "product", "product", "other", "other"


@dataclass(frozen=True)
class Trait:
    """One thing known of a person. Of a `single` attribute a person has one value at a time."""

    attribute: str
    kind: str
    value: str
    target: str = ""
    is_single: bool = False
    is_negative: bool = False


@dataclass(frozen=True)
class _Pattern:
    attribute: str
    kind: str
    regex: re.Pattern[str]
    target: str = ""
    is_single: bool = False
    is_negative: bool = False


_V_EN = (
    r"(?P<v>[^.,;!?]+?)(?=\s*(?:[.,;!?]|$|\b(?:and|because|but|so|since|when|while|every|which|"
    r"who|although|though|if|on \d|in (?:early |late )?(?:\d{4}|january|february|march|april|"
    r"may|june|july|august|september|october|november|december)|for (?:\w+ )?(?:years?|months?|"
    r"weeks?|ages)|with|until|as of|around \d|after \d|from \d|anymore|any more)\b))"
)
_ADV = (
    r"(?:now |still |just |also |really |recently |currently |as of \S+ |around \S+ |always |"
    r"usually |finally )*"
)
_V_ZH = r"(?P<v>[^，。！？；,;!?、]+?)"
_END_ZH = r"(?:了|的|啊|呀|呢|哦|哈)?(?=[，。！？；,;!?、]|$|因为|但是|不过|所以)"
_ADV_ZH = (
    r"(?:现在|目前|一直|已经|刚|最近|也|就|都|还|主要|平时|截至\S{10}|\d{4}-\d\d-\d\d(?: "
    r"\d\d:\d\d)?(?:前后|之后)?|\d{4}年(?:\d+月)?)*"
)


def _en(body: str) -> re.Pattern[str]:
    return re.compile(rf"^{_ADV}{body}", re.IGNORECASE)


def _zh(body: str) -> re.Pattern[str]:
    return re.compile(rf"^{_ADV_ZH}{body}")


_PATTERNS = (
    _Pattern(
        "lives_in",
        FACT,
        _en(
            r"(?:lives?|is living|is based|resides|has lived|moved|has moved|relocated|is moving|"
            rf"settled)(?: back)? (?:in|to|near) {_V_EN}"
        ),
        PLACE,
        True,
    ),
    _Pattern(
        "works_at",
        FACT,
        _en(rf"(?:works?|is working|has worked|worked) {_ADV}(?:at|for) {_V_EN}"),
        ORGANIZATION,
        True,
    ),
    _Pattern(
        "works_at",
        FACT,
        _en(rf"(?:joined|has joined|got a job at|started (?:working )?at|is joining) {_V_EN}"),
        ORGANIZATION,
        True,
    ),
    _Pattern(
        "studies_at",
        FACT,
        _en(rf"(?:studies|is studying|goes to school) at {_V_EN}"),
        ORGANIZATION,
        True,
    ),
    _Pattern(
        "comes_from",
        FACT,
        _en(rf"(?:(?:is|comes)(?: originally)? from|was born in) {_V_EN}"),
        PLACE,
        True,
    ),
    _Pattern("allergic_to", FACT, _en(rf"is allergic to {_V_EN}"), OTHER),
    _Pattern(
        "diet",
        FACT,
        _en(
            r"(?:is|has been) (?:a )?(?P<v>vegan|vegetarian|pescatarian|lactose intolerant|"
            r"gluten[- ]free)\b"
        ),
        "",
        True,
    ),
    _Pattern(
        "avoids",
        PREFERENCE,
        _en(rf"(?:doesn't|does not|never) (?:eats?|drinks?) {_V_EN}"),
        OTHER,
        False,
        True,
    ),
    _Pattern(
        "dislikes",
        PREFERENCE,
        _en(
            r"(?:hates?|dislikes?|can't stand|cannot stand|doesn't (?:really )?(?:like|enjoy)|"
            rf"does not like|no longer likes|stopped liking) {_V_EN}"
        ),
        OTHER,
        False,
        True,
    ),
    _Pattern(
        "likes",
        PREFERENCE,
        _en(
            r"(?:likes?|loves?|enjoys?|prefers?|adores?|is into|is (?:a )?(?:big |huge )?fans? of|"
            rf"is crazy about) {_V_EN}"
        ),
        OTHER,
    ),
    _Pattern(
        "works_on",
        PROJECT,
        _en(
            r"is (?:working on|building|developing|writing|making|designing|organi[sz]ing|"
            rf"planning|leading|maintaining|translating) {_V_EN}"
        ),
        WORK,
    ),
    _Pattern(
        "learns",
        PROJECT,
        _en(
            r"(?:is (?:learning|studying|practi[sc]ing)|studies|started learning|began learning) "
            rf"{_V_EN}"
        ),
        OTHER,
    ),
    _Pattern("speaks", FACT, _en(rf"speaks {_V_EN}"), OTHER),
    _Pattern("plays", FACT, _en(rf"plays {_V_EN}"), OTHER),
    _Pattern("uses", FACT, _en(rf"(?:uses|drives|switched to) {_V_EN}"), PRODUCT),
    _Pattern(
        "has_pet",
        FACT,
        _en(
            r"(?:has|owns|adopted|got) (?:an?|one|two|three) (?:\w+ )?(?:dogs?|cats?|puppy|kitten|"
            r"rabbits?|parrots?|hamsters?|turtles?)(?: (?:named|called) (?P<v>[A-Z]\w+))?"
        ),
        ANIMAL,
    ),
    _Pattern(
        "occupation",
        FACT,
        _en(
            r"(?:works as|is|became|is working as) an? (?P<v>(?!big |huge |bit |little |lot |fan "
            r")[a-z][\w -]{2,40}?)(?=[.,;!?]|$| (?:at|in|for|and|by|who)\b)"
        ),
        "",
        True,
    ),
)

_OWNED_EN = (
    (
        "favourite",
        re.compile(r"^'s favou?rite (?P<k>[\w -]{2,24}) is (?P<v>[^.,;!?]+)", re.IGNORECASE),
    ),
    ("birthday", re.compile(r"^'s birthday is (?:on )?(?P<v>[^.,;!?]+)", re.IGNORECASE)),
    ("name", re.compile(r"^'s (?:real |full )?name is (?P<v>[^.,;!?]+)", re.IGNORECASE)),
    (
        "family",
        re.compile(
            r"^'s (?P<k>wife|husband|partner|brother|sister|son|daughter|father|mother|dad|mum|"
            r"mom|friend|girlfriend|"
            r"boyfriend|colleague|boss|dog|cat)(?:,| is(?: named| called)?|'s name is)? "
            r"(?P<v>[A-Z][\w-]+)"
        ),
    ),
)
_OWNED_ZH = (
    ("favourite", re.compile(r"^最喜欢的(?P<k>[^是，。]{1,8})是(?P<v>[^，。！？]+)")),
    ("birthday", re.compile(r"^的?生日(?:是|在)(?P<v>[^，。！？]+)")),
    ("name", re.compile(r"^(?:的)?(?:名字|真名|全名)(?:是|叫)(?P<v>[^，。！？]+)")),
    (
        "family",
        re.compile(
            r"^的?(?P<k>老婆|妻子|老公|丈夫|哥哥|弟弟|姐姐|妹妹|儿子|女儿|爸爸|妈妈|朋友|"
            r"女朋友|男朋友|同事|老板|狗|猫)(?:的名字)?(?:叫做?|是)"
            r"(?P<v>[^，。！？的了]{1,8})"
        ),
    ),
)
_ZH_PATTERNS = (
    _Pattern(
        "lives_in",
        FACT,
        _zh(
            rf"(?:又)?(?:住在|住|定居在?|搬到了?|搬去了?|搬来了?|移居){_V_ZH}(?:工作|生活|居住)?{_END_ZH}"
        ),
        PLACE,
        True,
    ),
    _Pattern(
        "works_at",
        FACT,
        _zh(rf"(?:入职了?|加入了?|跳槽到了?|就职于|任职于){_V_ZH}{_END_ZH}"),
        ORGANIZATION,
        True,
    ),
    _Pattern(
        "works_at", FACT, _zh(rf"在{_V_ZH}(?:工作|上班|任职|实习){_END_ZH}"), ORGANIZATION, True
    ),
    _Pattern(
        "studies_at", FACT, _zh(rf"(?:在{_V_ZH}(?:上学|读书|读研|读博|念书))"), ORGANIZATION, True
    ),
    _Pattern("graduated_from", FACT, _zh(rf"毕业于{_V_ZH}{_END_ZH}"), ORGANIZATION, True),
    _Pattern("comes_from", FACT, _zh(rf"(?:来自|老家在|老家是){_V_ZH}{_END_ZH}"), PLACE, True),
    _Pattern(
        "comes_from",
        FACT,
        _zh(r"是(?P<v>[^，。！？做个名位]{2,5}?)人(?=[，。！？]|$)"),
        PLACE,
        True,
    ),
    _Pattern("allergic_to", FACT, _zh(rf"对{_V_ZH}过敏"), OTHER),
    _Pattern("diet", FACT, _zh(r"(?:是)?(?P<v>素食者|素食主义者|吃素|纯素)"), "", True),
    _Pattern(
        "avoids",
        PREFERENCE,
        _zh(rf"(?:从来|从|一直)?不(?:吃|喝){_V_ZH}{_END_ZH}"),
        OTHER,
        False,
        True,
    ),
    _Pattern(
        "dislikes",
        PREFERENCE,
        _zh(rf"(?:很|最|特别|非常|真的)?(?:讨厌|不喜欢|不爱|受不了|最烦|不再喜欢){_V_ZH}{_END_ZH}"),
        OTHER,
        False,
        True,
    ),
    _Pattern(
        "likes",
        PREFERENCE,
        _zh(
            r"(?:很|最|特别|非常|更|挺|超级?|真的)?(?:喜欢|热爱|偏爱|钟爱|迷上了?|爱上了?|"
            rf"爱){_V_ZH}{_END_ZH}"
        ),
        OTHER,
    ),
    _Pattern(
        "works_on",
        PROJECT,
        _zh(
            r"(?:(?:正在|在)(?:做|开发|写|研究|维护|设计|筹备|翻译|搭建|制作|策划)|负责|"
            rf"参与)(?:了|着)?(?:一[个本部款套])?{_V_ZH}(?:的?项目)?{_END_ZH}"
        ),
        WORK,
    ),
    _Pattern("learns", PROJECT, _zh(rf"(?:正在|在|开始)?学(?:习|着)?{_V_ZH}{_END_ZH}"), OTHER),
    _Pattern("can", FACT, _zh(rf"会(?:弹|说|拉|打|写|做|讲){_V_ZH}{_END_ZH}"), OTHER),
    _Pattern("uses", FACT, _zh(rf"(?:换成了?|改用了?|用的是|用){_V_ZH}{_END_ZH}"), PRODUCT),
    _Pattern(
        "has_pet", FACT, _zh(r"养了?(?:[一两三][只条个头])?(?P<v>[^，。！？叫]{1,6})"), ANIMAL
    ),
    _Pattern(
        "occupation",
        FACT,
        _zh(
            r"(?:是|当)(?:一[名个位])?(?P<v>[^，。！？的]{1,10}?(?:师|员|生|者|家|手|工|士|经理|"
            r"主管|老师|医生|律师|学生|博主))(?=[，。！？]|$)"
        ),
        "",
        True,
    ),
    _Pattern(
        "occupation",
        FACT,
        _zh(r"(?:是做|从事)(?P<v>[^，。！？]{1,12}?)(?:的|工作|行业)(?=[，。！？]|$)"),
        "",
        True,
    ),
)
_EMPTY = re.compile(
    r"^(?:it|that|this|them|you|me|him|her|to|so|too|一下|这个|那个|它|他|她|你|什么|吗)?$",
    re.IGNORECASE,
)
_NOT_WORK = re.compile(r"^(?:家|路上|外面|公司|上班|开会|吃饭|睡觉|等|想|看|听|忙|这|那|路)")


def trait_of(predicate: str, *, is_chinese: bool) -> Trait | None:
    """What the part of a sentence after a person's name says of that person."""
    predicate = predicate.strip() if is_chinese else predicate
    for attribute, regex in _OWNED_ZH if is_chinese else _OWNED_EN:
        if found := regex.match(predicate):
            return _owned(attribute, found)
    for pattern in _ZH_PATTERNS if is_chinese else _PATTERNS:
        found = pattern.regex.match(predicate.strip())
        if found is None:
            continue
        value = _value(found["v"] or "", is_chinese)
        if _EMPTY.match(value) and pattern.attribute != "has_pet":
            continue
        if is_chinese and pattern.attribute == "works_on" and _NOT_WORK.match(value):
            continue
        return Trait(
            pattern.attribute, pattern.kind, value, pattern.target, pattern.is_single,
            pattern.is_negative,
        )  # fmt: skip
    return None


def _owned(attribute: str, found: re.Match[str]) -> Trait:
    value = found["v"].strip()
    if attribute == "family":
        return Trait(f"has_{found['k']}", FACT, value, PERSON, True)
    if attribute == "favourite":
        return Trait(f"favourite_{found['k'].strip()}", PREFERENCE, value, OTHER, True)
    return Trait(attribute, FACT, value, "", True)


def _value(words: str, is_chinese: bool) -> str:
    words = words.strip()
    if is_chinese:
        return re.sub(r"^(?:了|过|着)|(?:了|的)$", "", words)
    return re.sub(r"^(?:the|a|an) ", "", words)


def conflicts(new: Trait, old: Trait) -> bool:
    """The newer one makes the older one untrue."""
    if new.attribute == old.attribute and new.is_single:
        return new.value.lower() != old.value.lower()
    tastes = {"likes", "dislikes", "avoids"}
    return (
        {new.attribute, old.attribute} <= tastes
        and new.is_negative != old.is_negative
        and (new.value in old.value or old.value in new.value)
    )
