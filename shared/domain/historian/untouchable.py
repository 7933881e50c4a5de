"""What a rewrite must leave alone: quoted speech, titles, code, names, and words in which a
pronoun's character is only a part.

Such parts are put out of sight as single private characters, and brought back afterwards.
"""

import re
from collections.abc import Iterable

from shared.domain.historian.idioms import IDIOM_EN, IDIOM_ZH, NUMERAL

QUOTED = re.compile(
    r"“[^”\n]{0,2000}”|「[^」\n]{0,2000}」|『[^』\n]{0,2000}』|《[^》\n]{0,200}》|〈[^〉\n]{0,200}〉"
    r"|‘[^’\n]{0,2000}’(?![a-z])|\"[^\"\n]{0,2000}\"|`[^`\n]{0,500}`|https?://[^\s，。！？、）)]{1,500}"
    r"|(?<![^\s(（:：,，])'[^'\n]{1,500}'(?![^\s.,;:!?)）。，；！？])"
)
"""Speech, titles and code between their marks. A single quote opens only after a space."""

_COMPOUND_WORDS = """
    其他 其它 吉他 他人 他乡 他日 他者 他律 他杀 他方 他山之石 他山 排他 利他 无他
    维他命 维他 马耳他 犹他 他汀 他加禄 自我 忘我 我国 我方 我党 我军 我司 我校 我院 我市 我省
    我县 敌我 我行我素 唯我独尊 卿卿我我 你好 您好 你追我赶 你死我活 你来我往 你情我愿 你争我夺
    尔虞我诈 依然故我 人不犯我 舍我其谁 时不我待 天生我材 三人行必有我师 我的世界 咱们裸熊
    我不是药神 你好李焕英 我是歌手 我是传奇 我和我的祖国 本我 超我 小我 大我 真我 无我 自我介绍
    他达拉非 今日头条 明日方舟 明日之后 昨日重现 本地化 后天性 最近邻 最近公共祖先 现在进行时
"""
COMPOUNDS = tuple(_COMPOUND_WORDS.split())
"""Words with the character of a pronoun, a day or a place in them that mean none."""
_BASIC = re.compile(
    r"本地(?=部署|环境|仓库|文件|测试|运行|缓存|服务|模型|开发|存储|数据|变量|分支|磁盘|目录|"
    r"路径|网络|时间|调试|编译|模式|端口|主机|安装|备份|播放|音乐)"
    r"|他国(?!庆)|USA Today|Today Show|Prime Now|Apache Now"
)
_PRIVATE = re.compile(r"[\ue000-\uf8ff]")
FIRST_MARK, MARKS = 0xE000, 6000
"""Private characters: there are 6,400; no note of 16,000 characters has so many quotations."""


_MONTHS = "January February March April May June July August September October November December"
_TIME_NAMES = frozenset((*_MONTHS.split(), "Summer", "Autumn", "Winter", "Spring"))
_BEHIND = ("in", "since", "until", "till", "during", "early", "late", "mid", "last", "next", "this")
_NOT_OF_TIME = (
    "".join(rf"(?<!\b{word} )" for word in _BEHIND)
    + r"(?<!\b\d )(?<!\b\d\d )(?<!\dst )(?<!\dnd )(?<!\drd )(?<!\dth )"
)
_NUMBERS_ZH = "0-9零一二两三四五六七八九十百千半几个多"


def name_pattern(name: str) -> str:
    """Where a name stands. One that is a word of time too (May, 小时) is that word where a number
    or "in" stands beside it."""
    if name in _TIME_NAMES:
        return rf"(?<![A-Za-z]){_NOT_OF_TIME}{name}(?![A-Za-z]| \d)"
    if name.isascii():
        return rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])"
    if name in _UNITS_ZH:
        return rf"(?<![{_NUMBERS_ZH}上下这本每]){name}(?![候工数])"
    if name in _EACH_ZH:
        return rf"(?<![^和跟与给对向把被让叫请陪带找问约等\s，。；：！？、]){name}"
    return re.escape(name)


_UNITS_ZH = ("小时", "分钟", "星期", "周末")
_EACH_ZH = ("天天", "月月", "年年")
"""小顾天天迟到 tells how often; somebody called so stands alone."""


class Veil:
    """Hides what must stay, and shows it again."""

    def __init__(self, names: Iterable[str]) -> None:
        known = sorted({name for name in names if name}, key=len, reverse=True)
        self._names = [re.compile(name_pattern(name)) for name in known[:1000]]
        self._hidden: list[str] = []

    def hide(self, text: str) -> str:
        text = _PRIVATE.sub(self._mark, text)
        text = QUOTED.sub(self._mark, text)
        for name in self._names:
            text = name.sub(self._mark, text)
        for words in (_COMPOUND, _BASIC, IDIOM_ZH, IDIOM_EN, NUMERAL):
            text = words.sub(self._mark, text)
        return text

    def show(self, text: str) -> str:
        """Everything hidden stands where its mark stands, what was hidden inside it too."""
        for _ in range(4):
            # A name inside a quotation is hidden with it, so marks are nested at most this deep.
            if not _PRIVATE.search(text):
                break
            text = _PRIVATE.sub(self._meant, text)
        return text

    def _mark(self, match: re.Match[str]) -> str:
        if len(self._hidden) >= MARKS:
            return match[0]
        self._hidden.append(match[0])
        return chr(FIRST_MARK + len(self._hidden) - 1)

    def _meant(self, match: re.Match[str]) -> str:
        place = ord(match[0]) - FIRST_MARK
        return self._hidden[place] if place < len(self._hidden) else match[0]


_COMPOUND = re.compile("|".join(sorted(map(re.escape, COMPOUNDS), key=len, reverse=True)))
