"""What each factor is for: change one thing, and the message it speaks for comes first."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.context.five_factor_scorer import FiveFactors, Weights
from shared.domain.context.relevance import Evidence, asked_of
from shared.domain.messages.message import Mention
from shared.domain.messages.stored_message import StoredMessage
from tests.context.chat import AT, said

SCORER = FiveFactors()


def best(asked: StoredMessage, candidates: list[StoredMessage], evidence: Evidence) -> str:
    scored = SCORER.score(asked_of(asked), candidates, evidence)
    ranked = sorted(zip(candidates, scored, strict=True), key=lambda one: -one[1].score)
    return ranked[0][0].message_id


NOTHING = Evidence()
ASKED = said(30, "does the deploy still fail?", user_id="ann", user_name="Ann")


@pytest.mark.parametrize(
    ("asked", "better", "evidence"),
    [
        (ASKED, said(5), Evidence(chain=frozenset({"m5"}))),
        (ASKED, said(29), NOTHING),
        (ASKED, said(5, user_id="ann", user_name="Ann"), NOTHING),
        (ASKED, said(5, mentions=(Mention("ann", "Ann"),)), NOTHING),
        (ASKED, said(5, "Ann: try again"), NOTHING),
        (ASKED, said(5, "the deploy fails with error 12"), NOTHING),
        (ASKED, said(5), Evidence(similarity={"m5": 0.9})),
        (replace(ASKED, root_message_id="m5"), said(5), NOTHING),
        (replace(ASKED, thread_id="t"), said(5, thread_id="t"), NOTHING),
        (replace(ASKED, topic_id="t"), said(5, topic_id="t"), NOTHING),
        (replace(ASKED, mentions=(Mention("u5"),)), said(5), NOTHING),
        (replace(ASKED, continues="m5"), said(5), NOTHING),
    ],
    ids=[
        "reply chain", "time", "speaker", "mention", "leading name", "words", "meaning", "root",
        "thread", "topic", "mentioned author", "continues",
    ],
)  # fmt: skip
def test_one_relation_lifts_a_message_above_its_like(
    asked: StoredMessage, better: StoredMessage, evidence: Evidence
) -> None:
    others = [said(number) for number in (4, 6)]
    assert best(asked, [*others, better], evidence) == better.message_id


def test_a_message_of_another_topic_loses_even_when_it_is_nearer() -> None:
    here = said(10, "and then it broke", topic_id="here")
    elsewhere = said(29, "what about lunch", topic_id="elsewhere", user_id="ann")

    assert best(replace(ASKED, topic_id="here"), [here, elsewhere], NOTHING) == "m10"


def test_before_attribution_the_topic_of_what_it_answers_speaks_for_it() -> None:
    replied = said(20, "it broke", topic_id="here")
    same = said(3, "old words", topic_id="here")
    other = said(4, "old words", topic_id="elsewhere")
    asked = replace(ASKED, reply_message_id="m20")
    scored = SCORER.score(asked_of(asked), [replied, same, other], NOTHING)

    assert scored[1].score > 0.25 > scored[2].score


def test_the_weights_are_what_the_settings_say() -> None:
    only_time = FiveFactors(Weights(0, 1, 0, 0, 0))
    chain = Evidence(chain=frozenset({"m1"}))
    old, new = only_time.score(asked_of(ASKED), [said(1), said(29)], chain)

    assert old.score < new.score
    assert old.factors["reply_chain"] == 1.0


def test_the_bot_counts_as_a_partner_of_whoever_asks_it() -> None:
    bot = said(10, role="assistant", user_id="bot", user_name="Annals")

    assert best(ASKED, [said(9), said(11), bot], NOTHING) == "m10"


MESSAGES = st.lists(
    st.builds(
        said,
        st.integers(0, 60),
        st.sampled_from(["hello", "deploy fails", "Ann: yes", "中午吃什么", "User 3, look"]),
        user_id=st.sampled_from(["ann", "bob", "cid"]),
        topic_id=st.sampled_from([None, "t1", "t2"]),
        reply_message_id=st.sampled_from([None, "m1", "m2"]),
    ),
    max_size=12,
    unique_by=lambda one: one.message_id,
)


@given(MESSAGES, st.sets(st.sampled_from(["m1", "m2", "m3"])), st.sampled_from([None, "t1", "t9"]))
def test_scores_lie_between_nought_and_one_and_do_not_depend_on_the_order(
    messages: list[StoredMessage], chain: set[str], topic_id: str | None
) -> None:
    asked = asked_of(replace(ASKED, topic_id=topic_id, create_time=AT + timedelta(hours=2)))
    evidence = Evidence(chain=frozenset(chain))
    forward = SCORER.score(asked, messages, evidence)
    backward = SCORER.score(asked, messages[::-1], evidence)[::-1]

    assert all(0 <= one.score <= 1 for one in forward)
    assert [one.score for one in forward] == pytest.approx([one.score for one in backward])
