"""What a label means: `a|b & c` holds of a text that has `a` or `b`, and `c`. Case and spaces do
not count, and a date counts however it is written."""

import re

_DATE = re.compile(r"(\d{4})\s*(?:-|/|年)\s*(\d{1,2})\s*(?:-|/|月)\s*(\d{1,2})\s*日?")
_SPACES = re.compile(r"\s+")
_NUMBER = re.compile(r"\d+(?:[.:]\d+)?")


def plain(text: str) -> str:
    """Lower case, no spaces, dates as YYYY-MM-DD: what is compared."""
    dated = _DATE.sub(lambda found: f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}", text)
    return _SPACES.sub("", dated.lower())


def holds(label: str, text: str) -> bool:
    said = plain(text)
    return all(
        any(plain(option) in said for option in part.split("|")) for part in label.split(" & ")
    )


def numbers(text: str) -> set[str]:
    return {found.lstrip("0") or "0" for found in _NUMBER.findall(text)}
