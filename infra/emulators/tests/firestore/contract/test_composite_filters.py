"""And, or, and inequalities on several fields."""

from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import And, Or

from infra.emulators.tests.firestore.documents import fill, ids, where

ROWS: dict[str, dict[str, Any]] = {
    "r/1": {"a": 1, "b": 1, "tags": ["x"]},
    "r/2": {"a": 1, "b": 2, "tags": ["y"]},
    "r/3": {"a": 2, "b": 1, "tags": ["x", "y"]},
    "r/4": {"a": 2, "b": 2, "c": 0},
    "r/5": {"a": None, "b": 1},
    "r/6": {"b": 9},
    "r/7": {"a": 3},
}


@pytest.fixture
def rows(db: firestore.Client) -> firestore.CollectionReference:
    fill(db, ROWS)
    return db.collection("r")


A1, A2, B1, B2 = where("a", "==", 1), where("a", "==", 2), where("b", "==", 1), where("b", "==", 2)


@pytest.mark.parametrize(
    ("filtered", "found"),
    [
        pytest.param(And([A1, B2]), ["2"], id="and"),
        pytest.param(And([A1, A2]), [], id="and-of-what-excludes-itself"),
        pytest.param(And([A1]), ["1", "2"], id="and-of-one"),
        pytest.param(Or([A1, B1]), ["1", "2", "3", "5"], id="or-names-nobody-twice"),
        pytest.param(Or([A1]), ["1", "2"], id="or-of-one"),
        pytest.param(Or([where("a", "==", None), B2]), ["2", "4", "5"], id="or-with-null"),
        pytest.param(Or([And([A1, B1]), And([A2, B2])]), ["1", "4"], id="or-of-ands"),
        pytest.param(And([Or([A1, A2]), Or([B1])]), ["1", "3"], id="and-of-ors"),
        pytest.param(
            Or([And([A1, Or([B1, B2])]), And([A2, where("c", "==", 0)])]),
            ["1", "2", "4"],
            id="three-deep",
        ),
        pytest.param(
            And([where("a", "in", [1, 2]), where("b", "in", [2, 9])]), ["2", "4"], id="two-ins"
        ),
        pytest.param(
            And([where("tags", "array_contains", "x"), where("a", "in", [2, 3])]),
            ["3"],
            id="array-contains-and-in",
        ),
        pytest.param(
            And([where("tags", "array_contains_any", ["x", "y"]), B1]),
            ["1", "3"],
            id="array-contains-any-and-equal",
        ),
        pytest.param(
            Or([where("tags", "array_contains", "y"), where("tags", "array_contains", "x")]),
            ["1", "2", "3"],
            id="array-contains-in-two-branches",
        ),
        pytest.param(
            And([where("b", ">", 1), where("b", "<", 9)]), ["2", "4"], id="range-of-one-field"
        ),
        pytest.param(
            And([where("b", ">=", 1), where("b", "!=", 2)]),
            ["1", "3", "5", "6"],
            id="hole-in-a-range",
        ),
        pytest.param(
            And([where("b", ">=", 1), where("b", "not-in", [1, 9])]),
            ["2", "4"],
            id="not-in-within-a-range",
        ),
        pytest.param(And([where("a", ">", 1), where("b", "<", 2)]), ["3"], id="two-inequalities"),
        pytest.param(
            And([where("a", "!=", 1), where("b", ">", 0)]), ["3", "4"], id="not-equal-and-greater"
        ),
        pytest.param(
            And([A2, where("b", ">", 1)]), ["4"], id="equal-and-inequality-on-another-field"
        ),
        pytest.param(
            And([where("a", "!=", 2), where("b", "in", [1, 2])]), ["1", "2"], id="not-equal-and-in"
        ),
        pytest.param(
            Or([where("a", "!=", 1), where("b", "==", 2)]),
            ["2", "3", "4", "7"],
            id="or-with-not-equal-needs-the-field",
        ),
    ],
)
def test_filters_combine(
    rows: firestore.CollectionReference, filtered: And | Or, found: list[str]
) -> None:
    assert sorted(ids(rows.where(filter=filtered))) == found


def test_chained_filters_are_an_and(rows: firestore.CollectionReference) -> None:
    has_x = where("tags", "array_contains", "x")
    query = rows.where(filter=A2).where(filter=B1).where(filter=has_x)

    assert ids(query) == ["3"]


def test_an_or_is_in_the_order_of_names(rows: firestore.CollectionReference) -> None:
    assert ids(rows.where(filter=Or([B2, A1]))) == ["1", "2", "4"]


def test_an_or_with_an_order_and_a_limit(rows: firestore.CollectionReference) -> None:
    query = rows.where(filter=Or([A1, B1])).order_by("b", direction="DESCENDING").limit(3)

    assert ids(query) == ["2", "5", "3"]


def test_an_or_of_inequalities_is_ordered_by_its_fields(
    rows: firestore.CollectionReference,
) -> None:
    query = rows.where(filter=Or([where("a", ">", 1), where("b", ">", 1)]))

    # Ordered by a, then b: who lacks one of them has no place in the order.
    assert ids(query) == ["2", "3", "4"]


def test_thirty_disjunctions_are_answered(rows: firestore.CollectionReference) -> None:
    query = rows.where(filter=And([where("a", "in", list(range(15))), where("b", "in", [1, 2])]))

    assert ids(query) == ["1", "2", "3", "4"]
