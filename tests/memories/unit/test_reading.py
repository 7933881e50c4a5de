"""Which messages a run of evolution is about, and how far the group has been read after it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.contracts.jobs import evolve_job, next_evolve_job
from shared.domain.group import BEGINNING, BEHIND, MAX_SEEN, Cursor, Group, cursor_after
from shared.domain.jobs.job import KeptReply
from shared.domain.jobs.kinds import EvolveGroup
from shared.domain.memories.reading import (
    CURSOR,
    MAX_CHARACTERS,
    MAX_MESSAGES,
    MAX_TOKENS,
    due_with,
    is_rest_small,
    kept_reply,
    read_until,
    talk_page,
)
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.language import estimate_tokens

NOW = datetime(2026, 1, 2, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
GROUP = Group("g:1", "g", evolve_due=True)


def said(count: int) -> list[StoredMessage]:
    return [
        StoredMessage(
            group_id="g:1",
            message_id=f"m{number}",
            user_id="u",
            content="hello",
            create_time=NOW,
            received_at=NOW + timedelta(seconds=number),
        )
        for number in range(count)
    ]


def ids(messages: Sequence[StoredMessage]) -> list[str]:
    return [one.message_id for one in messages]


def test_a_page_is_as_long_as_a_model_call_and_knows_of_more() -> None:
    whole, cut = talk_page(said(MAX_MESSAGES), None, 0), talk_page(said(MAX_MESSAGES + 1), None, 0)

    assert (len(whole.messages), whole.is_more) == (MAX_MESSAGES, False)
    assert (len(cut.messages), cut.is_more) == (MAX_MESSAGES, True)


def test_a_kept_answer_is_about_what_was_there_when_it_was_asked_for() -> None:
    asked = talk_page(said(3), None, 7)

    again = talk_page(said(5), kept_reply(asked, "half a pair: \ud83d", 7), 7)

    assert (ids(again.messages), again.is_more) == (["m0", "m1", "m2"], True)
    assert again.answer == "half a pair: \ud83d"


@pytest.mark.parametrize(
    "reply",
    [
        KeptReply('"said"', epoch=6, until="m1"),
        KeptReply('"said"', epoch=7, until="gone"),
    ],
)
def test_an_answer_that_may_quote_what_was_forgotten_is_not_used(reply: KeptReply) -> None:
    page = talk_page(said(3), reply, 7)

    assert (len(page.messages), page.answer) == (3, None)


def test_an_answer_about_silence_alone_has_no_messages() -> None:
    page = talk_page(said(2), KeptReply('"said"', epoch=0, until=None), 0)

    assert (page.messages, page.is_more, page.until) == ([], True, None)


def test_nothing_is_learnt_from_blank_or_recalled_messages() -> None:
    first, second, third = said(3)
    found = [replace(first, content=" "), replace(second, state=MessageState.RECALLED), third]

    assert ids(talk_page(found, None, 0).spoken) == ["m2"]


@pytest.mark.parametrize(
    ("texts", "says_something"),
    [
        ((), False),
        (("good night everybody", "哈哈哈", "👍", "me too"), False),
        (("good night", "I am allergic to peanuts"), True),
        (("晚安", "我对花生过敏"), True),
    ],
)
def test_small_talk_alone_is_nothing_to_learn_from(
    texts: Sequence[str], says_something: bool
) -> None:
    found = [replace(one, content=text) for one, text in zip(said(len(texts)), texts, strict=True)]

    assert talk_page(found, None, 0).says_something is says_something


def test_what_the_bot_says_is_nothing_to_learn_from() -> None:
    found = [replace(one, content="Ann is allergic to nuts", role="assistant") for one in said(1)]

    assert not talk_page(found, None, 0).says_something


def test_the_cursor_goes_on_and_never_back() -> None:
    ahead = replace(GROUP, cursors={CURSOR: Cursor(NOW + timedelta(hours=1), "later")})

    moved, stayed = (read_until(talk_page(said(2), None, 0), one, LATER) for one in (GROUP, ahead))

    assert moved.cursors == {CURSOR: Cursor(NOW + timedelta(seconds=1), "m1")}
    assert (moved.evolve_due, stayed.cursors) == (False, ahead.cursors)
    assert read_until(talk_page(said(MAX_MESSAGES + 1), None, 0), GROUP, LATER).evolve_due
    assert read_until(talk_page([], None, 0), GROUP, LATER).cursors == {}


def test_the_next_page_is_one_job_whoever_asks_how_often() -> None:
    job = evolve_job("g:1", "daily", NOW)
    first = next_evolve_job(job, EvolveGroup(None), "m9", NOW)
    later = next_evolve_job(job, EvolveGroup(None), "m9", NOW + timedelta(hours=1))
    window = next_evolve_job(job, EvolveGroup(3), "m9", NOW)

    assert first.job_id == later.job_id != job.job_id
    assert first.payload == EvolveGroup(None, None), "the cursor says where it begins"
    assert window.payload == EvolveGroup(3, "m9")


def test_a_page_of_very_long_messages_is_short_and_never_empty() -> None:
    long = [replace(one, content="word " * 13_000) for one in said(200)]
    page = talk_page(long, None, 0)
    shown = sum(estimate_tokens(one.content[:MAX_CHARACTERS]) for one in page.messages)

    assert 1 <= len(page.messages) < 200
    assert shown <= MAX_TOKENS
    assert page.is_more
    assert len(talk_page(long[:1], None, 0).messages) == 1


def test_a_cursor_stays_behind_now_and_remembers_what_it_has_seen_beyond() -> None:
    first, second = said(2)
    now = NOW + BEHIND
    moved = cursor_after(None, [first, second], now)

    second_at = NOW + timedelta(seconds=1)
    assert moved == Cursor(NOW, "m0", ("m1",), (second_at,))
    assert cursor_after(moved, [], now) == moved
    crossed = replace(first, message_id="late", received_at=NOW + timedelta(milliseconds=500))
    assert cursor_after(moved, [crossed], LATER) == Cursor(second_at, "m1")


def test_a_cursor_from_before_it_kept_times_forgets_nothing_that_it_saw() -> None:
    first, second = said(2)

    moved = cursor_after(Cursor(BEGINNING, seen=("m0",)), [second], NOW + BEHIND)
    later = cursor_after(moved, [], LATER)

    assert moved == Cursor(BEGINNING, "", ("m0", "m1"), (second.received_at, second.received_at))  # type: ignore[arg-type]
    assert later == Cursor(NOW + timedelta(seconds=1), "m1")
    assert first.message_id not in ids(after(later, [first, second]))


@pytest.mark.parametrize("clock_s", [-3600, 0, 3600], ids=["behind the database", "right", "ahead"])
@pytest.mark.parametrize("apart_s", [0.001, 0.1, 2.0], ids=["flood", "busy", "talk"])
def test_whatever_the_clock_says_every_message_is_read_once(clock_s: int, apart_s: float) -> None:
    """Extraction and evolution read page after page; what is read again is paid again."""
    stored = [
        replace(one, received_at=NOW + timedelta(seconds=number * apart_s))
        for number, one in enumerate(said(2 * MAX_SEEN + 50))
    ]
    read, cursor = list[str](), Cursor(BEGINNING)
    while page := after(cursor, stored)[:40]:
        read += ids(page)
        assert len(read) <= len(stored), "the same again"
        newest = page[-1].received_at
        assert newest is not None
        moved = cursor_after(cursor, page, newest + timedelta(seconds=clock_s))
        assert moved is not None
        cursor = moved
        assert len(cursor.seen) <= MAX_SEEN
    assert read == ids(stored)


def test_what_a_cursor_has_gone_past_it_need_not_remember() -> None:
    first, second, third = said(3)
    moved = cursor_after(None, [first, second], NOW + BEHIND)

    later = cursor_after(moved, [third], LATER)

    assert later == Cursor(NOW + timedelta(seconds=2), "m2")


def after(cursor: Cursor, stored: Sequence[StoredMessage]) -> list[StoredMessage]:
    """As the store gives them."""
    here = (cursor.at, cursor.message_id)
    return [
        one
        for one in stored
        if one.received_at and (one.received_at, one.message_id) > here
        and one.message_id not in cursor.seen
    ]  # fmt: skip


def test_a_few_messages_wait_for_more_and_the_first_of_a_group_do_not() -> None:
    week = timedelta(days=7)
    known = replace(Group("g:1", "g"), cursors={CURSOR: Cursor(NOW)})

    first = due_with(Group("g:1", "g"), 1, NOW, 60, week)
    few = due_with(known, 20, NOW, 60, week)
    still_few = due_with(few, 20, LATER, 60, week)
    enough = due_with(still_few, 20, LATER, 60, week)

    assert (first.evolve_due, first.evolve_due_at) == (True, NOW)
    assert few.evolve_due_at == still_few.evolve_due_at == NOW + week
    assert (enough.evolve_due_at, enough.news_messages) == (LATER, 60)
    read = read_until(talk_page(said(60), None, 0), enough, LATER)
    assert (read.evolve_due, read.news_messages) == (False, 0)


def test_a_small_rest_is_not_worth_another_call() -> None:
    page = talk_page(said(MAX_MESSAGES + 1), None, 0)

    assert is_rest_small(page, replace(GROUP, news_messages=MAX_MESSAGES + 10), 60)
    assert not is_rest_small(page, replace(GROUP, news_messages=MAX_MESSAGES + 60), 60)
    assert not is_rest_small(page, GROUP, 60)  # counted by nobody: it goes on
