"""What lasts is heard without a list that names it, and put down as a person would."""

from typing import Any

import pytest

from infra.emulators.tests.openai.likeness import answer


def remembered(name: str, text: str) -> list[str]:
    said: dict[str, Any] = {
        "id": "m1",
        "user_id": "u1",
        "user_name": name,
        "time": "2026-03-02T10:00:00Z",
        "content": text,
    }
    given = {"existing_memories": [], "new_discussions": [said], "today": "2026-03-02"}
    lines: list[dict[str, Any]] = answer("memory_evolve", given)["lines"]
    return [str(one["statement"]) for one in lines if one["action"] == "create"]


@pytest.mark.parametrize(
    ("name", "text", "statement"),
    [
        ("Priya", "off sugar until june", "Priya is off sugar until june"),
        (
            "Priya",
            "guys I'm hopeless with wasps, I carry an injector",
            "Priya is hopeless with wasps, Priya carries an injector",
        ),
        (
            "林夕",
            "我这学期白天都在基地那边，晚上才回来",
            "林夕这学期白天都在基地那边，晚上才回来",
        ),
    ],
)
def test_what_no_list_names_is_heard(name: str, text: str, statement: str) -> None:
    assert remembered(name, text) == [statement]


def test_a_statement_leaves_out_whom_it_is_said_to_and_what_only_trails() -> None:
    assert remembered("Priya", "I don't drive anyway") == ["Priya doesn't drive"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Priya", "I heard they might close the pool"),
        ("Priya", "wow I just adore queues"),
        ("Priya", "I burned the toast again"),
        ("Priya", "I'm at the station"),
        ("Priya", "I wish I had a boat"),
        ("林夕", "装备夜小结：雨季穿网面鞋，配羊毛袜"),
        ("林夕", "听说食堂要涨价"),
        ("林夕", "我真是服了这个电梯"),
        ("林夕", "今天我在外面吃"),
    ],
)
def test_hearsay_irony_wishes_and_the_day_are_not(name: str, text: str) -> None:
    assert remembered(name, text) == []
