"""The rules know no fixture: with every name and noun replaced, the answers change just so.

An input is answered; then its names and nouns are exchanged for others, throughout. The answer to
that must be the first answer with the same exchange made in it.
"""

from typing import Any

import pytest

from infra.emulators.openai.rules import answer

Table = dict[str, str]


def exchanged(value: Any, table: Table) -> Any:
    """Every text in a JSON value with the words of the table exchanged, the longest first."""
    if isinstance(value, str):
        marks = {word: chr(0xF0000 + place) for place, word in enumerate(table)}
        for word in sorted(table, key=len, reverse=True):
            value = value.replace(word, marks[word])
        for word, mark in marks.items():
            value = value.replace(mark, table[word])
        return value
    if isinstance(value, list):
        return [exchanged(item, table) for item in value]
    if isinstance(value, dict):
        return {key: exchanged(item, table) for key, item in value.items()}
    return value


def message(number: int, name: str, content: str) -> dict[str, Any]:
    return {
        "id": f"m{number}",
        "user_id": f"u{number}",
        "user_name": name,
        "time": f"2026-03-19T10:{number:02}:00Z",
        "create_time": f"2026-03-19T10:{number:02}:00Z",
        "content": content,
    }


ENGLISH: dict[str, dict[str, Any]] = {
    "topic_attribute": {
        "questions": [
            {
                "n": 1,
                "message": message(1, "Ida", "the violin strings are too loose"),
                "candidates": [
                    {
                        "number": 1,
                        "title": "Tuning the violin",
                        "keywords": ["violin", "strings"],
                        "last_messages": ["Jon: the violin strings broke"],
                    },
                    {
                        "number": 2,
                        "title": "Selling the tractor",
                        "keywords": ["tractor"],
                        "last_messages": ["Kai: who buys a tractor"],
                    },
                ],
            }
        ],
        "titles": [{"n": 1, "messages": ["who can repair a violin for the concert?"]}],
    },
    "segment_summarize": {
        "messages": [
            message(1, "Ida", "the concert needs a violin and a tractor"),
            message(2, "Jon", "we decided to borrow the violin from the school"),
            message(3, "Kai", "who drives the tractor to the concert?"),
        ]
    },
    "summary_merge": {
        "previous": "Ida: the concert is planned.",
        "segments": [
            {
                "summary": "Jon: the violin came from the school. Kai: the tractor is old.",
                "people": ["Jon", "Kai"],
                "decisions": ["borrow the violin"],
                "open_questions": ["who drives the tractor?"],
            }
        ],
        "topic": {},
    },
    "summary_quality": {
        "summary": "The concert needs a violin.",
        "messages": [
            message(1, "Ida", "the concert needs a violin and a tractor"),
            message(2, "Jon", "the tractor is at the school"),
        ],
    },
    "memory_evolve": {
        "existing_memories": [
            {
                "id": "a",
                "statement": "Members tune the violin every Friday",
                "kind": "habit",
                "subject": "group",
                "last_supported_at": "2026-03-12T00:00:00Z",
            },
            {
                "id": "b",
                "statement": "Members wash the tractor every Monday",
                "kind": "habit",
                "subject": "group",
                "last_supported_at": "2026-02-01T00:00:00Z",
            },
        ],
        "new_discussions": [
            message(1, "Ida", "Tuning the violin moved to Sunday"),
            message(2, "Jon", "We visit the school every Tuesday"),
            message(3, "Kai", "I paid for the concert yesterday"),
            message(4, "Ida", "Remember that we sell the tractor every week"),
        ],
        "today": "2026-03-20T00:00:00Z",
    },
    "note_rewrite": {
        "action_summary": "I told her about yesterday's concert",
        "new_info": "She sold my violin to the school and Jon says he will drive the tractor "
        "tomorrow",
        "time": "2026-03-20 10:00 Friday",
        "calendar": {
            "last week": ["2026-03-13 Friday"],
            "this week": ["2026-03-19 Thursday", "2026-03-20 Friday", "2026-03-21 Saturday"],
            "next week": [],
        },
        "sender": "u1",
        "bot": "b",
        "roster": {"columns": ["id", "name"], "rows": [["u1", "Ida"], ["b", "Wick"]]},
        "messages": [message(1, "Ida", "I sold it"), message(2, "Jon", "ok")],
    },
    "profile_merge": {
        "profile": {"name": "Ida", "body": "# Ida\n\n- Ida likes violin\n- Ida met Jon"},
        "new_info": ["Ida doesn't like violin", "Ida is building a tractor", "Ida met Kai"],
        "entity": {"type": "user", "id": "u1", "name": "Ida"},
    },
}
ENGLISH_TABLES: list[Table] = [
    {"Ida": "Noor", "Jon": "Pia", "Kai": "Sven", "violin": "harp", "tractor": "lorry",
     "concert": "parade", "school": "temple", "strings": "pedals", "Wick": "Dot"},
    {"Ida": "Bo", "Jon": "Xavier", "Kai": "Ming", "violin": "oven", "tractor": "canoe",
     "concert": "wedding", "school": "bakery", "strings": "doors", "Wick": "Echo"},
]  # fmt: skip

CHINESE: dict[str, dict[str, Any]] = {
    "topic_attribute": {
        "questions": [
            {
                "n": 1,
                "message": message(1, "林晓", "相机的镜头太贵"),
                "candidates": [
                    {
                        "number": 1,
                        "title": "买相机",
                        "keywords": ["相机", "镜头"],
                        "last_messages": ["唐宁: 相机和镜头一起买"],
                    },
                    {
                        "number": 2,
                        "title": "卖卡车",
                        "keywords": ["卡车"],
                        "last_messages": ["高飞: 谁要卡车"],
                    },
                ],
            }
        ],
        "titles": [{"n": 1, "messages": ["请问谁会修相机？"]}],
    },
    "segment_summarize": {
        "messages": [
            message(1, "林晓", "婚礼需要相机和卡车"),
            message(2, "唐宁", "我们决定从学校借相机"),
            message(3, "高飞", "谁开卡车去婚礼？"),
        ]
    },
    "summary_merge": {
        "previous": "林晓：婚礼定在周六。",
        "segments": [
            {
                "summary": "唐宁：相机从学校借来。高飞：卡车很旧。",
                "people": ["唐宁", "高飞"],
                "decisions": ["借相机"],
                "open_questions": ["谁开卡车？"],
            }
        ],
        "topic": {},
    },
    "summary_quality": {
        "summary": "婚礼需要相机。",
        "messages": [
            message(1, "林晓", "婚礼需要相机和卡车"),
            message(2, "唐宁", "卡车停在学校"),
        ],
    },
    "memory_evolve": {
        "existing_memories": [
            {
                "id": "a",
                "statement": "每周五晚上擦相机",
                "kind": "habit",
                "subject": "group",
                "last_supported_at": "2026-03-12T00:00:00Z",
            },
            {
                "id": "b",
                "statement": "每周一洗卡车",
                "kind": "habit",
                "subject": "group",
                "last_supported_at": "2026-02-01T00:00:00Z",
            },
        ],
        "new_discussions": [
            message(1, "林晓", "擦相机改到周日了"),
            message(2, "唐宁", "我们每周二都去学校"),
            message(3, "高飞", "我昨天付了婚礼的钱"),
            message(4, "林晓", "请记住我们每周卖卡车"),
        ],
        "today": "2026-03-20T00:00:00Z",
    },
    "note_rewrite": {
        "action_summary": "我告诉她昨天的婚礼",
        "new_info": "她把我的相机卖给学校，唐宁说他明天开卡车",
        "time": "2026-03-20 10:00 Friday",
        "sender": "u1",
        "bot": "b",
        "roster": {"columns": ["id", "name"], "rows": [["u1", "林晓"], ["b", "小安"]]},
        "messages": [message(1, "林晓", "我卖了"), message(2, "唐宁", "好")],
    },
    "profile_merge": {
        "profile": {"name": "林晓", "body": "# 林晓\n\n- 林晓喜欢相机\n- 林晓见了唐宁"},
        "new_info": ["林晓不喜欢相机", "林晓正在做卡车", "林晓见了高飞"],
        "entity": {"type": "user", "id": "u1", "name": "林晓"},
    },
}
CHINESE_TABLES: list[Table] = [
    {"林晓": "赵敏", "唐宁": "孙浩", "高飞": "钱坤", "相机": "竖琴", "卡车": "渡轮", "婚礼": "庙会",
     "学校": "书店", "镜头": "琴弦", "小安": "豆豆"},
    {"林晓": "欧阳云", "唐宁": "李四", "高飞": "王五", "相机": "烤箱", "卡车": "马车",
     "婚礼": "画展", "学校": "酒店", "镜头": "门板", "小安": "阿木"},
]  # fmt: skip

CASES = [
    pytest.param(prompt, given, table, id=f"{prompt}-{language}-{number}")
    for language, inputs, tables in (
        ("en", ENGLISH, ENGLISH_TABLES),
        ("zh", CHINESE, CHINESE_TABLES),
    )
    for prompt, given in inputs.items()
    for number, table in enumerate(tables)
]


@pytest.mark.parametrize(("prompt", "given", "table"), CASES)
def test_other_names_and_nouns_change_the_answer_just_so(
    prompt: str, given: dict[str, Any], table: Table
) -> None:
    before = answer(prompt, given)
    after = answer(prompt, exchanged(given, table))
    assert after == exchanged(before, table)
    assert after != before or prompt == "summary_quality"


@pytest.mark.parametrize(
    ("given", "actions"),
    [
        (ENGLISH["memory_evolve"], ["update", "delete", "create"]),
        (CHINESE["memory_evolve"], ["update", "delete", "create"]),
    ],
)
def test_the_exchanged_runs_do_something(given: dict[str, Any], actions: list[str]) -> None:
    assert [line["action"] for line in answer("memory_evolve", given)["lines"]] == actions
