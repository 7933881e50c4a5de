"""What a document may hold: field names, values, depth, size."""

import re

from .names import parse_reference
from .paths import MAX_NAME_BYTES
from .protobuf import Message
from .refusal import invalid
from .values import is_vector

MAX_DOCUMENT_BYTES = 1_048_576
MAX_VALUE_BYTES = 1_048_487
MAX_DEPTH = 20
MAX_DIMENSIONS = 2048
_MANY_KEYS = 10_000
_good_keys: set[str] = set()
"""Field names seen and found right: most documents have the same few."""

_RESERVED = re.compile(r"__.*__", re.DOTALL)
_ALWAYS_FINE = frozenset(("null_value", "boolean_value", "integer_value", "double_value"))
_FIRST_SECOND = -62_135_596_800
_LAST_SECOND = 253_402_300_799


def check_document(document: Message, name: str) -> None:
    """Refuse what the service would refuse; times are cut to microseconds on the way."""
    fields = document.fields
    for key in fields:
        _check_key(key, "field name {} is reserved")
        _check(fields[key], key, 0)
    # A value takes at most some three times its wire size: small documents need no counting.
    if document.ByteSize() * 3 > MAX_DOCUMENT_BYTES:
        size = document_size(document, name)
        if size > MAX_DOCUMENT_BYTES:
            invalid(
                f"Document '{name}' cannot be written because its size ({size:,} bytes) exceeds "
                f"the maximum allowed size of {MAX_DOCUMENT_BYTES:,} bytes."
            )


def _check_key(key: str, reserved: str) -> None:
    if key in _good_keys:
        return
    if not key:
        invalid("The property.name is the empty string.")
    if key.startswith("__") and _RESERVED.fullmatch(key):
        invalid(reserved.format(key))
    if len(key) * 4 > MAX_NAME_BYTES and len(key.encode()) > MAX_NAME_BYTES:
        invalid(f"The property.name is longer than {MAX_NAME_BYTES} bytes.")
    if len(_good_keys) > _MANY_KEYS:
        _good_keys.clear()
    _good_keys.add(key)


def check_value(value: Message, label: str = "value") -> None:
    """A value that stands alone: in a filter, a cursor or a transform."""
    _check(value, label, 0)


def _check(value: Message, label: str, depth: int) -> None:
    kind = value.WhichOneof("value_type")
    if kind in _ALWAYS_FINE:
        return
    if kind == "string_value":
        if len(value.string_value) * 4 > MAX_VALUE_BYTES:
            _check_length(len(value.string_value.encode()), label)
    elif kind == "map_value":
        _check_map(value.map_value.fields, label, depth)
    elif kind == "array_value":
        if depth >= MAX_DEPTH:
            invalid(f"Property {label} contains an invalid nested entity.")
        for element in value.array_value.values:
            kind = element.WhichOneof("value_type")
            if kind == "array_value":
                invalid("Cannot convert an array value in an array value.")
            if kind == "map_value" and is_vector(element.map_value.fields):
                invalid("Cannot convert a vector value in an array value.")
            _check(element, label, depth + 1)
    elif kind == "timestamp_value":
        _check_timestamp(value.timestamp_value)
    elif kind == "bytes_value":
        _check_length(len(value.bytes_value), label)
    elif kind == "reference_value":
        parse_reference(value.reference_value)
    elif kind == "geo_point_value":
        _check_point(value.geo_point_value)
    elif kind is None:
        invalid("Cannot convert firestore.v1.Value with type unset.")
    else:
        invalid(f"Value type is not supported: {kind.upper()}")


def _check_length(length: int, label: str) -> None:
    if length > MAX_VALUE_BYTES:
        invalid(f'The value of property "{label}" is longer than {MAX_VALUE_BYTES} bytes.')


def _check_map(fields: Message, label: str, depth: int) -> None:
    if is_vector(fields):
        _check_vector(fields)
        return
    if depth >= MAX_DEPTH or "__type__" in fields:
        invalid(f"Property {label} contains an invalid nested entity.")
    for key in fields:
        _check_key(key, "field name '{}' is reserved.")
        _check(fields[key], label, depth + 1)


def _check_vector(fields: Message) -> None:
    if len(fields) > 2:
        invalid("Vector Value map has extraneous entries.")
    if "value" not in fields or fields["value"].WhichOneof("value_type") != "array_value":
        invalid("Vector Value map must have a 'value' entry that is an array.")
    numbers = fields["value"].array_value.values
    if not numbers:
        invalid("Cannot have a zero length vector.")
    if len(numbers) > MAX_DIMENSIONS:
        invalid(f"Vectors must be at most {MAX_DIMENSIONS} dimensions.")
    if any(number.WhichOneof("value_type") != "double_value" for number in numbers):
        invalid("Vector must only contain values of type 'double'")


def _check_timestamp(stamp: Message) -> None:
    if not _FIRST_SECOND <= stamp.seconds <= _LAST_SECOND:
        invalid("Timestamp seconds exceeds limit for field.")
    if not 0 <= stamp.nanos < 1_000_000_000:
        invalid("Timestamp nanos exceeds limit for field.")
    if stamp.nanos % 1000:
        stamp.nanos -= stamp.nanos % 1000


def _check_point(point: Message) -> None:
    if not -90.0 <= point.latitude <= 90.0:
        invalid(f"Geo point latitude '{point.latitude}' outside permitted range -90.0 to 90.0.")
    if not -180.0 <= point.longitude <= 180.0:
        invalid(f"Geo point longitude '{point.longitude}' outside permitted range -180.0 to 180.0.")


def document_size(document: Message, name: str) -> int:
    """The size the service bills: the name, the fields, 32 bytes."""
    return _name_size(name) + 32 + _fields_size(document.fields)


def _name_size(name: str) -> int:
    segments = name.partition("/documents/")[2].split("/")
    return sum(len(segment.encode()) + 1 for segment in segments) + 16


def _fields_size(fields: Message) -> int:
    return sum(len(key.encode()) + 1 + _value_size(value) for key, value in fields.items())


def _value_size(value: Message) -> int:
    kind = value.WhichOneof("value_type")
    if kind == "string_value":
        return len(value.string_value.encode()) + 1
    if kind == "bytes_value":
        return len(value.bytes_value)
    if kind == "reference_value":
        return _name_size(value.reference_value)
    if kind == "array_value":
        return sum(map(_value_size, value.array_value.values))
    if kind == "map_value":
        return _fields_size(value.map_value.fields)
    if kind == "geo_point_value":
        return 16
    return 1 if kind in ("null_value", "boolean_value") else 8
