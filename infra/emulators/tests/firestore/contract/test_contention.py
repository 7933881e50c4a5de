"""Many writers on one document lose nothing."""

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from typing import Any

from google.api_core.exceptions import Aborted, AlreadyExists
from google.cloud import firestore

from infra.emulators.tests.firestore.documents import fill
from infra.emulators.tests.firestore.servers import Server


def _increment(db: firestore.Client) -> None:
    """One transactional increment, as a product does it: read, add, write, again if aborted."""

    @firestore.transactional
    def add(transaction: firestore.Transaction) -> None:
        counter = db.document("c/counter")
        n = counter.get(transaction=transaction).get("n")
        transaction.update(counter, {"n": n + 1})

    _until_not_aborted(partial(add, db.transaction(max_attempts=50)))


def _until_not_aborted(attempt: Callable[[], Any]) -> None:
    """Google's emulator may abort a read that waited for a lock, which the SDK does not retry."""
    while True:
        with contextlib.suppress(Aborted):
            attempt()
            return


def test_transactional_increments_are_all_counted(db: firestore.Client, server: Server) -> None:
    # Google's emulator waits for locks, tens of seconds for the full load: it gets a small one.
    threads, each = (8, 25) if server.is_ours else (2, 3)
    db.document("c/counter").set({"n": 0})
    together = threading.Barrier(threads)

    def work(_: int) -> None:
        together.wait()
        for _ in range(each):
            _increment(db)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))

    assert db.document("c/counter").get().get("n") == threads * each


def test_transfers_between_accounts_keep_the_sum(db: firestore.Client, server: Server) -> None:
    threads, each = (4, 12) if server.is_ours else (2, 2)
    accounts = [db.document(f"c/{n}") for n in range(5)]
    fill(db, {account.path: {"n": 100} for account in accounts})

    @firestore.transactional
    def transfer(transaction: firestore.Transaction, source: int, target: int) -> None:
        left = accounts[source].get(transaction=transaction).get("n")
        right = accounts[target].get(transaction=transaction).get("n")
        transaction.update(accounts[source], {"n": left - 1})
        transaction.update(accounts[target], {"n": right + 1})

    @firestore.transactional
    def total(transaction: firestore.Transaction) -> int:
        return sum(s.get("n") for s in db.collection("c").stream(transaction=transaction))

    def work(seed: int) -> list[int]:
        random, seen = Random(seed), []
        for _ in range(each):
            pair = sorted(random.sample(range(5), 2))
            _until_not_aborted(partial(transfer, db.transaction(max_attempts=50), *pair))
            seen.append(total(db.transaction(read_only=True)))
        return seen

    with ThreadPoolExecutor(threads) as pool:
        seen = list(pool.map(work, range(threads)))

    assert seen == [[500] * each] * threads
    assert sum(s.get("n") for s in db.collection("c").stream()) == 500


def test_increments_by_transform_need_no_transaction(db: firestore.Client) -> None:
    db.document("c/counter").set({"n": 0})

    def work(_: int) -> None:
        db.document("c/counter").update({"n": firestore.Increment(1)})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(40)))

    assert db.document("c/counter").get().get("n") == 40


def test_of_many_creators_one_succeeds(db: firestore.Client) -> None:
    def create(n: int) -> bool:
        batch = db.batch()
        batch.create(db.document("c/only"), {"by": n})
        batch.set(db.document(f"c/made-by-{n}"), {})
        try:
            batch.commit()
        except (AlreadyExists, Aborted):
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        won = [n for n, made in enumerate(pool.map(create, range(8))) if made]

    assert len(won) == 1
    assert [s.id for s in db.collection("c").stream()] == [f"made-by-{won[0]}", "only"]


def test_commit_times_of_many_writers_are_all_different(db: firestore.Client) -> None:
    def write(n: int) -> object:
        return db.document(f"c/{n}").set({"n": n}).update_time

    with ThreadPoolExecutor(4) as pool:
        times = list(pool.map(write, range(60)))

    assert len(set(times)) == 60
