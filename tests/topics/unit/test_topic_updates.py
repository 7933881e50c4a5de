"""What topics are after a run."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shared.domain.attribution.proposing import Basis
from shared.domain.attribution.questions import Assignment, Title
from shared.domain.attribution.topic_updates import (
    ARCHIVE_AFTER,
    ClosingRules,
    Growth,
    fewer,
    grow,
    is_worth_summarizing,
    opening_title,
    shut,
    with_messages,
)
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import unpack
from shared.domain.topics.topic import Topic
from tests.topics.saying import AT, said, topic

IDLE = timedelta(hours=6)


def joins(message: StoredMessage, topic_id: str, continues: str | None = None) -> Assignment:
    return Assignment(message, topic_id, continues, Basis.JOINS)


def after(*assignments: Assignment, **options: object) -> Growth:
    titles = options.pop("titles", {})
    fields: dict[str, object] = {
        "topics": {},
        "vectors": {},
        "embedding_model": "e1",
        "rules": ClosingRules(),
        "roles": {},
    }
    return grow(assignments, **{**fields, "titles": titles, **options})  # type: ignore[arg-type]


def test_a_topic_grows_by_its_messages() -> None:
    first = with_messages(
        None, "t1", [said(1, "ann", "cats and dogs")], {"m1": [1.0, 0.0]}, "e1", IDLE
    )
    new = [said(2, "bob", "cats"), said(3, "ann", "more cats")]
    both = with_messages(first, "t1", new, {"m2": [0.0, 3.0]}, "e1", IDLE)

    assert (first.creator_id, first.is_titled) == ("id-ann", False)
    assert (both.message_count, both.vector_count) == (3, 2)
    assert unpack(both.vector_sum) == [1.0, 3.0]
    assert both.mean_in("e1") == [0.5, 1.5]
    assert next(iter(both.keywords)) == "cats"
    assert both.keywords["cats"] > both.keywords["dogs"]
    assert both.last_message_at == new[1].create_time
    assert (both.last_message_id, both.closes_at) == ("m3", new[1].create_time + IDLE)
    assert both.user_ids == ("id-ann", "id-bob")
    assert both.token_count > first.token_count > 0


def test_a_sum_of_another_model_ends_where_the_first_vector_of_this_one_comes() -> None:
    old = topic("t1", [1.0, 2.0, 3.0], embedding_model="e0", vector_count=7)
    wordless = with_messages(old, "t1", [said(2, "bob", "cats")], {}, "e1", IDLE)
    new = with_messages(old, "t1", [said(2, "bob", "cats")], {"m2": [0.0, 3.0]}, "e1", IDLE)

    assert (wordless.mean_in("e1"), wordless.sum_in("e0")) == ([], [1.0, 2.0, 3.0])
    assert (new.mean_in("e1"), new.vector_count, new.message_count) == ([0.0, 3.0], 1, 2)
    assert new.mean_in("e0") == []


def test_a_late_message_does_not_turn_a_topic_back() -> None:
    known = with_messages(None, "t1", [said(5, "ann", "x")], {}, "e1", IDLE)
    late = with_messages(known, "t1", [said(1, "bob", "y")], {}, "e1", IDLE)

    assert late.last_message_at == known.last_message_at
    assert late.last_message_id == "m5"


def test_a_topic_is_titled_by_the_model_or_by_its_opening_line() -> None:
    one, other = said(1, "ann", "the quarterly budget"), said(2, "bob", "lunch at the noodle bar")
    title = Title("  Quarterly\n budget ", " What is left. ")
    growth = after(joins(one, "t1"), joins(other, "t2"), titles={"t1": title})

    named, plain = growth.changed["t1"], growth.changed["t2"]
    assert (named.title, named.description) == ("Quarterly budget", "What is left.")
    assert (named.is_titled, plain.is_titled) == (True, False)
    assert plain.title == "lunch at the noodle bar"


def test_a_topic_keeps_the_name_of_its_opening_line_until_a_model_names_it() -> None:
    first, second = said(1, "ann", "lunch at the noodle bar"), said(2, "bob", "the noodle soup")
    grown = with_messages(None, "t1", [first], {}, "e1", IDLE)
    again = with_messages(grown, "t1", [second], {}, "e1", IDLE)
    named = with_messages(
        replace(grown, title="Food", is_titled=True), "t1", [second], {}, "e1", IDLE
    )

    assert again.title == "lunch at the noodle bar"
    assert named.title == "Food"


def test_a_picture_opens_no_title() -> None:
    lines = [said(1, "ann", "[image]"), said(2, "ann", "is this the right valve")]
    assert opening_title(lines) == "is this the right valve"


def test_a_topic_that_goes_on_is_owed_a_summary_by_the_hour() -> None:
    growth = after(joins(said(1, "ann", "the quarterly budget"), "t1"))
    due = growth.changed["t1"].summary_due_at
    assert due is not None
    assert due == growth.changed["t1"].last_message_at + timedelta(hours=24)
    assert shut(growth.changed["t1"], due).summary_due_at is None
    owed = replace(growth.changed["t1"], summary_tries=1)
    assert shut(owed, due).summary_due_at == due


def test_a_greeting_is_no_title() -> None:
    greeted = with_messages(None, "t1", [said(1, "ann", "早早早")], {}, "e1", IDLE)
    walking = with_messages(greeted, "t1", [said(2, "bob", "走不走")], {}, "e1", IDLE)
    assert (greeted.title, walking.title) == ("…", "走不走")


def test_a_topic_that_lacked_its_title_gets_it_later_once() -> None:
    known = {"t1": topic("t1", is_titled=False), "t2": topic("t2", title="kept")}
    titles = {"t1": Title("At last"), "t2": Title("never")}
    growth = after(topics=known, titles=titles, title_wishes=["t1", "t2"])

    assert {key: one.title for key, one in growth.changed.items()} == {"t1": "At last"}
    assert growth.changed["t1"].is_titled


def test_a_title_the_model_did_not_give_counts_as_a_try() -> None:
    known = {"t1": topic("t1", is_titled=False)}

    assert after(topics=known, title_wishes=["t1"]).changed["t1"].title_tries == 1


def test_an_edited_message_counts_once() -> None:
    edited = Assignment(said(1, "ann", "x"), "t1", None, Basis.STAYS)

    assert after(edited, topics={"t1": topic("t1")}).changed == {}


@pytest.mark.parametrize(
    ("count", "summarized", "asked", "is_due"),
    [
        (49, 0, 0, True),
        (48, 0, 0, False),
        (99, 60, 0, False),
        (99, 0, 50, True),
        (98, 0, 50, False),
    ],
)
def test_a_summary_is_due_every_fifty_messages_since_the_last_or_since_it_was_wished(
    count: int, summarized: int, asked: int, is_due: bool
) -> None:
    known = topic("t1", message_count=count, summarized_count=summarized, summary_asked_count=asked)
    growth = after(joins(said(1, "ann", "x"), "t1"), topics={"t1": known})

    assert ("t1" in growth.due) is is_due
    if is_due:
        assert growth.changed["t1"].summary_asked_count == count + 1


def test_a_summary_is_due_after_many_words_too() -> None:
    words = said(2, "ann", "word " * 5000)
    growth = after(joins(said(1, "ann", "x"), "t1"), joins(words, "t1"))

    assert "t1" in growth.due
    assert growth.changed["t1"].summary_asked_tokens == growth.changed["t1"].token_count


def test_without_summaries_none_is_due() -> None:
    known = topic("t1", message_count=49)
    old = topic("t2", message_count=5, last_message_at=AT - timedelta(days=1))
    growth = after(
        joins(said(1, "ann", "x"), "t1"),
        topics={"t1": known, "t2": old},
        rules=ClosingRules(is_summarizing=False),
    )

    assert growth.due == {}
    assert growth.closed == {"t2"}


def idle_topic(**changes: Any) -> Topic:
    return topic("old", last_message_at=AT - timedelta(hours=7), message_count=5, **changes)


def test_an_idle_topic_closes_by_the_time_of_the_words_and_is_summarized() -> None:
    growth = after(joins(said(1, "ann", "x"), "t1"), topics={"old": idle_topic()})

    shut = growth.changed["old"]
    assert growth.closed == {"old"}
    assert (shut.is_active, shut.closes_at) == (False, None)
    assert shut.archives_at == AT - timedelta(hours=1) + ARCHIVE_AFTER
    assert "old" in growth.due


def test_a_topic_closes_later_where_the_group_says_so() -> None:
    growth = after(
        joins(said(1, "ann", "x"), "t1"),
        topics={"old": idle_topic()},
        rules=ClosingRules(idle=timedelta(hours=8)),
    )

    assert growth.closed == frozenset()


def test_history_closes_topics_as_it_goes() -> None:
    early = [said(1, "ann", "x"), said(2, "bob", "y")]
    late = said(3, "ann", "z", at_s=8 * 3600)
    growth = after(*(joins(one, "t1") for one in early), joins(late, "t2"))

    assert growth.closed == {"t1"}
    assert growth.opened == {"t1", "t2"}
    assert not growth.changed["t1"].is_active


def test_a_reply_opens_a_closed_topic_again() -> None:
    shut = idle_topic(is_active=False, is_archived=True, archives_at=AT)
    growth = after(joins(said(1, "ann", "x"), "old"), topics={"old": shut})

    opened = growth.changed["old"]
    assert (opened.is_active, opened.is_archived, opened.archives_at) == (True, False, None)
    assert growth.closed == growth.opened == frozenset()


def test_one_message_is_its_own_summary() -> None:
    assert not is_worth_summarizing(topic("t1", message_count=1))
    assert is_worth_summarizing(topic("t1", message_count=2))
    assert not is_worth_summarizing(topic("t1", message_count=2, summarized_count=2))


def test_a_round_is_a_users_message_that_the_bot_answered() -> None:
    roles = {"m1": "user", "m2": "assistant", "m3": "user"}
    answer = said(2, "bot", "it is late", role="assistant")
    growth = after(
        joins(said(1, "ann", "what time is it?"), "t1"),
        joins(answer, "t1", "m1"),
        joins(replace(answer, message_id="m9"), "t1", "m2"),
        joins(said(3, "ann", "thanks"), "t1", "m2"),
        Assignment(replace(answer, message_id="m8"), "t1", "m3", Basis.STAYS),
        joins(replace(answer, message_id="m7"), "t1"),
        roles=roles,
    )

    assert growth.rounds == 1


def test_a_title_goes_with_the_messages_it_was_given_for() -> None:
    stays = said(1, "ann", "looking for a room there")
    go = [said(2, "bob", "the poles do not fit"), said(3, "cid", "then buy a tent")]
    grown = with_messages(None, "t1", [stays, *go], {}, "e1", IDLE)
    given = replace(grown, title="Tent poles", description="The poles do not fit", is_titled=True)

    left = fewer(given, go, [stays], IDLE)

    assert (left.title, left.description, left.is_titled) == ("looking for a room there", "", False)


def test_a_title_stays_with_most_of_its_messages() -> None:
    lines = [said(n, "ann", "the poles do not fit") for n in range(1, 6)]
    grown = with_messages(None, "t1", lines, {}, "e1", IDLE)
    given = replace(grown, title="Tent poles", is_titled=True)

    left = fewer(given, lines[4:], lines[:4], IDLE)

    assert (left.title, left.is_titled) == ("Tent poles", True)


def test_without_a_telling_word_a_topic_is_called_by_what_is_left_in_it() -> None:
    stays, goes = said(1, "ann", "how much now"), said(2, "bob", "the poles do not fit")
    grown = with_messages(None, "t1", [stays, goes], {}, "e1", IDLE)

    assert fewer(grown, [goes], [stays], IDLE).title == "how much now"
