"""Writing records: forms, replacement, namespaces, and what is refused."""

import json
from typing import Any

import httpx
import pytest
from pinecone import ApiError, PayloadTooLargeError, Vector

from infra.emulators.tests.pinecone.doors import Door, Space, eventually


async def test_an_upsert_counts_its_vectors(space: Space) -> None:
    answer = await space.index.upsert(
        vectors=[("a", [1, 0, 0]), ("b", [0, 1, 0])], namespace=space.name
    )
    assert answer.upserted_count == 2


async def test_all_forms_of_a_vector_are_stored_alike(space: Space) -> None:
    await space.index.upsert(
        vectors=[
            ("pair", [1.0, 2.0, 3.0]),
            ("triple", [1.0, 2.0, 3.0], {"kind": "x"}),
            {"id": "dict", "values": [1.0, 2.0, 3.0], "metadata": {"kind": "x"}},
            Vector(id="object", values=[1.0, 2.0, 3.0], metadata={"kind": "x"}),
        ],
        namespace=space.name,
    )
    ids = ["pair", "triple", "dict", "object"]
    found = await eventually(lambda: space.fetch(*ids), lambda seen: len(seen) == 4)
    assert {each.id: each.values for each in found.values()} == {
        each: [1.0, 2.0, 3.0] for each in ids
    }
    assert [found[each].metadata for each in ids] == [None, *[{"kind": "x"}] * 3]


async def test_a_second_upsert_replaces_vector_and_metadata(space: Space) -> None:
    await space.upsert(("a", [1, 0, 0], {"kind": "old", "only": "old"}))
    await space.index.upsert(vectors=[("a", [0, 1, 0], {"kind": "new"})], namespace=space.name)
    found = await eventually(
        lambda: space.fetch("a"), lambda seen: seen["a"].metadata == {"kind": "new"}
    )
    assert found["a"].values == [0.0, 1.0, 0.0]
    assert [match.id for match in await space.query([0, 1, 0])] == ["a"]


async def test_of_one_id_twice_in_a_request_the_last_wins(space: Space) -> None:
    answer = await space.index.upsert(
        vectors=[("a", [1, 0, 0]), ("a", [0, 0, 1])], namespace=space.name
    )
    assert answer.upserted_count == 2
    found = await eventually(lambda: space.fetch("a"), bool)
    assert found["a"].values == [0.0, 0.0, 1.0]


async def test_a_batched_upsert_sends_all_batches(space: Space) -> None:
    vectors = [(f"v{n:03}", [1.0, float(n), 0.0]) for n in range(250)]
    answer = await space.index.upsert(
        vectors=vectors, namespace=space.name, batch_size=100, show_progress=False
    )
    assert (answer.upserted_count, answer.total_batch_count) == (250, 3)
    await eventually(lambda: space.ids(prefix="v2"), lambda ids: len(ids) == 50)


async def test_metadata_keeps_its_types_and_numbers_become_doubles(space: Space) -> None:
    metadata = {
        "text": "记忆 – ümlaut 🙂",
        "whole": 3,
        "broken": 0.25,
        "flag": True,
        "many": ["a", "b"],
        "nothing": None,
        "": "empty key",
    }
    await space.upsert(("a", [1, 2, 3], metadata))
    seen = (await space.fetch("a"))["a"].metadata
    del metadata["nothing"]
    assert seen == metadata
    assert type(seen["whole"]) is float
    assert type(seen["flag"]) is bool


async def test_values_come_back_as_the_shortest_single_precision_numbers(space: Space) -> None:
    values = [0.1, -1.0e-7, 0.123456789123]
    await space.upsert(("a", values))
    assert (await space.fetch("a"))["a"].values == [0.1, -1e-07, 0.12345679]


async def test_namespaces_do_not_see_each_other(space: Space) -> None:
    other = Space(space.index, space.name + "-other")
    await space.upsert(("a", [1, 0, 0]))
    await other.upsert(("b", [1, 0, 0]))
    assert [match.id for match in await space.query([1, 0, 0])] == ["a"]
    assert [match.id for match in await other.query([1, 0, 0])] == ["b"]
    assert await space.fetch("b") == {}


@pytest.mark.parametrize(
    "name", ["lark%3Aoc_1", "../../etc", "a/b?c#d &e/", "x" * 512, ".", "..", "%2F", "~\x7f"]
)
async def test_any_ascii_name_is_a_namespace(space: Space, name: str) -> None:
    odd = Space(space.index, name)
    await odd.upsert(("a", [1, 0, 0]))
    assert (await space.index.describe_namespace(name=name)).record_count == 1
    await space.index.delete_namespace(name=name)
    await odd.until_gone("a")


@pytest.mark.parametrize("odd", ["message#1", "a b", "a/b?c=d&e", "%2F", "'; --", '"{}', "x" * 512])
async def test_any_ascii_id_up_to_512_characters_works(space: Space, odd: str) -> None:
    await space.upsert((odd, [1, 0, 0]), ("other", [0, 1, 0]))
    assert [match.id for match in await space.query([1, 0, 0], top_k=1)] == [odd]
    assert await space.ids(prefix=odd) == [odd]
    await space.index.delete(ids=[odd], namespace=space.name)
    await space.until_gone(odd)


async def test_no_namespace_means_the_default_one(door: Door, fresh: str) -> None:
    schema = {"fields": {"_values": {"type": "dense_vector", "dimension": 2, "metric": "cosine"}}}
    await door.indexes.create(name=fresh, schema=schema)
    index = await door.index(fresh)
    assert (await index.describe_namespace(name="__default__")).record_count == 0
    await index.upsert(vectors=[("a", [1, 0])])
    await Space(index, "").until_gone("b")
    found = await eventually(lambda: Space(index, "__default__").fetch("a"), bool)
    assert list(found) == ["a"]
    assert (await index.query(vector=[1, 0], top_k=1)).namespace == ""
    assert list((await index.describe_index_stats()).namespaces) == ["__default__"]


async def test_a_write_tells_its_sequence_number_and_a_read_how_far_it_sees(space: Space) -> None:
    written = await space.index.upsert(vectors=[("a", [1, 0, 0])], namespace=space.name)
    committed = written.response_info.lsn_committed
    assert written.response_info.request_id
    seen = await eventually(
        lambda: space.index.query(vector=[1, 0, 0], top_k=1, namespace=space.name),
        lambda answer: answer.response_info.is_reconciled(committed),
    )
    assert [match.id for match in seen.matches] == ["a"]


# --- what is refused


async def test_another_dimension_is_refused(space: Space) -> None:
    with pytest.raises(ApiError) as caught:
        await space.index.upsert(vectors=[("a", [1.0, 2.0])], namespace=space.name)
    assert caught.value.status_code == 400
    assert caught.value.body == {
        "code": 3,
        "message": "Vector dimension 2 does not match the dimension of the index 3",
        "details": [],
    }


async def test_one_bad_vector_refuses_the_whole_batch(space: Space) -> None:
    with pytest.raises(ApiError):
        await space.index.upsert(
            vectors=[("good", [1, 0, 0]), ("bad", [1, 0])], namespace=space.name
        )
    await space.upsert(("later", [1, 0, 0]))
    assert await space.ids() == ["later"]


async def test_a_vector_of_zeros_is_refused(space: Space) -> None:
    with pytest.raises(ApiError, match="Vector ID 'z' contains only zeros") as caught:
        await space.index.upsert(vectors=[("z", [0.0, 0.0, 0.0])], namespace=space.name)
    assert caught.value.status_code == 400


async def test_metadata_over_40_kb_is_refused(space: Space) -> None:
    with pytest.raises(ApiError, match="exceeds the limit of 40960 bytes per vector"):
        await space.index.upsert(
            vectors=[("a", [1, 0, 0], {"text": "x" * 41_000})], namespace=space.name
        )
    await space.upsert(("a", [1, 0, 0], {"text": "x" * 40_900}))


async def test_more_than_1000_vectors_are_refused(space: Space) -> None:
    vectors = [(str(n), [1.0, 0.0, 0.0]) for n in range(1_001)]
    with pytest.raises(ApiError, match="1001 exceeds the maximum amount per request: 1000"):
        await space.index.upsert(vectors=vectors, namespace=space.name)
    await space.upsert(*vectors[:1_000])


async def test_a_body_over_two_megabytes_is_413_and_the_sdk_halves_its_batches(
    space: Space,
) -> None:
    vectors = [(str(n), [1.0, 0.0, 0.0], {"text": "x" * 40_000}) for n in range(60)]
    with pytest.raises(PayloadTooLargeError, match="the limit is: 2097152 bytes"):
        await space.index.upsert(vectors=vectors, namespace=space.name)
    await space.index.upsert(vectors=vectors[:50], namespace=space.name)


async def test_sparse_values_are_refused(space: Space) -> None:
    sparse = {"indices": [1], "values": [0.5]}
    with pytest.raises(ApiError, match="does not support sparse values"):
        await space.index.upsert(
            vectors=[{"id": "a", "values": [1.0, 0.0, 0.0], "sparse_values": sparse}],
            namespace=space.name,
        )
    with pytest.raises(ApiError, match="does not support sparse values"):
        await space.index.query(
            vector=[1.0, 0.0, 0.0], sparse_vector=sparse, top_k=1, namespace=space.name
        )


async def test_not_a_number_is_refused(space: Space) -> None:
    for bad in (float("nan"), float("inf"), 1e39):
        with pytest.raises(ApiError) as caught:
            await space.index.upsert(vectors=[("a", [1.0, bad, 0.0])], namespace=space.name)
        assert caught.value.status_code == 400


GOOD = {"id": "a", "values": [1, 0, 0]}
WRONG_VALUE = "Metadata value must be a string, number, boolean or list of strings, "


@pytest.mark.parametrize(
    ("vector", "message"),
    [
        ({**GOOD, "id": "x" * 513}, "Vector ID must be at most 512 characters, got 513"),
        ({**GOOD, "id": "ü"}, "Vector ID must be ASCII, but got 'ü'"),
        ({**GOOD, "id": ""}, "Vector ID must be a non-empty string"),
        ({**GOOD, "id": 7}, "Vector ID must be a non-empty string"),
        ({"values": [1, 0, 0]}, "Vector ID must be a non-empty string"),
        ({"id": "a"}, "Vector dimension 0 does not match the dimension of the index 3"),
        ({**GOOD, "values": ["1", "0", "0"]}, "vectors[0].values must be a list of numbers"),
        ({**GOOD, "values": [1, None, 0]}, "vectors[0].values must be a list of numbers"),
        ({**GOOD, "values": [True, False, True]}, "vectors[0].values must be a list of numbers"),
        ({**GOOD, "values": [[1], [2], [3]]}, "vectors[0].values must be a list of numbers"),
        ({**GOOD, "values": [[1], 2, 3]}, "vectors[0].values must be a list of numbers"),
        ({**GOOD, "colour": "red"}, "Unknown field 'colour'"),
        (
            {**GOOD, "metadata": {"deep": {"a": 1}}},
            WRONG_VALUE + """got '{"a":1.0}' for field 'deep'""",
        ),
        (
            {**GOOD, "metadata": {"mixed": ["a", 1, "a longer list"]}},
            WRONG_VALUE + """got '["a",1.0,"a long...' for field 'mixed'""",
        ),
        (
            {**GOOD, "metadata": {"$eq": "x"}},
            "Metadata field name '$eq' must not begin with '$'",
        ),
        ({**GOOD, "metadata": "text"}, "Metadata must be an object, got '\"text\"'"),
        ("a", "vectors[0] must be an object"),
    ],
)
def test_a_vector_that_no_sdk_would_send_is_refused(
    http: httpx.Client, fresh: str, vector: Any, message: str
) -> None:
    refused = http.post("/vectors/upsert", json={"vectors": [vector], "namespace": fresh})
    assert refused.status_code == 400
    assert refused.json() == {"code": 3, "message": message, "details": []}


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b'{"vectors": []}',
        b"{}",
        b'{"vectors": {"id": "a"}}',
        b'{"vectors": [{"id": "a", "values": [NaN, 0, 0]}]}',
        json.dumps({"vectors": [GOOD], "namespace": 7}).encode(),
        json.dumps({"vectors": [GOOD], "namespace": "ü"}).encode(),
        json.dumps({"vectors": [GOOD], "namespace": "x" * 513}).encode(),
        b'{"vectors": ' + b"[" * 100_000,
    ],
)
def test_a_body_that_no_sdk_would_send_is_refused(http: httpx.Client, body: bytes) -> None:
    refused = http.post("/vectors/upsert", content=body)
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
