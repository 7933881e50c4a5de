"""Queries: order, scores, selectors, what an answer includes, what is refused."""

import math
from typing import Any

import httpx
import pytest
from pinecone import ApiError

from infra.emulators.tests.pinecone.doors import Door, Space

ROWS = {"x": [1.0, 0.0, 0.0], "xy": [3.0, 3.0, 0.0], "y": [0.0, 2.0, 0.0], "-x": [-1.0, 0.0, 0.0]}


async def _filled(door: Door, metric: str, fresh: str) -> Space:
    space = Space(await door.index(metric), fresh)
    await space.upsert(*[(name, values, {"name": name}) for name, values in ROWS.items()])
    return space


async def test_cosine_scores_are_angles_best_first(door: Door, fresh: str) -> None:
    space = await _filled(door, "cosine", fresh)
    matches = await space.query([5.0, 0.0, 0.0])
    assert [match.id for match in matches] == ["x", "xy", "y", "-x"]
    assert [match.score for match in matches] == pytest.approx([1.0, math.sqrt(0.5), 0.0, -1.0])


async def test_dotproduct_scores_grow_with_length(door: Door, fresh: str) -> None:
    space = await _filled(door, "dotproduct", fresh)
    matches = await space.query([2.0, 1.0, 0.0])
    assert [(match.id, match.score) for match in matches] == [
        ("xy", 9.0),
        ("x", 2.0),
        ("y", 2.0),
        ("-x", -2.0),
    ]


async def test_euclidean_scores_are_squared_distances_least_first(door: Door, fresh: str) -> None:
    space = await _filled(door, "euclidean", fresh)
    matches = await space.query([0.0, 1.0, 0.0])
    assert [(match.id, match.score) for match in matches] == [
        ("y", 1.0),
        ("x", 2.0),
        ("-x", 2.0),
        ("xy", 13.0),
    ]


async def test_top_k_is_how_many_at_most(door: Door, fresh: str) -> None:
    space = await _filled(door, "cosine", fresh)
    assert [match.id for match in await space.query([1.0, 0.1, 0.0], top_k=2)] == ["x", "xy"]
    assert len(await space.query([1.0, 0.1, 0.0], top_k=10_000)) == 4


async def test_values_and_metadata_come_only_when_asked_for(door: Door, fresh: str) -> None:
    space = await _filled(door, "cosine", fresh)
    (plain,) = await space.query([1, 0, 0], top_k=1)
    assert (plain.values, plain.metadata) == ([], None)
    (full,) = await space.query([1, 0, 0], top_k=1, include_values=True, include_metadata=True)
    assert (full.values, full.metadata) == ([1.0, 0.0, 0.0], {"name": "x"})


async def test_a_query_by_id_uses_the_stored_vector(door: Door, fresh: str) -> None:
    space = await _filled(door, "cosine", fresh)
    answer = await space.index.query(id="y", top_k=2, namespace=space.name)
    assert [match.id for match in answer.matches] == ["y", "xy"]


async def test_a_query_by_an_unknown_id_finds_nothing(door: Door, fresh: str) -> None:
    space = await _filled(door, "cosine", fresh)
    answer = await space.index.query(id="nobody", top_k=2, namespace=space.name)
    assert answer.matches == []


async def test_an_unknown_namespace_answers_with_nothing(space: Space) -> None:
    answer = await space.index.query(vector=[1, 0, 0], top_k=3, namespace=space.name)
    assert (answer.matches, answer.namespace) == ([], space.name)


async def test_a_query_with_zeros_scores_zero(door: Door, fresh: str) -> None:
    space = await _filled(door, "cosine", fresh)
    assert {match.score for match in await space.query([0.0, 0.0, 0.0])} == {0.0}


async def test_a_filter_narrows_before_ranking(door: Door, fresh: str) -> None:
    space = await _filled(door, "cosine", fresh)
    matches = await space.query([1, 0, 0], top_k=1, filter={"name": {"$in": ["y", "-x"]}})
    assert [match.id for match in matches] == ["y"]
    assert len(await space.query([1, 0, 0], filter={})) == 4


async def test_several_namespaces_are_queried_and_merged(door: Door, fresh: str) -> None:
    one = await _filled(door, "cosine", fresh)
    two = Space(one.index, fresh + "-two")
    await two.upsert(("near", [1.0, 0.1, 0.0]))
    merged = await one.index.query_namespaces(
        vector=[1.0, 0.0, 0.0], namespaces=[one.name, two.name], metric="cosine", top_k=3
    )
    assert [match.id for match in merged.matches] == ["x", "near", "xy"]


async def test_an_answer_reports_read_units(door: Door, fresh: str) -> None:
    space = await _filled(door, "cosine", fresh)
    answer = await space.index.query(vector=[1, 0, 0], top_k=1, namespace=space.name)
    assert answer.usage.read_units == 1


async def test_a_query_vector_of_another_dimension_is_refused(space: Space) -> None:
    with pytest.raises(ApiError) as caught:
        await space.query([1.0, 2.0, 3.0, 4.0])
    assert caught.value.status_code == 400
    assert caught.value.message == (
        "Vector dimension 4 does not match the dimension of the index 3"
    )


async def test_switches_of_dedicated_read_nodes_are_refused(space: Space) -> None:
    with pytest.raises(ApiError, match="dedicated read nodes"):
        await space.query([1, 0, 0], scan_factor=2.0)


async def test_a_result_over_four_megabytes_is_refused(space: Space) -> None:
    text = "x" * 40_000
    for part in range(3):
        await space.upsert(*[(f"{part}-{n}", [1.0, n, part], {"text": text}) for n in range(1, 41)])
    with pytest.raises(ApiError, match="the limit is: 4194304 bytes"):
        await space.query([1, 0, 0], top_k=120, include_metadata=True)
    assert len(await space.query([1, 0, 0], top_k=120)) == 120


@pytest.mark.parametrize(
    "body",
    [
        {"topK": 10_001, "vector": [1, 0, 0]},
        {"topK": 0, "vector": [1, 0, 0]},
        {"topK": "3", "vector": [1, 0, 0]},
        {"vector": [1, 0, 0]},
        {"topK": 1},
        {"topK": 1, "vector": [1, 0, 0], "id": "a"},
        {"topK": 1, "vector": "abc"},
        {"topK": 1, "vector": [1, 0, 0], "includeValues": "yes"},
        {"topK": 1, "vector": [1, 0, 0], "queries": []},
    ],
)
def test_a_query_that_no_sdk_would_send_is_refused(
    http: httpx.Client, body: dict[str, Any]
) -> None:
    refused = http.post("/query", json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
