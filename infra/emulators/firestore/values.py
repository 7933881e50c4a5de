"""Values as bytes that sort as Firestore sorts values.

null < false < true < NaN < numbers < timestamps < strings < bytes < references < points <
arrays < vectors < maps. Integers and doubles compare by what they are worth, exactly. Every
encoding ends itself (none is the beginning of another), so encodings can stand one after another.
"""

import struct
from collections.abc import Callable
from itertools import pairwise

from .names import escape, parse_reference
from .protobuf import Message

NULL = b"\x10"
FALSE = b"\x18"
TRUE = b"\x19"
NAN = b"\x20"
NUMBER = b"\x28"
TIMESTAMP = b"\x30"
STRING = b"\x38"
BYTES = b"\x40"
REFERENCE = b"\x48"
POINT = b"\x50"
ARRAY = b"\x58"
VECTOR = b"\x60"
MAP = b"\x68"
LAST = b"\x70"
END = b"\x00"

_FLIP = bytes(range(255, -1, -1))
_double = struct.Struct(">d").pack
_POSITIVE = [bytes((first | 0x80,)) for first in range(0x80)]
_EXACT = 1 << 53
_SIGN = 1 << 63


def descending(encoded: bytes) -> bytes:
    """The same value where larger comes first."""
    return encoded.translate(_FLIP)


def _sortable(number: float) -> bytes:
    """Eight bytes: the sign bit turned, and negative numbers turned as a whole."""
    packed = _double(number or 0.0)
    if packed[0] < 0x80:
        return _POSITIVE[packed[0]] + packed[1:]
    return packed.translate(_FLIP)


def integer(number: int) -> bytes:
    nearest = float(number)
    if -_EXACT < number < _EXACT:
        return NUMBER + _sortable(nearest)
    return NUMBER + _sortable(nearest) + (number - int(nearest) + 0x8000).to_bytes(2, "big")


def double(number: float) -> bytes:
    """Where doubles are coarser than integers, two more bytes tell the integers apart."""
    if number != number:
        return NAN
    if -_EXACT < number < _EXACT:
        return NUMBER + _sortable(number)
    return NUMBER + _sortable(number) + b"\x80\x00"


def string(text: str) -> bytes:
    return STRING + escape(text.encode())


def _timestamp(value: Message) -> bytes:
    stamp = value.timestamp_value
    seconds = int(stamp.seconds) + _SIGN
    return TIMESTAMP + seconds.to_bytes(8, "big") + (int(stamp.nanos) // 1000).to_bytes(4, "big")


def reference(name: str) -> bytes:
    database, key = parse_reference(name)
    _, project, _, database_id = database.split("/")
    return REFERENCE + escape(project.encode()) + escape(database_id.encode()) + key + END


def _point(value: Message) -> bytes:
    point = value.geo_point_value
    return POINT + _sortable(point.latitude) + _sortable(point.longitude)


def _array(value: Message) -> bytes:
    return ARRAY + b"".join(map(encode, value.array_value.values)) + END


def is_vector(fields: Message) -> bool:
    """A map that says it is a vector sorts by its dimension first."""
    return "__type__" in fields and fields["__type__"].string_value == "__vector__"


def vector(fields: Message) -> bytes:
    numbers = fields["value"].array_value.values
    return VECTOR + len(numbers).to_bytes(4, "big") + b"".join(map(encode, numbers))


def _map(value: Message) -> bytes:
    fields = value.map_value.fields
    if is_vector(fields):
        return vector(fields)
    parts = [MAP]
    for key in sorted(fields):
        parts.append(string(key))
        parts.append(encode(fields[key]))
    parts.append(END)
    return b"".join(parts)


_ENCODERS: dict[str, Callable[[Message], bytes]] = {
    "null_value": lambda _: NULL,
    "boolean_value": lambda value: TRUE if value.boolean_value else FALSE,
    "integer_value": lambda value: integer(value.integer_value),
    "double_value": lambda value: double(value.double_value),
    "timestamp_value": _timestamp,
    "string_value": lambda value: STRING + escape(value.string_value.encode()),
    "bytes_value": lambda value: BYTES + escape(value.bytes_value),
    "reference_value": lambda value: reference(value.reference_value),
    "geo_point_value": _point,
    "array_value": _array,
    "map_value": _map,
}


def encode(value: Message) -> bytes:
    """The sortable form of a checked value."""
    return _ENCODERS[value.WhichOneof("value_type")](value)


_BOUNDS = (NULL, FALSE, NAN, TIMESTAMP, STRING, BYTES, REFERENCE, POINT, ARRAY, VECTOR, MAP, LAST)


def type_bounds(encoded: bytes) -> tuple[bytes, bytes]:
    """First and past-the-last encoding of the value's own type; NaN counts as a type of its own."""
    tag = encoded[:1]
    if tag == NUMBER:
        return NUMBER, TIMESTAMP
    if tag == NAN:
        return NAN, NUMBER
    for low, high in pairwise(_BOUNDS):
        if low <= tag < high:
            return low, high
    raise ValueError(f"no such type: {tag!r}")
