"""Requests as raw messages, through the wheel's own generated client.

For what the SDK itself would refuse to send or to show: bad requests, transform results, pages.
Nothing is retried, so that a refusal is seen as it came.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from google.api_core.exceptions import GoogleAPICallError
from google.cloud import firestore
from google.cloud.firestore_v1 import _helpers
from google.cloud.firestore_v1 import types as messages
from grpc import StatusCode

TIMEOUT_SECONDS = 60.0

Message = dict[str, Any]


@contextmanager
def refused(code: StatusCode, fragment: str = "") -> Iterator[None]:
    """The call inside must fail with this status, its message containing the fragment."""
    with pytest.raises(GoogleAPICallError) as caught:
        yield
    assert caught.value.grpc_status_code == code, caught.value
    assert fragment in caught.value.message


def status_of(host: str, method: str, payload: bytes) -> StatusCode:
    """What a server says to bytes sent to a unary method, whatever they are."""
    with grpc.insecure_channel(host) as channel:
        send: Any = channel.unary_unary(f"/{method}")
        status: StatusCode = send.future(payload, timeout=TIMEOUT_SECONDS).code()
        return status


class Wire:
    """One client's generated API with its project's names filled in."""

    def __init__(self, client: firestore.Client) -> None:
        self.api = client._firestore_api
        self.database: str = client._database_string
        self.documents = f"{self.database}/documents"
        self._settings: dict[str, Any] = {
            "metadata": client._rpc_metadata,
            "retry": None,
            "timeout": TIMEOUT_SECONDS,
        }

    def name(self, path: str) -> str:
        return f"{self.documents}/{path}"

    def call(self, method: str, request: Any) -> Any:
        return getattr(self.api, method)(request=request, **self._settings)

    def commit(self, *writes: Message, **more: Any) -> messages.CommitResponse:
        request = {"database": self.database, "writes": list(writes), **more}
        answer: messages.CommitResponse = self.call("commit", request)
        return answer

    def batch_write(self, *writes: Message) -> messages.BatchWriteResponse:
        request = {"database": self.database, "writes": list(writes)}
        answer: messages.BatchWriteResponse = self.call("batch_write", request)
        return answer

    def get(self, *paths: str, **more: Any) -> list[messages.BatchGetDocumentsResponse]:
        names = [self.name(path) for path in paths]
        request = {"database": self.database, "documents": names, **more}
        return list(self.call("batch_get_documents", request))

    def query(self, query: Message, **more: Any) -> list[messages.RunQueryResponse]:
        request = {"parent": self.documents, "structured_query": query, **more}
        return list(self.call("run_query", request))

    def ids(self, query: Message, **more: Any) -> list[str]:
        found = self.query(query, **more)
        return [answer.document.name.rpartition("/")[2] for answer in found if answer.document.name]

    def aggregate(
        self, query: Message, *aggregations: Message, **more: Any
    ) -> dict[str, messages.Value]:
        asked = {"structured_query": query, "aggregations": list(aggregations)}
        request = {"parent": self.documents, "structured_aggregation_query": asked, **more}
        (answer,) = self.call("run_aggregation_query", request)
        return dict(answer.result.aggregate_fields)

    def begin(self, options: Message | None = None) -> bytes:
        request: Message = {"database": self.database}
        if options is not None:
            request["options"] = options
        transaction: bytes = self.call("begin_transaction", request).transaction
        return transaction

    def rollback(self, transaction: bytes) -> None:
        self.call("rollback", {"database": self.database, "transaction": transaction})

    # Writes, named by path.

    def update(
        self,
        path: str,
        fields: Mapping[str, Any] | None = None,
        mask: list[str] | None = None,
        **more: Any,
    ) -> Message:
        write: Message = {
            "update": {"name": self.name(path), "fields": _helpers.encode_dict(dict(fields or {}))}
        }
        if mask is not None:
            write["update_mask"] = {"field_paths": mask}
        return {**write, **more}

    def create(self, path: str, fields: Mapping[str, Any]) -> Message:
        return self.update(path, fields, current_document={"exists": False})

    def patch(self, path: str, fields: Mapping[str, Any]) -> Message:
        """What `update()` sends: these fields only, of a document that exists."""
        return self.update(path, fields, list(fields), current_document={"exists": True})

    def delete(self, path: str, **more: Any) -> Message:
        return {"delete": self.name(path), **more}

    def transform(self, path: str, *transforms: Message, **more: Any) -> Message:
        write = {"document": self.name(path), "field_transforms": list(transforms)}
        return {"transform": write, **more}


def value(plain: Any) -> messages.Value:
    return _helpers.encode_value(plain)


def raw_value(**kind: Any) -> messages.Value:
    """A value by its message's own fields, also one that means nothing."""
    return messages.Value(**kind)  # type: ignore[no-untyped-call]


def field(path: str, op: str | int, plain: Any) -> Message:
    return {"field_filter": {"field": {"field_path": path}, "op": op, "value": value(plain)}}


def unary(path: str, op: str | int) -> Message:
    return {"unary_filter": {"field": {"field_path": path}, "op": op}}


def composite(op: str | int, *filters: Message) -> Message:
    return {"composite_filter": {"op": op, "filters": list(filters)}}


def order(path: str, direction: str = "ASCENDING") -> Message:
    return {"field": {"field_path": path}, "direction": direction}


def cursor(*values: Any, before: bool = True) -> Message:
    return {"values": [value(plain) for plain in values], "before": before}


def select(collection: str, **more: Any) -> Message:
    """A structured query over one collection."""
    return {"from_": [{"collection_id": collection}], **more}
