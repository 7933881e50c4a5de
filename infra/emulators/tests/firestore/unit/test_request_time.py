"""A field's server time is when its request came in: not the order of commits."""

import contextvars
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.emulators.firestore import index_rules
from infra.emulators.firestore.clock import note_arrival
from infra.emulators.firestore.engine import Engine
from infra.emulators.firestore.protobuf import CommitRequest
from infra.emulators.firestore.writes import parse_write

DATABASE = "projects/p/databases/d"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = Engine(tmp_path, index_rules.Rules())
    yield made
    made.close()


def committed(engine: Engine, name: str) -> tuple[int, int]:
    """When a document with one server time was committed, and that time."""
    request = CommitRequest(database=DATABASE)
    write = request.writes.add()
    write.update.name = f"{DATABASE}/documents/{name}"
    write.update_transforms.add(field_path="at", set_to_server_value=1)
    (change,) = [parse_write(one, DATABASE) for one in request.writes]
    _, at = engine.commit([change], None)
    stored = engine.storage.get(*change.name)
    assert stored is not None
    moment = stored.document().fields["at"].timestamp_value
    return at, moment.seconds * 1_000_000 + moment.nanos // 1000


def test_who_came_first_and_was_held_up_has_the_earlier_time_and_the_later_commit(
    engine: Engine,
) -> None:
    held_up, quick = contextvars.Context(), contextvars.Context()
    held_up.run(note_arrival)
    time.sleep(0.003)
    quick.run(note_arrival)
    quick_at, quick_time = quick.run(committed, engine, "c/quick")
    held_at, held_time = held_up.run(committed, engine, "c/held_up")

    assert held_at > quick_at
    assert held_time < quick_time
    assert held_time % 1000 == quick_time % 1000 == 0
