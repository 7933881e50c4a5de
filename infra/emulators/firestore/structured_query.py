"""Reads a StructuredQuery from the wire: checks it as the service does, normalises it."""

from collections.abc import Sequence
from typing import NamedTuple

from . import paths
from .limits import check_value
from .names import check_collection_id, parse_parent, parse_reference
from .paths import NAME
from .protobuf import Message
from .query import (
    BEYOND,
    Conjunction,
    Constraint,
    Cursor,
    Order,
    Query,
    Range,
    exactly,
)
from .refusal import failed_precondition, invalid, unimplemented
from .values import FALSE, LAST, NAN, NULL, encode, type_bounds

MAX_DISJUNCTS = 30
MAX_PARTS = 100
MAX_INEQUALITIES = 10
_LT, _LE, _GT, _GE, _EQ, _NE, _HAS, _IN, _HAS_ANY, _NOT_IN = range(1, 11)
_OPERATORS = {_IN: "IN", _HAS_ANY: "ARRAY_CONTAINS_ANY", _NOT_IN: "NOT_IN"}
_INEQUALITIES = (_LT, _LE, _GT, _GE)
_IS_NAN, _IS_NULL, _IS_NOT_NAN, _IS_NOT_NULL = range(2, 6)
_EVERYTHING = (b"", BEYOND)


class _Leaf(NamedTuple):
    """One filter: alternatives of constraints, any of which will do; whether it is a range."""

    alternatives: tuple[Constraint, ...]
    inequality: bool
    negative: bool = False
    many: bool = False
    not_in: bool = False


def parse_query(parent: str, structured: Message, summed: Sequence[paths.Path] = ()) -> Query:
    """`summed` are fields of an aggregation: an order nobody wrote, as an inequality's is."""
    database, parent_key = parse_parent(parent)
    if structured.HasField("find_nearest"):
        unimplemented("Vector search (find_nearest) is not implemented by this emulator.")
    if len(structured.from_) > 1:
        invalid("StructuredQuery.from cannot have more than one collection selector.")
    selector = structured.from_[0] if structured.from_ else None
    collection = selector.collection_id if selector is not None else ""
    everywhere = bool(selector.all_descendants) if selector is not None else False
    if collection:
        check_collection_id(collection)
    leaves: list[_Leaf] = []
    disjuncts: tuple[Conjunction, ...] = ((),)
    if structured.HasField("where"):
        disjuncts = tuple(_normalise(structured.where, database, leaves))
        _check_combination(structured.where, leaves, disjuncts)
    if not collection:
        for leaf in leaves:
            if not leaf.alternatives[0].on_name:
                invalid(f"kind is required for filter: {leaf.alternatives[0].text}")
    _check_size(structured, leaves)
    orders, name_descending = _orders(structured, leaves, collection, summed)
    start = _cursor(structured, "start_at", orders)
    end = _cursor(structured, "end_at", orders)
    limit = structured.limit.value if structured.HasField("limit") else None
    if limit is not None and limit < 0:
        invalid("limit is negative")
    if structured.offset < 0:
        invalid("offset is negative")
    projection = None
    if structured.HasField("select"):
        projection = tuple(paths.parse(one.field_path) for one in structured.select.fields)
    return Query(
        database=database,
        parent=parent_key,
        collection=collection,
        descendants=everywhere,
        disjuncts=disjuncts,
        orders=orders,
        name_descending=name_descending,
        start=start,
        end=end,
        offset=structured.offset,
        limit=limit,
        projection=projection,
    )


# ---- filters


def _normalise(where: Message, database: str, leaves: list[_Leaf]) -> list[Conjunction]:
    """Disjunctive normal form."""
    kind = where.WhichOneof("filter_type")
    if kind == "composite_filter":
        composite = where.composite_filter
        if composite.op not in (1, 2):
            invalid("Unsupported CompositeFilter operator.")
        parts = [_normalise(one, database, leaves) for one in composite.filters]
        if composite.op == 2:
            if not parts:
                invalid("Composite filter must have at least one sub-filter.")
            disjuncts = [conjunction for part in parts for conjunction in part]
        else:
            disjuncts = [()]
            for part in parts:
                disjuncts = [left + right for left in disjuncts for right in part]
                _check_count(disjuncts)
        _check_count(disjuncts)
        return disjuncts
    if kind == "field_filter":
        leaf = _field_filter(where.field_filter, database)
    elif kind == "unary_filter":
        leaf = _unary_filter(where.unary_filter)
    else:
        invalid("Filter must have a type.")
    leaves.append(leaf)
    return [(alternative,) for alternative in leaf.alternatives]


def _check_count(disjuncts: list[Conjunction]) -> None:
    if len(disjuncts) > MAX_DISJUNCTS:
        invalid(
            f"Too many disjunctions after normalization. Result had {len(disjuncts)} "
            f"disjunctions which is more than the maximum of {MAX_DISJUNCTS}"
        )


def _field_filter(message: Message, database: str) -> _Leaf:
    path = paths.parse(message.field.field_path)
    text = paths.path_text(path)
    op = message.op
    if not _LT <= op <= _NOT_IN:
        invalid("Unknown FieldFilter operator.")
    if op in _OPERATORS:
        return _list_filter(path, text, op, message.value, database)
    check_value(message.value, text)
    encoded = _operand(text, message.value, database)
    kind = message.value.WhichOneof("value_type")
    if op == _HAS:
        if text == NAME:
            invalid("the name __key__ is reserved")
        return _Leaf((_constraint(path, text, _found(encoded, kind), contains=True),), False)
    if op == _EQ:
        equal = encoded if _found(encoded, kind) else None
        return _Leaf((Constraint(path, text, False, _found(encoded, kind), equal),), False)
    ranges = _all_but([encoded], text) if op == _NE else _side(op, encoded, text)
    if encoded == NULL or (encoded == NAN and op != _NE):
        ranges = ()
    return _range_leaf(path, text, ranges, negative=op == _NE)


def _range_leaf(
    path: paths.Path,
    text: str,
    ranges: tuple[Range, ...],
    *,
    negative: bool = False,
    not_in: bool = False,
) -> _Leaf:
    constraint = Constraint(path, text, False, ranges, is_equality=False)
    return _Leaf((constraint,), True, negative=negative, not_in=not_in)


def _constraint(
    path: paths.Path, text: str, ranges: tuple[Range, ...], *, contains: bool = False
) -> Constraint:
    equal = None
    if len(ranges) == 1 and ranges[0][1] == ranges[0][0] + BEYOND:
        equal = ranges[0][0]
    return Constraint(path, text, contains, ranges, equal)


def _found(encoded: bytes, kind: str) -> tuple[Range, ...]:
    """Equality never finds null or NaN: those have operators of their own."""
    if encoded in (NULL, NAN) or kind == "null_value":
        return ()
    return (exactly(encoded),)


def _operand(text: str, value: Message, database: str) -> bytes:
    if text != NAME:
        return encode(value)
    if value.WhichOneof("value_type") != "reference_value":
        invalid("__key__ filter value must be a Key")
    return _name(value.reference_value, database)


def _name(reference: str, database: str) -> bytes:
    """A document's name as the last part of an order."""
    of, key = parse_reference(reference)
    if of != database:
        invalid(
            f"The request was for database '{database}' but was attempting to access database "
            f"'{of}'"
        )
    return key + b"\x00"


def _side(op: int, encoded: bytes, text: str) -> tuple[Range, ...]:
    """Ranges stay within the operand's own type."""
    low, high = _EVERYTHING if text == NAME else type_bounds(encoded)
    if op == _LT:
        return ((low, encoded),)
    if op == _LE:
        return ((low, encoded + BEYOND),)
    return ((encoded if op == _GE else encoded + BEYOND, high),)


def _all_but(holes: list[bytes], text: str) -> tuple[Range, ...]:
    """Every value but null and these; NaN cannot be left out by value."""
    low, high = _EVERYTHING if text == NAME else (FALSE, LAST)
    ranges = []
    for hole in sorted({one for one in holes if one != NAN}):
        ranges.append((low, hole))
        low = hole + BEYOND
    ranges.append((low, high))
    return tuple(ranges)


def _list_filter(path: paths.Path, text: str, op: int, value: Message, database: str) -> _Leaf:
    name = _OPERATORS[op]
    if value.WhichOneof("value_type") != "array_value":
        invalid(f"'{name}' requires an ArrayValue.")
    elements = value.array_value.values
    if not elements:
        invalid(f"'{name}' requires an non-empty ArrayValue.")
    most = 10 if op == _NOT_IN else MAX_DISJUNCTS
    if len(elements) > most:
        invalid(f"'{name}' supports up to {most} comparison values.")
    if op == _HAS_ANY and text == NAME:
        invalid("the name __key__ is reserved")
    operands = []
    for element in elements:
        check_value(element, text)
        operands.append((_operand(text, element, database), element.WhichOneof("value_type")))
    if op == _NOT_IN:
        encoded = [one for one, _ in operands]
        ranges = () if NULL in encoded else _all_but(encoded, text)
        return _range_leaf(path, text, ranges, negative=True, not_in=True)
    alternatives = tuple(
        _constraint(path, text, _found(one, kind), contains=op == _HAS_ANY)
        for one, kind in dict.fromkeys(operands)
    )
    return _Leaf(alternatives, False, many=True)


def _unary_filter(message: Message) -> _Leaf:
    path = paths.parse(message.field.field_path)
    text = paths.path_text(path)
    if text == NAME:
        invalid("__key__ filter value must be a Key")
    if message.op == _IS_NULL:
        return _Leaf((_constraint(path, text, (exactly(NULL),)),), False)
    if message.op == _IS_NAN:
        return _Leaf((_constraint(path, text, (exactly(NAN),)),), False)
    if message.op == _IS_NOT_NULL:
        return _range_leaf(path, text, ((FALSE, LAST),), negative=True)
    if message.op != _IS_NOT_NAN:
        invalid("Unknown UnaryFilter operator.")
    return _range_leaf(path, text, ((FALSE, NAN), (NAN + BEYOND, LAST)), negative=True)


def _check_combination(
    where: Message, leaves: list[_Leaf], disjuncts: tuple[Conjunction, ...]
) -> None:
    if sum(leaf.negative for leaf in leaves) > 1:
        invalid(
            "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed "
            "per query."
        )
    if any(leaf.not_in for leaf in leaves) and (
        any(leaf.many for leaf in leaves) or _has_or(where)
    ):
        invalid(
            "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'."
        )
    first = [(leaf.alternatives[0].on_name, leaf.inequality) for leaf in leaves]
    if (True, False) in first and (False, True) in first and (True, True) not in first:
        invalid(
            "Equality on key is not allowed if there are other inequality fields and key does not "
            "appear in inequalities."
        )
    for conjunction in disjuncts:
        if sum(constraint.contains for constraint in conjunction) > 1:
            invalid("A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")


def _check_size(structured: Message, leaves: list[_Leaf]) -> None:
    filters, orders = len(leaves), len(structured.order_by)
    if filters + orders > MAX_PARTS:
        invalid(
            f"The query may not have more than {MAX_PARTS} filters + sort orders + ancestor total. "
            f"Currently there are {filters} filters, {orders} sort orders, and no ancestor filter."
        )
    fields = sorted({leaf.alternatives[0].text for leaf in leaves if leaf.inequality})
    if len(fields) > MAX_INEQUALITIES:
        invalid(
            f"The query contains {len(fields)} distinct inequality fields: "
            f"[{', '.join(fields)}]. A query may not have more than {MAX_INEQUALITIES} distinct "
            "inequality fields."
        )


def _has_or(where: Message) -> bool:
    if where.WhichOneof("filter_type") != "composite_filter":
        return False
    composite = where.composite_filter
    return composite.op == 2 or any(map(_has_or, composite.filters))


# ---- order and cursors


def _orders(
    structured: Message, leaves: list[_Leaf], collection: str, summed: Sequence[paths.Path]
) -> tuple[tuple[Order, ...], bool]:
    """The full order: what was asked, then the fields of ranges, then the name."""
    orders: list[Order] = []
    named: bool | None = None
    for one in structured.order_by:
        path = paths.parse(one.field.field_path)
        text = paths.path_text(path)
        if named is not None:
            invalid("order by clause cannot contain more fields after the key")
        if any(order.text == text for order in orders):
            invalid(f"order by clause cannot contain duplicate fields {text}")
        if text == NAME:
            named = one.direction == 2
        else:
            orders.append(Order(path, text, one.direction == 2))
    if not collection and orders:
        invalid("kind is required for all orders except __key__ ascending")
    down = orders[-1].descending if orders else False
    known = {order.text for order in orders}
    extra = {
        leaf.alternatives[0].text: leaf.alternatives[0].path
        for leaf in leaves
        if leaf.inequality and not leaf.alternatives[0].on_name
    }
    missing = sorted(text for text in extra if text not in known)
    for path in summed:
        text = paths.path_text(path)
        if text not in known and text not in extra:
            extra[text] = path
            missing.append(text)
    if named is not None and missing:
        invalid("order by clause cannot contain more fields after the key (__name__)")
    orders += [Order(extra[text], text, down) for text in missing]
    named = down if named is None else named
    if named and not orders and all(leaf.alternatives[0].on_name for leaf in leaves):
        failed_precondition("Firestore does not support descending key scans")
    return tuple(orders), named


def _cursor(structured: Message, which: str, orders: tuple[Order, ...]) -> Cursor | None:
    if not structured.HasField(which):
        return None
    message = getattr(structured, which)
    explicit = len(structured.order_by)
    if len(message.values) > explicit:
        invalid("Cursor has too many values.")
    values = []
    for place, value in enumerate(message.values):
        if place < len(orders):
            check_value(value, orders[place].text)
            values.append(encode(value))
            continue
        if value.WhichOneof("value_type") != "reference_value":
            invalid("Cursor __key__ value is not a document reference.")
        values.append(parse_reference(value.reference_value)[1] + b"\x00")
    return Cursor(tuple(values), not message.before)
