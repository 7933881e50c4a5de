"""Decides whether the indexes there are can serve a query, and if not, names the one to add.

The service's rule: an index serves a query when some of its equality fields come first (in any
order and direction), then exactly the fields of the query's order, in their directions, then the
name in its direction. Several such indexes are merged, if together they cover all equality
fields. No index is read backwards.
"""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from .composites import Column, Composite
from .index_rules import ASC, COLLECTION, DESC, GROUP, HAS, Mode, Rules
from .paths import Path, path_text
from .query import Conjunction, Order, Query

Field = tuple[Path, bool]
"""An equality's field; true where it asks for an element of an array."""


class Need(NamedTuple):
    """What one conjunction asks of the indexes."""

    collection: str
    scope: str
    equal: tuple[Field, ...]
    orders: tuple[Order, ...]
    name_descending: bool


def refusal(query: Query, rules: Rules) -> str | None:
    """The message that names the missing index, or None where the query can be served."""
    if not rules.enforced or not query.collection:
        return None
    for conjunction in query.disjuncts:
        need = needed(query, conjunction)
        if not is_served(need, rules):
            return _message(need, rules)
    return None


def needed(query: Query, conjunction: Conjunction) -> Need:
    equal = tuple(
        dict.fromkeys(
            (one.path, one.contains)
            for one in conjunction
            if not one.on_name and (one.contains or one.is_equality)
        )
    )
    fixed = {path for path, contains in equal if not contains}
    orders = [order for order in query.orders if order.path not in fixed]
    return Need(
        query.collection,
        GROUP if query.descendants else COLLECTION,
        equal,
        tuple(orders),
        query.name_descending,
    )


def is_served(need: Need, rules: Rules) -> bool:
    if not need.equal and not need.orders:
        return True
    covered: set[Field] = set()
    usable = False
    for prefix in _prefixes(need, rules):
        usable = True
        covered.update(prefix)
    return usable and covered == set(need.equal)


def _prefixes(need: Need, rules: Rules) -> Iterable[list[Field]]:
    """The equality fields that each usable index covers."""
    for composite in rules.composites.get(need.collection, []):
        prefix = _prefix(need, composite)
        if prefix is not None:
            yield prefix
    direction = DESC if need.name_descending else ASC
    if not need.orders:
        for path, contains in need.equal:
            mode = (need.scope, HAS if contains else direction)
            if mode in rules.modes(need.collection, path_text(path)):
                yield [(path, contains)]
    elif len(need.orders) == 1:
        order = need.orders[0]
        mode = (need.scope, DESC if order.descending else ASC)
        same = order.descending is need.name_descending
        if same and mode in rules.modes(need.collection, order.text):
            yield []


def _prefix(need: Need, composite: Composite) -> list[Field] | None:
    if composite.group is not (need.scope == GROUP):
        return None
    split = len(composite.columns) - len(need.orders)
    if split < 0 or composite.name_descending is not need.name_descending:
        return None
    for column, order in zip(composite.columns[split:], need.orders, strict=True):
        if column.path != order.path or column.contains:
            return None
        if column.descending is not order.descending:
            return None
    prefix = [(column.path, column.contains) for column in composite.columns[:split]]
    return prefix if set(prefix) <= set(need.equal) else None


def _message(need: Need, rules: Rules) -> str:
    if not need.orders:
        for path, contains in need.equal:
            mode = (need.scope, HAS if contains else DESC if need.name_descending else ASC)
            if mode not in rules.modes(need.collection, path_text(path)):
                return _single(need, rules, path_text(path), mode)
    if not need.equal and len(need.orders) == 1:
        order = need.orders[0]
        if order.descending is need.name_descending:
            mode = (need.scope, DESC if order.descending else ASC)
            return _single(need, rules, order.text, mode)
    return (
        "The query requires an index. Add it to `indexes` of the index file: "
        f"{json.dumps(as_json(composite_for(need)))}"
    )


def _single(need: Need, rules: Rules, path: str, mode: Mode) -> str:
    """An override replaces the automatic indexes, so those stand in it too."""
    modes = sorted({*rules.modes(need.collection, path), mode})
    entry = {
        "collectionGroup": need.collection,
        "fieldPath": path,
        "indexes": [
            {"arrayConfig" if kind == HAS else "order": kind, "queryScope": scope}
            for scope, kind in modes
        ],
    }
    kind = {ASC: "ASC", DESC: "DESC", HAS: "CONTAINS"}[mode[1]]
    return (
        f"The query requires an index: a {mode[0]}_{kind} index for collection {need.collection} "
        f"and field {path}. Add it to `fieldOverrides` of the index file: {json.dumps(entry)}"
    )


def composite_for(need: Need) -> Composite:
    """The one index that serves it alone."""
    equal = sorted(need.equal, key=lambda one: (one[1], one[0]))
    columns = [Column(path, contains=contains) for path, contains in equal]
    columns += [Column(order.path, order.descending) for order in need.orders]
    return Composite(need.collection, need.scope == GROUP, tuple(columns), need.name_descending)


def as_json(composite: Composite) -> dict[str, Any]:
    """As it stands in the file; the name only where its direction is not the last field's."""
    fields: list[dict[str, str]] = [
        {"fieldPath": path_text(column.path), "arrayConfig": HAS}
        if column.contains
        else {"fieldPath": path_text(column.path), "order": DESC if column.descending else ASC}
        for column in composite.columns
    ]
    if composite.name_descending is not composite.columns[-1].descending:
        order = DESC if composite.name_descending else ASC
        fields.append({"fieldPath": "__name__", "order": order})
    return {
        "collectionGroup": composite.collection,
        "queryScope": GROUP if composite.group else COLLECTION,
        "fields": fields,
    }
