"""Which indexes a write of every message would press on at one end."""

import json
from typing import Any

import pytest

from tests.project import ROOT

FILE: dict[str, Any] = json.loads((ROOT / "infra" / "firestore.indexes.json").read_text("utf-8"))
WRITTEN_WITH_EVERY_MESSAGE = {
    "messages": {"pending_since", "received_at", "updated_at", "create_time"},
    "topics": {"closes_at", "last_message_at", "updated_at"},
    "leases": {"renewed_at"},
    "groups": {"updated_at"},
    "usage": {"day"},
}
ROOTS = ("groups", "jobs", "leases", "usage")
"""Collections of all groups together; those below a group are spread by its name."""
EXPIRING = ("contexts", "jobs", "usage", "leases", "messages", "groups")


def overrides(collection: str) -> dict[str, list[dict[str, str]]]:
    return {
        one["fieldPath"]: one["indexes"]
        for one in FILE["fieldOverrides"]
        if one["collectionGroup"] == collection
    }


@pytest.mark.parametrize("collection", WRITTEN_WITH_EVERY_MESSAGE)
def test_no_index_over_all_groups_begins_with_a_time_that_every_message_moves(
    collection: str,
) -> None:
    hot = WRITTEN_WITH_EVERY_MESSAGE[collection]
    for index in FILE["indexes"]:
        is_over_all = index["queryScope"] == "COLLECTION_GROUP" or collection in ROOTS
        if index["collectionGroup"] == collection and is_over_all:
            first = index["fields"][0]["fieldPath"]
            named = {one["fieldPath"] for one in index["fields"]}
            assert not named & hot or first in ("shard", "wanted", "group_id"), index
    for path, indexes in overrides(collection).items():
        over_all = [one for one in indexes if one["queryScope"] == "COLLECTION_GROUP"]
        assert not (path in hot and (over_all or (collection in ROOTS and indexes))), path


@pytest.mark.parametrize("collection", ROOTS)
def test_what_no_query_asks_for_is_not_indexed_over_all_groups(collection: str) -> None:
    assert overrides(collection)["*"] == []


@pytest.mark.parametrize("collection", EXPIRING)
def test_what_has_an_end_goes_by_itself(collection: str) -> None:
    (policy,) = [
        one
        for one in FILE["fieldOverrides"]
        if (one["collectionGroup"], one["fieldPath"]) == (collection, "expires_at")
    ]
    assert policy["ttl"] is True
    assert policy["indexes"] == [], "an index by time of every write"
