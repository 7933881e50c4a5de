"""Summaries by the first and last lines of a talk: their shape, and that nothing is made up."""

from typing import Any

import pytest

from infra.emulators.openai.rules import answer


def chat(*lines: str) -> list[dict[str, Any]]:
    """Messages from lines of "name: text"."""
    found = []
    for number, line in enumerate(lines, 1):
        name, _, content = line.partition(": ")
        found.append({"id": f"m{number}", "user_name": name, "content": content})
    return found


PICNIC = chat(
    "Ida: shall we have the picnic at the lake or in the park?",
    "Jon: the lake is full of midges",
    "Kai: then the park, the park has tables",
    "Ida: agreed, the picnic is in the park on Sunday",
    "Jon: who brings the blankets?",
)
CAMP = chat(
    "林晓: 露营去湖边还是山上？",
    "唐宁: 湖边蚊子太多，山上凉快",
    "高飞: 山上有营地，还能租帐篷",
    "林晓: 决定去山上，周六早上出发",
    "唐宁: 谁来租帐篷？",
)


@pytest.mark.parametrize(
    ("messages", "decision", "question", "people"),
    [
        (
            PICNIC,
            "agreed, the picnic is in the park on Sunday",
            "who brings the blankets?",
            ["Ida", "Jon", "Kai"],
        ),
        (CAMP, "决定去山上，周六早上出发", "谁来租帐篷？", ["林晓", "唐宁", "高飞"]),
    ],
)
def test_a_segment_tells_decisions_questions_and_people(
    messages: list[dict[str, Any]], decision: str, question: str, people: list[str]
) -> None:
    found = answer("segment_summarize", {"messages": messages})
    assert found["decisions"] == [decision]
    assert found["open_questions"] == [question]
    assert found["people"] == people


def test_a_long_talk_is_told_by_how_it_begins_and_ends() -> None:
    messages = chat(*(f"Ida: tern number {n} nests on its rock" for n in range(40)))
    summary = answer("segment_summarize", {"messages": messages})["summary"]
    assert [f"number {n} " in summary for n in (0, 1, 2, 20, 36, 37, 38, 39)] == [
        *(True, True, False, False, False, True, True, True)
    ]
    assert summary.startswith("Ida: tern number 0 nests on its rock. Ida: ")


def test_an_undecided_sentence_is_no_decision() -> None:
    for line in ("Ida: we have not decided yet", "林晓: 还没决定去哪", "Ida: agreed?"):
        assert answer("segment_summarize", {"messages": chat(line)})["decisions"] == []


def test_a_question_that_somebody_spoke_after_is_not_open() -> None:
    messages = chat("Ida: who has the key?", "Jon: I have it")
    assert answer("segment_summarize", {"messages": messages})["open_questions"] == []


def test_what_the_bot_said_is_nobodys_decision_or_name() -> None:
    messages = [*PICNIC, {"role": "assistant", "user_name": "Bot", "content": "We decided it."}]
    found = answer("segment_summarize", {"messages": messages})
    assert found["people"] == ["Ida", "Jon", "Kai"]
    assert len(found["decisions"]) == 1


def test_an_empty_segment_has_an_empty_summary() -> None:
    assert answer("segment_summarize", {"messages": []}) == {
        "summary": "",
        "title": "",
        "keywords": [],
        "decisions": [],
        "open_questions": [],
        "people": [],
        "sentiment": "",
    }


def test_keywords_are_the_askers_and_a_title_stays() -> None:
    hints = [{"keyword": "野餐", "weight": 1.0}, {"keyword": "草莓", "weight": 0.5}]
    given = {"messages": PICNIC, "keywords": hints, "topic": {"title": "周末"}}
    told = answer("segment_summarize", given)
    assert (told["title"], told["keywords"]) == ("周末", hints)


def test_several_talks_are_told_each_by_itself() -> None:
    talks = [{"n": 1, "messages": PICNIC, "keywords": ["park"]}, {"n": 2, "messages": CAMP}]
    told = answer("topics_summarize", {"talks": talks})["talks"]
    assert [talk["n"] for talk in told] == [1, 2]
    assert told[0]["keywords"] == ["park"]
    assert "picnic" in told[0]["summary"]
    assert "picnic" not in told[1]["summary"]


def test_a_talk_that_goes_on_keeps_what_was_told_before() -> None:
    told = answer("segment_summarize", {"messages": PICNIC, "previous": "他们去年去过东湖。"})
    assert told["summary"].startswith("他们去年去过东湖。")
    assert len(told["summary"]) > len("他们去年去过东湖。")


def test_a_merge_keeps_what_was_and_adds_what_is_new() -> None:
    segment = answer("segment_summarize", {"messages": PICNIC})
    merged = answer(
        "summary_merge",
        {
            "previous": {"summary": "Ida: spring is here.", "people": ["Max"], "decisions": []},
            "segments": [segment],
            "topic": {"title": "Picnic"},
        },
    )
    assert merged["summary"].startswith("Ida: spring is here.")
    assert segment["summary"] in merged["summary"]
    assert merged["title"] == "Picnic"
    assert merged["people"] == ["Max", "Ida", "Jon", "Kai"]
    assert merged["decisions"] == segment["decisions"]


def test_a_merge_says_nothing_twice() -> None:
    segment = {"summary": "The park has tables. The lake has midges."}
    merged = answer("summary_merge", {"segments": [segment, segment], "topic": {}})
    assert merged["summary"] == "The park has tables. The lake has midges."


def test_only_the_newest_parts_questions_are_known_to_be_open() -> None:
    before = {"summary": "Talk.", "open_questions": ["who brings the blankets?"]}
    merged = answer("summary_merge", {"previous": before, "segments": [{"summary": "More."}]})
    assert merged["open_questions"] == []


def test_a_long_merge_stays_short() -> None:
    segments = [{"summary": f"Tern number{n} nests on rock{n}."} for n in range(40)]
    merged = answer("summary_merge", {"segments": segments})
    assert merged["summary"].count("Tern") <= 10


def test_a_title_is_made_when_there_is_none() -> None:
    segment = answer("segment_summarize", {"messages": CAMP})
    merged = answer("summary_merge", {"segments": [segment], "topic": {"title": ""}})
    assert merged["title"]
    assert "：" not in merged["title"]


@pytest.mark.parametrize("messages", [PICNIC, CAMP])
def test_a_good_summary_scores_above_a_wrong_one(messages: list[dict[str, Any]]) -> None:
    own = answer("segment_summarize", {"messages": messages})["summary"]

    def score(summary: str) -> float:
        found = answer("summary_quality", {"summary": summary, "messages": messages})
        assert found["reasons"]
        assert 0 <= found["score"] <= 1
        return float(found["score"])

    assert score(own) > 0.6 > score("股票今天大涨。") >= score("")
    assert score("") == 0
