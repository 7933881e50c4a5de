"""Transactions: what they see, what they hold against each other, how they end.

Ours is optimistic and Google's emulator holds locks, so where two meet it is left open which of
them is told ABORTED; that exactly one of them is, and that nothing is lost, is not.
"""

from typing import Any

import pytest
from google.api_core.exceptions import Aborted
from google.cloud import firestore
from grpc import StatusCode

from infra.emulators.tests.firestore.differences import differs
from infra.emulators.tests.firestore.documents import fill, ids, where
from infra.emulators.tests.firestore.servers import Server
from infra.emulators.tests.firestore.wire import Message, Wire, refused, select

LOCKS = "Google's emulator holds locks: the other writer waits for them, and is the one aborted"


def _number(wire: Wire, path: str, **more: Any) -> int:
    (answer,) = wire.get(path, **more)
    number: int = answer.found.fields["n"].integer_value
    return number


def _aborted(wire: Wire, *writes: Message, **more: Any) -> bool:
    try:
        wire.commit(*writes, **more)
    except Aborted:
        return True
    return False


def test_a_transaction_reads_and_writes(db: firestore.Client) -> None:
    fill(db, {"t/x": {"n": 1}, "t/y": {"n": 5}})

    @firestore.transactional
    def move(transaction: firestore.Transaction, by: int) -> int:
        x = db.document("t/x").get(transaction=transaction).get("n")
        y = db.document("t/y").get(transaction=transaction).get("n")
        transaction.update(db.document("t/x"), {"n": x + by})
        transaction.update(db.document("t/y"), {"n": y - by})
        return int(x + y)

    assert move(db.transaction(), 3) == 6
    assert [s.get("n") for s in db.collection("t").stream()] == [4, 2]


def test_a_transaction_writes_at_one_time(db: firestore.Client) -> None:
    @firestore.transactional
    def write(transaction: firestore.Transaction) -> None:
        transaction.set(db.document("t/x"), {"n": 1})
        transaction.create(db.document("t/y"), {"n": 1})

    write(db.transaction())

    assert len({s.update_time for s in db.collection("t").stream()}) == 1


def test_an_error_inside_rolls_everything_back(db: firestore.Client) -> None:
    class Oops(Exception): ...

    @firestore.transactional
    def fail(transaction: firestore.Transaction) -> None:
        transaction.set(db.document("t/x"), {"n": 1})
        raise Oops

    with pytest.raises(Oops):
        fail(db.transaction())

    assert not db.document("t/x").get().exists


def test_a_refused_write_rolls_everything_back(db: firestore.Client) -> None:
    db.document("t/taken").set({"n": 1})

    @firestore.transactional
    def write(transaction: firestore.Transaction) -> None:
        transaction.set(db.document("t/x"), {"n": 1})
        transaction.create(db.document("t/taken"), {"n": 2})

    with refused(StatusCode.ALREADY_EXISTS):
        write(db.transaction())

    assert ids(db.collection("t")) == ["taken"]


def test_queries_and_counts_run_inside(db: firestore.Client) -> None:
    fill(db, {f"t/{n}": {"n": n} for n in range(4)})

    @firestore.transactional
    def prune(transaction: firestore.Transaction) -> tuple[int, int]:
        query: Any = db.collection("t").where(filter=where("n", ">=", 2))
        counted = query.count().get(transaction=transaction)[0][0].value
        found = list(query.stream(transaction=transaction))
        for snapshot in found:
            transaction.delete(snapshot.reference)
        return counted, len(found)

    assert prune(db.transaction()) == (2, 2)
    assert ids(db.collection("t")) == ["0", "1"]


def test_a_read_write_transaction_sees_what_was_there_before_its_first_read(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))
    transaction = wire.begin()
    wire.commit(wire.update("t/x", {"n": 2}))

    assert _number(wire, "t/x", transaction=transaction) == 2
    wire.commit(wire.update("t/x", {"n": 3}), transaction=transaction)
    assert _number(wire, "t/x") == 3


def test_a_write_outside_and_a_transaction_do_not_both_win(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))
    transaction = wire.begin()
    _number(wire, "t/x", transaction=transaction)

    outside = _aborted(wire, wire.update("t/x", {"n": 2}))
    inside = _aborted(wire, wire.update("t/x", {"n": 3}), transaction=transaction)

    assert [outside, inside].count(True) == 1
    assert _number(wire, "t/x") == (3 if outside else 2)


@differs(LOCKS)
def test_a_write_outside_wins_over_a_transaction_that_read_before_it(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))
    transaction = wire.begin()
    _number(wire, "t/x", transaction=transaction)
    wire.commit(wire.update("t/x", {"n": 2}))

    with refused(StatusCode.ABORTED):
        wire.commit(wire.update("t/x", {"n": 3}), transaction=transaction)

    assert _number(wire, "t/x") == 2


@differs(LOCKS)
def test_a_read_write_transaction_keeps_its_snapshot(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}), wire.update("t/y", {"n": 1}))
    transaction = wire.begin()
    first = _number(wire, "t/x", transaction=transaction)
    wire.commit(wire.update("t/x", {"n": 2}), wire.update("t/y", {"n": 2}))

    # Neither what it has read nor what it has not read yet may come from after its first read.
    try:
        seen = [_number(wire, f"t/{key}", transaction=transaction) for key in "xy"]
    except Aborted:
        seen = [1, 1]
    assert (first, seen) == (1, [1, 1])


def test_two_transactions_that_read_the_same_do_not_both_win(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))
    one, two = wire.begin(), wire.begin()
    for transaction in (one, two):
        _number(wire, "t/x", transaction=transaction)

    lost_one = _aborted(wire, wire.update("t/x", {"n": 10}), transaction=one)
    lost_two = _aborted(wire, wire.update("t/x", {"n": 20}), transaction=two)

    assert [lost_one, lost_two].count(True) == 1
    assert _number(wire, "t/x") == (20 if lost_one else 10)


def test_write_skew_is_impossible(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}), wire.update("t/y", {"n": 1}))
    one, two = wire.begin(), wire.begin()
    for transaction in (one, two):
        for path in ("t/x", "t/y"):
            _number(wire, path, transaction=transaction)

    lost_one = _aborted(wire, wire.update("t/x", {"n": 0}), transaction=one)
    lost_two = _aborted(wire, wire.update("t/y", {"n": 0}), transaction=two)

    assert [lost_one, lost_two].count(True) == 1
    assert _number(wire, "t/x") + _number(wire, "t/y") == 1


def test_a_document_that_appears_in_a_query_read_before_is_a_conflict(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))
    transaction = wire.begin()
    assert wire.ids(select("t"), transaction=transaction) == ["x"]

    outside = _aborted(wire, wire.update("t/new", {"n": 1}))
    inside = _aborted(wire, wire.update("u/count", {"n": 1}), transaction=transaction)

    assert [outside, inside].count(True) == 1


def test_a_document_found_missing_that_appears_is_a_conflict(wire: Wire) -> None:
    transaction = wire.begin()
    assert wire.get("t/x", transaction=transaction)[0].missing

    outside = _aborted(wire, wire.update("t/x", {"n": 1}))
    inside = _aborted(wire, wire.update("t/x", {"n": 2}), transaction=transaction)

    assert [outside, inside].count(True) == 1
    assert _number(wire, "t/x") == (2 if outside else 1)


def test_writes_elsewhere_do_not_disturb_a_transaction(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))
    transaction = wire.begin()
    _number(wire, "t/x", transaction=transaction)
    wire.commit(wire.update("u/elsewhere", {"n": 1}))
    wire.commit(wire.update("t/neighbour", {"n": 1}))

    wire.commit(wire.update("t/x", {"n": 2}), transaction=transaction)

    assert _number(wire, "t/x") == 2


def test_a_transaction_that_only_writes_never_conflicts(wire: Wire) -> None:
    transaction = wire.begin()
    wire.commit(wire.update("t/x", {"n": 1}))
    wire.commit(wire.update("t/x", {"n": 2}), transaction=transaction)

    assert _number(wire, "t/x") == 2


def test_the_sdk_tries_an_aborted_transaction_again(
    wire: Wire, db: firestore.Client, server: Server
) -> None:
    fill(db, {"t/x": {"n": 1}})
    rival = wire.begin()
    _number(wire, "t/x", transaction=rival)
    attempts: list[int] = []

    @firestore.transactional
    def add(transaction: firestore.Transaction) -> None:
        n = db.document("t/x").get(transaction=transaction).get("n")
        attempts.append(n)
        if len(attempts) == 1:
            _aborted(wire, wire.update("t/x", {"n": n + 10}), transaction=rival)
        transaction.update(db.document("t/x"), {"n": n + 1})

    add(db.transaction())

    # Ours lets the rival win and the SDK try again; with locks the rival is the one to lose.
    seen, left = ([1, 11], 12) if server.is_ours else ([1], 2)
    assert (attempts, _number(wire, "t/x")) == (seen, left)


def test_a_read_only_transaction_sees_the_moment_it_began(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))
    transaction = wire.begin({"read_only": {}})
    wire.commit(wire.update("t/x", {"n": 2}), wire.update("t/y", {"n": 2}))

    assert _number(wire, "t/x", transaction=transaction) == 1
    assert wire.ids(select("t"), transaction=transaction) == ["x"]
    wire.commit(wire.delete("t/x"))
    assert _number(wire, "t/x", transaction=transaction) == 1
    counted = wire.aggregate(select("t"), {"alias": "c", "count": {}}, transaction=transaction)
    assert counted["c"].integer_value == 1
    wire.commit(transaction=transaction)


def test_a_read_only_transaction_has_one_read_time(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}), wire.update("t/y", {"n": 1}))
    transaction = wire.begin({"read_only": {}})

    answers = [
        *wire.get("t/x", "t/none", transaction=transaction),
        *wire.get("t/y", transaction=transaction),
        *wire.query(select("t"), transaction=transaction),
        *wire.query(select("none"), transaction=transaction),
    ]

    assert len({str(answer.read_time) for answer in answers}) == 1


def test_a_read_only_transaction_may_begin_in_the_past(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))
    then = wire.get("t/x")[0].read_time
    wire.commit(wire.update("t/x", {"n": 2}))

    transaction = wire.begin({"read_only": {"read_time": then}})

    assert _number(wire, "t/x", transaction=transaction) == 1


def test_a_read_only_transaction_blocks_nobody(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))
    transaction = wire.begin({"read_only": {}})
    _number(wire, "t/x", transaction=transaction)

    wire.commit(wire.update("t/x", {"n": 2}))

    assert _number(wire, "t/x") == 2
    assert _number(wire, "t/x", transaction=transaction) == 1


def test_a_read_only_transaction_cannot_write(wire: Wire) -> None:
    transaction = wire.begin({"read_only": {}})

    with refused(StatusCode.INVALID_ARGUMENT, "read-only"):
        wire.commit(wire.update("t/x", {"n": 1}), transaction=transaction)

    assert wire.get("t/x")[0].missing


def test_the_sdk_reads_in_a_read_only_transaction(db: firestore.Client) -> None:
    fill(db, {"t/x": {"n": 1}, "t/y": {"n": 2}})

    @firestore.transactional
    def total(transaction: firestore.Transaction) -> int:
        return sum(s.get("n") for s in db.collection("t").stream(transaction=transaction))

    assert total(db.transaction(read_only=True)) == 3


def test_a_transaction_can_begin_with_its_first_read(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))

    begun, found = wire.get("t/x", new_transaction={"read_write": {}})
    assert begun.transaction
    assert found.found.fields["n"].integer_value == 1

    wire.commit(wire.update("t/x", {"n": 2}), transaction=begun.transaction)
    assert _number(wire, "t/x") == 2


def test_a_transaction_can_begin_with_a_query(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))

    begun, found = wire.query(select("t"), new_transaction={"read_only": {}})

    assert begun.transaction
    assert found.document.name == wire.name("t/x")
    assert _number(wire, "t/x", transaction=begun.transaction) == 1


def test_a_rolled_back_transaction_is_over(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))
    transaction = wire.begin()
    _number(wire, "t/x", transaction=transaction)
    wire.rollback(transaction)

    with refused(StatusCode.INVALID_ARGUMENT):
        wire.commit(wire.update("t/x", {"n": 2}), transaction=transaction)
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.get("t/x", transaction=transaction)
    wire.commit(wire.update("t/x", {"n": 3}))
    assert _number(wire, "t/x") == 3


def test_a_committed_transaction_is_over(wire: Wire) -> None:
    transaction = wire.begin()
    wire.commit(wire.update("t/x", {"n": 1}), transaction=transaction)

    with refused(StatusCode.INVALID_ARGUMENT):
        wire.commit(wire.update("t/x", {"n": 2}), transaction=transaction)
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.get("t/x", transaction=transaction)
    assert _number(wire, "t/x") == 1


def test_a_failed_commit_ends_the_transaction(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))
    transaction = wire.begin()

    with refused(StatusCode.ALREADY_EXISTS):
        wire.commit(wire.create("t/x", {"n": 2}), transaction=transaction)
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.commit(wire.update("t/x", {"n": 3}), transaction=transaction)


def test_a_rollback_may_come_twice_or_after_a_commit(wire: Wire) -> None:
    rolled, committed = wire.begin(), wire.begin()
    wire.rollback(rolled)
    wire.rollback(rolled)
    wire.commit(wire.update("t/x", {"n": 1}), transaction=committed)
    wire.rollback(committed)

    assert _number(wire, "t/x") == 1


@pytest.mark.parametrize("transaction", [b"nobody began this", b""])
def test_a_rollback_of_an_unknown_transaction_is_refused(wire: Wire, transaction: bytes) -> None:
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.rollback(transaction)


def test_an_unknown_transaction_is_refused_everywhere(wire: Wire) -> None:
    unknown = b"nobody began this"

    with refused(StatusCode.INVALID_ARGUMENT):
        wire.commit(wire.update("t/x", {"n": 1}), transaction=unknown)
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.get("t/x", transaction=unknown)
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.query(select("t"), transaction=unknown)
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.aggregate(select("t"), {"count": {}}, transaction=unknown)
    assert wire.get("t/x")[0].missing


def test_a_retried_transaction_names_the_one_before(wire: Wire) -> None:
    wire.commit(wire.update("t/x", {"n": 1}))
    first = wire.begin()
    wire.rollback(first)

    again = wire.begin({"read_write": {"retry_transaction": first}})

    assert again != first
    assert _number(wire, "t/x", transaction=again) == 1
    wire.commit(wire.update("t/x", {"n": 2}), transaction=again)
