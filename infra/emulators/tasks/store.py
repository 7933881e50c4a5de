"""Queues and tasks in SQLite: what this acknowledges is still there after a SIGKILL.

Every method is one transaction. A finished task's row is wiped (`secure_delete`); only its name
and its end stay for an hour, to refuse the name.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path

from .backoff import RETENTION_US
from .protobuf import SECOND, Message, Queue, State, timestamp
from .stored_task import COLUMNS, Finished, Glance, TaskRow

NAME_TAKEN_US = 3600 * SECOND
"""How long a finished task's name stays taken."""

QUEUE_NAME_TAKEN_US = 3 * 24 * 3600 * SECOND
"""How long a deleted queue's name stays taken."""

_SCHEMA = """
create table if not exists queues (
    name text primary key, queue blob not null, paused integer not null,
    done integer not null default 0, failed integer not null default 0
) without rowid;
create table if not exists deleted_queues (
    name text primary key, deleted_us integer not null
) without rowid;
create table if not exists tasks (
    name text primary key, queue text not null, task blob not null, created_us integer not null,
    schedule_us integer not null, in_flight integer not null, dispatches integer not null,
    responses integer not null, executions integer not null, failures integer not null,
    interruptions integer not null, first_dispatch_us integer, attempt_schedule_us integer,
    attempt_dispatch_us integer, attempt_response_us integer, attempt_code integer,
    attempt_message text, previous_response integer
);
create index if not exists tasks_by_time on tasks (queue, in_flight, schedule_us);
create table if not exists finished (
    name text primary key, queue text not null, outcome text not null,
    dispatches integer not null, failures integer not null, interruptions integer not null,
    finished_us integer not null
) without rowid;
create index if not exists finished_by_time on finished (finished_us);
"""
_TASK = f"select {', '.join(COLUMNS)} from tasks"  # noqa: S608 - our own column names


class Store:
    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("pragma journal_mode=wal")
        self._db.execute("pragma synchronous=normal")
        self._db.execute("pragma secure_delete=on")
        self._db.executescript(_SCHEMA)
        self._checkpointed = self._db.total_changes

    def close(self) -> None:
        self.checkpoint()
        self._db.close()

    def checkpoint(self) -> None:
        """Move everything into the main file and empty the log: deleted bytes are gone then."""
        if self._db.total_changes != self._checkpointed:
            self._db.execute("pragma wal_checkpoint(truncate)")
            self._checkpointed = self._db.total_changes

    def forget_old(self, now_us: int) -> None:
        """Free the names that were taken long enough; drop tasks past the longest retention."""
        with self._transaction() as db:
            db.execute("delete from finished where finished_us <= ?", (now_us - NAME_TAKEN_US,))
            db.execute(
                "delete from deleted_queues where deleted_us <= ?", (now_us - QUEUE_NAME_TAKEN_US,)
            )
            db.execute(
                "delete from tasks where in_flight = 0 and created_us <= ?",
                (now_us - RETENTION_US,),
            )

    # Queues

    def queue(self, name: str) -> Message | None:
        row = self._db.execute("select queue from queues where name = ?", (name,)).fetchone()
        return None if row is None else Queue.FromString(row[0])

    def queues(self, location: str = "", after: str = "", limit: int = -1) -> list[Message]:
        """Queues by name, of one location or of all."""
        rows = self._db.execute(
            "select queue from queues where substr(name, 1, ?) = ? and name > ?"
            " order by name limit ?",
            (len(location), location, after, limit),
        )
        return [Queue.FromString(row[0]) for row in rows]

    def existed(self, queue: str, now_us: int) -> bool:
        """Whether a queue of this name was deleted too recently to make it again."""
        since = now_us - QUEUE_NAME_TAKEN_US
        found = self._db.execute(
            "select 1 from deleted_queues where name = ? and deleted_us > ?", (queue, since)
        )
        return found.fetchone() is not None

    def put_queue(self, queue: Message) -> None:
        with self._transaction() as db:
            db.execute("delete from deleted_queues where name = ?", (queue.name,))
            db.execute(
                "insert into queues (name, queue, paused) values (?, ?, ?) on conflict (name)"
                " do update set queue = excluded.queue, paused = excluded.paused",
                (queue.name, queue.SerializeToString(), queue.state != State.RUNNING),
            )

    def delete_queue(self, name: str, now_us: int) -> bool:
        with self._transaction() as db:
            gone = db.execute("delete from queues where name = ?", (name,)).rowcount
            if gone:
                db.execute("insert into deleted_queues values (?, ?)", (name, now_us))
                db.execute("delete from tasks where queue = ?", (name,))
                db.execute("delete from finished where queue = ?", (name,))
            return bool(gone)

    def purge(self, queue: Message, now_us: int) -> None:
        """Delete all tasks of the queue; their names stay taken."""
        queue.purge_time.CopyFrom(timestamp(now_us))
        with self._transaction() as db:
            db.execute(
                "update queues set queue = ? where name = ?",
                (queue.SerializeToString(), queue.name),
            )
            db.execute(
                "insert into finished select name, queue, 'deleted', dispatches, failures,"
                " interruptions, ? from tasks where queue = ?",
                (now_us, queue.name),
            )
            db.execute("delete from tasks where queue = ?", (queue.name,))

    def glance(self) -> list[Glance]:
        rows = self._db.execute(
            "select q.name, q.paused, count(t.name) filter (where t.in_flight = 0),"
            " coalesce(sum(t.in_flight), 0), q.done, q.failed,"
            " min(t.schedule_us) filter (where t.in_flight = 0)"
            " from queues q left join tasks t on t.queue = q.name group by q.name order by q.name"
        )
        return [Glance(row[0], bool(row[1]), *row[2:]) for row in rows]

    # Tasks

    def add(self, row: TaskRow) -> None:
        marks = ", ".join("?" * len(COLUMNS))
        self._db.execute(f"insert into tasks values ({marks})", astuple(row))  # noqa: S608

    def task(self, name: str) -> TaskRow | None:
        row = self._db.execute(f"{_TASK} where name = ?", (name,)).fetchone()
        return None if row is None else TaskRow(*row)

    def tasks(self, queue: str, after: str = "", limit: int = -1) -> list[TaskRow]:
        rows = self._db.execute(
            f"{_TASK} where queue = ? and name > ? order by name limit ?", (queue, after, limit)
        )
        return [TaskRow(*row) for row in rows]

    def finished(self, name: str, now_us: int) -> Finished | None:
        """The end of a task whose name is still taken."""
        row = self._db.execute(
            "select * from finished where name = ? and finished_us > ?",
            (name, now_us - NAME_TAKEN_US),
        ).fetchone()
        return None if row is None else Finished(*row)

    def all_finished(self, queue: str) -> list[Finished]:
        rows = self._db.execute("select * from finished where queue = ? order by name", (queue,))
        return [Finished(*row) for row in rows]

    def finish(self, row: TaskRow, outcome: str, now_us: int) -> None:
        """Wipe the task, keep its name and its end: `done`, `failed`, `deleted` or `lost`."""
        end = Finished(
            row.name,
            row.queue,
            outcome,
            row.dispatches,
            row.failures,
            row.interruptions,
            now_us,
        )
        with self._transaction() as db:
            db.execute("delete from tasks where name = ?", (row.name,))
            db.execute("insert or replace into finished values (?, ?, ?, ?, ?, ?, ?)", astuple(end))
            db.execute(
                "update queues set done = done + ?, failed = failed + ? where name = ?",
                (outcome == "done", outcome == "failed", row.queue),
            )

    # Attempts

    def claim(self, queue: str, now_us: int, limit: int) -> list[TaskRow]:
        """Take up to `limit` due tasks, oldest first, and record that they are being sent."""
        with self._transaction() as db:
            names = db.execute(
                "select name from tasks where queue = ? and in_flight = 0 and schedule_us <= ?"
                " order by schedule_us limit ?",
                (queue, now_us, limit),
            ).fetchall()
            return [self._sent(name, now_us) for (name,) in names]

    def force(self, name: str, now_us: int) -> TaskRow:
        """Record that the task is being sent now, whatever its time and state."""
        with self._transaction() as db:
            db.execute("update tasks set schedule_us = ? where name = ?", (now_us, name))
            return self._sent(name, now_us)

    def _sent(self, name: str, now_us: int) -> TaskRow:
        self._db.execute(
            "update tasks set in_flight = in_flight + 1, dispatches = dispatches + 1,"
            " first_dispatch_us = coalesce(first_dispatch_us, ?),"
            " attempt_schedule_us = schedule_us, attempt_dispatch_us = ?,"
            " attempt_response_us = null, attempt_code = null, attempt_message = null"
            " where name = ?",
            (now_us, now_us, name),
        )
        return TaskRow(*self._db.execute(f"{_TASK} where name = ?", (name,)).fetchone())

    def update(self, row: TaskRow) -> None:
        """Write what changed about a task after an attempt."""
        self._db.execute(
            "update tasks set schedule_us = ?, in_flight = ?, responses = ?, executions = ?,"
            " failures = ?, interruptions = ?, attempt_response_us = ?, attempt_code = ?,"
            " attempt_message = ?, previous_response = ? where name = ?",
            (
                row.schedule_us,
                row.in_flight,
                row.responses,
                row.executions,
                row.failures,
                row.interruptions,
                row.attempt_response_us,
                row.attempt_code,
                row.attempt_message,
                row.previous_response,
                row.name,
            ),
        )

    def in_flight(self) -> list[TaskRow]:
        """Tasks whose attempt was cut off when the emulator last ended."""
        return [TaskRow(*row) for row in self._db.execute(f"{_TASK} where in_flight > 0")]

    def next_due_us(self, queue: str) -> int | None:
        row = self._db.execute(
            "select min(schedule_us) from tasks where queue = ? and in_flight = 0", (queue,)
        ).fetchone()
        return None if row is None else row[0]

    def waiting(self, until_us: int) -> int:
        """How many tasks of running queues are scheduled up to then and not being sent."""
        row = self._db.execute(
            "select count(*) from queues q join tasks t on t.queue = q.name"
            " where q.paused = 0 and t.in_flight = 0 and t.schedule_us <= ?",
            (until_us,),
        ).fetchone()
        return int(row[0])

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._db.execute("begin immediate")
        try:
            yield self._db
        except BaseException:
            self._db.execute("rollback")
            raise
        self._db.execute("commit")
