"""Notes rewritten from the asker's hints, and cleared of what a gate objected to."""

import re
from typing import Any

from infra.emulators.openai.rules import answer


def note(action: str = "", info: str = "", **more: Any) -> dict[str, Any]:
    given = {
        "action_summary": action,
        "new_info": info,
        "time": "2026-02-21T14:30:00+08:00",
        "timezone": "Asia/Shanghai",
        "sender": {"user_id": "u-1", "user_name": more.pop("sender", "林晓")},
        **more,
    }
    return answer("note_rewrite", given)


def test_the_hints_are_what_the_note_says() -> None:
    resolved = {"action_summary": "小安提醒了林晓", "new_info": "林晓2026-02-22请假"}
    assert note("我提醒了他", "我明天请假", resolved=resolved) == {
        "did_what": "小安提醒了林晓",
        "new_info": "林晓2026-02-22请假",
        "canonical_text": "小安提醒了林晓。林晓2026-02-22请假。",
    }


def test_without_hints_the_note_stays_as_it_was_said() -> None:
    assert note("Answered Ida", "Ida likes tea")["canonical_text"] == "Answered Ida. Ida likes tea."


def test_what_the_action_already_says_is_not_said_twice() -> None:
    assert note("小安记下林晓喜欢茶", "林晓喜欢茶")["canonical_text"] == "小安记下林晓喜欢茶。"


def test_what_a_gate_found_is_gone_the_second_time() -> None:
    flagged = note(info="It is good and this helps", sender="Ida", violations=["It", "this"])
    assert not re.search(r"\b(?:it|this)\b", flagged["new_info"], re.IGNORECASE)
    assert note(info="他昨天在那边", violations=["他", "昨天", "那边"], location="漠河") == {
        "did_what": "",
        "new_info": "林晓2026-02-21在漠河",
        "canonical_text": "林晓2026-02-21在漠河。",
    }


def test_an_empty_note_stays_empty() -> None:
    assert note() == {"did_what": "", "canonical_text": "", "new_info": ""}
