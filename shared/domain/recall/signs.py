"""What kind of answer a question asks for, and which lines have one: a time, an amount."""

from shared.domain.analysis.cues import Phrases, any_of

_ASKS_WHEN = any_of(
    r"""
    (?:什么|啥)时候|何时|几[点号月]|哪[天年月日]|周几|星期几|多久|多长时间|时间
    {when, what time, what day, what date, which (?:day|date|week|month|year), how long, how soon}
    {when's, whens, until when, since when}
    """
)
_ASKS_AMOUNT = any_of(
    r"""
    多[少大高远长重]|几[个斤张次人块岁本只件位折层楼]|价[格钱]|人均|一共|总共
    {how (?:much|many|far|old|big|tall|often), what (?:number|price|score|amount), number, cost}
    {price, score, scores, charge, charged, total}
    """
)
_ASKS_ME = any_of(
    r"""
    我(?!们)|俺
    {i, my, me, mine, i'm, i've}
    """
)
_HAS_TIME = any_of(
    r"""
    \d ?[点号日月周年]|\d{1,2}[:：]\d\d|[一二两三四五六七八九十][点号月]
    周[一二三四五六日天末]|星期[一二三四五六日天]|[今明昨后前当]天|[今明昨当]晚|[上下]午|晚上|早上|中午|凌晨
    [上下本这]个?[周月]|[去今明]年|[月年周]底
    {mon, tues?, wed, thurs?, fri, sat, sun, mondays?, tuesdays?, wednesdays?, thursdays?, fridays?}
    {saturdays?, sundays?, today, tomorrow, tonight, yesterday, weekend, morning, evening, noon}
    {afternoon, midnight, (?:last|next|this) (?:week|month|year|night), \d{1,2}(?:st|nd|rd|th)}
    {\d{1,2} ?[ap]m, (?:19|20)\d\d, ago, o'clock}
    {january, february, march, april, may, june, july, august, september, october, november}
    {december, jan, feb, mar, apr, jun, jul, aug, sept?, oct, nov, dec}
    """
)
_MAY_NAME_DAYS = any_of(
    r"""
    \d|[天日月年周週晚早昨今明前后後春夏秋冬节節旬]|星期|禮拜|礼拜|上午|下午|中午|凌晨|刚才|最近|初[一二三四五六七八九十]
    {\w*days?, \w*nights?, weeks?, weekends?, fortnights?, months?, years?, decades?, ago, last}
    {past, since, before, earlier, recently, today, yesterday, tonight, tomorrow, morning, mornings}
    {evening, evenings, afternoon, noon, midnight, spring, summer, autumn, fall, winter, christmas}
    {easter, mon, tues?, wed, thurs?, fri, sat, sun, january, february, march, april, may, june}
    {july, august, september, october, november, december, jan, feb, mar, apr, jun, jul, aug}
    {sept?, oct, nov, dec, new year, eve, tmrw, tmr, first, second, third, fourth, fifth, sixth}
    {seventh, eighth, ninth, tenth, eleventh, twelfth, \w+teenth, twent\w+, thirt\w+}
    """
)
"""Wider than what the grammar of time reads: it is asked only where this finds something."""
_HAS_AMOUNT = any_of(
    r"""
    \d|[一二两三四五六七八九十百千万半][块元个斤张次人分岁本只件位折层]
    {one, two, three, four, five, six, seven, eight, nine, ten, dozen, hundred, thousand}
    """
)


def asks_when(text: str) -> bool:
    return _found(_ASKS_WHEN, text)


def asks_amount(text: str) -> bool:
    return _found(_ASKS_AMOUNT, text)


def asks_about_speaker(text: str) -> bool:
    return _found(_ASKS_ME, text)


def tells_time(text: str) -> bool:
    return _found(_HAS_TIME, text)


def may_name_days(text: str) -> bool:
    """Whether it is worth asking the grammar of time."""
    return _found(_MAY_NAME_DAYS, text)


def tells_amount(text: str) -> bool:
    return _found(_HAS_AMOUNT, text)


def _found(phrases: Phrases, text: str) -> bool:
    return phrases.search(text.casefold()) is not None
