"""Relative places: "here" is the place the note came from. If nobody said where that is, it is
where the speaker is when people move, live or have weather there, else the chat."""

import re

_ZH_AT_SOMEBODY = re.compile(
    r"(?P<at>[在去到来回住离从往])?(?P<who>(?:我们|你们|他们|她们|咱们|[我你您他她咱俺]|[\ue000-\uf8ff]|"
    r"[\u3400-\u9fff](?:妈|爸|户|导|板|东|友|事|师|家长))(?:的?家)?)(?:这[里儿边]|那[里儿边])"
)
_ZH_AT_PLACE = re.compile(
    r"(?<=[家司校院店楼村区城站场馆厅室园市省县镇路街岸方外国州京海圳津庆汉港厂局部组])(?:这边|那边|那儿|那里)(?![面有])"
)
"""老家那边, 公司这边: the place is named, the word behind it only points."""
_NO_PLACE_ZH = (
    "我你您他她它咱们这那在去是有了着过的得说想看听觉要能就也还又很不没最再把被让给喜讨知"
)
_NO_END_ZH = "到往从住搬跟对向天年月日时候前后里上下外来回欢厌惯应系责开道念"
_NO_PLACE_WORDS = """
    其实 另外 反正 结果 毕竟 可能 好像 突然 刚刚 刚才 一直 目前 暂时 应该 估计 也许 大概 感觉 主要
    马上 已经 正好 只是 总之 而且 然后 或者 还是 除了 关于 对于 至于 负责 联系 离开 想念 熟悉 适合
    选择 考虑 比较 参观 计划 准备 决定 打算 比起 相比 不如 羡慕 路过 经过 安排 处理 打扫 整理 通知
"""
_ZH_AT_NAMED = re.compile(
    r"(?P<place>(?:^|[，。；：！？、\s\d]|[在去到从来回往住离跟和与给向对][了过]?|"
    rf"说|觉得|认为|知道|发现|希望|因为|所以|但是?|不过)(?!{'|'.join(_NO_PLACE_WORDS.split())})"
    rf"(?:(?![{_NO_PLACE_ZH}])[\u3400-\u9fff]){{2,4}}(?<![{_NO_END_ZH}]))"
    r"(?:这边|那边|(?<!在..)(?<!在...)那[里儿])(?!面)"
)
"""成都那边, 跟银行那边: a place too, whatever it ends in, where it stands alone before the word."""
_ZH_HERE = re.compile(
    r"(?P<at>在)?(?:我们这里|咱们这里|我们这儿|我们这边|这里|这儿|这边|此地|此处)"
)
_ZH_LOCAL = re.compile(r"(?P<at>在)?(?:本地|当地)")
_ZH_THERE = re.compile(r"(?P<at>在)?(?:那里|那儿|那边)")
_EN_HERE = re.compile(r"\b(?:(?P<prep>from|around|near|to|in|at|over)\s+)?here\b", re.IGNORECASE)
_EN_THERE = re.compile(
    r"(?<!^)(?<![.!?]\s)\b(?:(?P<prep>from|around|near|to|over|in|up|down)\s+)?there\b"
    r"(?(prep)|(?!\s*(?:'s|’s|is|are|was|were|will|has|have|had|must|might|may|can|could|should|would)\b))",
    re.IGNORECASE,
)
_PLACE_ZH = re.compile(
    r"(?:在|去|到|来|回|从)[了过]?(?![了过])([\u3400-\u9fff]{2,6}?)(?=[，。,"
    r"；！？、了的和与上工住待呆读开玩吃看出旅参见那这]|$)"
)
_MOTION = re.compile(
    r"\b(?:mov|com|came|arriv|go|went|travel|fly|fli|flew|return|back|driv|drove|head|relocat|sail)\w*"
    r"(?:\s+back|\s+over)?\s+$",
    re.IGNORECASE,
)
_OUT_OF_DOORS_ZH = re.compile(
    r"[搬住租]|下[着大小]*[雪雨]|[刮台]风|停[水电]|天气|气温|降温|升温|零下|[好很太真](?:冷|热(?![情闹心爱门]))|堵车|地震|房价|"
    r"出发|路过|火车|高铁|飞机|开车|上班|上学|旅游|出差"
)
_OUT_OF_DOORS_EN = re.compile(
    r"\b(?:mov(?:e|es|ed|ing)|liv(?:e|es|ed|ing)|stay(?:s|ed|ing)?|rent(?:s|ed|ing)?|driv\w+|drove|"
    r"fl(?:y|ies|ew|ying)|travel\w*|commut\w+|born|grew up|settled|snow\w*|rain\w*|sunny|windy|"
    r"freezing|cold|hot|weather|degrees|storm\w*|power cut|earthquake)\b",
    re.IGNORECASE,
)
"""What is done or felt at a place on earth, and not in a chat."""
_END = re.compile(r"[。！？!?；;]|\.(?:\s|$)")
_PLACE_EN = re.compile(r"\b(?:in|at|to|from|near)\s+((?:[A-Z][\w'-]+)(?:\s+[A-Z][\w'-]+)*)")


def without_relative_places(
    said: str, location: str, group: str, speaker: str, *, is_chinese: bool
) -> str:
    """Only where the place is known: the note's location, where its speaker is, the chat, a place
    named before."""
    if is_chinese:
        return _chinese(said, location, group, speaker)
    return _english(said, location, group, speaker)


def _chinese(said: str, location: str, group: str, speaker: str) -> str:
    said = _ZH_AT_SOMEBODY.sub(
        lambda found: (found["at"] or "") + found["who"] + ("处" if found["at"] else "一方"), said
    )
    said = _ZH_AT_NAMED.sub(lambda found: found["place"], _ZH_AT_PLACE.sub("", said))
    chat = f"“{group}”群里" if group else "聊天群里"

    def here(match: re.Match[str]) -> str:
        is_outside = bool(speaker) and _OUT_OF_DOORS_ZH.search(_sentence(match))
        return location or (f"{speaker}所在的地方" if is_outside else chat)

    def local(match: re.Match[str]) -> str:
        # A chat has no locals: where nobody knows the place, the word stays for the gate.
        place = here(match)
        is_known = location or not speaker or (place != chat and "当地" not in match[0])
        return place if is_known else match[0]

    def named_or(match: re.Match[str], unknown: str, behind: str) -> str:
        before = match.string[: match.start()]
        named = _PLACE_ZH.findall(before)
        if named and before.endswith(named[-1]):
            return behind
        return (match["at"] or "") + (named[-1] if named else location or unknown)

    said = _ZH_HERE.sub(lambda match: (match["at"] or "") + here(match), said)
    said = _ZH_LOCAL.sub(lambda match: named_or(match, local(match), ""), said)
    return _ZH_THERE.sub(lambda match: named_or(match, "所说的地方", "处"), said)


def _sentence(match: re.Match[str]) -> str:
    """The one in which it stands."""
    before = _END.split(match.string[: match.start()])[-1]
    return before + _END.split(match.string[match.end() :])[0]


def _english(said: str, location: str, group: str, speaker: str) -> str:
    chat = f"the group {group}" if group else "the chat"

    def here(match: re.Match[str]) -> str:
        is_outside = bool(speaker) and _OUT_OF_DOORS_EN.search(_sentence(match))
        return location or (f"{speaker}'s area" if is_outside else chat)

    def placed(match: re.Match[str], place: str) -> str:
        moves = _MOTION.search(match.string[: match.start()])
        preposition = match["prep"] or ("to" if moves else "in")
        shown = f"{'in' if preposition.lower() == 'over' else preposition} {place}"
        return shown if match.start() else shown[:1].upper() + shown[1:]

    said = _EN_HERE.sub(lambda match: placed(match, here(match)), said)

    def there(match: re.Match[str]) -> str:
        named = _PLACE_EN.findall(said[: match.start()])
        return placed(match, named[-1] if named else location or "the place spoken of")

    return _EN_THERE.sub(there, said)
