"""The four scenarios of group memory, and what else a group sees, over HTTP."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.local_cloud import LocalCloud, wait_for
from tests.talk import new_group

API = "/evolve_group/memory"
PEOPLE = ("小林", "阿杰", "美琪")

ANIME = [
    "我们每周五晚上一起看新番",
    "是的，我们每周五晚上一起看新番",
    "这季新番的作画真好",
    "第一集我看了两遍",
    "大家都觉得老番比新番耐看",
    "对，大家都觉得老番比新番耐看",
    "片头曲循环了一天",
    "主角的声优换人了",
    "群里不许剧透",
    "没错，群里不许剧透",
    "还好没被剧透",
    "昨天那集结尾太意外了",
    "我们都喜欢科幻动漫",
    "对，我们都喜欢科幻动漫",
    "机甲的设定很有意思",
    "那个飞船画得细",
    "这周更新晚了一小时",
    "字幕组辛苦了",
    "等会儿一起看吗？",
    "好的，八点见",
    "音乐也不错",
    "作画监督是谁？",
    "查了一下是新人",
    "配色很舒服",
    "第三集节奏快了点",
    "反派的动机讲清楚了",
    "下集预告看了吗？",
    "看了，期待",
    "海报可以当壁纸",
    "我已经换上了",
]


def talk(group_id: str, lines: list[str], at: datetime, first: int = 1) -> list[dict[str, Any]]:
    """A line a minute, by three people in turn."""
    return [
        {
            "group_id": group_id,
            "message_id": f"m{first + number:04}",
            "user_id": f"u{number % 3}",
            "user_name": PEOPLE[number % 3],
            "content": line,
            "create_time": (at + timedelta(minutes=number)).isoformat(),
        }
        for number, line in enumerate(lines)
    ]


def say(
    cloud: LocalCloud, group_id: str, lines: list[str], first: int = 1, days_ago: int = 0
) -> None:
    at = datetime.now(UTC) - timedelta(days=days_ago, minutes=len(lines) + 5)
    cloud.ok("POST", "/ingest_message/messages", talk(group_id, lines, at, first))


def active(cloud: LocalCloud, group_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = cloud.ok("GET", f"{API}/list/{group_id}")["memories"]
    return found


def test_first_evolution_makes_three_to_five_first_versions(cloud: LocalCloud) -> None:
    group_id = new_group()
    assert len(ANIME) == 30
    say(cloud, group_id, ANIME)

    answer = cloud.ok("POST", f"{API}/evolve/{group_id}")

    assert 3 <= answer["stats"]["created"] <= 5
    assert (answer["stats"]["updated"], answer["stats"]["deleted"]) == (0, 0)
    memories = active(cloud, group_id)
    assert 3 <= len(memories) <= 5
    assert {(one["version"], one["parent_id"]) for one in memories} == {(1, None)}
    assert all(one["sources"] and one["source_users"] for one in memories)


OLD = [
    ("每周五晚上讨论新番动漫", "habit"),
    ("每周三晚上打羽毛球", "habit"),
    ("群里不讨论政治", "taboo"),
    ("成员大多是前端开发", "trait"),
    ("成员喜欢吃火锅", "preference"),
]


def test_a_normal_evolution_keeps_three_updates_two_and_creates_one(cloud: LocalCloud) -> None:
    group_id = new_group()
    say(cloud, group_id, ["大家好"])
    old = {
        statement: cloud.ok("POST", f"{API}/{group_id}", {"statement": statement, "kind": kind})[
            "memory"
        ]
        for statement, kind in OLD
    }
    say(
        cloud,
        group_id,
        [
            "讨论新番从周五改到周六了",
            "好的，新番改到周六晚上",
            "打羽毛球改到周四晚上了",
            "收到，羽毛球周四",
            "我们每周一晚上开读书会",
            "对，我们每周一晚上开读书会",
        ],
        first=100,
    )

    answer = cloud.ok("POST", f"{API}/evolve/{group_id}")

    assert answer["stats"] == {"kept": 3, "updated": 2, "created": 1, "deleted": 0}
    updates = [one for one in answer["changes"] if one["action"] == "update"]
    assert {one["old_id"] for one in updates} == {
        old["每周五晚上讨论新番动漫"]["memory_id"],
        old["每周三晚上打羽毛球"]["memory_id"],
    }
    for one in updates:
        assert one["version"] == 2
        assert one["change_reason"]
        assert one["old_statement"] != one["new_statement"]
    by_id = {one["memory_id"]: one for one in active(cloud, group_id)}
    assert len(by_id) == 6
    assert {by_id[one["new_id"]]["parent_id"] for one in updates} == {
        one["old_id"] for one in updates
    }
    (created,) = [one for one in answer["changes"] if one["action"] == "create"]
    assert created["version"] == 1
    assert "读书会" in created["statement"]
    again = cloud.ok("POST", f"{API}/evolve/{group_id}")
    assert again["stats"] == {"kept": 6, "updated": 0, "created": 0, "deleted": 0}
    assert again["message"] == "no new messages"


def test_a_habit_that_three_weeks_of_talk_do_not_bear_out_is_deprecated(
    cloud: LocalCloud,
) -> None:
    """A chat's history brought in week by week: when something was last borne out is told by when
    it was said, so no clock has to be turned."""
    group_id = new_group()
    say(cloud, group_id, ["我们每周五讨论新番", "对，我们每周五讨论新番"], days_ago=22)
    first = cloud.ok("POST", f"{API}/evolve/{group_id}")
    (outdated,) = active(cloud, group_id)
    assert (first["stats"]["created"], outdated["kind"]) == (1, "habit")
    for week in (3, 2, 1):
        lines = [f"第{4 - week}周的会议纪要发了", "收到，谢谢", "明天记得带电脑"]
        say(cloud, group_id, lines, first=100 * week, days_ago=7 * week - 6)

    answer = cloud.ok("POST", f"{API}/evolve/{group_id}")

    assert answer["stats"] == {"kept": 0, "updated": 0, "created": 0, "deleted": 1}
    assert active(cloud, group_id) == []
    gone = cloud.ok("GET", f"{API}/history/{outdated['memory_id']}")["history"]
    assert [one["status"] for one in gone] == ["deprecated", "deprecated"]
    assert gone[-1]["change_summary"]


def test_the_question_about_the_background_finds_the_frontend_developers(
    cloud: LocalCloud,
) -> None:
    group_id = new_group()
    known = (
        "成员多为前端开发者",
        "不讨论政治话题",
        "每周五晚上讨论新番动漫",
        "对新人友好，鼓励提问",
        "大家普遍认为老番被低估了",
    )
    for statement in known:
        cloud.ok("POST", f"{API}/{group_id}", {"statement": statement})
    path = f"{API}/search/{group_id}"
    asked = {"q": "群组的技术背景是什么？"}

    def found() -> list[dict[str, Any]]:
        results: list[dict[str, Any]] = cloud.ok("GET", path, params=asked)["results"]
        return results

    best, *others = wait_for(found, "the memories")

    assert best["statement"] == "成员多为前端开发者"
    assert best["score"] > 0.8
    assert len(others) == 4
    asked["threshold"] = "0.7"
    assert [one["memory_id"] for one in found()] == [best["memory_id"]]


def test_more_than_one_page_of_news_is_told_and_done_in_tasks(cloud: LocalCloud) -> None:
    group_id = new_group()
    say(cloud, group_id, [f"第{number}条消息，随便说说" for number in range(230)])

    answer = cloud.call("POST", f"{API}/evolve/{group_id}?days=1")

    assert answer.status_code == 202
    assert answer.json()["status"] == "running"
    wait_for(
        lambda: cloud.ok("GET", f"{API}/stats/{group_id}")["runs"].get("done", 0) >= 2,
        "the second page",
    )


@pytest.fixture
def held_back(cloud: LocalCloud) -> str:
    group_id = new_group()
    say(cloud, group_id, ["记住：我们都特别喜欢爵士乐"])
    return group_id


def test_what_one_person_said_once_is_listed_as_a_candidate_only(
    cloud: LocalCloud, held_back: str
) -> None:
    cloud.ok("POST", f"{API}/evolve/{held_back}")

    assert active(cloud, held_back) == []
    waiting = cloud.ok("GET", f"{API}/list/{held_back}?status=candidate")["memories"]
    assert ["爵士" in one["statement"] for one in waiting] == [True]


def test_an_id_without_a_platform_is_one_group_in_every_form(cloud: LocalCloud) -> None:
    """The literal ids of the seeds have no platform."""
    bare = f"group_test_{new_group().partition(':')[2]}"
    say(cloud, bare, ["我们每周五晚上一起看新番", "是的，我们每周五晚上一起看新番"])
    asked = {"statement": "群里不许剧透"}
    made = cloud.ok("POST", f"{API}/{bare}", asked)["memory"]

    assert made["group_id"] == f"generic:{bare}"
    assert [one["memory_id"] for one in active(cloud, f"generic:{bare}")] == [made["memory_id"]]
    assert active(cloud, bare) == active(cloud, f"generic:{bare}")
