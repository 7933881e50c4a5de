"""Which messages are chosen from what the reads brought."""

from dataclasses import replace
from datetime import timedelta

from functions.build_context.question import is_released
from functions.build_context.selection import (
    NEAR_LINES,
    Found,
    Trust,
    first_for,
    lifted_for,
    select,
    trust_in,
)
from shared.domain.context.five_factor_scorer import FiveFactors
from shared.domain.context.relevance import asked_of
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.recall.ranking import Ranked
from tests.context.chat import said

ASKED = said(60, "does the deploy still fail?", user_id="ann", user_name="Ann")
FAR = [said(n, topic_id="lunch") for n in range(10)]


def found_by_words(message: StoredMessage, score: float = 5.0) -> Ranked:
    return Ranked(message, score, {"words": score})


def chosen(found: Found, asked: StoredMessage = ASKED) -> list[str]:
    selection = select("lark:1", asked_of(asked), found, FiveFactors(), 0.3, asked.create_time)
    return [one.id for one in selection.offers]


def test_of_another_group_nothing_is_chosen_even_with_equal_ids() -> None:
    other = replace(said(5, "the deploy fails"), group_id="lark:2")
    found = Found([other], [other], [other], [other], [found_by_words(other)])

    assert chosen(found) == []


def test_nothing_later_than_the_question_and_not_the_question_itself_is_chosen() -> None:
    later = replace(said(61), create_time=ASKED.create_time + timedelta(seconds=1))

    known = [said(59), ASKED, later]

    assert chosen(Found(recalled=[found_by_words(one) for one in known])) == ["m59"]


def test_what_was_recalled_is_not_chosen_whichever_way_it_came() -> None:
    gone = replace(said(5), state=MessageState.RECALLED)

    assert chosen(Found([gone], [gone], [gone], [gone], [found_by_words(gone)])) == []


def test_nothing_is_offered_only_because_it_is_new() -> None:
    plain = [said(n) for n in range(10)]

    assert chosen(Found(recent=plain)) == []


def test_a_line_that_answers_is_lifted_wherever_it_lies_and_says_why() -> None:
    far, near = said(1, "the deploy fails with 502"), said(58, "it is the deploy token")
    found = Found(recent=[near], recalled=[found_by_words(far, 6.0), found_by_words(near, 4.0)])
    selection = select("lark:1", asked_of(ASKED), found, FiveFactors(), 0.3, ASKED.create_time)

    assert [one.id for one in selection.offers] == ["m1", "m58"]
    assert selection.offers[0].score > selection.offers[1].score
    assert "words of the question" in selection.offers[0].reasons[0]


def test_what_scores_below_a_share_of_the_best_is_left_out_and_recorded() -> None:
    good, weak = said(1, "the deploy fails"), said(2, "no idea")
    found = Found(recalled=[found_by_words(good, 10.0), found_by_words(weak, 2.0)])
    selection = select("lark:1", asked_of(ASKED), found, FiveFactors(), 0.3, ASKED.create_time)

    assert [one.id for one in selection.offers] == ["m1"]
    assert selection.left_out["m2"]["why"] == "below the threshold"
    assert float(selection.left_out["m2"]["score"]) < 0.3


def test_one_line_far_ahead_of_all_others_does_not_stand_alone() -> None:
    best, *others = [found_by_words(said(n), 20.0 if n == 0 else 6.0 - n / 2) for n in range(9)]

    assert chosen(Found(recalled=[best, *others])) == ["m0", "m1", "m2", "m3", "m4"]


def test_a_larger_budget_has_more_lines_that_are_lifted_however_far_behind() -> None:
    assert [first_for(tokens) for tokens in (100, 500, 4_000, 50_000)] == [5, 5, 10, 20]


def test_where_even_the_best_says_little_less_is_lifted() -> None:
    weak = [found_by_words(said(n), 0.1) for n in range(5)]

    assert chosen(Found(recalled=weak)) == ["m0", "m1"]


def test_what_a_line_has_whatever_is_asked_makes_nothing_sure() -> None:
    parts = {"says_much": 3.0, "recent": 1.0}
    weak = [Ranked(said(n), 4.0, parts) for n in range(5)]

    assert chosen(Found(recalled=weak)) == ["m0", "m1"]


def test_where_enough_is_relevant_nothing_else_fills_up() -> None:
    asked = replace(ASKED, topic_id="deploy")
    own = [said(n, topic_id="deploy") for n in range(50, 58)]

    assert chosen(Found(recent=[*FAR, *own]), asked) == [one.message_id for one in own]


def test_the_fresher_read_of_a_message_wins() -> None:
    stale, fresh = said(59, "the old words"), said(59, "the new words")
    found = Found(recent=[fresh], recalled=[found_by_words(stale)])
    selection = select("lark:1", asked_of(ASKED), found, FiveFactors(), 0.0, ASKED.create_time)

    assert "the new words" in selection.offers[0].line


def test_who_speaks_to_a_member_gets_their_talk_and_no_recall() -> None:
    far = found_by_words(said(1, "the deploy fails"))
    found = Found(recalled=[far])
    trust = trust_in(0.9, is_question=True, speaks_to_member=True)
    selection = select(
        "lark:1", asked_of(ASKED), found, FiveFactors(), 0.3, ASKED.create_time, trust
    )

    assert selection.offers == []


def test_of_a_question_only_few_lines_of_the_talk_around_it_are_shown() -> None:
    asked = replace(ASKED, topic_id="deploy")
    own = [said(n, topic_id="deploy", user_id="ann") for n in range(50, 60)]
    trust = Trust(near=1.0, near_lines=4)
    selection = select(
        "lark:1",
        asked_of(asked),
        Found(recent=own),
        FiveFactors(),
        0.3,
        asked.create_time,
        trust,
    )

    assert [one.id for one in selection.offers] == ["m56", "m57", "m58", "m59"]


def test_a_remark_recalls_as_far_as_it_opens_something_new() -> None:
    assert trust_in(0.1, is_question=False, speaks_to_member=False).recall == 0.1
    assert trust_in(0.1, is_question=True, speaks_to_member=False).recall == 1.0


def test_a_question_is_shown_the_talk_around_it_only_if_it_surely_goes_on_with_it() -> None:
    assert trust_in(0.5, is_question=True, speaks_to_member=False).near == 0.0
    assert trust_in(0.01, is_question=True, speaks_to_member=False).near > 0.3


def test_a_remark_to_the_bot_recalls_like_a_question() -> None:
    said_to_all = trust_in(0.1, is_question=False, speaks_to_member=False)
    said_to_bot = trust_in(0.1, is_question=False, speaks_to_member=False, speaks_to_bot=True)

    assert said_to_all.recall < said_to_bot.recall == 1.0


def test_a_question_without_a_telling_word_goes_on_with_the_talk() -> None:
    why = trust_in(0.9, is_question=True, speaks_to_member=False, names_something=False)

    assert (why.near, why.recall) == (1.0, 0.0)


def test_a_larger_budget_lifts_more_lines_but_never_fewer_than_eight_nor_more_than_twenty() -> None:
    counts = [lifted_for(tokens) for tokens in (50, 300, 500, 700, 4_000)]

    assert counts == [8, 10, 16, 20, 20]


def test_a_larger_grey_share_only_adds_groups() -> None:
    groups = [f"lark:{n}" for n in range(400)]
    few = {one for one in groups if is_released(one, 0.2, [])}
    many = {one for one in groups if is_released(one, 0.6, [])}

    assert few < many
    assert 40 < len(few) < 120
    assert not any(is_released(one, 0.0, []) for one in groups)
    assert is_released("lark:1", 0.0, ["lark:1"])


def test_the_answer_to_a_question_that_fits_is_offered_with_it() -> None:
    asks = said(5, "whose turn is the deploy?", topic_id="d")
    answer = said(6, "bo's", topic_id="d")
    other = said(7, "lunch", topic_id="lunch")
    found = Found(
        recalled=[
            found_by_words(asks, 9.0),
            found_by_words(answer, -20.0),
            found_by_words(other, -20.0),
        ]
    )

    assert chosen(found) == ["m5", "m6"]


def test_of_a_long_talk_that_goes_on_the_nearest_thirty_lines_are_chosen() -> None:
    talk = [said(n, "the deploy fails", user_id="ann", user_name="Ann") for n in range(59)]

    offered = chosen(Found(recent=talk))

    assert len(offered) == NEAR_LINES
    assert offered[-1] == "m58"
