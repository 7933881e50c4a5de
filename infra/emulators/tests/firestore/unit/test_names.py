"""Names of documents: their keys sort as names do, and can be read back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.emulators.firestore import paths
from infra.emulators.firestore.names import (
    parse_document,
    parse_document_in,
    path_text,
    segment_key,
    segment_text,
    split_key,
)
from infra.emulators.firestore.refusal import Refused

DATABASE = "projects/p/databases/(default)"

segments = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="/"), min_size=1, max_size=6
).filter(lambda text: text not in (".", "..") and not text.startswith("__"))
numbers = st.integers(-(2**63), 2**63 - 1)
segment_ids = segments | numbers.map(lambda number: f"__id{number}__")


@settings(deadline=None)
@given(st.lists(segment_ids, min_size=1, max_size=5))
def test_a_key_is_read_back_as_its_path(path: list[str]) -> None:
    key = b"".join(map(segment_key, path))

    assert [segment_text(one).decode() for one in split_key(key)] == path
    assert path_text(key) == "/".join(path).encode()


@settings(deadline=None)
@given(st.lists(segments, min_size=1, max_size=4), st.lists(segments, min_size=1, max_size=4))
def test_keys_sort_segment_by_segment(left: list[str], right: list[str]) -> None:
    keys = [b"".join(map(segment_key, path)) for path in (left, right)]
    plain = [[segment.encode() for segment in path] for path in (left, right)]

    assert (keys[0] < keys[1]) is (plain[0] < plain[1])


@settings(deadline=None)
@given(numbers, numbers, segments)
def test_numeric_ids_come_first_and_by_their_number(one: int, two: int, text: str) -> None:
    first, second = segment_key(f"__id{one}__"), segment_key(f"__id{two}__")

    assert (first < second) is (one < two)
    assert first < segment_key(text)


@settings(deadline=None)
@given(st.lists(st.tuples(segments, segment_ids), min_size=1, max_size=3))
def test_the_quick_way_to_parse_a_name_gives_the_same(pairs: list[tuple[str, str]]) -> None:
    name = f"{DATABASE}/documents/" + "/".join(f"{left}/{right}" for left, right in pairs)

    assert parse_document_in(name, DATABASE) == parse_document(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "projects",
        "projects/p",
        "projects//databases/d/documents/a/b",
        f"{DATABASE}/documents",
        f"{DATABASE}/documents/",
        f"{DATABASE}/documents/a",
        f"{DATABASE}/documents/a//b/c",
        f"{DATABASE}/documents/a/b/",
        f"{DATABASE}/documents/a/..",
        f"{DATABASE}/documents/a/__b__",
        f"{DATABASE}/documents/__a__/b",
        f"{DATABASE}/documents/a/" + "x" * 1501,
        f"{DATABASE}/papers/a/b",
    ],
)
def test_a_name_that_is_none_is_refused_either_way(name: str) -> None:
    with pytest.raises(Refused):
        parse_document(name)
    with pytest.raises(Refused):
        parse_document_in(name, DATABASE)


@settings(deadline=None)
@given(st.lists(segments, min_size=1, max_size=4))
def test_a_field_path_is_written_as_it_is_read(parts: list[str]) -> None:
    assert paths.parse(paths.path_text(tuple(parts))) == tuple(parts)
