"""Facts, entities and relations from what people say of themselves and each other."""

from typing import Any

import pytest

from infra.emulators.tests.openai.likeness import answer


def messages(*lines: str) -> list[dict[str, Any]]:
    found = []
    for number, line in enumerate(lines, 1):
        name, _, content = line.partition(": ")
        found.append(
            {
                "id": f"m{number}",
                "user_id": f"u-{name}",
                "user_name": name,
                "content": content,
                "create_time": "2026-02-21T06:30:00Z",
            }
        )
    return found


def extract(*lines: str, **more: Any) -> dict[str, Any]:
    return answer("extract", {"messages": messages(*lines), **more})


@pytest.mark.parametrize(
    ("line", "content", "kind", "relation"),
    [
        ("I live in Porto", "Ida lives in Porto", "fact", ("lives_in", "Porto")),
        ("I work at Blue Bank", "Ida works at Blue Bank", "fact", ("works_at", "Blue Bank")),
        ("I'm allergic to nuts", "Ida is allergic to nuts", "fact", ("allergic_to", "nuts")),
        ("I love rowing", "Ida loves rowing", "preference", ("likes", "rowing")),
        ("I can't stand jazz", "Ida can't stand jazz", "preference", ("dislikes", "jazz")),
        (
            "My favourite colour is green",
            "Ida's favourite colour is green",
            "preference",
            ("favourite_colour", "green"),
        ),
        (
            "I'm building a kite shop",
            "Ida is building a kite shop",
            "project",
            ("works_on", "kite shop"),
        ),
        ("My sister is called Ruth", "Ida's sister is called Ruth", "fact", ("has_sister", "Ruth")),
        ("我住在青岛", "Ida住在青岛", "fact", ("lives_in", "青岛")),
        ("我在蓝海银行上班", "Ida在蓝海银行上班", "fact", ("works_at", "蓝海银行")),
        ("我对花生过敏", "Ida对花生过敏", "fact", ("allergic_to", "花生")),
        ("我特别喜欢划船", "Ida特别喜欢划船", "preference", ("likes", "划船")),
        ("我讨厌香菜", "Ida讨厌香菜", "preference", ("dislikes", "香菜")),
        ("我正在学大提琴", "Ida正在学大提琴", "project", ("learns", "大提琴")),
        (
            "我正在开发一个潮汐小程序",
            "Ida正在开发一个潮汐小程序",
            "project",
            ("works_on", "潮汐小程序"),
        ),
        ("我的妹妹叫小雨", "Ida的妹妹叫小雨", "fact", ("has_妹妹", "小雨")),
    ],
)
def test_a_sentence_about_oneself_is_a_fact_with_its_relation(
    line: str, content: str, kind: str, relation: tuple[str, str]
) -> None:
    found = extract(f"Ida: {line}")
    (fact,) = found["facts"]
    assert (fact["content"], fact["type"], fact["subject"]) == (content, kind, "u-Ida")
    assert fact["sources"] == ["m1"]
    assert fact["confidence"] == 0.9
    (edge,) = found["relations"]
    assert (edge["source"], edge["type"], edge["target"]) == ("Ida", *relation)
    assert {entity["name"] for entity in found["entities"]} == {"Ida", relation[1]}


@pytest.mark.parametrize(
    "line",
    [
        "I'm so tired",
        "I ate noodles yesterday",
        "do you like cats?",
        "If I were rich I'd move to Rome",
        "I'm in the kitchen",
        "remember that I live in Porto",
        "hello there",
        "我在路上",
        "我昨天吃了面",
        "你喜欢猫吗？",
        "如果有钱我就搬到三亚",
        "记住我住在青岛",
        "哈哈",
    ],
)
def test_passing_talk_questions_and_orders_are_no_facts(line: str) -> None:
    assert extract(f"Ida: {line}")["facts"] == []


def test_what_another_says_is_less_certain_and_about_known_people_only() -> None:
    found = extract("Ida: Jon lives in Porto", "Ida: Zed lives in Rome", "Jon: hm")
    (fact,) = found["facts"]
    assert (fact["subject"], fact["confidence"]) == ("u-Jon", 0.7)
    known = [{"user_id": "u-9", "name": "Zed"}]
    found = extract("Ida: Zed lives in Rome", known_people=known)
    assert [fact["subject"] for fact in found["facts"]] == ["u-9"]


def test_a_maybe_is_uncertain_and_can_be_left_out() -> None:
    line = "Ida: maybe I live in Porto again"
    assert [fact["confidence"] for fact in extract(line)["facts"]] in ([], [0.4])
    assert extract(line, min_confidence=0.5)["facts"] == []


@pytest.mark.parametrize(
    ("known", "line", "replaced"),
    [
        ("Ida lives in Porto", "I live in Rome", "f1"),
        ("Ida lives in Porto", "I moved to Rome", "f1"),
        ("Ida likes tea", "I don't like tea any more", "f1"),
        ("Ida likes tea", "I like soup", None),
        ("Jon lives in Porto", "I live in Rome", None),
        ("Ida住在青岛", "我搬到了大连", "f1"),
        ("Ida喜欢喝茶", "我不喜欢喝茶", "f1"),
        ("Ida喜欢喝茶", "我喜欢划船", None),
    ],
)
def test_a_fact_that_contradicts_a_known_one_replaces_it(
    known: str, line: str, replaced: str | None
) -> None:
    facts = [{"id": "f1", "content": known}]
    (fact,) = extract(f"Ida: {line}", "Jon: hm", existing_facts=facts)["facts"]
    assert fact["replaces"] == replaced


def test_what_is_known_already_is_not_told_again() -> None:
    facts = [{"id": "f1", "content": "Ida lives in Porto", "subject": "u-Ida"}]
    assert extract("Ida: I live in Porto", existing_facts=facts)["facts"] == []


def test_the_newer_of_two_contradicting_facts_stays() -> None:
    found = extract("Ida: I live in Porto", "Ida: I live in Rome")
    assert [fact["content"] for fact in found["facts"]] == ["Ida lives in Rome"]


def test_the_same_fact_twice_has_two_sources() -> None:
    (fact,) = extract("Ida: I love rowing", "Jon: nice", "Ida: I love rowing")["facts"]
    assert fact["sources"] == ["m1", "m3"]


def test_there_are_at_most_so_many_facts_the_surest_first() -> None:
    lines = ["Ida: Jon likes soup", "Jon: I like tea", "Ida: I love rowing"]
    found = extract(*lines, max_facts=2)["facts"]
    assert [fact["content"] for fact in found] == ["Jon likes tea", "Ida loves rowing"]


def test_the_bot_is_not_quoted() -> None:
    talk = messages("Bot: I live in Porto")
    talk[0]["role"] = "assistant"
    assert answer("extract", {"messages": talk}) == {"facts": [], "entities": [], "relations": []}


def test_dates_come_from_the_hints_beside_a_message() -> None:
    (talk,) = messages("Ida: I moved to Bergen last month")
    talk["dates"] = [{"words": "last month", "date": "in January 2026"}]
    (fact,) = answer("extract", {"messages": [talk]})["facts"]
    assert fact["content"] == "Ida moved to Bergen in January 2026"
