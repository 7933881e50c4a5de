"""Which Chinese words can name a thing, told from the word and the one before it.

The segmenter's dictionary also has turns of speech as words (不吃, 首歌), and where it has none it
guesses (我能, 那袋面): both are pieces of sentences, and nobody would call a topic so.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from shared.language.stop_words import CHINESE, CHINESE_UNNAMING

NOUNS = frozenset({"n", "nr", "nrt", "nrfg", "ns", "nt", "nz", "vn", "an", "l", "j", "eng"})
VERBS = frozenset({"v", "i"})
"""May stand inside a phrase before a noun (门禁密码), and alone when they are long enough."""
_MODIFIERS = frozenset({"b", "a", "f", "s"})
_SAID_OF = frozenset({"v", "vn", "a", "ad", "d", "zg", "ud", "ul", "y", "r"})
"""Tags of what is said of a thing: verbs, adjectives, adverbs, and what ends a sentence."""
_ENDED = re.compile(".[过了着成掉完给]$|..[来去]$|.着.")
"""How a verb is said that tells what was done: it names nothing (看过, 改成, 飞过去, 看着办)."""
_PREDICATE = re.compile(".不.|[好难][看听吃喝玩用闻受办]$")
"""Can or cannot be done, and how it is: 回不来, 行不行, 好听."""
_NOT = frozenset("不没别太很都也还够刚")
"""Before a verb or an adjective they make a piece of a sentence (不吃, 太小), not a name (别墅)."""
_NAMES_WITH_NOT = frozenset({"太空", "太平", "不丹", "不孕", "还原", "还愿", "刚性", "都会"})
_GUESSED_PIECES = frozenset(
    "我你您他她它咱谁这那哪某每此不没别未太很更最挺也都又还就才只却并再刚先已能会要想得把被让给跟是有在一两几个"
)
"""What the dictionary does not have and that begins so is no word: 我能, 那袋面, 没堵."""
_KIN = frozenset("妈爸爹娘爷奶公婆哥姐弟妹嫂叔伯姨姑舅侄媳孙儿女老家")
"""After a pronoun they are people: 我妈 is a name as good as another."""
_MEASURES = frozenset(
    "首个只块双袋箱瓶杯碗盒篇辆座幅届支枚棵朵匹款位部张场条家间件本台套份顿趟床楼层号线"
)
_MEASURES_ALONE = frozenset("首个只块双篇辆棵匹枚届")
"""Those that begin hardly any word of two characters: 首歌, and not 部门, 门票 or 条件."""
_COUNTED = frozenset("这那哪每几某两一二三四五六七八九十百半多")
"""How a word ends after which things are counted."""

_RELATIVE_DAY = re.compile(
    "[上下这本]个?(?:周|星期|礼拜)[一二三四五六日天末]?|[前过这后][几两]天|大[前后]天"
)

Word = tuple[str, str]
"""As it is written, and its tag."""


def words_of(run: str, *, is_counted: bool = False) -> Iterator[Word]:
    """The words of a run of characters, without the measures that were taken for their beginnings:
    这首歌 speaks of a 歌. `is_counted` says that a number stands before the run."""
    for word, tag in tagger().tag(run):
        measured = _without_measure(word) if is_counted and tag in NOUNS else None
        yield measured or (word, tag)
        is_counted = word[-1] in _COUNTED


def _without_measure(word: str) -> Word | None:
    """What is left of it, or None if it does not begin with a measure."""
    if word in _MEASURES:
        return word, "q"
    rest = word[1:]
    if word[0] not in (_MEASURES if len(rest) > 1 else _MEASURES_ALONE):
        return None
    [(_, tag), *more] = tagger().tag(rest)
    return (rest, tag) if tag in NOUNS and not more else None


def may_stand_in_phrase(word: str, tag: str) -> bool:
    if not word or word in CHINESE or word in CHINESE_UNNAMING or len(set(word)) == 1 < len(word):
        return False
    if _RELATIVE_DAY.fullmatch(word):
        return False
    if (tag in VERBS and _ENDED.search(word)) or is_piece(word):
        return False
    return tag in NOUNS or (len(word) > 1 and tag in VERBS | _MODIFIERS)


@functools.lru_cache(4_096)
def is_piece(word: str) -> bool:
    """Whether it is a piece of a sentence rather than a word."""
    if len(word) < 2 or word in _NAMES_WITH_NOT:
        return False
    if word[0] in _GUESSED_PIECES and word[1] not in _KIN and not is_known(word):
        return True
    if _PREDICATE.match(word):
        return True
    return word[0] in _NOT and all(tag in _SAID_OF for _, tag in tagger().tag(word[1:]))


def is_known(word: str) -> bool:
    """Whether it stands in the dictionary: the segmenter also guesses words, and guesses badly."""
    return bool(tagger().has_word(word))


def runs_of_nouns(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Words beside each other that may stand in one phrase."""
    run: list[Word] = []
    for word, tag in [*words, ("", "x")]:
        if may_stand_in_phrase(word, tag):
            run.append((word, tag))
            continue
        if run:
            yield run
        run = []


@functools.cache
def tagger() -> Any:
    import rjieba  # a tenth of a second, and only for who names Chinese topics

    return rjieba
