"""The learned score: what attribution's engine says of a line, and where the line stands."""

from dataclasses import replace
from datetime import timedelta

from shared.domain.context.learned_scorer import Learned
from shared.domain.context.relevance import Evidence, asked_of
from shared.threads import Following
from tests.context.chat import said

ASKED = said(60, "and then?", user_id="ann", user_name="Ann")
OF_IT, OTHER = said(58, topic_id="a"), said(59, topic_id="b")
FOLLOWING = Following(
    chances={"m58": 0.8, "m59": 0.1},
    masses={"m58": 0.8, "m59": 0.1},
    topics={"m58": "a", "m59": "b"},
    opens=0.1,
)


def scores(*lines: object, evidence: Evidence | None = None) -> list[float]:
    found = Learned(FOLLOWING).score(asked_of(ASKED), lines, evidence or Evidence())  # type: ignore[arg-type]
    return [one.score for one in found]


def test_a_line_of_the_likely_topic_scores_above_a_nearer_one_of_another() -> None:
    of_it, other = scores(OF_IT, OTHER)

    assert of_it > 0.5 > other


def test_the_reply_chain_is_certain_and_a_line_out_of_sight_is_nothing() -> None:
    chain = Evidence(chain=frozenset({"m2"}))

    assert scores(said(2), said(3), evidence=chain) == [1.0, 0.0]


def test_the_platforms_own_thread_counts_whatever_the_engine_says() -> None:
    asked = replace(ASKED, thread_id="t")
    found = Learned(FOLLOWING).score(asked_of(asked), [said(1, thread_id="t")], Evidence())

    assert found[0].score > 0.9
    assert found[0].reasons == ("same thread",)


def test_an_older_line_of_the_same_topic_scores_less() -> None:
    older = replace(OF_IT, message_id="m57", create_time=OF_IT.create_time - timedelta(hours=3))
    following = replace(
        FOLLOWING,
        chances={**FOLLOWING.chances, "m57": 0.001},
        masses={**FOLLOWING.masses, "m57": 0.8},
        topics={**FOLLOWING.topics, "m57": "a"},
    )
    new, old = Learned(following).score(asked_of(ASKED), [OF_IT, older], Evidence())

    assert new.score > old.score


def test_the_topic_is_the_likeliest_if_it_is_likelier_than_a_new_one() -> None:
    assert Learned(FOLLOWING).topic_id == "a"
    assert Learned(Following({}, {}, {}, 1.0)).topic_id is None
