"""Which index a query needs: decided without a server, on the rules of an index file alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from infra.emulators.firestore.index_rules import BadIndexFile, Rules, load, parse
from infra.emulators.firestore.query import Constraint, Order, Query, exactly
from infra.emulators.firestore.required_index import refusal
from infra.emulators.firestore.values import FALSE, LAST, integer

ASC, DESC, HAS = "ASCENDING", "DESCENDING", "CONTAINS"


def equal(path: str, *, contains: bool = False) -> Constraint:
    value = integer(1)
    return Constraint(tuple(path.split(".")), path, contains, (exactly(value),), value)


def unequal(path: str) -> Constraint:
    return Constraint(tuple(path.split(".")), path, False, ((FALSE, LAST),), is_equality=False)


def query(
    *conjunctions: tuple[Constraint, ...],
    orders: tuple[tuple[str, bool], ...] = (),
    names_down: bool | None = None,
    group: bool = False,
) -> Query:
    made = tuple(Order(tuple(path.split(".")), path, down) for path, down in orders)
    last = made[-1].descending if made else False
    return Query(
        database="projects/p/databases/d",
        parent=b"",
        collection="c",
        descendants=group,
        disjuncts=conjunctions or ((),),
        orders=made,
        name_descending=last if names_down is None else names_down,
    )


def index(*fields: tuple[str, str], scope: str = "COLLECTION") -> dict[str, Any]:
    return {
        "collectionGroup": "c",
        "queryScope": scope,
        "fields": [
            {"fieldPath": path, "arrayConfig" if mode == HAS else "order": mode}
            for path, mode in fields
        ],
    }


def rules(*indexes: dict[str, Any], overrides: list[dict[str, Any]] | None = None) -> Rules:
    return parse({"indexes": list(indexes), "fieldOverrides": overrides or []})


def test_without_a_file_nothing_is_refused() -> None:
    asked = query((equal("a"),), orders=(("b", True),), group=True)

    assert refusal(asked, Rules()) is None


@pytest.mark.parametrize(
    ("asked", "indexes"),
    [
        pytest.param(query((equal("a"), equal("b"))), [], id="equalities-merge"),
        pytest.param(query((equal("a"),), names_down=True), [], id="equality-names-downwards"),
        pytest.param(query(orders=(("a", True),)), [], id="one-order"),
        pytest.param(
            query((equal("a"),), orders=(("b", True),)),
            [index(("a", DESC), ("b", DESC))],
            id="the-direction-of-an-equality-is-free",
        ),
        pytest.param(
            query((equal("a"), equal("b")), orders=(("c", False),)),
            [index(("b", ASC), ("a", ASC), ("c", ASC))],
            id="equalities-in-any-order",
        ),
        pytest.param(
            query((equal("a"), equal("b")), orders=(("c", False),)),
            [index(("a", ASC), ("c", ASC)), index(("b", ASC), ("c", ASC))],
            id="two-indexes-of-one-order-merge",
        ),
        pytest.param(
            query((equal("a"), equal("t", contains=True)), orders=(("c", False),)),
            [index(("a", ASC), ("c", ASC)), index(("t", HAS), ("c", ASC))],
            id="an-array-merges-too",
        ),
        pytest.param(
            query((equal("a"),), (equal("b"),), orders=(("c", False),)),
            [index(("a", ASC), ("c", ASC)), index(("b", ASC), ("c", ASC))],
            id="each-branch-has-its-own",
        ),
        pytest.param(
            query(orders=(("a", False),), names_down=True),
            [index(("a", ASC), ("__name__", DESC))],
            id="names-against-the-order",
        ),
        pytest.param(
            query((equal("a"),), orders=(("a", False),)), [], id="an-order-that-equality-fixes"
        ),
    ],
)
def test_these_indexes_serve(asked: Query, indexes: list[dict[str, Any]]) -> None:
    assert refusal(asked, rules(*indexes)) is None


@pytest.mark.parametrize(
    ("asked", "indexes"),
    [
        pytest.param(
            query((equal("a"),), orders=(("b", True),)),
            [index(("a", ASC), ("b", ASC))],
            id="read-backwards",
        ),
        pytest.param(
            query((equal("a"), equal("b")), orders=(("c", False),)),
            [index(("a", ASC), ("c", ASC)), index(("b", ASC), ("c", DESC))],
            id="merged-against-each-other",
        ),
        pytest.param(
            query((equal("a"),), orders=(("b", False),)),
            [index(("a", ASC), ("b", ASC), ("c", ASC))],
            id="more-fields-behind",
        ),
        pytest.param(
            query((equal("a"),), orders=(("b", False),)),
            [index(("a", ASC), ("b", ASC), ("__name__", DESC))],
            id="names-the-other-way",
        ),
        pytest.param(
            query((equal("a"),), orders=(("b", False),), group=True),
            [index(("a", ASC), ("b", ASC))],
            id="of-a-collection-for-a-group",
        ),
        pytest.param(
            query((equal("a"),), (equal("b"),), orders=(("c", False),)),
            [index(("a", ASC), ("c", ASC))],
            id="one-branch-of-two",
        ),
        pytest.param(
            query((unequal("a"), unequal("b")), orders=(("a", False), ("b", False))),
            [],
            id="two-inequalities",
        ),
    ],
)
def test_these_indexes_do_not_serve(asked: Query, indexes: list[dict[str, Any]]) -> None:
    message = refusal(asked, rules(*indexes))

    assert message is not None
    named = json.loads(message[message.index("{") :])
    assert refusal(asked, rules(*indexes, named)) is None or len(asked.disjuncts) > 1


def test_an_override_of_a_map_holds_for_what_is_inside_it() -> None:
    gone = {"collectionGroup": "c", "fieldPath": "m", "indexes": []}
    back = {
        "collectionGroup": "c",
        "fieldPath": "m.x",
        "indexes": [{"order": ASC, "queryScope": "COLLECTION"}],
    }

    assert refusal(query((equal("m.x"),)), rules(overrides=[gone])) is not None
    assert refusal(query((equal("m.x"),)), rules(overrides=[gone, back])) is None
    assert refusal(query((equal("m.y"),)), rules(overrides=[gone, back])) is not None


def test_the_default_of_all_collections_can_be_overridden_for_one() -> None:
    nothing = {"collectionGroup": "__default__", "fieldPath": "*", "indexes": []}
    some = {
        "collectionGroup": "c",
        "fieldPath": "*",
        "indexes": [{"order": ASC, "queryScope": "COLLECTION"}],
    }

    assert refusal(query((equal("a"),)), rules(overrides=[nothing])) is not None
    assert refusal(query((equal("a"),)), rules(overrides=[nothing, some])) is None


def test_an_index_of_vectors_serves_no_other_query() -> None:
    fields = [
        {"fieldPath": "a", "order": ASC},
        {"fieldPath": "v", "vectorConfig": {"dimension": 3, "flat": {}}},
    ]
    vectors = {"collectionGroup": "c", "queryScope": "COLLECTION", "fields": fields}

    assert refusal(query((equal("a"),), orders=(("v", False),)), rules(vectors)) is not None


@pytest.mark.parametrize(
    "content",
    [
        "no json",
        '{"indexes": [{"collectionGroup": "c"}]}',
        '{"indexes": [{"collectionGroup": "c", "fields": [{"fieldPath": "a", "order": "UP"}]}]}',
        '{"indexes": [{"collectionGroup": "c", "queryScope": "ALL", "fields": []}]}',
        '{"fieldOverrides": [{"collectionGroup": "c", "indexes": []}]}',
        '{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a..b", "indexes": []}]}',
    ],
)
def test_a_wrong_file_is_refused_by_name(tmp_path: Path, content: str) -> None:
    file = tmp_path / "firestore.indexes.json"
    file.write_text(content)

    with pytest.raises(BadIndexFile, match=r"firestore\.indexes\.json"):
        load(file)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"nowhere\.json"):
        load(tmp_path / "nowhere.json")
