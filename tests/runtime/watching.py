"""A probe for tests of whole functions: fails if any request left work behind."""

from collections.abc import Iterator

import pytest

from shared.runtime import last_byte


@pytest.fixture
def no_leftovers() -> Iterator[None]:
    """Every task that a request of this process starts must end with it."""
    with last_byte.watched() as seen:
        yield
    assert seen == [], f"work went on after the last byte of an answer: {', '.join(seen)}"
