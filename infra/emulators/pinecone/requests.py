"""Bodies and query strings of the data plane, as typed requests. Pure; raises what it refuses."""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from . import limits, sparse
from .errors import Code, DataRefusal, invalid
from .filters import Filter, parsed
from .floats import Floats, vector
from .index import DEFAULT_NAMESPACE
from .metadata import Metadata, encoded, normalised
from .sparse import Sparse

_NO_SPARSE = (
    "Index configuration does not support sparse values - only indexes that are sparse or using "
    "dotproduct are supported"
)
_NO_DENSE = "Index configuration does not support dense values - the index is sparse"
_NOT_DEDICATED = "scan_factor and max_candidates are supported only on dedicated read nodes"

Wanted = TypeVar("Wanted", str, bool, int, list[Any], dict[str, Any])


@dataclass(frozen=True)
class Kinds:
    """Which vectors a record of an index has: a dense one of that dimension (0 means none), a
    sparse one, or both."""

    dimension: int
    is_sparse: bool


@dataclass(frozen=True)
class Upsert:
    namespace: str
    ids: list[str]
    values: Floats
    metadata: list[str | None]
    sparse: list[Sparse | None]


@dataclass(frozen=True)
class Query:
    namespace: str
    target: Floats | str | None
    """A vector, the id of a stored one, or None in a sparse index."""
    sparse: Sparse | None
    top_k: int
    condition: Filter | None
    include_values: bool
    include_metadata: bool


@dataclass(frozen=True)
class Update:
    namespace: str
    target: Filter | str
    """A filter, or one id."""
    values: Floats | None
    sparse: Sparse | None
    changes: Metadata
    dry_run: bool


@dataclass(frozen=True)
class Delete:
    namespace: str
    target: Filter | list[str] | None
    """A filter, ids, or None for all."""


@dataclass(frozen=True)
class Page:
    """A part of a listing: at most `limit` items after `after`."""

    namespace: str
    prefix: str
    after: str
    limit: int


@dataclass(frozen=True)
class FetchByMetadata:
    condition: Filter
    page: Page


def body(content: bytes, *, most_bytes: int = limits.MAX_REQUEST_BYTES) -> dict[str, Any]:
    """The JSON object of a request."""
    if len(content) > most_bytes:
        raise DataRefusal(
            Code.OUT_OF_RANGE,
            f"Error, message length too large: found {len(content)} bytes, "
            f"the limit is: {most_bytes} bytes",
            status=413,
        )
    try:
        given = json.loads(content or b"{}", parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise invalid(f"The request body is not valid JSON: {error}") from error
    if not isinstance(given, dict):
        raise invalid("The request body must be a JSON object")
    return given


def upsert(content: bytes, kinds: Kinds) -> Upsert:
    given = body(content, most_bytes=limits.MAX_UPSERT_BYTES)
    _only(given, "vectors", "namespace")
    vectors = _get(given, "vectors", list, [])
    if not vectors:
        raise invalid("At least one vector must be provided")
    if len(vectors) > limits.MAX_UPSERT_VECTORS:
        raise invalid(
            f"Number of provided vectors: {len(vectors)} exceeds the maximum amount per request: "
            f"{limits.MAX_UPSERT_VECTORS}"
        )
    ids, rows, metadata, sparse_rows = [], [], [], []
    for position, each in enumerate(vectors):
        where = f"vectors[{position}]"
        if not isinstance(each, dict):
            raise invalid(f"{where} must be an object")
        _only(each, "id", "values", "sparseValues", "metadata")
        ids.append(record_id(each.get("id")))
        rows.append(dense(each.get("values", []), kinds, f"{where}.values", ids[-1]))
        sparse_rows.append(
            sparse_to_store(each.get("sparseValues"), kinds, f"{where}.sparseValues", ids[-1])
        )
        if kinds.dimension == 0 and sparse_rows[-1] is None:
            raise invalid(f"Vector ID '{ids[-1]}' must have sparse values: the index is sparse")
        metadata.append(encoded(normalised(each.get("metadata"))))
    return Upsert(namespace_name(given), ids, np.stack(rows), metadata, sparse_rows)


def query(content: bytes, kinds: Kinds) -> Query:
    given = body(content)
    known = "namespace topK filter includeValues includeMetadata vector id sparseVector"
    _only(given, *known.split(), "scanFactor", "maxCandidates")
    top_k = _get(given, "topK", int, 0)
    if not 1 <= top_k <= limits.MAX_TOP_K:
        raise invalid(f"top_k must be between 1 and {limits.MAX_TOP_K}, got {top_k}")
    if given.get("scanFactor") is not None or given.get("maxCandidates") is not None:
        raise invalid(_NOT_DEDICATED)
    target, sparse_vector = _asked_for(given, kinds)
    return Query(
        namespace_name(given),
        target,
        sparse_vector,
        top_k,
        parsed(given["filter"]) if given.get("filter") else None,
        _get(given, "includeValues", bool, False),
        _get(given, "includeMetadata", bool, False),
    )


def _asked_for(given: dict[str, Any], kinds: Kinds) -> tuple[Floats | str | None, Sparse | None]:
    """What to look for: an id, or the vectors of the kinds that the index has."""
    dense_given, sparse_given = given.get("vector"), given.get("sparseVector")
    if sparse_given and not kinds.is_sparse:
        raise invalid(_NO_SPARSE)
    if given.get("id"):
        if dense_given or sparse_given:
            raise invalid("Cannot provide both 'ID' and 'vector' at the same time")
        return record_id(given["id"]), None
    sparse_vector = sparse.parsed(sparse_given, "sparseVector") if sparse_given else None
    if not kinds.dimension:
        if dense_given:
            raise invalid(_NO_DENSE)
        if sparse_vector is None:
            raise invalid("Either 'ID' or 'sparse_vector' must be provided")
        return None, sparse_vector
    if dense_given is None:
        raise invalid("Either 'ID' or 'vector' must be provided")
    return vector(dense_given, kinds.dimension, "vector"), sparse_vector


def update(content: bytes, kinds: Kinds) -> Update:
    given = body(content)
    _only(given, "namespace", "id", "filter", "values", "sparseValues", "setMetadata", "dryRun")
    changes = normalised(given.get("setMetadata"))
    values = sparse_values = None
    target: Filter | str
    if given.get("filter") is not None:
        if given.get("id"):
            raise invalid("Cannot provide both 'ID' and 'filter' at the same time")
        if given.get("values") or given.get("sparseValues"):
            raise invalid("Update by metadata request does not support updating vector values.")
        target = _condition(given, "Update with empty metadata filter is not allowed")
    else:
        target = record_id(given.get("id"))
        if given.get("values"):
            values = dense(given["values"], kinds, "values", target)
        sparse_values = sparse_to_store(given.get("sparseValues"), kinds, "sparseValues", target)
    is_dry = _get(given, "dryRun", bool, False)
    return Update(namespace_name(given), target, values, sparse_values, changes, is_dry)


def delete(content: bytes) -> Delete:
    given = body(content)
    _only(given, "namespace", "ids", "deleteAll", "filter")
    ids = _get(given, "ids", list, [])
    namespace = namespace_name(given)
    if _get(given, "deleteAll", bool, False):
        if ids:
            raise invalid("No explicit IDs allowed when delete_all=true")
        if given.get("filter") is not None:
            raise invalid("No filter allowed when delete_all=true")
        return Delete(namespace, None)
    if given.get("filter") is not None:  # as in the service, ids beside a filter are not looked at
        return Delete(
            namespace, _condition(given, "Delete with empty metadata filter is not allowed")
        )
    return Delete(namespace, record_ids(ids))


def fetch_by_metadata(content: bytes) -> FetchByMetadata:
    given = body(content)
    _only(given, "namespace", "filter", "limit", "paginationToken")
    condition = _condition(given, "Empty filter provided for fetch by metadata request")
    limit = _get(given, "limit", int, limits.FETCH_BY_METADATA_PAGE)
    most = limits.MAX_FETCH_BY_METADATA_PAGE
    if not 1 <= limit <= most:
        raise invalid(f"limit must be between 1 and {most}, got {limit}")
    after = _after(_get(given, "paginationToken", str, ""))
    return FetchByMetadata(condition, Page(namespace_name(given), "", after, limit))


def listing(params: Mapping[str, str]) -> Page:
    """The query string of a list of ids or of namespaces."""
    try:
        limit = int(params.get("limit", limits.LIST_PAGE))
    except ValueError as error:
        raise invalid("limit must be an integer") from error
    if not 1 <= limit <= limits.LIST_PAGE:
        raise invalid(f"limit must be between 1 and {limits.LIST_PAGE}, got {limit}")
    prefix = params.get("prefix", "")
    if not prefix.isascii() or "\0" in prefix or len(prefix) > limits.MAX_ID_LENGTH:
        raise invalid(f"prefix must be at most {limits.MAX_ID_LENGTH} ASCII characters")
    return Page(namespace_name(params), prefix, _after(params.get("paginationToken", "")), limit)


def namespace_name(given: Mapping[str, Any]) -> str:
    name = given.get("namespace") or DEFAULT_NAMESPACE
    if not isinstance(name, str):
        raise invalid("namespace must be a string")
    if not name.isascii() or "\0" in name:
        raise invalid(f"Namespace must contain only ASCII characters without NUL, got '{name}'")
    if len(name) > limits.MAX_NAMESPACE_LENGTH:
        raise invalid(f"Namespace must be at most {limits.MAX_NAMESPACE_LENGTH} characters")
    return name


def record_id(given: Any) -> str:
    if not isinstance(given, str) or not given:
        raise invalid("Vector ID must be a non-empty string")
    if len(given) > limits.MAX_ID_LENGTH:
        raise invalid(
            f"Vector ID must be at most {limits.MAX_ID_LENGTH} characters, got {len(given)}"
        )
    if not given.isascii() or "\0" in given:
        raise invalid(f"Vector ID must be ASCII, but got '{given}'")
    return given


def record_ids(given: list[Any]) -> list[str]:
    if not given:
        raise invalid("At least one ID must be provided")
    if len(given) > limits.MAX_IDS:
        raise invalid(
            f"Number of provided IDs: {len(given)} exceeds the maximum amount per request: "
            f"{limits.MAX_IDS}"
        )
    return [record_id(each) for each in given]


def sparse_to_store(given: Any, kinds: Kinds, where: str, owner: str) -> Sparse | None:
    """A sparse vector to store, or None if there is none."""
    if not given:
        return None
    if not kinds.is_sparse:
        raise invalid(_NO_SPARSE)
    return sparse.to_store(given, where, owner)


def dense(given: Any, kinds: Kinds, where: str, owner: str) -> Floats:
    """A vector to store; one of zeros is refused, whatever the metric."""
    if not kinds.dimension:
        if given:
            raise invalid(_NO_DENSE)
        return np.empty(0, dtype=np.float32)
    values = vector(given, kinds.dimension, where)
    if not values.any():
        raise invalid(
            "Dense vectors must contain at least one non-zero value. "
            f"Vector ID '{owner}' contains only zeros"
        )
    return values


def token(last: str) -> str:
    """The pagination token that continues a listing after its last item."""
    return base64.b64encode(json.dumps({"skip_past": last}).encode()).decode()


def _after(given: str) -> str:
    if not given:
        return ""
    try:
        return str(json.loads(base64.b64decode(given, validate=True))["skip_past"])
    except (binascii.Error, ValueError, KeyError, TypeError) as error:
        raise invalid("Invalid pagination token") from error


def _condition(given: dict[str, Any], when_empty: str) -> Filter:
    condition = given.get("filter")
    if not condition:
        raise invalid(when_empty)
    return parsed(condition)


def _only(given: dict[str, Any], *known: str) -> None:
    for key in given:
        if key not in known:
            raise invalid(f"Unknown field '{key}'")


def _get(given: Mapping[str, Any], key: str, kind: type[Wanted], default: Wanted) -> Wanted:
    value = given.get(key)
    if value is None:
        return default
    if type(value) is not kind:
        raise invalid(f"{key} must be of type {kind.__name__}")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")
