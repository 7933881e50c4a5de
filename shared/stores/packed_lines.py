"""Many lines in one document: their texts pressed together, their vectors one after the other."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.topic import Topic
from shared.errors import Broken
from shared.stores.records import Codec

LEVEL = 1
"""Three quarters smaller in a millisecond; more effort saves a few kilobytes."""


@dataclass(frozen=True)
class _Texts:
    """What is pressed as JSON: the lines without their vectors."""

    lines: tuple[StoredMessage, ...]
    topics: tuple[Topic, ...] = ()


_TEXTS = Codec(_Texts)


def packed(lines: Sequence[StoredMessage], topics: Sequence[Topic] = ()) -> dict[str, Any]:
    """The fields of a document that holds them."""
    vectors, sizes = joined(line.vector for line in lines)
    return {"texts": packed_texts(lines, topics), "vectors": vectors, "vector_sizes": sizes}


def packed_texts(lines: Sequence[StoredMessage], topics: Sequence[Topic] = ()) -> bytes:
    bare = tuple(replace(line, vector=b"") for line in lines)
    return zlib.compress(_TEXTS.json(_Texts(bare, tuple(topics))), LEVEL)


def unpacked(
    data: Mapping[str, Any], path: str
) -> tuple[tuple[StoredMessage, ...], tuple[Topic, ...]]:
    """Lines and topics; Broken if they cannot be read."""
    try:
        texts = _TEXTS.from_json(zlib.decompress(data["texts"]), path)
    except zlib.error as error:
        raise Broken(f"the lines in {path} cannot be read") from error
    vectors = split(data["vectors"], data["vector_sizes"])
    lines = (
        replace(message, vector=vector)
        for message, vector in zip(texts.lines, vectors, strict=True)
    )
    return tuple(lines), texts.topics


def joined(vectors: Iterator[bytes]) -> tuple[bytes, list[int]]:
    parts = list(vectors)
    return b"".join(parts), [len(part) for part in parts]


def split(whole: bytes, sizes: Sequence[int]) -> list[bytes]:
    parts, at = [], 0
    for size in sizes:
        parts.append(whole[at : at + size])
        at += size
    return parts
