"""Notes rewritten: names for pronouns, dates for relative times, places for "here"."""

import re
from typing import Any

import pytest

from infra.emulators.tests.openai.likeness import answer

GATE = re.compile(
    r"我|你|他|她|它|这位|那位|今天|昨天|明天|刚才|刚刚|稍后|上周|下周|最近|这里|那边|本地|当地|这儿|那儿|"
    r"\b(?:I|you|he|she|they|we|my|your|his|her|their|our|me|him|them|us|today|yesterday|tomorrow|"
    r"recently|now|here|last week|next week)\b",
    re.IGNORECASE,
)


def note(action: str = "", info: str = "", **more: Any) -> dict[str, Any]:
    given = {
        "action_summary": action,
        "new_info": info,
        "time": "2026-02-21T06:30:00Z",
        "timezone": "Asia/Shanghai",
        "sender": {"user_id": "u-1", "user_name": more.pop("sender", "林晓")},
        "bot_name": "小安",
        **more,
    }
    return answer("note_rewrite", given)


@pytest.mark.parametrize(
    ("info", "rewritten"),
    [
        ("我喜欢吃辣", "林晓喜欢吃辣"),
        ("他下周三要去重庆", "林晓2026-02-25要去重庆"),
        ("我希望你每天提醒我喝水", "林晓希望小安每天提醒林晓喝水"),
        ("这位用户昨天搬家了", "林晓2026-02-20搬家了"),
        ("用户养了两只猫", "林晓养了两只猫"),
        ("唐宁说他明天请客", "唐宁说唐宁2026-02-22请客"),
        ("他在学吉他，其他人不学", "林晓在学吉他，其他人不学"),
    ],
)
def test_new_information_names_its_people_and_days(info: str, rewritten: str) -> None:
    assert note(info=info)["new_info"] == rewritten


@pytest.mark.parametrize(
    ("info", "rewritten"),
    [
        ("I don't like tea", "Ida doesn't like tea"),
        ("I'm a baker and my son is two", "Ida is a baker and Ida's son is two"),
        ("She moved here last month", "Ida moved to Oslo in January 2026"),
        ("Her brother will visit her on Monday", "Ida's brother will visit Ida on 2026-02-23"),
        ("They have lived in Rome", "Ida has lived in Rome"),
        ("Jon says he is tired", "Jon says Jon is tired"),
        ("The user will call you tomorrow", "Ida will call 小安 on 2026-02-22"),
        ("I go to the gym and I've lost weight", "Ida goes to the gym and Ida has lost weight"),
    ],
)
def test_english_verbs_follow_the_names(info: str, rewritten: str) -> None:
    said = note(info=info, sender="Ida", location="Oslo")["new_info"]
    assert said == rewritten


def test_the_first_person_of_an_action_is_the_bot() -> None:
    said = note(action="我回答了他关于昨天部署的问题", info="我明天请假")
    assert said == {
        "canonical_text": "小安回答了林晓关于2026-02-20部署的问题。林晓2026-02-22请假。",
        "new_info": "林晓2026-02-22请假",
    }


def test_an_action_without_a_subject_is_the_bots() -> None:
    assert note(action="回答了用户的问题")["canonical_text"] == "小安回答了林晓的问题。"
    said = note(action="Answered her question", sender="Ida")["canonical_text"]
    assert said == "小安 answered Ida's question."


def test_he_is_whoever_the_message_was_about() -> None:
    messages = [
        {"user_name": "唐宁", "content": "在"},
        {"user_name": "林晓", "content": "唐宁下个月结婚"},
    ]
    assert note(info="他下个月结婚", messages=messages)["new_info"] == "唐宁2026年3月结婚"


def test_he_is_the_sender_when_the_message_speaks_of_the_sender() -> None:
    messages = [
        {"user_name": "唐宁", "content": "在"},
        {"user_name": "林晓", "content": "我和唐宁一起来，我下个月结婚"},
    ]
    assert note(info="他下个月结婚", messages=messages)["new_info"] == "林晓2026年3月结婚"


def test_here_is_the_location_or_else_the_chat() -> None:
    assert note(info="这里下雪了", location="漠河")["new_info"] == "漠河下雪了"
    assert note(info="这里不许抽烟", group_name="读书会")["new_info"] == "“读书会”群里不许抽烟"
    assert note(info="It snows here", sender="Ida", location="Oslo")["new_info"] == (
        "It snows in Oslo"
    )


def test_we_are_the_group_or_the_two_who_talked() -> None:
    assert note(info="我们周日爬山", group_name="山友")["new_info"] == "山友成员2026-02-22爬山"
    assert note(action="我们聊了电影")["canonical_text"] == "小安和林晓聊了电影。"


def test_days_are_those_of_the_notes_own_time_zone() -> None:
    late = {"time": "2026-02-21T23:30:00Z"}
    assert note(info="今天下雨", **late)["new_info"] == "2026-02-22下雨"
    assert (
        note(info="今天下雨", **late, timezone="America/New_York")["new_info"] == "2026-02-21下雨"
    )


def test_an_unknown_time_zone_is_no_reason_to_fail() -> None:
    assert note(info="今天下雨", timezone="Mars/Olympus")["new_info"] == "2026-02-21下雨"


def test_what_a_gate_found_is_gone_the_second_time() -> None:
    flagged = note(info="It is good and this helps", sender="Ida", violations=["It", "this"])
    assert not re.search(r"\b(?:it|this)\b", flagged["new_info"], re.IGNORECASE)
    assert "改天" not in note(info="改天再约", violations=["改天"])["new_info"]


def test_names_that_look_like_pronouns_or_dates_are_kept() -> None:
    said = note(info="我见了周日", sender="他山", people=["周日"])["new_info"]
    assert said == "他山见了周日"


def test_an_empty_note_stays_empty() -> None:
    assert note() == {"canonical_text": "", "new_info": ""}


NOTES = [
    ("帮他订了明天的票", "她最近在减肥，下周要体检"),
    ("刚刚给他们讲了笑话", "我昨天把钥匙落在那边了"),
    ("我刚才告诉他当地的天气", "他和她上周分手了"),
    ("这位朋友问了路，我回答了", "我这儿今天停电"),
    ("I told him about yesterday", "He likes my bike and their dog"),
    ("Helped them here", "We met her last week and she gave us tea"),
    ("I answered you", "You told me that you recently moved"),
]


@pytest.mark.parametrize(("action", "info"), NOTES)
@pytest.mark.parametrize("location", ["", "Porto"])
def test_no_pronoun_relative_day_or_place_is_left(action: str, info: str, location: str) -> None:
    said = note(action, info, location=location, group_name="G7")
    assert GATE.findall(said["canonical_text"]) == []
    assert GATE.findall(said["new_info"]) == []
