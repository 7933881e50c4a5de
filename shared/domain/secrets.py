"""Masks what should never be kept: passwords, tokens, numbers of cards and of papers. Pure.

An own table of a page: presidio brings a language model and detect-secrets is made for source code
(docs/decisions/evolving-memories.md). Numbers are checked by their own check digits, so that an
order number is not taken for a card.
"""

import re
from collections.abc import Callable

MASK = "***"


def _luhn(found: str) -> bool:
    digits = [int(digit) for digit in found if digit.isdigit()]
    doubled = [
        digit if at % 2 == 0 else (digit * 2 - 9 * (digit > 4))
        for at, digit in enumerate(reversed(digits))
    ]
    return 13 <= len(digits) <= 19 and digits[0] in (2, 3, 4, 5, 6) and sum(doubled) % 10 == 0


def _iban(found: str) -> bool:
    text = re.sub(r"\s", "", found).upper()
    number = "".join(str(int(letter, 36)) for letter in text[4:] + text[:4])
    return 15 <= len(text) <= 34 and int(number) % 97 == 1


def _chinese_id(found: str) -> bool:
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(digit) * weight for digit, weight in zip(found[:17], weights, strict=True))
    return "10X98765432"[total % 11] == found[17].upper()


def _ssn(found: str) -> bool:
    area, group, serial = found.split("-")
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


def _always(_: str) -> bool:
    return True


_TABLE: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    (
        "key",
        re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END[^-]*-----|\Z)", re.DOTALL),
        _always,
    ),
    (
        "token",
        re.compile(
            r"\beyJ[\w-]{8,2000}\.[\w-]{8,}\.[\w-]{4,}|\b(?:sk|rk|pk)[-_][\w-]{16,}|\bgh[pousr]_\w{20,}"
            r"|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}"
            r"|\bxox[abeprs]-[\w-]{10,}|\b\d{8,10}:AA[\w-]{30,}|\bhf_[A-Za-z0-9]{20,}"
        ),
        _always,
    ),
    ("card", re.compile(r"(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])"), _luhn),
    ("id", re.compile(r"(?<!\d)\d{17}[\dXx](?![\dXx])"), _chinese_id),
    ("id", re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])"), _ssn),
    ("account", re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"), _iban),
)
_NAMED = re.compile(
    r"(?P<before>\b(?:pass\s?(?:word|phrase|code)s?|passwd|pwd|api[ _-]?key|access[ _-]?key|secret"
    r"[ _-]?key|pin(?: code)?|cvv|verification code)\b[^.\n!?]{0,30}?(?:\bis\b|\bwas\b|[=:：])\s*"
    r"|(?:密码|口令|密钥|验证码|暗号|卡号)[^。\n！？]{0,10}?(?:是|为|[=:：])\s*)"
    r"(?P<value>[\"'“「]?[^\s，。；,;\"'”」]{3,})",
    re.IGNORECASE,
)  # fmt: skip
"""What is said to be one; a word that only goes on ("the password is changed monthly") is none."""
_GOES_ON = re.compile(r"[^\S\n]+[a-z]", re.IGNORECASE)


def without_secrets(text: str) -> str:
    return mask_secrets(text)[0]


def mask_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without them, and which kinds there were."""
    kinds: list[str] = []
    for kind, pattern, is_one in _TABLE:

        def masked(
            found: re.Match[str], kind: str = kind, is_one: Callable[[str], bool] = is_one
        ) -> str:
            if not is_one(found[0]):
                return found[0]
            kinds.append(kind)
            return MASK

        text = pattern.sub(masked, text)

    def masked_value(found: re.Match[str]) -> str:
        value = found["value"]
        is_plain_word = value.isascii() and value.isalpha()
        is_han_word = not value.isascii()
        goes_on = _GOES_ON.match(found.string, found.end()) is not None
        if value.startswith(MASK) or is_han_word or (is_plain_word and goes_on):
            return found[0]
        kinds.append("password")
        return found["before"] + MASK

    text = _NAMED.sub(masked_value, text)
    return text, tuple(dict.fromkeys(kinds))
