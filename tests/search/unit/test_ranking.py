"""The ranker of lines, by behaviour."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from shared.domain.ranking.lines import Line, joined, prepare, without
from shared.domain.ranking.ranker import RankedQuestion, Ranking, rank

START = datetime(2026, 11, 18, 9, tzinfo=UTC)
FILLER = (
    "good morning everyone",
    "the bus is late again",
    "anybody seen the new film",
    "my cat sleeps all day",
    "who cooks on Friday",
    "we painted the fence green",
    "rain until the weekend they say",
    "I lost my other glove",
)


def line(number: int, text: str, name: str = "Ann", **known: object) -> Line:
    return Line(
        message_id=f"m{number}",
        user_name=name,
        text=text,
        time=START + timedelta(minutes=number),
        **known,  # type: ignore[arg-type]  # whichever field the test is about
    )


def chat(*texts: str, names: Sequence[str] = ("Ann", "Ben")) -> list[Line]:
    return [line(n, text, names[n % len(names)]) for n, text in enumerate(texts)]


def ranked(question: str, lines: Sequence[Line]) -> Ranking:
    return rank(RankedQuestion(question), prepare(lines, None))


def best(ranking: Ranking, count: int = 1) -> list[str]:
    return [ranking.lines.message_ids[n] for n in ranking.order[:count]]


def test_a_line_with_the_rare_word_of_the_question_comes_first() -> None:
    lines = chat(*FILLER, "the ECG is on Tuesday at the clinic", *FILLER)
    assert best(ranked("when is the ECG", lines)) == ["m8"]


def test_the_answer_to_a_matched_question_rises_though_it_shares_no_word_with_it() -> None:
    lines = chat(*FILLER, "who picks up Maya?", "me, half five", *FILLER)
    assert set(best(ranked("@bot who picks up Maya", lines), 2)) == {"m8", "m9"}


def test_a_question_to_the_bot_asked_before_does_not_outrank_its_answer() -> None:
    said = chat(*FILLER, "Olek is allergic to nuts", *FILLER)
    asked = line(20, "@bot what is Olek allergic to?", "Ben", is_to_bot=True)
    lines = [*said, asked, *(line(21 + n, text) for n, text in enumerate(FILLER))]
    order = best(ranked("what is Olek allergic to?", lines), len(lines))
    assert order.index("m8") < order.index("m20")


def test_a_speaker_is_found_by_name() -> None:
    lines = [
        *chat(*FILLER, names=("Ann", "Ben")),
        line(8, "count me in for the choir", "Zora"),
        *(line(9 + n, text) for n, text in enumerate(FILLER)),
    ]
    assert best(ranked("what does Zora join", lines)) == ["m8"]


def test_what_a_line_replies_to_lifts_it() -> None:
    texts = [*FILLER, "the boiler costs 900", *FILLER]
    lines = [*chat(*texts), line(30, "that is far too much", reply_to="m8")]
    without_reply = [*chat(*texts), line(30, "that is far too much")]
    question = "what about the boiler"
    with_it = ranked(question, lines).parts_of(len(texts))["reply"]
    assert with_it > ranked(question, without_reply).parts_of(len(texts))["reply"] == 0


def test_nearness_ranks_where_no_word_is_shared() -> None:
    rows = np.eye(10, dtype=np.float32)
    texts = [*FILLER, "half five at the gate"]
    lines = [line(n, text, vector=rows[n]) for n, text in enumerate(texts)]
    asked = RankedQuestion("когда", [float(one) for one in rows[3]])
    ranking = rank(asked, prepare(lines, rows[8:10]))
    assert ranking.parts_of(3)["near"] == max(ranking.parts["near"])
    assert best(ranking) == ["m3"]


def test_without_vectors_words_rank_alone() -> None:
    lines = prepare(chat(*FILLER), np.ones((2, 4), np.float32))
    ranking = rank(RankedQuestion("fence", [1.0, 0, 0, 0]), lines)
    assert not ranking.parts["near"].any()
    assert best(ranking) == ["m5"]


def test_an_empty_group_ranks_nothing() -> None:
    assert ranked("anything", []).order == []


def test_pages_joined_rank_as_the_whole() -> None:
    lines = chat(*FILLER, "the ECG is on Tuesday", *FILLER, "Tuesday suits me")
    whole = ranked("ECG on Tuesday?", lines)
    pages = joined([prepare(lines[:3], None), prepare(lines[3:9], None), prepare(lines[9:], None)])
    parts = rank(RankedQuestion("ECG on Tuesday?"), pages)
    assert np.allclose(whole.scores, parts.scores)


def test_lines_left_out_rank_as_if_they_had_never_been_there() -> None:
    lines = chat(*FILLER, "the ECG is on Tuesday", *FILLER)
    gone = {"m2", "m8"}
    left = without(joined([prepare(lines[:5], None), prepare(lines[5:], None)]), gone)
    fresh = prepare([one for one in lines if one.message_id not in gone], None)
    question = RankedQuestion("which fence on Tuesday")
    assert left.message_ids == fresh.message_ids
    assert np.allclose(rank(question, left).scores, rank(question, fresh).scores)


def test_a_pause_ends_what_a_line_says_for_its_neighbours() -> None:
    def around(minutes: int) -> float:
        early = [line(n, text) for n, text in enumerate([*FILLER, "the ECG is on Tuesday"])]
        late = [line(9 + minutes + n, text) for n, text in enumerate(FILLER)]
        return ranked("ECG", [*early, *late]).parts_of(9)["around"]

    assert around(120) < around(0)


@pytest.mark.parametrize("name", ["words", "number", "fresh"])
def test_a_group_may_have_a_part_count_more(name: str) -> None:
    lines = prepare(chat(*FILLER, "the ECG is on Tuesday at 9"), None)
    question = RankedQuestion("when is the ECG")
    usual = rank(question, lines).parts_of(8)[name]
    assert rank(question, lines, own={name: 2.0}).parts_of(8)[name] == pytest.approx(2 * usual)


def test_the_parts_add_up_to_the_score() -> None:
    ranking = ranked("when is the ECG", chat(*FILLER, "the ECG is on Tuesday at 9"))
    for n in range(len(ranking.scores)):
        assert sum(ranking.parts_of(n).values()) == pytest.approx(ranking.scores[n])
