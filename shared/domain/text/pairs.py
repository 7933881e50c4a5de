"""Pairs of Chinese characters: they meet where two texts are cut into words differently."""

import re

_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]{2,}")


def character_pairs(text: str) -> list[str]:
    """Each once, in order."""
    found = (run[n : n + 2] for run in _HAN_RUN.findall(text) for n in range(len(run) - 1))
    return list(dict.fromkeys(found))
