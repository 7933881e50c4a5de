"""Which topic a message belongs to."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from shared.domain.attribution import grown, propose, title_of
from shared.domain.stored_message import StoredMessage
from shared.domain.vectors import unpack

AT = datetime(2026, 1, 1, tzinfo=UTC)


def said(
    message_id: str, reply_to: str | None = None, topic_id: str | None = None
) -> StoredMessage:
    return StoredMessage(
        group_id="lark:1",
        message_id=message_id,
        user_id=f"user of {message_id}",
        content=f"text of {message_id}",
        create_time=AT + timedelta(minutes=int(message_id[1:])),
        reply_message_id=reply_to,
        topic_id=topic_id,
        features={"keywords": {message_id: 1.0, "shared": 0.5}},
    )


def test_a_reply_inherits_the_topic_of_what_it_answers() -> None:
    known = {"m1": said("m1", topic_id="t1")}

    (one,) = propose([said("m2", "m1")], known)

    assert (one.topic_id, one.continues) == ("t1", "m1")


def test_a_chain_of_replies_that_all_wait_ends_in_one_topic() -> None:
    chain = propose([said("m1"), said("m2", "m1"), said("m3", "m2")], {})

    assert len({one.topic_id for one in chain}) == 1
    assert [one.continues for one in chain] == [None, "m1", "m2"]


def test_a_reply_to_something_unknown_begins_a_topic() -> None:
    one, other = propose([said("m1", "gone"), said("m2")], {})

    assert one.topic_id != other.topic_id
    assert one.continues is None


def test_an_edited_message_stays_where_it_was() -> None:
    (one,) = propose([said("m1", topic_id="t1")], {})

    assert one.topic_id == "t1"


def test_the_same_messages_begin_the_same_topics() -> None:
    assert propose([said("m1")], {}) == propose([said("m1")], {})


def test_a_topic_grows_by_its_messages() -> None:
    first = grown(None, "t1", [said("m1")], {"m1": [1.0, 0.0]})
    both = grown(first, "t1", [said("m2"), said("m3")], {"m2": [0.0, 3.0]})

    assert (first.title, first.creator_id) == ("m1 shared", "user of m1")
    assert (both.message_count, both.vector_count) == (3, 2)
    assert unpack(both.vector_sum) == [1.0, 3.0]
    assert both.mean_vector == [0.5, 1.5]
    assert both.keywords["shared"] == 1.5
    assert both.last_message_at == AT + timedelta(minutes=3)
    assert len(both.user_ids) == 3


def test_a_late_message_does_not_turn_a_topic_back() -> None:
    topic = grown(None, "t1", [said("m5")], {})

    assert grown(topic, "t1", [said("m1")], {}).last_message_at == topic.last_message_at


def test_a_topic_without_keywords_is_titled_by_its_first_words() -> None:
    plain = replace(said("m1"), features={}, content="Where do we\nmeet? " + "x" * 99)

    assert title_of(plain).startswith("Where do we meet?")
    assert len(title_of(plain)) == 40
    assert title_of(replace(plain, content=" ")) == "…"
