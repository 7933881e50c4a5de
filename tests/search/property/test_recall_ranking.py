"""Whatever is ranked: everything once, the same in any order, and no other line's words matter."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.messages.stored_message import StoredMessage
from shared.domain.recall.question import recall_question
from shared.domain.recall.ranking import Lines, rank
from tests.context.chat import AT, said

TEXTS = st.sampled_from(
    ["hello", "the rent is 400", "房租四百", "who pays?", "谁付", "", "Ann: on friday", "[image]"]
)
MESSAGES = st.lists(
    st.builds(
        said,
        st.integers(0, 40),
        TEXTS,
        user_id=st.sampled_from(["ann", "bob"]),
        topic_id=st.sampled_from([None, "t1", "t2"]),
        continues=st.sampled_from([None, "m1", "m2", "m3"]),
        reply_message_id=st.sampled_from([None, "m3", "m4"]),
    ),
    max_size=12,
    unique_by=lambda one: one.message_id,
)
COSINES = st.dictionaries(
    st.sampled_from([f"m{n}" for n in range(40)]), st.floats(-1, 1), max_size=20
)


@settings(deadline=None)
@given(MESSAGES, COSINES, st.text(max_size=40), st.randoms(use_true_random=False))
def test_every_line_is_ranked_once_and_alike_in_whatever_order_it_came(
    messages: list[StoredMessage], cosines: dict[str, float], text: str, dice: Random
) -> None:
    asked = recall_question(f"{text} rent 房租", {"ann": "Ann", "bob": "Bob"}, now=AT, asker="ann")
    unbroken = [one.message_id for one in sorted(messages, key=lambda one: one.create_time)]
    first = rank(asked, Lines(messages, cosines, unbroken))
    mixed = dice.sample(messages, len(messages))

    assert {one.message.message_id for one in first} == {one.message_id for one in messages}
    assert len(first) == len(messages)
    assert [one.score for one in first] == sorted((one.score for one in first), reverse=True)
    again = rank(asked, Lines(mixed, cosines, unbroken))
    assert [one.message.message_id for one in again] == [one.message.message_id for one in first]
