"""Writing a handful of documents, and reading which of them a query finds."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter


def fill(db: firestore.Client, documents: Mapping[str, Mapping[str, Any]]) -> None:
    """Write documents by their paths, in one commit."""
    batch = db.batch()
    for path, data in documents.items():
        batch.set(db.document(path), dict(data))
    batch.commit()


def where(field: str, op: str, value: Any) -> FieldFilter:
    return FieldFilter(field, op, value)


def ids(query: Any) -> list[str]:
    """Ids of what a query (or a collection) finds, in its order."""
    return [snapshot.id for snapshot in query.stream()]


def counted(query: Any) -> int:
    """How many documents the server counts."""
    return int(query.count().get()[0][0].value)


def moment(time: Any) -> datetime:
    """A server's time, which type checkers take for a message and is a datetime."""
    assert isinstance(time, datetime)
    return time


def paths(snapshots: Iterable[Any]) -> list[str]:
    return [snapshot.reference.path for snapshot in snapshots]
