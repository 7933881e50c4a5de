"""Frozen records to documents and back."""

from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from shared.stores.database import Snapshot

T = TypeVar("T")


class Codec(Generic[T]):
    """Writes a frozen dataclass as a document's fields and reads it again.

    Fields a document has and the record has not (times the database sets) are passed over.
    """

    def __init__(self, kind: type[T]) -> None:
        self._adapter: TypeAdapter[T] = TypeAdapter(kind)

    def read(self, snapshot: Snapshot) -> T:
        return self._adapter.validate_python(snapshot.data)

    def fields(self, record: T) -> dict[str, Any]:
        fields: dict[str, Any] = self._adapter.dump_python(record)
        return fields
