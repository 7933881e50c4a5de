"""One filter at a time: which documents each operator finds."""

import math
from typing import Any

import pytest
from google.cloud import firestore

from infra.emulators.tests.firestore.documents import fill, ids, where
from infra.emulators.tests.firestore.wire import Wire, field, select

TOWNS: dict[str, dict[str, Any]] = {
    "t/a": {"n": 1, "tags": ["x", "y"], "at": {"city": "Kyiv", "zip": 1}},
    "t/b": {"n": 2, "tags": ["y", 2], "at": {"city": "Lviv"}},
    "t/c": {"n": 2.0, "tags": [2.0, None], "at": {"city": "Odesa", "zip": 3}},
    "t/d": {"n": "2", "tags": "y"},
    "t/e": {"n": None, "tags": [], "at": {}},
    "t/f": {"tags": [{"k": 1}, "no"], "at": "Kyiv"},
    "t/g": {"n": math.nan, "tags": [math.nan], "nan": {"x": math.nan}},
    "t/h": {"n": [2], "tags": {"y": 1}, "nan": [None]},
}


@pytest.fixture
def towns(db: firestore.Client) -> firestore.CollectionReference:
    fill(db, TOWNS)
    return db.collection("t")


@pytest.mark.parametrize(
    ("filtered", "found"),
    [
        pytest.param(("n", "==", 2), ["b", "c"], id="equal-integer-and-double"),
        pytest.param(("n", "==", "2"), ["d"], id="equal-string"),
        pytest.param(("n", "==", None), ["e"], id="is-null"),
        pytest.param(("n", "==", math.nan), ["g"], id="is-nan"),
        pytest.param(("n", "==", [2.0]), ["h"], id="equal-array"),
        pytest.param(("at", "==", {"city": "Lviv"}), ["b"], id="equal-map"),
        pytest.param(("at", "==", {}), ["e"], id="equal-empty-map"),
        pytest.param(("n", "!=", 2), ["g", "a", "d", "h"], id="not-equal"),
        pytest.param(("n", "!=", None), ["g", "a", "b", "c", "d", "h"], id="is-not-null"),
        pytest.param(("n", "!=", math.nan), ["a", "b", "c", "d", "h"], id="is-not-nan"),
        pytest.param(("n", "<", 2), ["a"], id="less"),
        pytest.param(("n", "<=", 2), ["a", "b", "c"], id="less-or-equal"),
        pytest.param(("n", ">", 1), ["b", "c"], id="greater"),
        pytest.param(("n", ">=", 1), ["a", "b", "c"], id="greater-or-equal"),
        pytest.param(("n", ">", "1"), ["d"], id="greater-string"),
        pytest.param(("n", "in", [2, "2", 9]), ["b", "c", "d"], id="in"),
        pytest.param(("n", "in", [2, 2, 2.0]), ["b", "c"], id="in-with-repeats"),
        pytest.param(("n", "in", [None, math.nan, 1]), ["a"], id="in-never-finds-null-or-nan"),
        pytest.param(("n", "in", [[2]]), ["h"], id="in-an-array-value"),
        pytest.param(("n", "not-in", [1, "2"]), ["g", "b", "c", "h"], id="not-in"),
        pytest.param(("n", "not-in", [2.0]), ["g", "a", "d", "h"], id="not-in-double"),
        pytest.param(("n", "not-in", [math.nan]), ["g", "a", "b", "c", "d", "h"], id="not-in-nan"),
        pytest.param(("n", "not-in", [1, None]), [], id="not-in-with-null-finds-nothing"),
        pytest.param(("tags", "array_contains", "y"), ["a", "b"], id="array-contains"),
        pytest.param(("tags", "array_contains", 2), ["b", "c"], id="array-contains-a-number"),
        pytest.param(("tags", "array_contains", {"k": 1.0}), ["f"], id="array-contains-a-map"),
        pytest.param(
            ("tags", "array_contains_any", ["x", 2, "nope"]),
            ["a", "b", "c"],
            id="array-contains-any",
        ),
        pytest.param(
            ("tags", "array_contains_any", [None, math.nan, "x"]),
            ["a"],
            id="array-contains-any-never-finds-null-or-nan",
        ),
        pytest.param(("nan", "==", {"x": math.nan}), ["g"], id="nan-inside-a-map-equals-itself"),
        pytest.param(("nan", "in", [[None], {"x": math.nan}]), ["g", "h"], id="in-of-nan-and-null"),
        pytest.param(("nan", "!=", {"x": math.nan}), ["h"], id="not-equal-nan-inside-a-map"),
        pytest.param(("at.city", "==", "Kyiv"), ["a"], id="nested-field"),
        pytest.param(("at.zip", ">=", 1), ["a", "c"], id="nested-field-compared"),
        pytest.param(("at.city", "!=", "Kyiv"), ["b", "c"], id="nested-field-not-equal"),
        pytest.param(("at.city.x", "==", 1), [], id="field-below-a-string"),
        pytest.param(("nowhere", "==", 1), [], id="field-nobody-has"),
        pytest.param(("nowhere", "!=", 1), [], id="not-equal-field-nobody-has"),
        pytest.param(("nowhere", "==", None), [], id="null-is-not-absence"),
    ],
)
def test_a_filter_finds(
    towns: firestore.CollectionReference, filtered: tuple[str, str, Any], found: list[str]
) -> None:
    assert ids(towns.where(filter=where(*filtered))) == found


@pytest.mark.parametrize(
    ("path", "found"),
    [
        pytest.param("`a.b`", "1", id="a-dot-in-the-name"),
        pytest.param("a.b", "2", id="a-dot-between-names"),
        pytest.param("`字`", "3", id="another-alphabet"),
        pytest.param("`x y`.`0`", "4", id="a-space-and-a-digit"),
        pytest.param("`t\\`\\\\`", "5", id="ticks-and-backslashes"),
    ],
)
def test_a_quoted_field_path_names_one_field(db: firestore.Client, path: str, found: str) -> None:
    fill(
        db,
        {
            "q/1": {"a.b": 1},
            "q/2": {"a": {"b": 1}},
            "q/3": {"字": 1},
            "q/4": {"x y": {"0": 1}},
            "q/5": {"t`\\": 1},
        },
    )

    assert ids(db.collection("q").where(filter=where(path, "==", 1))) == [found]


def test_a_filter_on_an_empty_collection_finds_nothing(db: firestore.Client) -> None:
    assert ids(db.collection("none").where(filter=where("n", "==", 1))) == []


def test_a_query_without_a_filter_finds_all_by_name(
    towns: firestore.CollectionReference,
) -> None:
    assert ids(towns) == list("abcdefgh")


def test_a_query_sees_a_change_at_once(db: firestore.Client) -> None:
    fill(db, {"q/1": {"n": 1}, "q/2": {"n": 1}})
    query = db.collection("q").where(filter=where("n", "==", 1))
    assert ids(query) == ["1", "2"]

    db.document("q/1").update({"n": 2})
    db.document("q/2").delete()
    db.document("q/3").set({"n": 1})

    assert ids(query) == ["3"]


def test_a_removed_field_is_found_no_more(db: firestore.Client) -> None:
    fill(db, {"q/1": {"n": 1, "m": [1, 2]}})

    db.document("q/1").update({"n": firestore.DELETE_FIELD, "m": [2]})

    assert ids(db.collection("q").where(filter=where("n", "==", 1))) == []
    assert ids(db.collection("q").order_by("n")) == []
    assert ids(db.collection("q").where(filter=where("m", "array_contains", 1))) == []
    assert ids(db.collection("q").where(filter=where("m", "array_contains", 2))) == ["1"]


def test_a_filter_does_not_look_into_subcollections(db: firestore.Client) -> None:
    fill(db, {"q/1": {"n": 1}, "q/1/q/2": {"n": 1}, "q/1/r/3": {"n": 1}})

    assert ids(db.collection("q").where(filter=where("n", "==", 1))) == ["1"]


def test_a_subcollection_is_queried_by_itself(db: firestore.Client) -> None:
    fill(db, {"q/1/r/a": {"n": 1}, "q/2/r/b": {"n": 1}, "r/c": {"n": 1}})

    assert ids(db.collection("q/1/r").where(filter=where("n", "==", 1))) == ["a"]


def test_array_contains_takes_no_array_apart(wire: Wire, db: firestore.Client) -> None:
    fill(db, {"q/1": {"tags": [1, 2]}})

    assert wire.ids(select("q", where=field("tags", "ARRAY_CONTAINS", [1]))) == []
