"""Words of time that count from another time of the talk, not from when it was said.

当天 is the day, "two weeks later" two weeks after, and 手术三天后 three days after whatever was
told before. In a note they are as absolute as what they hang on, so they are left as they are.
"""

import re

_SAME_DAY_ZH = re.compile(r"当[天日晚]|同日")
_FROM_AN_EVENT_ZH = re.compile(r".{1,8}[前后]|前[两几]天")
_EVENT_ZH = re.compile(
    r"(?:手术|毕业|结婚|婚礼|离婚|分手|住院|出院|入院|入职|离职|辞职|退休|出生|去世|搬家|生产|生日|怀孕|"
    r"确诊|开业|开学|放假|上线|发布|发布会|发货|到货|下单|付款|签约|出发|到达|抵达|比赛|考试|面试|高考|中考|"
    r"答辩|演出|决赛|事发|案发|事故|国庆节?|春节|除夕|元旦|中秋节?|端午节?|圣诞节?|清明节?|完|了|之后|以后)"
    r"的?$"
)
"""What happens once: a length of time behind it counts from there."""
_ANCHORED_EN = re.compile(
    r"(?:on |in )?(?:the )?(?:next day|following (?:day|week|weekend|month|year)|"
    r"previous (?:day|week|weekend|month|year))|.{2,60} (?:later|earlier)",
)
_THAT = re.compile(r"\s{1,3}(?:that|the same) (?:day|night|week|month|year|morning|evening)\b")


def counts_from_elsewhere(text: str, start: int, end: int) -> bool:
    """Whether the words at `start:end` hang on something told before them."""
    words = text[start:end].lower()
    if _SAME_DAY_ZH.match(words) or _ANCHORED_EN.fullmatch(words):
        return True
    if words in ("later", "earlier") and _THAT.match(text.lower(), end):
        return True
    return bool(_FROM_AN_EVENT_ZH.fullmatch(words) and _EVENT_ZH.search(text[:start][-8:]))
