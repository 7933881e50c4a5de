"""The filter language, by what it lets through."""

from typing import Any

import pytest
from pinecone import ApiError, Field

from infra.emulators.tests.pinecone.doors import Door, Space

RECORDS: dict[str, dict[str, Any]] = {
    "drama": {"genre": "drama", "year": 2020, "seen": True},
    "comedy": {"genre": "comedy", "year": 2019.5, "seen": False},
    "both": {"genre": ["comedy", "drama"], "year": 2021},
    "number": {"genre": 7, "seen": 1},
    "text": {"year": "2020", "seen": "true"},
    "bare": {},
}
EVERY = sorted(RECORDS)


@pytest.fixture
async def filled(door: Door) -> Space:
    """The same six records for every filter; they are written again by each test, to no effect."""
    space = Space(await door.index("cosine"), f"filters-{type(door).__name__}")
    await space.upsert(*[(name, [1.0, 0.5, 0.1], data) for name, data in RECORDS.items()])
    return space


CASES: list[tuple[dict[str, Any], list[str]]] = [
    ({"genre": "drama"}, ["both", "drama"]),
    ({"genre": {"$eq": "drama"}}, ["both", "drama"]),
    ({"genre": {"$eq": "dram"}}, []),
    ({"genre": {"$ne": "drama"}}, ["bare", "comedy", "number", "text"]),
    ({"genre": {"$in": ["comedy", "horror"]}}, ["both", "comedy"]),
    ({"genre": {"$in": ["comedy", 7]}}, ["both", "comedy", "number"]),
    ({"genre": {"$in": []}}, []),
    ({"genre": {"$nin": ["comedy"]}}, ["bare", "drama", "number", "text"]),
    ({"genre": {"$nin": []}}, EVERY),
    ({"genre": 7}, ["number"]),
    ({"genre": 7.0}, ["number"]),
    ({"genre": "7"}, []),
    ({"year": 2020}, ["drama"]),
    ({"year": "2020"}, ["text"]),
    ({"year": {"$gt": 2019.5}}, ["both", "drama"]),
    ({"year": {"$gte": 2019.5}}, ["both", "comedy", "drama"]),
    ({"year": {"$lt": 2020}}, ["comedy"]),
    ({"year": {"$lte": 2020}}, ["comedy", "drama"]),
    ({"year": {"$gte": 2020, "$lt": 2021}}, ["drama"]),
    ({"genre": {"$gt": 6}}, ["number"]),
    ({"seen": True}, ["drama"]),
    ({"seen": {"$eq": False}}, ["comedy"]),
    ({"seen": {"$ne": True}}, ["bare", "both", "comedy", "number", "text"]),
    ({"seen": 1}, ["number"]),
    ({"seen": "true"}, ["text"]),
    ({"year": {"$exists": True}}, ["both", "comedy", "drama", "text"]),
    ({"year": {"$exists": False}}, ["bare", "number"]),
    ({"nowhere": {"$exists": True}}, []),
    ({"nowhere": {"$ne": "x"}}, EVERY),
    ({"genre": "drama", "year": 2020}, ["drama"]),
    ({"$and": [{"genre": "drama"}, {"year": {"$gt": 2020}}]}, ["both"]),
    ({"$or": [{"genre": 7}, {"year": 2020}]}, ["drama", "number"]),
    (
        {"$or": [{"$and": [{"genre": "comedy"}, {"seen": False}]}, {"year": 2021}]},
        ["both", "comedy"],
    ),
    ({"$and": [{"$or": [{"seen": True}, {"seen": False}]}, {"year": {"$lt": 2020}}]}, ["comedy"]),
    ({"seen": True, "$or": [{"year": 2020}, {"year": 2021}]}, ["drama"]),
]


@pytest.mark.parametrize(("condition", "expected"), CASES)
async def test_a_filter_lets_through(
    filled: Space, condition: dict[str, Any], expected: list[str]
) -> None:
    assert await filled.found_by(condition) == expected


async def test_a_filter_of_the_sdks_builder_is_understood(filled: Space) -> None:
    condition = ((Field("genre") == "drama") & Field("year").gt(2020)) | (Field("seen") == False)  # noqa: E712
    assert await filled.found_by(condition.to_dict()) == ["both", "comedy"]


async def test_field_names_may_hold_anything(space: Space) -> None:
    names = ['qu"ote', "back\\slash", "a.b", "$inside$"[1:], "名", " ", "new\nline", "it's"]
    await space.upsert(*[(f"r{n}", [1, 0, 0], {name: "v"}) for n, name in enumerate(names)])
    for n, name in enumerate(names):
        assert await space.found_by({name: "v"}) == [f"r{n}"]


LISTS = "the $in operator must be followed by a list of strings or a list of numbers, "


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ({"genre": ["comedy"]}, 'illegal condition for field genre, got ["comedy"]'),
        ({"genre": {"eq": "drama"}}, 'illegal condition for field genre, got {"eq":"drama"}'),
        ({"genre": {}}, "illegal condition for field genre, got {}"),
        ({"genre": None}, "illegal condition for field genre, got null"),
        ({"genre": {"$regex": "d.*"}}, "$regex is not a valid operator"),
        ({"$not": {"genre": "drama"}}, "$not is not a valid operator"),
        (
            {"genre": {"$eq": ["drama"]}},
            'the $eq operator must be followed by a string, boolean or a number, got ["drama"]',
        ),
        (
            {"genre": {"$in": "drama"}},
            LISTS + 'got "drama"',
        ),
        ({"year": {"$gt": "2020"}}, 'the $gt operator must be followed by a number, got "2020"'),
        ({"year": {"$lt": True}}, "the $lt operator must be followed by a number, got true"),
        ({"year": {"$exists": 1}}, "the $exists operator must be followed by a boolean, got 1"),
        (
            {"$and": {"genre": "drama"}},
            'the $and operator must be followed by a list of filters, got {"genre":"drama"}',
        ),
        ({"$or": []}, "the $or operator must be followed by a list of filters, got []"),
        ({"$and": ["drama"]}, 'filter must be an object, got "drama"'),
        (
            {"genre": {"$in": ["x"] * 10_001}},
            "the $in operator takes at most 10000 values, got 10001",
        ),
    ],
)
async def test_an_invalid_filter_is_refused(
    space: Space, condition: dict[str, Any], message: str
) -> None:
    with pytest.raises(ApiError) as caught:
        await space.found_by(condition)
    assert caught.value.status_code == 400
    assert caught.value.body == {"code": 3, "message": message, "details": []}
