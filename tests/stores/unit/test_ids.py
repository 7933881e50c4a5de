"""Ids: always safe as document names, always different for different causes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.ids import (
    MAX_DOCUMENT_ID_BYTES,
    MAX_VECTOR_NAME,
    checked_group_id,
    digest,
    namespace,
    safe_id,
)
from shared.errors import InvalidInput

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@pytest.mark.parametrize("text", ["a/b", ".", "..", "__x__", "____", "中/文", "%2F", "x" * 4000])
def test_any_text_becomes_a_safe_document_id(text: str) -> None:
    safe = safe_id(text)

    assert "/" not in safe
    assert safe not in (".", "..")
    assert not (safe.startswith("__") and safe.endswith("__"))
    assert len(safe.encode()) <= MAX_DOCUMENT_ID_BYTES


@given(TEXTS, TEXTS)
def test_different_texts_have_different_ids(one: str, other: str) -> None:
    assert (safe_id(one) == safe_id(other)) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("a/b", "a%2Fb"), (".", "%."), ("x" * 4000, "x" * 4001), ("__x__", "%__x__")],
)
def test_escaping_never_makes_two_ids_one(one: str, other: str) -> None:
    assert safe_id(one) != safe_id(other)


def test_ordinary_ids_stay_as_they_are() -> None:
    assert safe_id("lark:oc_1") == "lark:oc_1"


@pytest.mark.parametrize("text", ["", "\ud800"])
def test_what_cannot_be_an_id_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        safe_id(text)


@given(TEXTS)
def test_a_namespace_is_ascii_and_reversible_where_it_is_not_long(text: str) -> None:
    from urllib.parse import quote, unquote

    assert namespace(text).isascii()
    if len(quote(text)) <= MAX_VECTOR_NAME:
        assert unquote(namespace(text)) == text


def test_a_digest_knows_where_one_part_ends() -> None:
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("a", "b") == digest("a", "b")


@pytest.mark.parametrize("group_id", ["", "lark", "lark:", ":1", "lark:a/b", "lark:" + "x" * 600])
def test_a_group_id_is_platform_and_native_id(group_id: str) -> None:
    with pytest.raises(InvalidInput):
        checked_group_id(group_id)


def test_a_native_id_may_have_colons() -> None:
    assert checked_group_id("slack:T1:C2") == "slack:T1:C2"
