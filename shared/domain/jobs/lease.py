"""A lease: a short, fenced lock on one group's work. Pure rules; the store keeps the record.

Expiry is judged by the database's own times: when it was read against when it was renewed.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

LEASE_FOR = timedelta(seconds=60)
RENEW_EVERY = timedelta(seconds=20)
"""Two renewals may fail before somebody else takes over; after a crash a group waits a minute."""


@dataclass(frozen=True)
class Lease:
    """`token` rises with each holder; a commit that carries an old one is refused. `died` counts
    the holders in a row that did not come to an end: killed, out of time, or stuck."""

    name: str
    token: int = 0
    holder: str | None = None
    renewed_at: datetime | None = None
    wanted: bool = False
    died: int = 0

    def is_taken(self, read_at: datetime, lasts: timedelta = LEASE_FOR) -> bool:
        if self.holder is None or self.renewed_at is None:
            return False
        return read_at - self.renewed_at < lasts

    def held_by(self, holder: str, token: int) -> bool:
        return self.holder == holder and self.token == token


def taken_by(lease: Lease, holder: str) -> Lease:
    """`wanted` stays: others may wait behind the one who took it."""
    died = lease.died + 1 if lease.holder else lease.died
    return replace(lease, holder=holder, token=lease.token + 1, died=died)


def released(lease: Lease, *, was_cut_short: bool = False) -> Lease:
    """Given back; `was_cut_short`: the work was cancelled, as its time was up."""
    return replace(lease, holder=None, wanted=False, died=lease.died + 1 if was_cut_short else 0)


def attribution_of(group_id: str) -> str:
    """Also held to take a message's vectors away: so none is put back behind it."""
    return f"{group_id}:attribute"


def evolution_of(group_id: str) -> str:
    return f"{group_id}:evolve"


def history_of(group_id: str) -> str:
    return f"{group_id}:historian"


def profile_of(group_id: str, profile_id: str) -> str:
    """Every write of a profile holds it, so two merges at once lose nothing."""
    return f"profile:{group_id}:{profile_id}"


def digest_of(group_id: str) -> str:
    return f"{group_id}:digest"


def summary_of(group_id: str, topic_id: str) -> str:
    return f"topic:{group_id}:{topic_id}"
