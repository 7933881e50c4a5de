"""Many writers on one document lose nothing."""

import threading
from concurrent.futures import ThreadPoolExecutor

from google.api_core.exceptions import Aborted, AlreadyExists
from google.cloud import firestore

from tests.contract.firestore.servers import Server


def _increment(db: firestore.Client) -> None:
    """One transactional increment, as a product does it: read, add, write, again if aborted."""

    @firestore.transactional
    def add(transaction: firestore.Transaction) -> None:
        counter = db.document("c/counter")
        n = counter.get(transaction=transaction).get("n")
        transaction.update(counter, {"n": n + 1})

    while True:
        try:
            add(db.transaction(max_attempts=50))
        except Aborted:
            # Google's emulator may abort a read that waited too long for a lock.
            continue
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
