"""Policies of time to live: documents whose time has come are deleted, some while after it.

The service does it within a day or so; here it is looked for every hour and when the admin address
is asked to.
"""

from .engine import Engine
from .names import DocumentName
from .protobuf import micros
from .writes import Change

SECONDS = 3600.0
_AT_ONCE = 200
"""Documents deleted in one commit: others get their turn in between."""


def expire(engine: Engine, limit: int = 10_000) -> int:
    """How many went. A field that holds no time never ends its document, as in the service."""
    engine.catch_up()
    now = engine.clock.read_time()
    gone: list[Change] = []
    for collection, field in sorted(engine.storage.rules.time_to_live):
        found = engine.storage.main.execute(
            "SELECT c.database, c.path, d.id, d.number FROM documents d "
            "JOIN collections c ON c.number = d.collection WHERE c.name = ?",
            (collection,),
        ).fetchall()
        for database, path, id_, _ in found:
            name = DocumentName(database, path, id_)
            stored = engine.storage.get(*name)
            value = stored.document().fields.get(field) if stored else None
            if value is None or value.WhichOneof("value_type") != "timestamp_value":
                continue
            if micros(value.timestamp_value) <= now:
                gone.append(Change(name, "", None, None, [], None, None))
            if len(gone) == limit:
                break
    for start in range(0, len(gone), _AT_ONCE):
        engine.commit(gone[start : start + _AT_ONCE], None)
    return len(gone)
