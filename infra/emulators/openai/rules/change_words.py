"""Plain words by which talk changes what is known: a moved day, another number, an end."""

import re

_DAYS = "一二三四五六日天"
_NUMBER_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_PLACES_IN_TIME = (
    re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day(?=s?\b)", re.IGNORECASE),
    re.compile(rf"(?<=周)[{_DAYS}]|(?<=星期)[{_DAYS}]|(?<=礼拜)[{_DAYS}]"),
    re.compile(
        rf"\d+(?:[.:]\d+)*|\b(?:{_NUMBER_WORDS})\b|[一二三四五六七八九十两]+(?=[点号块元])",
        re.IGNORECASE,
    ),
)
"""Days of the week, then hours and other numbers."""
_CHINESE_TIMES = re.compile(rf"大家|每?(?:周|星期|礼拜)[{_DAYS}]|[\d一二三四五六七八九十两]+[点号]")
_CHANGES = re.compile(
    r"改|换|挪|移到|推迟|提前|以后|从.{1,12}起|"
    r"\b(?:moved?|moves|changed?|switch(?:ed)?|rescheduled|instead|now|will be)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"不再|停了|停办|停掉|取消|戒了|作废|[不没][^，。]{0,8}了|"
    r"\b(?:no longer|no more|any ?more|stopped|quit|gave up|got rid of|cancell?ed|called off|"
    r"scrapped|dropped)\b",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"今天|今晚|明天|昨天|这周|本周|下周|上周|这次|"
    r"\b(?:today|tonight|tomorrow|yesterday|(?:this|next|last) \w+)\b",
    re.IGNORECASE,
)
_TO_KEEP = re.compile(
    r"^(?:(?:请|帮我)?(?:记住|记得|记一下)|(?:please )?remember(?: that)?|note that)[\s,，:：]*",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"(?:\+1|好的?|好啊|可以|同意|赞成|没问题|行|收到|对|是的|"
    r"ok(?:ay)?|yes|yeah|yep|sure|agreed|sounds good|works for me|me too|fine)"
    r"[\s!！。.~]*",
    re.IGNORECASE,
)


def is_change(sentence: str) -> bool:
    return bool(_CHANGES.search(sentence))


def is_end(sentence: str) -> bool:
    return bool(_ENDS.search(sentence))


def is_passing(sentence: str) -> bool:
    """Of one day or one week."""
    return bool(_PASSING.search(sentence))


def is_agreement(text: str) -> bool:
    return bool(_AGREES.fullmatch(text.strip()))


def asked_to_keep(sentence: str) -> str:
    """What stands behind "remember"; empty if the sentence does not begin so."""
    found = _TO_KEEP.match(sentence)
    return sentence[found.end() :] if found else ""


def without_times(text: str) -> str:
    text = _CHINESE_TIMES.sub(" ", text)
    for place in _PLACES_IN_TIME:
        text = place.sub(" ", text)
    return text


def moved(statement: str, sentence: str) -> str:
    """The statement with the sentence's day or number instead of its own; empty if it has none."""
    newer = statement
    for place in _PLACES_IN_TIME:
        known = {found.lower() for found in place.findall(statement)}
        fresh = [found for found in place.findall(sentence) if found.lower() not in known]
        if known and fresh:
            newer = place.sub(fresh[-1], newer, count=1)
    return newer if newer != statement else ""
