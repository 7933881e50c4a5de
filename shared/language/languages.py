"""Which language a text is in, as far as anything here depends on it: zh, en or other."""

import re
from enum import StrEnum

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_KANA_OR_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_LETTER = re.compile(r"[^\W\d_]")
_CODE_OR_ADDRESS = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]+`|(?:https?|ftp)://[^\s<>一-鿿]+", re.DOTALL
)

HAN_SHARE = 0.3
"""A Chinese sentence with an English product name in it is Chinese."""
KANA_SHARE = 0.1
"""Japanese has Han characters too, but never without kana for long."""
LATIN_SHARE = 0.9
"""English, if nearly all letters are Latin and nothing speaks for another language."""


class Language(StrEnum):
    CHINESE = "zh"
    ENGLISH = "en"
    OTHER = "other"


def guess_language(text: str) -> Language:
    """By the share of scripts, where a Han character weighs as much as a Latin word.

    Any text in plain Latin letters counts as English; one with no letters is other. Code and
    addresses do not count.
    """
    text = _CODE_OR_ADDRESS.sub(" ", text)
    han = len(_HAN.findall(text))
    kana = len(_KANA_OR_HANGUL.findall(text))
    words = len(_LATIN_WORD.findall(text))
    units = han + kana + words
    if units and kana / units > KANA_SHARE:
        return Language.OTHER
    if units and han / units >= HAN_SHARE:
        return Language.CHINESE
    letters = len(_LETTER.findall(text))
    latin = sum(len(word) for word in _LATIN_WORD.findall(text))
    if letters and latin / letters >= LATIN_SHARE:
        return Language.ENGLISH
    return Language.OTHER
