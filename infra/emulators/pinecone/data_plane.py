"""Reads and writes of records and namespaces, each a function of one index and one request."""

from collections.abc import Callable
from typing import Any

from . import limits, requests
from .errors import Code, DataRefusal, invalid
from .exchange import Answer, Asked
from .floats import shortest
from .index import DEFAULT_NAMESPACE, Index, Match, Stored
from .metadata import decoded
from .record_store import NamespaceRow

Operation = Callable[[Index, Asked], Answer]

_ALL = -1
"""As a limit of SQLite: none."""


def upsert(index: Index, asked: Asked) -> Answer:
    request = requests.upsert(asked.body, _kinds(index))
    lsn = index.upsert(
        request.namespace, request.ids, request.values, request.metadata, request.sparse
    )
    return _written({"upsertedCount": len(request.ids)}, lsn)


def query(index: Index, asked: Asked) -> Answer:
    request = requests.query(asked.body, _kinds(index))
    found = index.query(
        request.namespace, request.target, request.top_k, request.condition, request.sparse
    )
    sparse = (
        index.sparse_values(request.namespace, [match.slot for match in found])
        if request.include_values
        else {}
    )
    _check_result_size(
        request, found, index.dimension, sum(len(x.indices) for x in sparse.values())
    )
    matches: list[dict[str, Any]] = [
        {"id": match.id, "score": match.score, "values": []} for match in found
    ]
    if request.include_values and found:
        rows = index.values(request.namespace, [match.slot for match in found])
        for match, values in zip(matches, shortest(rows).tolist(), strict=True):
            match["values"] = values
        for match, each in zip(matches, found, strict=True):
            if each.slot in sparse:
                match["sparseValues"] = sparse[each.slot].shown()
    if request.include_metadata:
        for match, each in zip(matches, found, strict=True):
            if each.metadata is not None:
                match["metadata"] = decoded(each.metadata)
    answer = {"results": [], "matches": matches, "namespace": _shown(request.namespace)}
    return _read(index, answer, read_units=1)


def _kinds(index: Index) -> requests.Kinds:
    return requests.Kinds(index.dimension, index.is_sparse)


def _check_result_size(
    request: requests.Query, found: list[Match], dimension: int, sparse_values: int
) -> None:
    """The service counts its own encoding: four bytes a number, not the digits of JSON."""
    size = sum(len(match.id) + 16 for match in found) + 8 * sparse_values
    if request.include_values:
        size += 4 * dimension * len(found)
    if request.include_metadata:
        size += sum(len((match.metadata or "").encode()) for match in found)
    if size > limits.MAX_RESULT_BYTES:
        raise DataRefusal(
            Code.OUT_OF_RANGE,
            f"Error, message length too large: found {size} bytes, "
            f"the limit is: {limits.MAX_RESULT_BYTES} bytes",
        )


def fetch(index: Index, asked: Asked) -> Answer:
    ids = requests.record_ids(asked.params.getlist("ids"))
    namespace = requests.namespace_name(asked.params)
    return _fetched(index, namespace, index.fetch(namespace, ids), None)


def fetch_by_metadata(index: Index, asked: Asked) -> Answer:
    request = requests.fetch_by_metadata(asked.body)
    page = request.page
    found, is_cut = index.fetch_matching(page.namespace, request.condition, page.after, page.limit)
    return _fetched(index, page.namespace, found, found[-1].id if is_cut else None)


def _fetched(index: Index, namespace: str, found: list[Stored], cut_at: str | None) -> Answer:
    vectors = {stored.id: _vector(stored) for stored in found}
    answer: dict[str, Any] = {"vectors": vectors, "namespace": _shown(namespace)}
    if cut_at is not None:
        answer["pagination"] = {"next": requests.token(cut_at)}
    return _read(index, answer, read_units=max(1, -(-len(found) // 10)))


def _vector(stored: Stored) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": stored.id, "values": shortest(stored.values).tolist()}
    if stored.sparse is not None:
        shown["sparseValues"] = stored.sparse.shown()
    if stored.metadata:
        shown["metadata"] = stored.metadata
    return shown


def update(index: Index, asked: Asked) -> Answer:
    request = requests.update(asked.body, _kinds(index))
    name, target, changes = request.namespace, request.target, request.changes
    if isinstance(target, str):
        lsn = index.update(name, target, request.values, changes, request.sparse)
        return _written({}, lsn)
    matched, lsn = index.update_matching(name, target, changes, dry_run=request.dry_run)
    return _written({"matchedRecords": matched}, lsn)


def delete(index: Index, asked: Asked) -> Answer:
    request = requests.delete(asked.body)
    if request.target is None:
        return _written({}, index.clear(request.namespace))
    return _written({}, index.delete(request.namespace, request.target))


def list_ids(index: Index, asked: Asked) -> Answer:
    page = requests.listing(asked.params)
    ids = index.ids(page.namespace, page.prefix, page.after, page.limit + 1)
    answer: dict[str, Any] = {
        "vectors": [{"id": each} for each in ids[: page.limit]],
        "namespace": _shown(page.namespace),
    }
    if len(ids) > page.limit:
        answer["pagination"] = {"next": requests.token(ids[page.limit - 1])}
    return _read(index, answer, read_units=1)


def describe_index_stats(index: Index, asked: Asked) -> Answer:
    if requests.body(asked.body).get("filter"):
        raise invalid(
            "Serverless and Starter indexes do not support describing index stats with metadata "
            "filtering"
        )
    rows = index.namespaces("", "", _ALL)
    answer: dict[str, Any] = {
        "namespaces": {row.name: {"vectorCount": row.records} for row in rows},
        "indexFullness": 0.0,
        "totalVectorCount": sum(row.records for row in rows),
        "metric": index.metric,
        "vectorType": "dense" if index.dimension else "sparse",
    }
    if index.dimension:
        answer["dimension"] = index.dimension
    return _read(index, answer)


def list_namespaces(index: Index, asked: Asked) -> Answer:
    page = requests.listing(asked.params)
    rows = index.namespaces(page.prefix, page.after, page.limit + 1)
    answer: dict[str, Any] = {
        "namespaces": [_description(index, row) for row in rows[: page.limit]],
        "total_count": index.count_namespaces(page.prefix),
    }
    if len(rows) > page.limit:
        answer["pagination"] = {"next": requests.token(rows[page.limit - 1].name)}
    return _read(index, answer)


def create_namespace(index: Index, asked: Asked) -> Answer:
    given = requests.body(asked.body)
    if given.get("schema"):
        raise DataRefusal(Code.UNIMPLEMENTED, "A namespace's own schema is not emulated")
    name = requests.namespace_name({"namespace": given.get("name")})
    if name == DEFAULT_NAMESPACE:
        raise invalid(f"Namespace name '{DEFAULT_NAMESPACE}' is reserved")
    lsn = index.create_namespace(name)
    return _written(_description(index, index.namespace(name)), lsn)


def describe_namespace(index: Index, asked: Asked) -> Answer:
    row = index.namespace(requests.namespace_name(asked.path))
    return _read(index, _description(index, row))


def delete_namespace(index: Index, asked: Asked) -> Answer:
    return _written({}, index.delete_namespace(requests.namespace_name(asked.path)))


def _description(index: Index, row: NamespaceRow) -> dict[str, Any]:
    return {
        "name": row.name,
        "record_count": str(row.records),
        "size_bytes": str(index.size_bytes(row)),
    }


def _shown(namespace: str) -> str:
    return "" if namespace == DEFAULT_NAMESPACE else namespace


def _read(index: Index, answer: dict[str, Any], read_units: int | None = None) -> Answer:
    if read_units is not None:
        answer["usage"] = {"readUnits": read_units}
    return Answer(answer, headers={"x-pinecone-lsn-reconciled": str(index.reconciled_lsn)})


def _written(answer: dict[str, Any], lsn: int) -> Answer:
    return Answer(answer, headers={"x-pinecone-lsn-committed": str(lsn)})
