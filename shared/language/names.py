"""Whom a text names: members of a chat by their names, parts of them and usual short forms."""

import re
from collections.abc import Mapping

from shared.language.words import is_stop_word

_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_PARTS = re.compile(r"[\W_]+")

_AFTER = ("哥", "姐", "总", "妹", "弟", "叔", "宝", "老师")
_BEFORE = ("阿", "小", "老", "大")
"""陈默 is also 默哥, 阿默 or 老陈; a character that is itself such a sign tells nobody."""
ENDINGS = ("", "s", "y", "ie", "iel", "my")
"""What English adds to a short name: olus, Danny, Daniel; each may have a possessive after it."""
LEAST_LATIN = 3
"""A shorter name is too often a word of something else."""


def named_in(text: str, members: Mapping[str, str]) -> frozenset[str]:
    """Which of `members` (names by their ids) the text names."""
    lowered = text.casefold()
    said = set(_LATIN_WORD.findall(lowered))
    return frozenset(
        user_id
        for user_id, name in members.items()
        if any(
            _stands_in(form, lowered, said) or any(_is_form_of(word, form) for word in said)
            for form in _forms(name)
        )
    )


def _forms(name: str) -> set[str]:
    whole = name.casefold().strip()
    forms = {whole, *_PARTS.split(whole)}
    han = "".join(_HAN.findall(name))
    if len(han) in (2, 3):
        for character in {han[0], han[-1]} - set(_BEFORE):
            forms |= {character + sign for sign in _AFTER} | {sign + character for sign in _BEFORE}
        forms.add(han[-2:])
    return {form for form in forms if len(form) > 1 and not is_stop_word(form)}


def _stands_in(form: str, lowered: str, said: set[str]) -> bool:
    return form in lowered if _HAN.search(form) or not form.isalpha() else form in said


def _is_form_of(word: str, form: str) -> bool:
    if len(form) < LEAST_LATIN or not form.isascii() or is_stop_word(word):
        return False
    bare = word.removesuffix("'s")
    return any(bare == form + ending for ending in ENDINGS)
