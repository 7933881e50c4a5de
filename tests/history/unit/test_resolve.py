"""Notes resolved by rules: names for pronouns, dates for relative times, places for "here"."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from shared.domain.historian.gate import violations
from shared.domain.historian.people import people_of
from shared.domain.historian.resolve import Resolved, resolve_note
from shared.language import Language, guess_language


def resolved(
    action: str = "",
    info: str = "",
    *,
    sender: str = "林晓",
    others: tuple[str, ...] = (),
    said: tuple[tuple[str, str], ...] = (),
    group: str = "",
    location: str = "",
    time: str = "2026-02-21T06:30:00+00:00",
    zone: str = "Asia/Shanghai",
    bot: str = "小安",
) -> Resolved:
    roster: Mapping[str, str] = {"u-1": sender, **{f"o-{name}": name for name in others}}
    people = people_of(
        sender_id="u-1",
        roster={key: name for key, name in roster.items() if name},
        said=said,
        bot=bot,
        group=group,
        is_chinese=guess_language(action + info) is Language.CHINESE,
    )
    now = datetime.fromisoformat(time).astimezone(ZoneInfo(zone))
    return resolve_note(action, info, people, now, location)


@pytest.mark.parametrize(
    ("info", "rewritten"),
    [
        ("我喜欢吃辣", "林晓喜欢吃辣"),
        ("他下周三要去重庆", "林晓2026-02-25要去重庆"),
        ("我希望你每天提醒我喝水", "林晓希望小安每天提醒林晓喝水"),
        ("这位用户昨天搬家了", "林晓2026-02-20搬家了"),
        ("用户养了两只猫", "林晓养了两只猫"),
        ("唐宁说他明天请客", "唐宁说唐宁2026-02-22请客"),
        ("唐宁说我不去", "唐宁说唐宁不去"),
        ("他在学吉他，其他人不学", "林晓在学吉他，其他人不学"),
        ("上个月的今天我搬家了", "2026-01-21林晓搬家了"),
        ("我刚才到家", "林晓2026-02-21 14:30到家"),
    ],
)
def test_new_information_names_its_people_and_days(info: str, rewritten: str) -> None:
    assert resolved(info=info).learnt == rewritten


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
        ("I met Jon the day before yesterday", "Ida met Jon on 2026-02-19"),
    ],
)
def test_english_verbs_follow_the_names(info: str, rewritten: str) -> None:
    assert resolved(info=info, sender="Ida", location="Oslo").learnt == rewritten


def test_the_first_person_of_an_action_is_the_bot() -> None:
    said = resolved(action="我回答了他关于昨天部署的问题", info="我明天请假")
    assert said.learnt == "林晓2026-02-22请假"
    assert said.joined(is_chinese=True) == (
        "小安回答了林晓关于2026-02-20部署的问题。林晓2026-02-22请假。"
    )


def test_an_action_without_a_subject_is_the_bots() -> None:
    assert resolved(action="回答了用户的问题").did == "小安回答了林晓的问题"
    said = resolved(action="Answered her question", sender="Ida").did
    assert said == "小安 answered Ida's question"


def test_a_member_without_a_name_is_described_and_never_called_by_the_id() -> None:
    assert resolved(info="我明天请假", sender="").learnt == "一位群成员2026-02-22请假"
    assert resolved(info="I am tired", sender="").learnt == "A member of the group is tired"


def test_he_is_whoever_the_message_was_about() -> None:
    said = (("u-2", "在"), ("u-1", "唐宁下个月结婚"))
    found = resolved(info="他下个月结婚", said=said, others=("唐宁",))
    assert found.learnt == "唐宁2026年3月结婚"


def test_he_is_the_sender_when_the_message_speaks_of_the_sender() -> None:
    said = (("u-1", "我和唐宁一起来，我下个月结婚"),)
    found = resolved(info="他下个月结婚", said=said, others=("唐宁",))
    assert found.learnt == "林晓2026年3月结婚"


def test_here_is_the_location_or_else_the_chat() -> None:
    assert resolved(info="这里下雪了", location="漠河").learnt == "漠河下雪了"
    assert resolved(info="这里不许抽烟", group="读书会").learnt == "“读书会”群里不许抽烟"
    said = resolved(info="It snows here", sender="Ida", location="Oslo")
    assert said.learnt == "It snows in Oslo"


@pytest.mark.parametrize(
    ("info", "rewritten"),
    [
        ("我妈昨天从这边搬走了", "林晓妈2026-02-20从林晓所在的地方搬走了"),
        ("这里下雪了", "林晓所在的地方下雪了"),
        ("我搬走了，不喜欢这里", "林晓搬走了，不喜欢林晓所在的地方"),
        ("唐宁搬到这里了", "唐宁搬到林晓所在的地方了"),
        ("我不喜欢这里", "林晓不喜欢“山友”群里"),
        ("地点在老宋那里", "地点在老宋处"),
        ("我在杭州当地找", "林晓在杭州找"),
    ],
)
def test_who_moves_lives_or_is_snowed_in_here_is_not_in_the_chat(info: str, rewritten: str) -> None:
    assert resolved(info=info, group="山友").learnt == rewritten


@pytest.mark.parametrize(
    ("info", "rewritten"),
    [
        ("I moved here last month", "Ida moved to Ida's area in January 2026"),
        ("It snows here", "It snows in Ida's area"),
        ("Jon lives near here", "Jon lives near Ida's area"),
        ("Swearing is not welcome here", "Swearing is not welcome in the group Hikers"),
    ],
)
def test_in_english_too(info: str, rewritten: str) -> None:
    assert resolved(info=info, sender="Ida", group="Hikers").learnt == rewritten


def test_what_the_bot_just_did_is_told_without_the_just() -> None:
    said = resolved(action="I just answered his question", sender="Ida").did
    assert said == "小安 answered Ida's question"
    said = resolved(action="I just want to help", sender="Ida").did
    assert "just want" in said


def test_we_are_the_group_or_the_two_who_talked() -> None:
    assert resolved(info="我们周日爬山", group="山友").learnt == "山友成员2026-02-22爬山"
    assert resolved(action="我们聊了电影").did == "小安和林晓聊了电影"


@pytest.mark.parametrize(
    ("info", "time", "zone", "rewritten"),
    [
        ("今天下雨", "2026-02-21T23:30:00+00:00", "Asia/Shanghai", "2026-02-22下雨"),
        ("今天下雨", "2026-02-21T23:30:00+00:00", "America/New_York", "2026-02-21下雨"),
        ("我明天出差", "2026-11-16T15:50:00+00:00", "Asia/Shanghai", "林晓2026-11-17出差"),
        ("我后天回来", "2026-12-30T15:50:00+00:00", "Asia/Shanghai", "林晓2027-01-01回来"),
        ("我明天生日", "2028-02-28T10:00:00+00:00", "Asia/Shanghai", "林晓2028-02-29生日"),
        ("我三小时后到", "2026-03-08T06:30:00+00:00", "America/New_York", "林晓2026-03-08 05:30到"),
        ("我明天到", "2026-11-01T05:30:00+00:00", "America/New_York", "林晓2026-11-02到"),
    ],
)
def test_days_are_those_of_the_notes_own_time_zone(
    info: str, time: str, zone: str, rewritten: str
) -> None:
    assert resolved(info=info, time=time, zone=zone).learnt == rewritten


@pytest.mark.parametrize(
    ("info", "rewritten"),
    [
        ('小林说"我不去"', '小林说"我不去"'),
        ("小林说：“我明天不去那边”，我去", "小林说：“我明天不去那边”，小林去"),
        ("本地化测试我做完了", "本地化测试林晓做完了"),
        ("我在读《他山之石》", "林晓在读《他山之石》"),
        ("我喜欢玩我的世界和看咱们裸熊", "林晓喜欢玩我的世界和看咱们裸熊"),
        ("我用明日方舟的壁纸", "林晓用明日方舟的壁纸"),
    ],
)
def test_quotations_titles_and_compounds_stay_as_they_are(info: str, rewritten: str) -> None:
    assert resolved(info=info).learnt == rewritten


def test_names_that_look_like_pronouns_or_dates_are_kept() -> None:
    said = resolved(info="我见了周日", sender="他山", others=("周日",))
    assert said.learnt == "他山见了周日"


def test_an_empty_note_stays_empty() -> None:
    assert resolved() == Resolved("", "")
    assert resolved().joined(is_chinese=True) == ""


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
    said = resolved(action, info, location=location, group="G7")
    text = said.joined(is_chinese=guess_language(action + info) is Language.CHINESE)
    assert violations(text, ("林晓", "小安", "G7")) == []
