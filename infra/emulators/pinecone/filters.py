"""The filter language: from the JSON of a request to a tree of conditions. Pure.

A negation matches whatever its positive form does not, so `$ne` and `$nin` also match records
that lack the field.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .errors import DataRefusal, invalid
from .limits import MAX_FILTER_VALUES
from .metadata import Scalar


@dataclass(frozen=True)
class Among:
    """The field is, or (a list of strings) contains, one of the values; `negated`: it does not."""

    field: str
    values: tuple[Scalar, ...]
    negated: bool = False


@dataclass(frozen=True)
class Compares:
    """The field is a number on that side of the bound."""

    field: str
    operator: str
    bound: float


@dataclass(frozen=True)
class Exists:
    field: str
    wanted: bool


@dataclass(frozen=True)
class AllOf:
    conditions: tuple["Filter", ...]


@dataclass(frozen=True)
class AnyOf:
    conditions: tuple["Filter", ...]


Filter = Among | Compares | Exists | AllOf | AnyOf

_COMBINED: dict[str, type[AllOf | AnyOf]] = {"$and": AllOf, "$or": AnyOf}


def parsed(given: Any) -> Filter:
    """The conditions of a filter; several fields or operators side by side must all hold."""
    if not isinstance(given, dict):
        raise invalid(f"filter must be an object, got {_shown(given)}")
    conditions: list[Filter] = []
    for key, value in given.items():
        if key in _COMBINED:
            conditions.append(_combination(key, value))
        elif key.startswith("$"):
            raise invalid(f"{key} is not a valid operator")
        else:
            conditions.extend(_field(key, value))
    return conditions[0] if len(conditions) == 1 else AllOf(tuple(conditions))


def _combination(operator: str, value: Any) -> Filter:
    if not isinstance(value, list) or not value:
        raise invalid(
            f"the {operator} operator must be followed by a list of filters, got {_shown(value)}"
        )
    return _COMBINED[operator](tuple(parsed(element) for element in value))


def _field(field: str, value: Any) -> list[Filter]:
    if _is_scalar(value):
        return [Among(field, (_scalar(value),))]
    if not isinstance(value, dict) or not value or not all(key.startswith("$") for key in value):
        raise invalid(f"illegal condition for field {field}, got {_shown(value)}")
    return [_condition(field, operator, operand) for operator, operand in value.items()]


def _condition(field: str, operator: str, operand: Any) -> Filter:
    build = _OPERATORS.get(operator)
    if build is None:
        raise invalid(f"{operator} is not a valid operator")
    return build(field, operator, operand)


def _equality(field: str, operator: str, operand: Any) -> Filter:
    if not _is_scalar(operand):
        raise _wrong(operator, "a string, boolean or a number", operand)
    return Among(field, (_scalar(operand),), negated=operator == "$ne")


def _membership(field: str, operator: str, operand: Any) -> Filter:
    if not isinstance(operand, list) or not all(_is_scalar(element) for element in operand):
        raise _wrong(operator, "a list of strings or a list of numbers", operand)
    if len(operand) > MAX_FILTER_VALUES:
        raise invalid(
            f"the {operator} operator takes at most {MAX_FILTER_VALUES} values, got {len(operand)}"
        )
    values = tuple(_scalar(element) for element in operand)
    return Among(field, values, negated=operator == "$nin")


def _comparison(field: str, operator: str, operand: Any) -> Filter:
    if isinstance(operand, bool) or not isinstance(operand, int | float):
        raise _wrong(operator, "a number", operand)
    return Compares(field, operator, float(operand))


def _existence(field: str, operator: str, operand: Any) -> Filter:
    if not isinstance(operand, bool):
        raise _wrong(operator, "a boolean", operand)
    return Exists(field, operand)


_OPERATORS: dict[str, Callable[[str, str, Any], Filter]] = {
    "$eq": _equality,
    "$ne": _equality,
    "$in": _membership,
    "$nin": _membership,
    "$gt": _comparison,
    "$gte": _comparison,
    "$lt": _comparison,
    "$lte": _comparison,
    "$exists": _existence,
}


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | bool | int | float)


def _scalar(value: str | bool | float) -> Scalar:
    return value if isinstance(value, str | bool) else float(value)


def _wrong(operator: str, wanted: str, got: Any) -> DataRefusal:
    return invalid(f"the {operator} operator must be followed by {wanted}, got {_shown(got)}")


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
