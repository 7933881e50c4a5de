"""Vectors: packing keeps float32 exactly, cosines are bounded and ordered."""

import struct
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.similarity.vectors import cosine, cosines, pack, total, unpack

numbers = st.floats(-1e6, 1e6, width=32)
vectors = st.lists(numbers, min_size=3, max_size=3)


@given(st.lists(numbers, max_size=20))
def test_what_is_packed_unpacks_the_same(vector: list[float]) -> None:
    assert unpack(pack(vector)) == vector
    assert len(pack(vector)) == 4 * len(vector)


def test_packed_bytes_are_little_endian_float32() -> None:
    assert pack([1.0, -2.5]) == struct.pack("<2f", 1.0, -2.5)


def test_the_sum_of_none_is_empty_and_of_several_is_per_number() -> None:
    assert total([]) == []
    assert total([[1.0, 2.0], [3.0, 6.0]]) == [4.0, 8.0]


@given(vectors, vectors)
def test_a_cosine_lies_between_minus_one_and_one_and_is_symmetric(
    one: list[float], other: list[float]
) -> None:
    assert -1.0 <= cosine(one, other) <= 1.0
    assert cosine(one, other) == pytest.approx(cosine(other, one))


def test_cosines_come_in_the_order_of_the_rows() -> None:
    found = cosines([1.0, 0.0], [[2.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    assert found == pytest.approx([1.0, 0.0, -1.0, 0.5**0.5, 0.0])
    assert cosines([1.0, 0.0], []) == []


def test_importing_it_does_not_load_numpy() -> None:
    code = "import sys, shared.domain.similarity.vectors; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
