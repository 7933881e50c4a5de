"""Topics: which one a message continues, and what a new one is called."""

from typing import Any

import pytest

from infra.emulators.openai.rules import answer

BOATS: dict[str, Any] = {
    "number": 1,
    "title": "Repairing the old boat",
    "description": "The hull leaks",
    "keywords": ["boat", "hull"],
    "last_messages": ["Ida: the hull of the boat leaks again", "Jon: we need tar for the boat"],
}
BREAD: dict[str, Any] = {
    "number": 2,
    "title": "Baking bread",
    "description": "",
    "keywords": [{"keyword": "bread", "weight": 1.0}],
    "last_messages": [{"user_name": "Kai", "content": "my sourdough bread did not rise"}],
}
CAMERA: dict[str, Any] = {
    "number": 1,
    "title": "买什么相机",
    "keywords": ["相机", "镜头"],
    "last_messages": ["林晓: 想买一台相机拍风景", "唐宁: 镜头比相机更重要"],
}
HOTPOT: dict[str, Any] = {
    "number": 2,
    "title": "周末吃火锅",
    "keywords": ["火锅"],
    "last_messages": ["高飞: 周末一起吃火锅吗"],
}


def choice(content: str, user: str, *candidates: dict[str, Any]) -> Any:
    given = {
        "questions": [
            {
                "n": 7,
                "message": {"id": "m", "user_name": user, "content": content},
                "candidates": list(candidates),
            }
        ],
        "titles": [],
    }
    (found,) = answer("topic_attribute", given)["answers"]
    assert found["n"] == 7
    return found


@pytest.mark.parametrize(
    ("content", "number"),
    [
        ("did you buy tar for the hull?", 1),
        ("try more yeast, then the bread will rise", 2),
        ("the boat should be dry before you paint the hull", 1),
    ],
)
def test_a_message_continues_the_topic_it_is_about(content: str, number: int) -> None:
    assert choice(content, "Max", BOATS, BREAD)["choice"] == number


@pytest.mark.parametrize(
    ("content", "number"), [("那款镜头拍风景很好", 1), ("火锅店订好位子了", 2)]
)
def test_a_chinese_message_continues_its_topic(content: str, number: int) -> None:
    assert choice(content, "罗兰", CAMERA, HOTPOT)["choice"] == number


def test_the_order_of_candidates_does_not_matter() -> None:
    for candidates in ((BOATS, BREAD), (BREAD, BOATS)):
        assert choice("more yeast for the bread", "Max", *candidates)["choice"] == 2


@pytest.mark.parametrize(
    ("content", "candidates"),
    [
        ("has anybody seen the tax form?", (BOATS, BREAD)),
        ("谁有税务局的电话", (CAMERA, HOTPOT)),
    ],
)
def test_a_message_about_something_else_opens_a_topic(
    content: str, candidates: tuple[dict[str, Any], ...]
) -> None:
    found = choice(content, "Max", *candidates)
    assert found["choice"] == "new"
    assert found["title"]
    assert found["description"]


def test_without_candidates_a_topic_is_new() -> None:
    assert choice("hello", "Max")["choice"] == "new"


def test_speaking_to_somebody_joins_their_topic() -> None:
    assert choice("Kai, does anybody know more?", "Max", BOATS, BREAD)["choice"] == 2


def test_a_short_answer_follows_what_the_asker_put_first() -> None:
    assert choice("ok!", "Max", BREAD, BOATS)["choice"] == 2
    assert choice("好的", "罗兰", CAMERA, HOTPOT)["choice"] == 1


@pytest.mark.parametrize(
    ("messages", "title"),
    [
        (["大家好，请问周末去哪里骑车比较好？", "骑车去海边吧"], "周末去哪里骑车比较好"),
        (
            ["hey all, who wants to join the sailing trip in May this year? I do."],
            "who wants to join the sailing trip in",
        ),
        (["", "Bread: mine did not rise"], "Bread"),
    ],
)
def test_a_title_is_the_first_clause_of_the_opening_line(messages: list[str], title: str) -> None:
    given = {"questions": [], "titles": [{"n": 3, "messages": messages}]}
    (found,) = answer("topic_attribute", given)["titles"]
    assert (found["n"], found["title"]) == (3, title)
    assert found["description"]


def test_a_title_of_nothing_is_empty() -> None:
    given = {"titles": [{"n": 1, "messages": []}]}
    assert answer("topic_attribute", given)["titles"] == [{"n": 1, "title": "", "description": ""}]
