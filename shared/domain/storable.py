"""What a document can hold: the shape of data that somebody made up, checked before it is stored.

JSON can say much that the database refuses, and that only when all else was decided: lists in
lists, numbers beyond 64 bits, fields without a name. Pure.
"""

import math
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from shared.errors import InvalidInput, TooLarge

MAX_DEPTH = 15
"""Of maps and lists in one another; the database takes 20, a record around them needs a few."""
MAX_BYTES = 900_000
"""Of one document; the database takes a MiB, with the names of fields and indexes."""
MAX_NAME_BYTES = 1_500
LARGEST = 2**63 - 1
FIRST_YEAR, YEAR_AFTER = 1970, 3000
"""A time outside of these is a mistake, and at the ends of the calendar nothing can be added."""
_RESERVED = re.compile(r"__.*__", re.DOTALL)


def check_storable(value: Any, where: str, most_bytes: int = MAX_BYTES) -> None:
    """InvalidInput names the place that cannot be stored; TooLarge if all of it is too much."""
    if _size(value, where, 0) > most_bytes:
        raise TooLarge(f"{where}: it has more than {most_bytes} bytes")


def is_possible(moment: datetime) -> bool:
    return FIRST_YEAR <= moment.year < YEAR_AFTER


def _size(value: Any, where: str, depth: int) -> int:
    if isinstance(value, str):
        return _text_size(value, where)
    if isinstance(value, bytes):
        return len(value)
    if isinstance(value, Mapping | list | tuple) and depth >= MAX_DEPTH:
        raise InvalidInput(f"{where}: it is nested more than {MAX_DEPTH} deep")
    if isinstance(value, Mapping):
        return sum(_field_size(name, field, where, depth) for name, field in value.items())
    if isinstance(value, list | tuple):
        if any(isinstance(item, list | tuple) for item in value):
            raise InvalidInput(f"{where}: a list directly in a list cannot be stored")
        return sum(_size(item, f"{where}.{at}", depth + 1) for at, item in enumerate(value))
    _check_scalar(value, where)
    return 8


def _field_size(name: Any, value: Any, where: str, depth: int) -> int:
    if not isinstance(name, str) or not name or _RESERVED.fullmatch(name):
        raise InvalidInput(f"{where}: a field has no name, or one that is reserved (__x__)")
    size = _text_size(name, where)
    if size > MAX_NAME_BYTES:
        raise InvalidInput(f"{where}: a field's name has more than {MAX_NAME_BYTES} bytes")
    return size + _size(value, f"{where}.{name:.100}", depth + 1)


def _text_size(text: str, where: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        raise InvalidInput(f"{where}: it is not valid Unicode") from error


def _check_scalar(value: Any, where: str) -> None:
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, int):
        if not -LARGEST - 1 <= value <= LARGEST:
            raise InvalidInput(f"{where}: it is a number of more than 64 bits")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidInput(f"{where}: it is no number")
    elif isinstance(value, datetime):
        if not is_possible(value):
            raise InvalidInput(f"{where}: a time is between {FIRST_YEAR} and {YEAR_AFTER}")
    else:
        raise InvalidInput(f"{where}: a {type(value).__name__} cannot be stored")
