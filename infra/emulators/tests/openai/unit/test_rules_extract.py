"""Facts, entities and relations from the plainest things people say of themselves."""

from typing import Any

import pytest

from infra.emulators.openai.rules.extract import extract_facts


def messages(*lines: str) -> list[dict[str, Any]]:
    found = []
    for number, line in enumerate(lines, 1):
        name, _, content = line.partition(": ")
        found.append(
            {"id": f"m{number}", "user_id": f"u-{name}", "user_name": name, "content": content}
        )
    return found


def extract(*lines: str, **more: Any) -> dict[str, Any]:
    return extract_facts({"messages": messages(*lines), **more})


@pytest.mark.parametrize(
    ("line", "content", "kind", "relation"),
    [
        ("I live in Porto", "Ida lives in Porto", "fact", ("lives_in", "Porto")),
        ("I work at Blue Bank", "Ida works at Blue Bank", "fact", ("works_at", "Blue Bank")),
        ("I'm allergic to nuts", "Ida is allergic to nuts", "fact", ("related_to", "nuts")),
        ("I love rowing", "Ida loves rowing", "preference", ("likes", "rowing")),
        ("I can't stand jazz", "Ida can't stand jazz", "preference", ("dislikes", "jazz")),
        ("I'm building a kite", "Ida is building a kite", "project", ("related_to", "kite")),
        ("我住在青岛", "Ida住在青岛", "fact", ("lives_in", "青岛")),
        ("我在蓝海银行上班", "Ida在蓝海银行上班", "fact", ("works_at", "蓝海银行")),
        ("我对花生过敏", "Ida对花生过敏", "fact", ("related_to", "花生")),
        ("我特别喜欢划船", "Ida特别喜欢划船", "preference", ("likes", "划船")),
    ],
)
def test_a_sentence_about_oneself_is_a_fact_with_its_relation(
    line: str, content: str, kind: str, relation: tuple[str, str]
) -> None:
    found = extract(f"Ida: {line}")

    (fact,) = found["facts"]
    assert (fact["content"], fact["type"], fact["subject"]) == (content, kind, "u-Ida")
    assert (fact["sources"], fact["tags"]) == (["m1"], ["stand-in"])
    (edge,) = found["relations"]
    assert (edge["source"], edge["type"], edge["target"]) == ("Ida", *relation)
    assert {entity["name"] for entity in found["entities"]} == {"Ida", relation[1]}


@pytest.mark.parametrize(
    "line",
    ["I'm so tired", "do I live in Porto?", "Jon lives in Porto", "我在路上", "我今天喜欢吃面"],
)
def test_passing_talk_questions_and_words_about_others_are_no_facts(line: str) -> None:
    assert extract(f"Ida: {line}")["facts"] == []


def test_what_is_known_or_said_twice_is_told_once() -> None:
    known = [{"id": "f1", "content": "Ida lives in Porto"}]
    lines = ["Ida: I live in Porto", "Ida: I love tea", "Ida: I love tea"]
    found = extract(*lines, existing_facts=known)["facts"]
    assert [fact["content"] for fact in found] == ["Ida loves tea"]


def test_the_bot_is_not_quoted() -> None:
    talk = messages("Bot: I live in Porto")
    talk[0]["role"] = "assistant"
    assert extract_facts({"messages": talk}) == {"facts": [], "entities": [], "relations": []}
