"""The same contract through AsyncClient, which is what the product uses."""

import asyncio
import contextlib
from datetime import timedelta
from typing import Any

import pytest
from google.api_core.exceptions import Aborted
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import And, Or
from grpc import StatusCode

from infra.emulators.tests.firestore.documents import moment, where
from infra.emulators.tests.firestore.servers import Server
from infra.emulators.tests.firestore.wire import refused


async def _fill(db: firestore.AsyncClient, documents: dict[str, dict[str, Any]]) -> None:
    batch = db.batch()
    for path, data in documents.items():
        batch.set(db.document(path), data)
    await batch.commit()


async def _ids(query: Any) -> list[str]:
    return [snapshot.id async for snapshot in query.stream()]


async def test_set_get_and_delete(adb: firestore.AsyncClient) -> None:
    result = await adb.document("a/x").set({"n": 1, "text": "记忆"})
    snapshot = await adb.document("a/x").get()

    assert snapshot.to_dict() == {"n": 1, "text": "记忆"}
    assert snapshot.update_time == result.update_time

    await adb.document("a/x").delete()
    assert not (await adb.document("a/x").get()).exists


async def test_merge_update_and_delete_field(adb: firestore.AsyncClient) -> None:
    reference = adb.document("a/x")
    await reference.set({"m": {"x": 1, "y": 2}, "n": 1})
    await reference.set({"m": {"x": 9}}, merge=True)
    await reference.update({"m.y": firestore.DELETE_FIELD, "n": firestore.Increment(4)})

    assert (await reference.get()).to_dict() == {"m": {"x": 9}, "n": 5}


async def test_create_refuses_the_second(adb: firestore.AsyncClient) -> None:
    await adb.document("a/x").create({"n": 1})

    with refused(StatusCode.ALREADY_EXISTS):
        await adb.document("a/x").create({"n": 2})


async def test_update_needs_the_document(adb: firestore.AsyncClient) -> None:
    with refused(StatusCode.NOT_FOUND):
        await adb.document("a/x").update({"n": 1})


async def test_a_stale_update_time_is_refused(adb: firestore.AsyncClient) -> None:
    first = await adb.document("a/x").set({"n": 1})
    await adb.document("a/x").set({"n": 2})

    with refused(StatusCode.FAILED_PRECONDITION):
        await adb.document("a/x").update(
            {"n": 3}, option=adb.write_option(last_update_time=first.update_time)
        )


async def test_a_batch_is_all_or_nothing(adb: firestore.AsyncClient) -> None:
    await adb.document("a/taken").set({"n": 1})
    batch = adb.batch()
    batch.set(adb.document("a/x"), {"n": 1})
    batch.create(adb.document("a/taken"), {"n": 2})

    with refused(StatusCode.ALREADY_EXISTS):
        await batch.commit()

    assert await _ids(adb.collection("a")) == ["taken"]


async def test_get_all_brings_the_found_and_the_missing(adb: firestore.AsyncClient) -> None:
    await _fill(adb, {"a/x": {"n": 1}, "a/y": {"n": 2}})
    wanted = [adb.document(f"a/{key}") for key in ("x", "y", "z")]

    read = {s.id: s.to_dict() async for s in adb.get_all(wanted, field_paths=["n"])}

    assert read == {"x": {"n": 1}, "y": {"n": 2}, "z": None}


async def test_queries_filter_order_and_page(adb: firestore.AsyncClient) -> None:
    await _fill(adb, {f"a/{n}": {"n": n, "odd": n % 2 == 1, "tags": [n, n + 1]} for n in range(8)})
    group = adb.collection("a")
    odd = group.where(filter=where("odd", "==", True)).order_by("n", direction="DESCENDING")

    assert await _ids(odd) == ["7", "5", "3", "1"]
    (first, second) = [s async for s in odd.limit(2).stream()]
    assert await _ids(odd.start_after(second)) == ["3", "1"]
    assert await _ids(odd.end_before(second)) == [first.id]
    assert await _ids(group.where(filter=where("tags", "array_contains_any", [1, 7]))) == [
        "0",
        "1",
        "6",
        "7",
    ]
    either = Or([where("n", "==", 0), And([where("n", ">", 5), where("odd", "==", False)])])
    assert await _ids(group.where(filter=either)) == ["0", "6"]
    assert [s.id for s in await group.order_by("n").limit_to_last(2).get()] == ["6", "7"]


async def test_a_select_brings_the_named_fields(adb: firestore.AsyncClient) -> None:
    await _fill(adb, {"a/x": {"n": 1, "m": 2}})

    assert [s.to_dict() async for s in adb.collection("a").select(["m"]).stream()] == [{"m": 2}]


async def test_collection_groups(adb: firestore.AsyncClient) -> None:
    await _fill(adb, {"g/1/m/a": {"k": 1}, "g/2/m/b": {"k": 1}, "g/2/m/c": {"k": 2}})

    assert await _ids(adb.collection_group("m").where(filter=where("k", "==", 1))) == ["a", "b"]


async def test_count_sum_and_average(adb: firestore.AsyncClient) -> None:
    await _fill(adb, {f"a/{n}": {"n": n} for n in range(5)})
    query: Any = adb.collection("a").where(filter=where("n", ">", 0))

    found = await query.count(alias="c").sum("n", alias="s").avg("n", alias="m").get()

    assert {result.alias: result.value for result in found[0]} == {"c": 4, "s": 10, "m": 2.5}


async def test_a_transaction_commits(adb: firestore.AsyncClient) -> None:
    await _fill(adb, {"a/x": {"n": 1}})

    @firestore.async_transactional
    async def add(transaction: firestore.AsyncTransaction) -> int:
        snapshot = await adb.document("a/x").get(transaction=transaction)
        n: int = snapshot.get("n") + 1
        transaction.update(adb.document("a/x"), {"n": n})
        transaction.set(adb.document("a/log"), {"saw": n})
        return n

    assert await add(adb.transaction()) == 2
    assert (await adb.document("a/log").get()).to_dict() == {"saw": 2}


async def test_an_error_inside_a_transaction_rolls_back(adb: firestore.AsyncClient) -> None:
    class Oops(Exception): ...

    @firestore.async_transactional
    async def fail(transaction: firestore.AsyncTransaction) -> None:
        await adb.document("a/x").get(transaction=transaction)
        transaction.set(adb.document("a/x"), {"n": 1})
        raise Oops

    with pytest.raises(Oops):
        await fail(adb.transaction())

    assert not (await adb.document("a/x").get()).exists


async def test_a_read_only_transaction_reads(adb: firestore.AsyncClient) -> None:
    await _fill(adb, {"a/x": {"n": 1}})
    rows: Any = adb.collection("a")

    @firestore.async_transactional
    async def read(transaction: firestore.AsyncTransaction) -> list[str]:
        return [s.id async for s in rows.stream(transaction=transaction)]

    assert await read(adb.transaction(read_only=True)) == ["x"]


async def test_concurrent_transactions_count_everything(
    adb: firestore.AsyncClient, server: Server
) -> None:
    workers, each = (6, 5) if server.is_ours else (2, 2)
    await adb.document("a/n").set({"n": 0})

    @firestore.async_transactional
    async def add(transaction: firestore.AsyncTransaction) -> None:
        snapshot = await adb.document("a/n").get(transaction=transaction)
        transaction.update(adb.document("a/n"), {"n": snapshot.get("n") + 1})

    async def work() -> None:
        done = 0
        while done < each:
            # With locks a read may be aborted too, which the SDK does not try again.
            with contextlib.suppress(Aborted):
                await add(adb.transaction(max_attempts=50))
                done += 1

    await asyncio.gather(*(work() for _ in range(workers)))

    assert (await adb.document("a/n").get()).get("n") == workers * each


async def test_many_requests_share_a_connection(adb: firestore.AsyncClient) -> None:
    await asyncio.gather(*(adb.document(f"a/{n:02}").set({"n": n}) for n in range(60)))

    read = await asyncio.gather(*(adb.document(f"a/{n:02}").get() for n in range(60)))

    assert [snapshot.get("n") for snapshot in read] == list(range(60))


async def test_listing(adb: firestore.AsyncClient) -> None:
    await _fill(adb, {"l/a": {}, "l/ghost/s/1": {}, "m/x": {}})

    assert [r.id async for r in adb.collection("l").list_documents(page_size=1)] == ["a", "ghost"]
    assert [c.id async for c in adb.collections()] == ["l", "m"]
    assert [c.id async for c in adb.document("l/ghost").collections()] == ["s"]


async def test_recursive_delete(adb: firestore.AsyncClient) -> None:
    await _fill(adb, {"l/a": {}, "l/a/s/1": {}, "l/a/s/1/t/2": {}, "l/b": {}})

    await adb.recursive_delete(adb.document("l/a"))

    assert await _ids(adb.collection("l")) == ["b"]
    assert await _ids(adb.collection_group("t")) == []


async def test_server_time(adb: firestore.AsyncClient) -> None:
    before = await adb.document("a/before").set({})
    result = await adb.document("a/x").set({"at": firestore.SERVER_TIMESTAMP})

    at = (await adb.document("a/x").get()).get("at")

    assert moment(before.update_time) - timedelta(milliseconds=1) < at
    assert at <= moment(result.update_time)
