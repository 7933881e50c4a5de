"""Do two statements speak of the same matter? By the words that tell, without their frame.

"Members play chess every Friday" and "Members play badminton every Friday" are nearly the same
sentence to an encoder, and two memories to a person. Pure, and needs no dictionary.
"""

import re

LEAST_SHARED = 0.6
"""Of the statement that has fewer telling words, this share must be in the other too."""

_FRAME_ZH = re.compile(
    r"每(?:周|星期|礼拜|个?月|天|晚|逢|次|年)?[一二三四五六日天末]?|周[一二三四五六日末]|"
    r"(?:星期|礼拜)[一二三四五六日天]|早上|上午|中午|下午|晚上|傍晚|凌晨|周末|(?<!\d)\d+点|"
    r"群成员|群组|群里|本群|成员|大家|我们|咱们|群友|所有人|每个人|多数人|大部分|大多数?|多数|多位|"
    r"普遍|主要|基本|经常|通常|总是|一般|固定|定期|习惯|一起|正在|喜欢|热爱|偏好|偏爱|讨厌|觉得|认为|"
    r"讨论|谈论|聊天|话题|禁止|不要|不许|不准|组织|活动|从事|工作|现在|已经|以后|"
    r"[的了在是都会不别去来打玩看做聊谈说吃喝爱用和与也很更最一个本次场]"
)
_HAN = re.compile(r"[\u3400-\u9fff]+")
_LATIN = re.compile(r"[a-z0-9+#]{3,}")


def speaks_of_same(one: str, other: str) -> bool:
    """Whether the matter of the shorter is in the other; where nothing tells, it is not known."""
    left, right = telling(one), telling(other)
    fewer = min(len(left), len(right))
    return fewer > 0 and len(left & right) / fewer >= LEAST_SHARED


def has_in_common(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two texts, given by what tells in them, can be about one matter at all.

    Where one of them is in another script, words cannot say that they are not.
    """
    return bool(one & other) or _is_latin(one) != _is_latin(other)


def _is_latin(told: frozenset[str]) -> bool:
    return any(word.isascii() for word in told)


def telling(statement: str) -> frozenset[str]:
    """The stems, and the pairs of Han characters, that say what a statement is about."""
    text = statement.casefold().replace("'", "")
    words = {_stem(word) for word in _LATIN.findall(text)}
    runs = _HAN.findall(_FRAME_ZH.sub(" ", text))
    pairs = {run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))}
    return frozenset((words - _FRAME_EN) | pairs)


def _stem(word: str) -> str:
    """Crude, but the same for both sides."""
    for ending in ("ings", "ing", "ies", "ers", "es", "ed", "er", "ly", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


_FRAME_EN = frozenset(
    map(
        _stem,
        re.findall(
            r"\w+",
            """
            members group groups every each day week month year monday tuesday wednesday thursday
            friday saturday sunday morning afternoon evening night weekend weekly daily monthly
            noon the and for with this that they them their our all most mostly many several
            everyone everybody people together usually always often regularly normally typically
            like love prefer enjoy hate dislike think agree believe feel not never dont play watch
            read hold have has had are was were been being discuss talk chat mention meet meeting
            work live here now from into about session club team one two off limits
            """,
        ),
    )
)
