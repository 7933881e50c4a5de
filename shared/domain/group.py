"""A group: any conversation the bot is in, and how far its pipelines have come."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, Protocol

from shared.domain.audience import KnownAudience


@dataclass(frozen=True)
class BeingForgotten:
    """One request that is not done yet: messages, whose topics are known; members; memories, by
    the ids of their first versions."""

    message_ids: tuple[str, ...] = ()
    topic_ids: tuple[str, ...] = ()
    user_ids: tuple[str, ...] = ()
    root_ids: tuple[str, ...] = ()


BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
"""Before all that was said: of a new group nothing is indexed by its words yet."""
BEHIND = timedelta(seconds=10)
"""Two writers' server times may cross by as long as a commit may take."""
MAX_SEEN = 500
"""More than is said in a group in ten seconds, unless a history is being imported."""


TOMBSTONES_KEPT = timedelta(days=90)
"""Platforms and tasks deliver late by hours or days: after so long nothing of it comes any more,
and what comes is new."""


@dataclass(frozen=True)
class Cursor:
    """How far a pipeline has read: server time and id, never the platform's clock. It stays behind
    now; `seen` are the messages after it that were read already, `seen_at` when each came."""

    at: datetime
    message_id: str = ""
    seen: tuple[str, ...] = ()
    seen_at: tuple[datetime, ...] = ()


class HasReceived(Protocol):
    """A message, as far as cursors go."""

    @property
    def message_id(self) -> str: ...
    @property
    def received_at(self) -> datetime | None: ...


def cursor_after(known: Cursor | None, read: Sequence[HasReceived], now: datetime) -> Cursor | None:
    """The cursor goes on over what was read, never back, and stays `BEHIND` now: a commit's time is
    when it was processed, not when it could be seen, so a message may yet come before these.

    Now is at least the time of the newest that was read: by a clock that is behind the database's
    the cursor would stand still, and once it had seen more than it can remember, all would be read
    again. If so much comes within ten seconds, it goes on over the oldest.
    """
    known = known or Cursor(BEGINNING)
    new = [(record.received_at, record.message_id) for record in read if record.received_at]
    settled = max([now, *(at for at, _ in new)]) - BEHIND
    # Cursors from before these times were kept: what they saw came before what is read now.
    is_timed = len(known.seen_at) == len(known.seen)
    seen_at = known.seen_at if is_timed else (min(new)[0] if new else now,) * len(known.seen)
    passed = sorted({*zip(seen_at, known.seen, strict=True), *new})
    young = [seen for seen in passed if seen[0] > settled][-MAX_SEEN:]
    here = max([(known.at, known.message_id), *passed[: len(passed) - len(young)]])
    if here == (BEGINNING, "") and not young:
        return None
    return Cursor(*here, tuple(message_id for _, message_id in young), tuple(at for at, _ in young))


@dataclass(frozen=True)
class Group:
    """`epoch` rises whenever something is forgotten: plans made before that are thrown away.

    `unindexed_since` is the time of the earliest line that left the tail before it reached the
    indexes of words and meanings: upkeep takes it up from there. A group older than the index of
    words has all of them to catch up with. Lines since `unpaged_since` that left the tail may stand
    in no page. `attributed_messages` counts all
    that were ever given a topic: by it attribution looks back, and asks the model, every so often.
    `last_wait_s` is how long the oldest line of the last run had waited for its topic.
    `profiles_version` rises with every profile that is written: by it a kept one is known to hold.
    `timezone` is what the group's bot last said of it.
    `forgetting` are the requests to forget that are not done yet, by their jobs: until then readers
    are shown nothing that was made of it.
    `evolve_due_at` is from when on what is new is to be evolved from, `news_messages` how many came
    since the last time; `digest_due_at` is when the
    digest of the week is made, where there are digests;
    `review_at` is when the memory that was silent longest must be looked at again. A deleted group
    stays as a tombstone that refuses late commits, until `expires_at`. `stuck_since` is when its
    attribution was set aside, as it failed again and again: only the sweep still tries.
    """

    group_id: str
    platform: str
    audience: KnownAudience = "unknown"
    name: str = ""
    epoch: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    opted_out: tuple[str, ...] = ()
    forgetting: Mapping[str, BeingForgotten] = field(default_factory=dict)
    cursors: Mapping[str, Cursor] = field(default_factory=dict)
    evolve_due: bool = False
    evolve_due_at: datetime | None = None
    news_messages: int = 0
    review_at: datetime | None = None
    maintained_at: datetime | None = None
    digest_due_at: datetime | None = None
    rounds_since_reading: int = 0
    unindexed_since: datetime | None = BEGINNING
    unpaged_since: datetime | None = BEGINNING
    attributed_messages: int = 0
    last_wait_s: int = 0
    profiles_version: int = 0
    timezone: str = ""
    created_at: datetime | None = None
    deleted_at: datetime | None = None
    stuck_since: datetime | None = None
    expires_at: datetime | None = None

    @property
    def is_deleted(self) -> bool:
        return self.deleted_at is not None


def new_group(
    group_id: str, now: datetime, *, name: str = "", audience: KnownAudience = "unknown"
) -> Group:
    platform = group_id.partition(":")[0]
    return Group(
        group_id,
        platform,
        audience=audience,
        name=name,
        created_at=now,
        maintained_at=now,
        unindexed_since=None,
        unpaged_since=None,
    )


def deleted_group(group: Group, now: datetime) -> Group:
    """The tombstone: nothing of the group but its id, and an epoch that no plan knows."""
    return Group(
        group.group_id,
        group.platform,
        epoch=group.epoch + 1,
        created_at=group.created_at,
        maintained_at=now,
        deleted_at=now,
        expires_at=now + TOMBSTONES_KEPT,
    )


def with_opt_out(group: Group, user_id: str, is_out: bool, hashed: str = "") -> Group:
    """The member is on the list once, or not at all; who was forgotten is there as `hashed`."""
    others = tuple(member for member in group.opted_out if member not in (user_id, hashed))
    return replace(group, opted_out=(*others, user_id) if is_out else others)


def with_profile_written(group: Group) -> Group:
    return replace(group, profiles_version=group.profiles_version + 1)


def with_timezone(group: Group, name: str) -> Group:
    """What a note says of the zone holds until another says otherwise."""
    return replace(group, timezone=name) if name else group


@dataclass(frozen=True)
class DuePage:
    """Behind the group that was due at `due_at`; from the beginning where no group is named."""

    kind: Literal["news", "silent"]
    due_at: datetime | None = None
    group_id: str | None = None

    @property
    def name(self) -> str:
        """The same for the same place: a page is asked for once, however often it is sent."""
        return f"{self.kind} {self.due_at.isoformat() if self.due_at else '-'} {self.group_id}"
