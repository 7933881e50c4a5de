"""Documents whose time to live has ended."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.emulators.firestore import index_rules
from infra.emulators.firestore.engine import Engine
from infra.emulators.firestore.protobuf import CommitRequest
from infra.emulators.firestore.time_to_live import expire
from infra.emulators.firestore.writes import parse_write

DATABASE = "projects/p/databases/d"
RULES = {
    "fieldOverrides": [{"collectionGroup": "c", "fieldPath": "end", "ttl": True, "indexes": []}]
}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = Engine(tmp_path, index_rules.parse(RULES))
    yield made
    made.close()


def put(engine: Engine, name: str, end_s: int | str | None) -> None:
    request = CommitRequest(database=DATABASE)
    write = request.writes.add()
    write.update.name = f"{DATABASE}/documents/{name}"
    if isinstance(end_s, int):
        write.update.fields["end"].timestamp_value.seconds = end_s
    elif end_s is not None:
        write.update.fields["end"].string_value = end_s
    engine.commit([parse_write(one, DATABASE) for one in request.writes], None)


def left(engine: Engine) -> int:
    (count,) = engine.storage.main.execute("SELECT count(*) FROM documents").fetchone()
    return int(count)


def test_what_has_ended_goes_in_every_collection_of_the_name_and_nothing_else(
    engine: Engine,
) -> None:
    put(engine, "c/over", 1_000)
    put(engine, "g/1/c/over", 1_000)
    put(engine, "c/not_yet", 4_000_000_000)
    put(engine, "c/without", None)
    put(engine, "c/no_time", "1970-01-01")
    put(engine, "other/over", 1_000)

    assert expire(engine) == 2
    assert left(engine) == 4
    assert expire(engine) == 0
