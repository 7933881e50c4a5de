"""Leases: taken, expired, fenced."""

from datetime import UTC, datetime, timedelta

from shared.domain.jobs.lease import (
    LEASE_FOR,
    RENEW_EVERY,
    Lease,
    attribution_of,
    evolution_of,
    history_of,
    released,
    summary_of,
    taken_by,
)

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def test_a_lease_is_taken_until_its_time_is_up() -> None:
    lease = Lease("g:evolve", 1, "me", NOW)

    assert lease.is_taken(NOW + LEASE_FOR - timedelta(microseconds=1))
    assert not lease.is_taken(NOW + LEASE_FOR)
    assert not Lease("g:evolve").is_taken(NOW)
    assert not released(lease).is_taken(NOW)


def test_each_holder_has_a_higher_token() -> None:
    first = taken_by(Lease("g"), "a")
    second = taken_by(first, "b")

    assert second.held_by("b", 2)
    assert not second.held_by("a", 1)
    assert not second.held_by("b", 1)


def test_who_waits_is_not_forgotten_by_the_next_holder() -> None:
    assert taken_by(Lease("g", wanted=True), "a").wanted
    assert not released(Lease("g", 1, "a", NOW, wanted=True)).wanted


def test_a_lease_is_renewed_twice_before_it_can_run_out() -> None:
    assert RENEW_EVERY * 3 <= LEASE_FOR


def test_pipelines_of_one_group_do_not_share_a_lease() -> None:
    names = {attribution_of("g"), evolution_of("g"), history_of("g"), summary_of("g", "t")}

    assert len(names) == 4


def test_a_lease_tells_how_many_holders_did_not_come_to_an_end() -> None:
    lease = Lease("g")
    for died in range(3):
        lease = taken_by(lease, f"dies {died}")
        assert lease.died == died
    lease = released(taken_by(lease, "times out"), was_cut_short=True)
    assert (taken_by(lease, "works").died, taken_by(released(lease), "next").died) == (4, 0)
