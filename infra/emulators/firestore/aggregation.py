"""Count, sum and average over the documents of a query."""

import math
import re
from typing import NamedTuple

from .answer_documents import Hit
from .paths import NAME, Path, lookup, parse
from .protobuf import Message, Value
from .refusal import invalid

MAX_AGGREGATIONS = 5
_RESERVED = re.compile(r"__.*__", re.DOTALL)
_INT64 = 1 << 63


class Aggregation(NamedTuple):
    """One number to work out: `kind` is count, sum or avg."""

    alias: str
    kind: str
    path: Path = ()
    up_to: int | None = None


def parse_aggregations(messages: Message) -> list[Aggregation]:
    if not messages:
        invalid("Aggregations can not be empty.")
    if len(messages) > MAX_AGGREGATIONS:
        invalid(f"The maximum number of aggregations allowed in a query is {MAX_AGGREGATIONS}.")
    out: list[Aggregation] = []
    for place, message in enumerate(messages, 1):
        alias = message.alias or f"field_{place}"
        if _RESERVED.fullmatch(alias):
            invalid(f'The property.name "{alias}" is reserved.')
        if any(one.alias == alias for one in out):
            invalid(f"Aggregation aliases contain duplicate alias: {alias}.")
        out.append(_parse(message, alias))
    return out


def _parse(message: Message, alias: str) -> Aggregation:
    kind = message.WhichOneof("operator")
    if kind is None:
        invalid("Operator field in Aggregation is not set.")
    if kind == "count":
        up_to = message.count.up_to.value if message.count.HasField("up_to") else None
        if up_to is not None and up_to < 0:
            invalid("up_to is negative")
        return Aggregation(alias, kind, up_to=up_to)
    path = parse(getattr(message, kind).field.field_path)
    if path == (NAME,):
        invalid("Aggregations are not supported for the property: __key__")
    return Aggregation(alias, kind, path)


class Totals:
    """The running totals. A document without one of the summed fields does not count at all."""

    def __init__(self, aggregations: list[Aggregation]) -> None:
        self._aggregations = aggregations
        self._paths = list(dict.fromkeys(one.path for one in aggregations if one.path))
        self._sums = {path: _Sum() for path in self._paths}
        self._count = 0
        counts = [one.up_to for one in aggregations if one.kind == "count"]
        self._enough: int | None = None
        if not self._paths and None not in counts:
            self._enough = max(up_to for up_to in counts if up_to is not None)

    @property
    def is_complete(self) -> bool:
        return self._enough is not None and self._count >= self._enough

    def add(self, hit: Hit) -> None:
        if self._paths:
            fields = hit.message.fields
            values = [lookup(fields, path) for path in self._paths]
            if None in values:
                return
            for path, value in zip(self._paths, values, strict=True):
                self._sums[path].add(value)
        self._count += 1

    def result(self) -> dict[str, Message]:
        out = {}
        for one in self._aggregations:
            value = Value()
            if one.kind == "count":
                value.integer_value = (
                    self._count if one.up_to is None else min(self._count, one.up_to)
                )
            elif one.kind == "sum":
                self._sums[one.path].total(value)
            else:
                self._sums[one.path].average(value)
            out[one.alias] = value
        return out


class _Sum:
    """Only numbers are summed; integers exactly, until they leave 64 bits."""

    def __init__(self) -> None:
        self._whole = 0
        self._parts: list[float] = []
        self._numbers = 0

    def add(self, value: Message) -> None:
        kind = value.WhichOneof("value_type")
        if kind == "integer_value":
            self._whole += value.integer_value
        elif kind == "double_value":
            self._parts.append(value.double_value)
        else:
            return
        self._numbers += 1

    def _double(self) -> float:
        try:
            return math.fsum([*self._parts, float(self._whole)])
        except (OverflowError, ValueError):
            return sum(self._parts, float(self._whole))

    def total(self, value: Message) -> None:
        if not self._parts and -_INT64 <= self._whole < _INT64:
            value.integer_value = self._whole
        else:
            value.double_value = self._double()

    def average(self, value: Message) -> None:
        if self._numbers:
            value.double_value = self._double() / self._numbers
        else:
            value.null_value = 0
