"""Pairs of Chinese characters: they meet where two texts are cut into words differently."""

import re

_HAN = r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
_HAN_RUN = re.compile(_HAN + "{2,}")
_ANY_HAN = re.compile(_HAN)


def character_pairs(text: str) -> list[str]:
    """Each once, in order."""
    found = (run[n : n + 2] for run in _HAN_RUN.findall(text) for n in range(len(run) - 1))
    return list(dict.fromkeys(found))


def has_han(word: str) -> bool:
    return _ANY_HAN.search(word) is not None
