"""Transactions by themselves: how they end, and what is known of them afterwards."""

import pytest

from infra.emulators.firestore import transactions as module
from infra.emulators.firestore.protobuf import BeginTransactionRequest
from infra.emulators.firestore.refusal import Refused
from infra.emulators.firestore.transactions import Transaction, Transactions

DATABASE = "projects/p/databases/d"


@pytest.fixture
def ended() -> list[Transaction]:
    return []


@pytest.fixture
def transactions(ended: list[Transaction]) -> Transactions:
    return Transactions(ended.append)


def begin(transactions: Transactions, *, read_only: bool = False) -> Transaction:
    options = BeginTransactionRequest().options
    if read_only:
        options.read_only.SetInParent()
    else:
        options.read_write.SetInParent()
    return transactions.begin(DATABASE, options)


def test_a_transaction_is_known_until_it_is_closed(
    transactions: Transactions, ended: list[Transaction]
) -> None:
    made = begin(transactions)

    assert transactions.get(made.id, DATABASE) is made
    transactions.close(made)
    transactions.close(made)
    assert ended == [made]
    with pytest.raises(Refused, match="invalid or closed"):
        transactions.get(made.id, DATABASE)


def test_a_transaction_belongs_to_its_database(transactions: Transactions) -> None:
    made = begin(transactions)

    with pytest.raises(Refused, match="Invalid transaction"):
        transactions.get(made.id, "projects/p/databases/other")


@pytest.mark.parametrize("limit", ["IDLE_SECONDS", "TOTAL_SECONDS"])
def test_a_transaction_expires(
    transactions: Transactions,
    ended: list[Transaction],
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
) -> None:
    made = begin(transactions)
    monkeypatch.setattr(module, limit, -1.0)

    with pytest.raises(Refused, match="invalid or closed"):
        transactions.get(made.id, DATABASE)
    assert ended == [made]


def test_what_expired_unasked_is_ended_by_the_next_to_begin(
    transactions: Transactions, ended: list[Transaction], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = begin(transactions)
    monkeypatch.setattr(module, "IDLE_SECONDS", -1.0)
    monkeypatch.setattr(transactions, "_next_expiry", 0.0)
    begin(transactions)

    assert made in ended


def test_only_a_known_read_write_transaction_can_be_retried(transactions: Transactions) -> None:
    options = BeginTransactionRequest().options
    options.read_write.retry_transaction = begin(transactions).id
    transactions.begin(DATABASE, options)
    options.read_write.retry_transaction = begin(transactions, read_only=True).id
    with pytest.raises(Refused, match="read-only"):
        transactions.begin(DATABASE, options)
    options.read_write.retry_transaction = b"nobody"
    with pytest.raises(Refused, match="Invalid transaction"):
        transactions.begin(DATABASE, options)
