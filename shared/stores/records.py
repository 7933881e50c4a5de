"""Frozen records to documents and back."""

import functools
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from shared import log
from shared.errors import Broken
from shared.stores.firestore import Snapshot

T = TypeVar("T")


class Codec(Generic[T]):
    """Writes a frozen dataclass as a document's fields and reads it again.

    Fields a document has and the record has not (times the database sets) are passed over. How is
    worked out at the first of its kind: a new process needs few of all kinds for its first answer.
    """

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    @functools.cached_property
    def _adapter(self) -> TypeAdapter[T]:
        return TypeAdapter(self._kind)

    def read(self, snapshot: Snapshot) -> T:
        try:
            return self._adapter.validate_python(snapshot.data)
        except ValidationError as error:
            log.error("record_not_readable", path=snapshot.path, kind=self._kind.__name__)
            raise Broken(f"a stored {self._kind.__name__} cannot be read") from error

    def json(self, record: T) -> bytes:
        """For a record that is packed into a field of another."""
        return self._adapter.dump_json(record)

    def from_json(self, text: bytes, path: str) -> T:
        """`path` is of the document it was packed into."""
        try:
            return self._adapter.validate_json(text)
        except ValidationError as error:
            raise Broken(f"a stored {self._kind.__name__} in {path} cannot be read") from error

    def fields(self, record: T) -> dict[str, Any]:
        fields: dict[str, Any] = self._adapter.dump_python(record)
        return fields
