"""Which way a Chinese sentence looks. It has no tenses: 了 may tell of what was or of a change."""

import re

from shared.language.times.calendar import LOOK_AHEAD, LOOK_BACK, NO_LEAN

_AHEAD = re.compile(
    r"(?<![主重首只])要(?![求是紧点么])|(?<![开聚宴大年晚机社协例班家个的])(?<!生日)会(?![议员计场上后前长客])|"
    r"将(?!军)|打算|准备|计划|记得|安排|提醒|一起去|想去|预计|(?<![大节合契条])约|截止|别忘|"
    r"(?:可以|能|该|快(?![递乐餐])|不(?!小心|知|得不|但|过|舒服|见))[^,，。;；!！?？\n]{0,8}了"
    r"|[订定排抢报](?:好|到)?了|查了.{0,12}天气|了再[说去来看]"
)
"""不去了, 可以睡了: 了 says that things have changed, and looks ahead."""
_BACK = re.compile(
    r"(?<!别忘)了(?!解)|(?<![不超通经难])过(?![生年节来去程几两会得于分敏期])|曾|已经|上次|是在"
    r"|(?<!刚)刚(?![好刚才])"
)
_WEEKDAY = r"(?:(?:周|星期|礼拜)[一二三四五六日天1-7]|(?:\d{1,2}月)?\d{1,2}[号日])"
"""A weekday, or a day of a month."""
_MISSED = re.compile(
    rf"{_WEEKDAY}[^,，。;；!！?？\n]{{0,6}}(?:(?<!还)没|还没(?=[到来收]))"
    r"(?!有(?![来去到])|空|事|课|时间|法|问题|关系|人|票|钱|什么|啥|想|定|决|订|买|班|安排)"
)
"""周二没来: it was; 周二没空, 周二没课: it may be either."""
_WAS_THEN = re.compile(
    rf"{_WEEKDAY}(?:[早晚]上|[上下]午|中午)?(?:那[天次回]|(?!的)[^,，。;；!！?？\n的]{{1,3}}的$|[^,，。;；!！?？\n的]{{1,2}}的[婚单货饭课房票账]$)"
)
"""周二那天, 周一摔的."""
_FELL_THROUGH = re.compile(
    r"本该|(?:本来|原本|应该|答应|说好|约好|要)[^。;；!！?？\n]{0,24}"
    r"(?:结果没|还没[到来去]|没[来去到](?!得及)|鸽了|放鸽子|爽约)"
)
"""答应周日来，结果没来: that Sunday is over."""
_SETTLES = (
    r"推荐|确认|通知|商量|讨论|问|订|定|约|改|(?<!参)加|记|安排|提醒|取消|推迟|买|抢|报|请|排|查|"
    r"换|选|申请|转告|告诉|答应|公布|宣布|邀请|准备|退|延期|挪|调|租|借|批|设|设置|记录|记住|回答"
)
_SETTLED = re.compile(
    rf"(?:{_SETTLES})[好到成下名]?了(?:一下)?[^,，。;；!！?？\n]{{0,8}}$"
    r"|[抢买订约租]到[^,，。;；!！?？\n]{0,4}$|为了?$"
)
"""确认了周五的时间: what was settled lies ahead."""
_MOVED_TO = re.compile(
    r"(?:改|推|挪|延|提前|推迟|调|延期|约|定|设|排|安排|改期|改签|顺延)[到在至成]了?$|把[^,，。;；]{0,4}$"
)
"""改到周五, 把周五的闹钟."""
_TOLD = re.compile(
    r"(?:告诉|通知|提醒|叮嘱|转告|告知|嘱咐|说|宣布|公布)了?[^,，。;；!！?？\n了过]{0,6}$"
)
"""已经告诉小顾周五集合: the telling is over, the rest is not."""
_IT_IS = re.compile(rf"{_WEEKDAY}了")
_ALL_SET = re.compile(
    r"(?:买|订|定|约|选|挑|准备|收拾|安排|打包|请|报|抢)(?:好|齐|完|到|妥)了|改期了|延期了|取消了"
)
"""周六搬家，箱子买好了: made ready for what is to come."""
_ITS_THING = re.compile(
    rf"{_WEEKDAY}[^,，。;；!！?？\n的]{{0,6}}的[^,，。;；!！?？\n]{{1,8}}?"
    r"(?:(?:选|挑|定|订|买|约|抢|取消|泡汤|黄|改|退|推迟|延期|准备|安排|报|预约|确认)"
    r"[好到掉期完名下]{0,2}了|停了|批(?:下来)?了|卖[完光]了|太贵了|没[抢买订约]到|(?:改|挪|推|推迟|提前|延期|延|调)[到在至])"
)
"""周六的野餐取消了, 周六的票买了."""
_CALLED_OFF = re.compile(rf"{_WEEKDAY}[^,，。;；!！?？\n]{{1,8}}?(?:取消|泡汤|延期|改期|推迟|黄)了")


def of_clause(before: str, after: str, later: str) -> int:
    """The lean of a clause by what stands before the date in it, by the date and the rest, and by
    what follows the clause."""
    if _FELL_THROUGH.search(before + after + later):
        return LOOK_BACK
    if _SETTLED.search(before) or _MOVED_TO.search(before) or _ITS_THING.match(after):
        return LOOK_AHEAD
    if _CALLED_OFF.match(after):
        return LOOK_AHEAD
    if before.endswith(("就", "就是")) and _IT_IS.match(after):
        return LOOK_AHEAD
    own = of_words(after) if _TOLD.search(before) else of_words(before + after)
    own = own or (LOOK_AHEAD if _TOLD.search(before) else NO_LEAN)
    is_ahead = bool(_AHEAD.search(before + after))
    if not is_ahead and (_MISSED.match(after) or _WAS_THEN.match(after)):
        return LOOK_BACK
    return own


def of_rest(words: str) -> int:
    """The lean of what follows a clause that says nothing of it."""
    return LOOK_AHEAD if _ALL_SET.search(words) else of_words(words)


def of_words(words: str) -> int:
    if _AHEAD.search(words):
        return LOOK_AHEAD
    return LOOK_BACK if _BACK.search(words) else NO_LEAN
