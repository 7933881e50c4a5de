"""A start without garbage collections, and collections as before after it."""

import gc
from collections.abc import Iterator

import pytest

from shared.runtime import starting


@pytest.fixture(autouse=True)
def _nothing_stays_frozen() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def test_nothing_is_collected_while_a_process_starts() -> None:
    with starting():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_was_imported_is_not_looked_through_again() -> None:
    gc.unfreeze()
    with starting():
        kept: list[list[int]] = [[] for _ in range(100)]
    assert gc.get_freeze_count() > len(kept)


def test_a_failed_start_leaves_collections_on() -> None:
    with pytest.raises(ImportError), starting():
        raise ImportError
    assert gc.isenabled()


def test_who_runs_without_collections_keeps_that() -> None:
    gc.disable()
    with starting():
        pass
    assert not gc.isenabled()
