"""What field transforms make of a field: server time, increment, maximum, minimum, arrays."""

from .limits import check_value
from .paths import Path, assign, lookup, parse, path_text
from .protobuf import MICROS, Message, Value
from .refusal import invalid
from .values import encode

_MAX = (1 << 63) - 1
_MIN = -(1 << 63)
_NUMBERS = ("integer_value", "double_value")

Transform = tuple[Path, str, Message]
"""Where, which kind, and the transform message."""


def parse_transform(transform: Message) -> Transform:
    path = parse(transform.field_path)
    kind = transform.WhichOneof("transform_type")
    if kind is None:
        invalid("Operation type must be specified for field transformation.")
    if kind == "set_to_server_value":
        if transform.set_to_server_value != 1:
            invalid("ServerValue type must be specified for set_to_server_value transformation.")
    elif kind in ("increment", "maximum", "minimum"):
        if getattr(transform, kind).WhichOneof("value_type") not in _NUMBERS:
            invalid("Input must be int64 or double.")
    else:
        for element in getattr(transform, kind).values:
            if element.WhichOneof("value_type") == "array_value":
                invalid("Cannot convert an array value in an array value.")
            check_value(element, transform.field_path)
    return path, kind, transform


def check_disjoint(transforms: list[Transform]) -> None:
    """A field and one inside it cannot both be transformed."""
    paths = {path for path, _, _ in transforms}
    for path in paths:
        for length in range(1, len(path)):
            if path[:length] in paths:
                invalid(
                    f"Cannot transform property {path_text(path[:length])} and its nested property "
                    "at the same time."
                )


def apply(fields: Message, transform: Transform, request_time: int) -> Message:
    """Change the field; returns the transform's result."""
    path, kind, message = transform
    current = lookup(fields, path)
    result = Value()
    if kind == "set_to_server_value":
        # The service gives the request's time in milliseconds.
        result.timestamp_value.seconds = request_time // MICROS
        result.timestamp_value.nanos = request_time % MICROS // 1000 * 1_000_000
    elif kind == "increment":
        result = _sum(current, message.increment)
    elif kind == "maximum":
        result = _extreme(current, message.maximum, sign=1)
    elif kind == "minimum":
        result = _extreme(current, message.minimum, sign=-1)
    else:
        elements = getattr(message, kind).values
        assign(fields, path, _array(current, elements, union=kind == "append_missing_elements"))
        result.null_value = 0
        return result
    assign(fields, path, result)
    return result


def _number(value: Message) -> float | int:
    kind = value.WhichOneof("value_type")
    return int(value.integer_value) if kind == "integer_value" else float(value.double_value)


def _sum(current: Message | None, operand: Message) -> Message:
    if current is None or current.WhichOneof("value_type") not in _NUMBERS:
        return operand
    left, right = _number(current), _number(operand)
    result = Value()
    if isinstance(left, int) and isinstance(right, int):
        result.integer_value = max(_MIN, min(_MAX, left + right))
    else:
        result.double_value = float(left) + float(right)
    return result


def _extreme(current: Message | None, operand: Message, *, sign: int) -> Message:
    """The larger or the smaller; of two equals the stored one; NaN wins over every number."""
    if current is None or current.WhichOneof("value_type") not in _NUMBERS:
        return operand
    left, right = _number(current), _number(operand)
    kept = Value()
    kept.CopyFrom(current)
    if left != left or right != right:
        return kept if left != left else operand
    if sign > 0:
        return operand if right > left else kept
    return operand if right < left else kept


def _array(current: Message | None, elements: Message, *, union: bool) -> Message:
    result = Value()
    result.array_value.SetInParent()
    kept = result.array_value.values
    if current is not None and current.WhichOneof("value_type") == "array_value":
        kept.extend(current.array_value.values)
    if union:
        seen = set(map(encode, kept))
        for element in elements:
            if encode(element) not in seen:
                seen.add(encode(element))
                kept.append(element)
        return result
    gone = set(map(encode, elements))
    stay = [element for element in kept if encode(element) not in gone]
    result = Value()
    result.array_value.SetInParent()
    result.array_value.values.extend(stay)
    return result
