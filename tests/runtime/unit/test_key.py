"""API keys: their text, their hash, and the groups they reach."""

from datetime import UTC, datetime

import pytest

from shared.domain.key import (
    KeyText,
    StoredKey,
    checked_patterns,
    checked_scopes,
    covers,
    hash_secret,
    is_secret_of,
    may_touch,
    parse_key,
)
from shared.errors import InvalidInput

SECRET = "abcdefghijklmnop_-01"
HASH_KEY = "a hash key of some length"


def test_a_key_survives_being_written_and_read() -> None:
    assert parse_key(str(KeyText("k1", SECRET))) == KeyText("k1", SECRET)


def test_the_secret_is_not_in_the_repr() -> None:
    assert SECRET not in repr(KeyText("k1", SECRET))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "annals",
        "annals_k1",
        "annals_k1_short",
        f"annals__{SECRET}",
        f"other_k1_{SECRET}",
        f"annals_k/1_{SECRET}",
        f"annals_k1_{SECRET}\n",
        f"annals_k1_{'x' * 257}",
        f"annals_{'k' * 65}_{SECRET}",
        f"annals_k1_{SECRET}密",
    ],
)
def test_what_is_no_key_is_not_read_as_one(text: str) -> None:
    assert parse_key(text) is None


def test_a_hash_belongs_to_one_secret_and_one_hash_key() -> None:
    stored = hash_secret(HASH_KEY, SECRET)
    assert len(stored) == 64
    assert is_secret_of(stored, HASH_KEY, SECRET)
    assert not is_secret_of(stored, HASH_KEY, SECRET + "x")
    assert not is_secret_of(stored, HASH_KEY + "x", SECRET)
    assert not is_secret_of("", HASH_KEY, SECRET)


@pytest.mark.parametrize(
    ("pattern", "group_id", "allowed"),
    [
        ("*", "lark:oc_1", True),
        ("lark:*", "lark:oc_1", True),
        ("lark:*", "larks:oc_1", False),
        ("lark:oc_1", "lark:oc_1", True),
        ("lark:oc_1", "lark:oc_12", False),
        ("*:9", "onebot:9", True),
        ("*:9", "onebot:19", False),
        ("lark:*_1", "lark:oc_1", True),
        ("lark:*_1", "lark:_1", True),
        ("a*a", "a", False),
        ("a*a", "aa", True),
        ("*a*b*", "xaxbx", True),
        ("*a*b*", "xbxax", False),
        ("a*b*c", "abbc", True),
        ("lark:[abc]", "lark:a", False),
        ("lark:o?_1", "lark:oc_1", False),
        ("lark:*", "lark:群\n1", True),
    ],
)
def test_only_the_star_is_special_in_a_pattern(pattern: str, group_id: str, allowed: bool) -> None:
    assert may_touch(("none:x", pattern), group_id) is allowed


def test_no_pattern_means_no_group() -> None:
    assert not may_touch((), "lark:oc_1")


def test_many_stars_cost_no_more_than_one_pass() -> None:
    assert not may_touch(("*a" * 200 + "b",), "a" * 512)


@pytest.mark.parametrize(
    ("patterns", "wanted", "covered"),
    [
        (("*",), "*", True),
        (("*",), "lark:*", True),
        (("lark:*",), "*", False),
        (("lark:*",), "lark:oc_*", True),
        (("lark:oc_*",), "lark:*", False),
        (("lark:oc_1",), "lark:oc_1", True),
        (("*:*",), "*", False),
        (("a:*", "b:*"), "b:1", True),
    ],
)
def test_a_key_covers_a_pattern_only_if_it_reaches_all_its_groups(
    patterns: tuple[str, ...], wanted: str, covered: bool
) -> None:
    assert covers(patterns, wanted) is covered


def test_a_key_with_a_time_of_revocation_is_revoked() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    key = StoredKey("k", "bot", "hash", frozenset({"read"}), ("*",), now)
    assert not key.is_revoked
    assert StoredKey("k", "bot", "hash", frozenset(), ("*",), now, now).is_revoked


def test_scopes_are_checked() -> None:
    assert checked_scopes(["read", "ingest", "read"]) == {"read", "ingest"}
    for bad in ([], ["write"], ["read", "admin"]):
        with pytest.raises(InvalidInput):
            checked_scopes(bad)


def test_patterns_are_checked() -> None:
    assert checked_patterns(iter(["lark:*", "lark:*", "x:1"])) == ("lark:*", "x:1")
    for bad in ([], [""], ["lark"], ["a:/b"], ["a:" + "x" * 600], [f"a:{n}" for n in range(101)]):
        with pytest.raises(InvalidInput):
            checked_patterns(bad)
