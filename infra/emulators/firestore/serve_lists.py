"""The RPCs that list: documents of a collection, collections of a document."""

from collections.abc import Iterator

from . import listing, paths, protobuf
from .answer_documents import Hit
from .engine import Engine
from .names import (
    check_collection_id,
    parse_parent,
    path_text,
    segment_key,
    segment_text,
)
from .protobuf import Context, Message
from .query import Query
from .refusal import invalid, unimplemented
from .serve_reads import masked, moment_of


class Lists:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def list_documents(self, request: Message, _: Context) -> bytes:
        database, parent = parse_parent(request.parent)
        if request.collection_id:
            check_collection_id(request.collection_id)
        if request.show_missing and not request.collection_id:
            invalid("collection id must be set when show_missing is true")
        if request.show_missing and request.order_by:
            invalid("cannot specify an order when show_missing is true")
        most = listing.page_size(request.page_size)
        token = listing.from_token(request.page_token)
        query = listing.listing_query(
            database, parent, request.collection_id, request.order_by, token, most
        )
        moment, _started = await moment_of(self._engine, database, request, [])
        hits = self._engine.reading(moment).hits(query)
        mask = None
        if request.HasField("mask"):
            mask = [paths.parse(path) for path in request.mask.field_paths]
        if request.show_missing:
            return self._list_with_missing(query, hits, token, most, mask)
        page = [hit for hit in hits if hit is not None]
        more = len(page) > most
        documents = [_document(hit, mask) for hit in page[:most]]
        return protobuf.list_documents_response(
            documents, listing.token_of(page[most - 1], query) if more else ""
        )

    def _list_with_missing(
        self,
        query: Query,
        hits: Iterator[Hit | None],
        token: list[bytes],
        most: int,
        mask: list[paths.Path] | None,
    ) -> bytes:
        path = query.parent + segment_key(query.collection)
        after = token[0][len(path) : -1] if token else b""
        absent = listing.segments_below(self._engine.storage, query.database, path, after)
        prefix = f"{query.database}/documents/".encode() + path_text(path) + b"/"
        documents: list[bytes] = []
        last = b""
        for segment, hit in listing.with_missing(hits, absent, path):
            if len(documents) == most:
                return protobuf.list_documents_response(
                    documents, listing.to_token([path + last + b"\x00"])
                )
            last = segment
            documents.append(
                _document(hit, mask)
                if hit is not None
                else protobuf.document_bytes(prefix + segment_text(segment), b"")
            )
        return protobuf.list_documents_response(documents, "")

    async def list_collection_ids(self, request: Message, _: Context) -> bytes:
        database, parent = parse_parent(request.parent)
        if request.WhichOneof("consistency_selector") is not None:
            unimplemented("ListCollectionIds at a read_time is not implemented by this emulator.")
        most = listing.page_size(request.page_size)
        after = listing.from_token(request.page_token)
        self._engine.catch_up()
        ids, token = listing.collection_ids(
            self._engine.storage, database, parent, after[0] if after else b"", most
        )
        response = protobuf.ListCollectionIdsResponse(collection_ids=ids, next_page_token=token)
        return bytes(response.SerializeToString())


def _document(hit: Hit, mask: list[paths.Path] | None) -> bytes:
    body = hit.stored.body
    return protobuf.document_bytes(hit.name, body if mask is None else masked(body, mask))
