"""Summaries by extraction: who said what mattered, what was decided, what is open."""

from typing import Any

import pytest

from infra.emulators.tests.openai.likeness import answer


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
    "林晓: 那就去山上吧，周六早上出发",
    "唐宁: 谁来租帐篷？",
)


@pytest.mark.parametrize(
    ("messages", "decision", "question", "people"),
    [
        (PICNIC, "the picnic is in the park", "who brings the blankets?", ["Ida", "Jon", "Kai"]),
        (CAMP, "那就去山上吧", "谁来租帐篷？", ["林晓", "唐宁", "高飞"]),
    ],
)
def test_a_segment_tells_decisions_questions_and_people(
    messages: list[dict[str, Any]], decision: str, question: str, people: list[str]
) -> None:
    found = answer("segment_summarize", {"messages": messages})
    assert any(decision in one for one in found["decisions"])
    assert found["open_questions"] == [question]
    assert found["people"] == people


@pytest.mark.parametrize("messages", [PICNIC, CAMP])
def test_a_summary_is_made_of_what_was_said_and_by_whom(messages: list[dict[str, Any]]) -> None:
    summary = answer("segment_summarize", {"messages": messages})["summary"]
    assert 0 < len(summary) < sum(len(message["content"]) for message in messages)
    assert any(f"{message['user_name']}：" in summary or f"{message['user_name']}: " in summary
               for message in messages)  # fmt: skip


def test_an_undecided_sentence_is_no_decision() -> None:
    found = answer("segment_summarize", {"messages": chat("Ida: we have not decided yet")})
    assert found["decisions"] == []
    found = answer("segment_summarize", {"messages": chat("林晓: 还没决定去哪")})
    assert found["decisions"] == []


@pytest.mark.parametrize(
    ("said", "is_decision"),
    [("那就周日把船刷成蓝色", True), ("那就去山上吧", True), ("那就好", False), ("那就行", False)],
)
def test_then_so_be_it_is_a_decision_with_or_without_a_particle(
    said: str, is_decision: bool
) -> None:
    found = answer("segment_summarize", {"messages": chat(f"林晓: {said}")})
    assert bool(found["decisions"]) is is_decision


def test_a_later_decision_replaces_an_earlier_one_on_the_same_matter() -> None:
    messages = chat(
        "Ida: agreed, the picnic is in the park on Sunday",
        "Jon: agreed, the picnic is in the park on Monday",
    )
    found = answer("segment_summarize", {"messages": messages})
    assert found["decisions"] == ["agreed, the picnic is in the park on Monday"]


def test_an_answered_question_is_not_open() -> None:
    messages = chat("Ida: who has the key?", "Jon: I have it")
    assert answer("segment_summarize", {"messages": messages})["open_questions"] == []
    messages = chat("Ida: who has the key?", "Jon: no idea")
    assert answer("segment_summarize", {"messages": messages})["open_questions"] != []


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


def test_what_the_asker_counted_names_a_talk_without_a_title() -> None:
    hints = [{"keyword": "野餐", "weight": 1.0}, {"keyword": "草莓", "weight": 0.5}]
    named = answer("segment_summarize", {"messages": PICNIC, "keywords": hints})
    assert named["title"] == "野餐、草莓"
    assert named["keywords"] == hints
    given = {"messages": PICNIC, "keywords": hints, "topic": {"title": "周末"}}
    assert answer("segment_summarize", given)["title"] == "周末"


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
    assert "park" in [one["keyword"] for one in merged["keywords"]]
    assert merged["keywords"][0]["weight"] == 1.0


def test_a_merge_says_nothing_twice() -> None:
    segment = {"summary": "The park has tables. The lake has midges."}
    merged = answer("summary_merge", {"segments": [segment, segment], "topic": {}})
    assert merged["summary"] == "The park has tables. The lake has midges."


def test_a_question_that_was_decided_meanwhile_is_closed() -> None:
    merged = answer(
        "summary_merge",
        {
            "previous": {"summary": "Talk.", "open_questions": ["who brings the blankets?"]},
            "segments": [{"summary": "More.", "decisions": ["Kai brings the blankets"]}],
        },
    )
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
