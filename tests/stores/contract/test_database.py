"""The product's own reads, queries and writes, on both servers."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.errors import Conflict
from shared.stores.firestore import (
    NAME,
    Database,
    DocumentPath,
    collection,
    collection_group,
    create,
    delete,
    gone,
    merge,
    plus,
    put,
    server_time,
    update,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
async def filled(database: Database) -> Database:
    """Nine messages of two groups, a minute apart; the last three of each come at once."""
    await database.commit(
        [
            put(
                f"groups/{group}/messages/m{number}",
                {
                    "group_id": group,
                    "at": NOON + timedelta(minutes=min(number, 6)),
                    "number": number,
                    "words": ["all", "even" if number % 2 == 0 else "odd"],
                    "reply_to": None if number % 3 else "m0",
                },
            )
            for group in ("a", "b")
            for number in range(9)
        ]
    )
    return database


async def numbers(database: Database, query: object) -> list[int]:
    return [one.data["number"] for one in await database.find(query)]  # type: ignore[arg-type]


async def test_a_query_filters_orders_skips_and_limits(filled: Database) -> None:
    messages = collection("groups/a/messages")

    late = messages.where("at", ">=", NOON + timedelta(minutes=3)).largest_first("at")
    assert sorted(await numbers(filled, late.limit(3))) == [6, 7, 8]
    assert await numbers(filled, late.offset(3)) == [5, 4, 3]

    even = messages.where("words", "array_contains", "even")
    within = even.where("number", ">", 0).where("number", "<=", 6).order_by("number")
    assert await numbers(filled, within) == [2, 4, 6]
    assert await filled.count(within) == 3

    either = messages.where("words", "array_contains_any", ["odd", "nobody"]).order_by("number")
    assert await numbers(filled, either) == [1, 3, 5, 7]
    some = messages.where("number", "in", [8, 1]).order_by("number")
    assert await numbers(filled, some) == [1, 8]
    assert await filled.count(messages.where("reply_to", "==", None)) == 6


async def test_every_page_begins_behind_the_last_also_among_equals(filled: Database) -> None:
    query = collection("groups/a/messages").order_by("at").order_by(NAME).limit(2)
    read: list[int] = []
    after = None
    while page := await filled.find(query.start_after(*after) if after else query):
        read += [one.data["number"] for one in page]
        after = (page[-1].data["at"], DocumentPath(page[-1].path))

    assert read == list(range(9))


async def test_a_group_of_collections_is_asked_at_once_and_fields_are_chosen(
    filled: Database,
) -> None:
    query = collection_group("messages").where("number", "==", 4).select("group_id")

    found = await filled.find(query)

    assert sorted(one.data["group_id"] for one in found) == ["a", "b"]
    assert all(set(one.data) == {"group_id"} for one in found)
    assert {one.path for one in found} == {"groups/a/messages/m4", "groups/b/messages/m4"}


async def test_a_merge_makes_the_document_adds_up_and_leaves_the_rest(database: Database) -> None:
    path = "usage/today"
    for prompt, calls in (("close", 1), ("evolve", 2), ("close", 4)):
        counts = {"calls": plus(calls)}
        fields = {**counts, "by_prompt": {prompt: {**counts, "model": "m"}}}
        await database.commit([merge(path, fields)])

    found = await database.get(path)

    assert found
    assert found.data == {
        "calls": 7,
        "by_prompt": {"close": {"calls": 5, "model": "m"}, "evolve": {"calls": 2, "model": "m"}},
    }


async def test_an_update_sets_adds_times_and_takes_away(database: Database) -> None:
    await database.commit([create("c/one", {"kept": 1, "epoch": 1, "odd name": 2, "old": 3})])
    committed = await database.commit(
        [
            update(
                "c/one",
                {"epoch": plus(1), "odd name": 4, "old": gone(), "updated_at": server_time()},
            )
        ]
    )

    found = await database.get("c/one")

    assert found
    assert found.updated_at == committed
    stored = dict(found.data)
    assert abs(stored.pop("updated_at") - committed) < timedelta(minutes=1)
    assert stored == {"kept": 1, "epoch": 2, "odd name": 4}


async def test_preconditions_are_conflicts(database: Database) -> None:
    with pytest.raises(Conflict):
        await database.commit([update("c/none", {"n": 1})])
    await database.commit([create("c/one", {"n": 1})])
    with pytest.raises(Conflict):
        await database.commit([create("c/one", {"n": 2}), put("c/two", {})])
    first = await database.get("c/one")
    assert first
    await database.commit([update("c/one", {"n": 3}, first.updated_at)])
    with pytest.raises(Conflict):
        await database.commit([update("c/one", {"n": 4}, first.updated_at)])

    one, two, same = await database.get_all(["c/one", "c/two", "c/one"])

    assert one
    assert one == same
    assert one.data == {"n": 3}
    assert two is None
    await database.commit([delete("c/one"), delete("c/none")])
    assert await database.get("c/one") is None
