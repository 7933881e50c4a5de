"""What two short texts can have in common by words: stems, Han characters and pairs of them.

Chinese words are cut differently in a question and in its answer ("考研" and "报考"), so the
characters and their neighbours are compared instead of words.
"""

import re

from shared.language.stop_words import CHINESE
from shared.language.words import terms

_HAN = r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
_HAN_RUN = re.compile(_HAN + "+")
_ANY_HAN = re.compile(_HAN)
_EMPTY = frozenset(word for word in CHINESE if len(word) == 1) | frozenset("什怎样时候")
"""Characters that a question is made of and that tell nothing of its matter."""
_GROUP_WORDS = re.compile(
    r"群组|群聊|群里面?|群内|群友们?|群成员|本群|这个群|成员们?|大家|所有人|每个人|"
    r"\b(?:group|members?|people|everyone|everybody|club|team|chat|channel)(?:'s)?\b",
    re.IGNORECASE,
)
"""Words for the group itself: any memory and any question may have them."""


def matching_units(text: str) -> frozenset[str]:
    """The stems, characters and pairs of characters by which a text may match another."""
    text = without_group_words(text)
    stems = {word for word in terms(text) if not has_han(word)}
    units = set()
    for run in _HAN_RUN.findall(text):
        units |= {character for character in run if character not in _EMPTY}
        units |= {pair for pair in _pairs(run) if not _EMPTY.issuperset(pair)}
    return frozenset(stems | units)


def character_pairs(text: str) -> list[str]:
    """Pairs of Chinese characters beside each other, each once, in order."""
    return list(dict.fromkeys(pair for run in _HAN_RUN.findall(text) for pair in _pairs(run)))


def has_han(text: str) -> bool:
    return _ANY_HAN.search(text) is not None


def without_group_words(text: str) -> str:
    return _GROUP_WORDS.sub("", text)


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]
