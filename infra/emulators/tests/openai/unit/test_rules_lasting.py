"""What lasts is heard without a list that names it, and put down as a person would."""

from typing import Any

import pytest

from infra.emulators.tests.openai.likeness import answer


def created(*said: tuple[str, str]) -> list[dict[str, Any]]:
    """What comes of messages by (name, text); who is called by their own id has no `user_name`."""
    talk = [
        {"id": f"m{place}", "user_id": name, "time": "2026-03-02T10:00:00Z", "content": text}
        for place, (name, text) in enumerate(said)
    ]
    given = {"existing_memories": [], "new_discussions": talk, "today": "2026-03-02"}
    lines: list[dict[str, Any]] = answer("memory_evolve", given)["lines"]
    return [one for one in lines if one["action"] == "create"]


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


def test_what_is_said_of_another_is_about_them_and_rests_on_who_agrees() -> None:
    talk = (
        ("mia", "pizza friday?"),
        ("lou", "yes!!"),
        ("ann", "lou can't even have dairy"),
        ("mia", "exactly"),
    )
    (line,) = created(*talk)
    assert (line["subject"], line["sources"]) == ("lou", ["m2", "m3"])
    assert line["statement"] == "Lou can't even have dairy"


def test_a_word_before_a_colon_is_no_name_of_a_speaker_who_has_one() -> None:
    (line,) = created(("priya", "choir people: I've joined a choir, so I'm never free on Mondays"))
    assert line["subject"] == "priya"
    assert "choir people" not in line["statement"].lower()


def test_a_plus_one_to_something_else_is_no_me_too() -> None:
    (line,) = created(("静静妈", "我鸡蛋过敏"), ("阿芹", "+1 楼长辛苦了，一分钱没有"))
    assert line["subject"] == "静静妈"


def test_hasty_english_is_read_with_its_apostrophes() -> None:
    assert remembered("Priya", "im vegetarian and i dont drink") == [
        "Priya is vegetarian and Priya doesn't drink"
    ]


@pytest.mark.parametrize(
    ("name", "text", "statement"),
    [
        ("林夕", "我又不吃香菜", "林夕不吃香菜"),
        ("Priya", "plus I'm allergic to shellfish", "Priya is allergic to shellfish"),
    ],
)
def test_a_statement_begins_without_a_joining_word(name: str, text: str, statement: str) -> None:
    assert remembered(name, text) == [statement]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("林夕", "减脂破功了"),
        ("林夕", "我家猫又打翻了杯子"),
        ("Priya", "I'm staying till Thursday"),
    ],
)
def test_what_happens_once_is_not(name: str, text: str) -> None:
    assert remembered(name, text) == []


@pytest.mark.parametrize(
    "text", ["别等我 先排第一首", "谱子我发群文件了 第二首换了个调 降了半个音"]
)
def test_what_somebody_just_does_is_no_trait_of_theirs(text: str) -> None:
    assert remembered("阿圆", text) == []
