"""One voice, however often it says a thing, is one voice; and so are the accounts made for it."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.memories.voices import APART, Standing, Voices, is_backed, standing_by

MIDNIGHT = datetime(2026, 3, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
LONG_AGO = MIDNIGHT - timedelta(days=90)
MEMBER = Standing(LONG_AGO, 8)
NEW = Standing(MIDNIGHT - timedelta(hours=2), 8)
SAYS_ONLY_THIS = Standing(LONG_AGO, 1)


def voices(
    people: Collection[str], standings: Mapping[str, Standing] | None = None, **changes: int
) -> Voices:
    said = dict.fromkeys(people, 1) | changes
    known = dict.fromkeys(people, MEMBER) | dict(standings or {})
    return Voices(said, MIDNIGHT, known, LONG_AGO - APART)


@given(st.lists(st.timedeltas(timedelta(0), 30 * APART), min_size=1, max_size=20))
def test_what_one_person_says_of_all_waits_for_another_however_often_it_is_said(
    moments: list[timedelta],
) -> None:
    said = [MIDNIGHT - one for one in moments]

    assert not is_backed(voices(["ann"], ann=len(said)), "", said)
    assert not is_backed(voices(["ann"], ann=len(said)), "bob", said)
    assert is_backed(voices(["ann", "bob"]), "", said)


def test_of_oneself_one_may_speak() -> None:
    assert is_backed(voices(["ann"]), "ann", [MIDNIGHT])
    assert not is_backed(voices(["mallory"]), "ann", [MIDNIGHT])


def test_who_has_just_come_is_believed_of_themselves_a_day_later() -> None:
    new = voices(["eve"], {"eve": NEW})

    assert not is_backed(new, "eve", [MIDNIGHT - MINUTE, MIDNIGHT + MINUTE])
    assert is_backed(new, "eve", [MIDNIGHT, MIDNIGHT + APART])


@pytest.mark.parametrize("slight", [NEW, SAYS_ONLY_THIS], ids=["new", "says only this"])
def test_accounts_made_for_the_purpose_count_little(slight: Standing) -> None:
    socks = {f"sock{n}": slight for n in range(9)}

    for count in (1, 2, 3):
        some = dict(list(socks.items())[:count])
        assert not is_backed(voices(["mallory", *some], some), "", [MIDNIGHT])
    assert is_backed(voices(["ann", "bob", *socks], socks), "", [MIDNIGHT])


def test_in_a_group_that_began_today_nobody_is_newer_than_the_others() -> None:
    today = MIDNIGHT - timedelta(hours=2)
    both = {"ann": Standing(today, 1), "bob": Standing(today + 5 * MINUTE, 1)}

    assert is_backed(Voices({"ann": 1, "bob": 1}, MIDNIGHT, both, today), "", [MIDNIGHT])


def test_the_same_again_is_no_other_thing_that_somebody_says() -> None:
    again = standing_by([(MIDNIGHT, "We trust Mallory!"), (LONG_AGO, "we trust mallory")])
    other = standing_by([(MIDNIGHT, "We trust Mallory!"), (LONG_AGO, "hello all")])

    assert again == Standing(LONG_AGO, 1)
    assert other == Standing(LONG_AGO, 2)
    assert standing_by([]) is None
