"""One question for each prompt, in the form that the handlers ask it."""

from typing import Any


def message(number: int, user: str, content: str, day: int = 1) -> dict[str, Any]:
    return {
        "id": f"m{number}",
        "user_id": f"u-{user.lower()}",
        "user_name": user,
        "time": f"2026-03-{day:02}T12:{number:02}:00Z",
        "role": "user",
        "content": content,
    }


CHAT = [
    message(1, "Ann", "Which hotpot place shall we take on Friday?"),
    message(2, "Ben", "The one at the station was good last time"),
    message(3, "Ann", "Agreed, we will meet at the station hotpot on Friday at seven"),
    message(4, "Cora", "Who books the table?"),
]

QUESTIONS: dict[str, dict[str, Any]] = {
    "topic_attribute": {
        "questions": [
            {
                "n": 1,
                "message": message(9, "Ben", "the hotpot place has a free table at seven"),
                "candidates": [
                    {
                        "number": 1,
                        "title": "Database migration",
                        "description": "Moving the database",
                        "keywords": ["database"],
                        "last_messages": ["Dan: the migration failed again"],
                    },
                    {
                        "number": 2,
                        "title": "Hotpot on Friday",
                        "description": "Where to eat hotpot",
                        "keywords": ["hotpot"],
                        "last_messages": ["Ann: which hotpot place shall we take on Friday?"],
                    },
                ],
            },
            {"n": 2, "message": message(10, "Dan", "我的猫今天生病了"), "candidates": []},
        ],
        "titles": [{"n": 1, "messages": ["周五晚上一起看新番吗？", "好啊，看哪一部？"]}],
    },
    "segment_summarize": {"topic": {"title": "Hotpot on Friday"}, "messages": CHAT},
    "topics_summarize": {"talks": [{"n": 1, "title": "", "keywords": [], "messages": CHAT}]},
    "summary_merge": {
        "topic": {"title": ""},
        "previous": "Ann and Ben want to eat together.",
        "segments": [
            {
                "summary": "Ann asked for a hotpot place. Ben named the one at the station.",
                "people": ["Ann", "Ben"],
                "decisions": ["Meet at the station hotpot on 2026-03-06"],
                "open_questions": ["Who books the table?"],
            }
        ],
    },
    "summary_quality": {
        "topic": {"title": "Hotpot on Friday"},
        "summary": "Ann, Ben and Cora agreed to eat at the station hotpot on Friday at seven.",
        "messages": CHAT,
    },
    "memory_evolve": {
        "today": "2026-03-20",
        "existing_memories": [
            {
                "id": "mem-1",
                "statement": "群里每周五晚上讨论新番",
                "kind": "habit",
                "subject": "",
                "version": 2,
                "last_supported_at": "2026-03-13T12:00:00Z",
            }
        ],
        "new_discussions": [
            message(1, "小明", "群里每周五晚上讨论新番，一直这样", 19),
            message(2, "小红", "我们每个周末都打羽毛球", 19),
            message(3, "小刚", "对，我们每个周末都打羽毛球", 20),
        ],
    },
    "note_rewrite": {
        "action_summary": "告诉他明天要下雨",
        "new_info": "我昨天搬到了杭州",
        "time": "2026-03-20 10:00 Friday",
        "timezone": "Asia/Shanghai",
        "calendar": {
            "last week": ["2026-03-13 Friday"],
            "this week": ["2026-03-19 Thursday", "2026-03-20 Friday", "2026-03-21 Saturday"],
            "next week": [],
        },
        "location": "",
        "group_name": "天气群",
        "sender": "u1",
        "bot": "b",
        "roster": {"columns": ["id", "name"], "rows": [["u1", "小明"], ["b", "小助手"]]},
        "messages": [message(1, "小明", "我昨天搬到了杭州，明天天气怎么样？", 20)],
    },
    "profile_merge": {
        "entity": {"type": "user", "id": "u-ann", "name": "Ann"},
        "profile": {
            "name": "Ann",
            "tags": ["hiking"],
            "preferences": [{"key": "likes", "value": "hiking", "confidence": 0.8}],
            "traits": [],
            "body": "# Ann\n\n- Ann likes hiking",
        },
        "new_info": "Ann lives in Hamburg and works at the Elbe Hospital.",
    },
}
