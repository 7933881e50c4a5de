"""What models really write around and instead of JSON: each kind is read, or refused with a reason.

One row a kind, over three replies of different make: one that needs a field, one of which every
field may be left out, and one that comes as lines; then each kind over the reply to every prompt.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from infra.emulators.openai.rules import RULES
from shared.contracts.replies import REPLIES, Evolution, SegmentSummary
from shared.contracts.reply_reading import Reply, shape_text, strict_schema
from tests.clients.questions import QUESTIONS

READ = [
    ("a fence", SegmentSummary, '```json\n{"summary": "Ann baked"}\n```', {"summary": "Ann baked"}),
    ("a fence with its language in capitals", SegmentSummary, '```JSON\n{"summary": "s"}\n```', {}),
    (
        "prose before and after it",
        SegmentSummary,
        'Here is the summary you asked for:\n\n{"summary": "Ann baked"}\n\nAnything else?',
        {"summary": "Ann baked"},
    ),
    (
        "single quotes, with an apostrophe and double quotes inside",
        SegmentSummary,
        "{'summary': 'Ann\\'s bread is \"done\"', 'people': ['Ann']}",
        {"summary": 'Ann\'s bread is "done"', "people": ["Ann"]},
    ),
    (
        "commas before closing brackets",
        SegmentSummary,
        '{"summary": "s", "people": ["Ann", "Ben",],}',
        {"people": ["Ann", "Ben"]},
    ),
    (
        "Chinese colons and commas",
        SegmentSummary,
        '{"summary"："安安烤了面包，很香"，"people"：["安安"，"小北"]}',
        {"summary": "安安烤了面包，很香", "people": ["安安", "小北"]},
    ),
    (
        "Chinese quotation marks",
        SegmentSummary,
        "{“summary”：“安安说好，就去了”，“people”：［“安安”］}",
        {"summary": "安安说好，就去了", "people": ["安安"]},
    ),
    (
        "full-width brackets",
        SegmentSummary,
        '{"summary": "周五去爬山", "decisions": ［"周五七点出发"］}',
        {"decisions": ["周五七点出发"]},
    ),
    (
        "thoughts before it",
        SegmentSummary,
        '<think>The user wants {"summary": "draft"}.</think>\n{"summary": "Ann baked"}',
        {"summary": "Ann baked"},
    ),
    (
        "thoughts whose opening mark stood in the template",
        SegmentSummary,
        'First I look at who spoke.\n</think>\n\n{"summary": "Ann baked"}',
        {"summary": "Ann baked"},
    ),
    (
        "wrapped in an object of its own",
        SegmentSummary,
        '{"result": {"summary": "Ann baked", "people": ["Ann"]}}',
        {"summary": "Ann baked", "people": ["Ann"]},
    ),
    (
        "null where there is nothing",
        Evolution,
        '{"lines": [], "entities": null, "relations": []}',
        {"lines": [], "entities": []},
    ),
]


@pytest.mark.parametrize(("kind", "reply", "text", "has"), READ, ids=[row[0] for row in READ])
def test_it_is_read(kind: str, reply: type[Reply], text: str, has: dict[str, Any]) -> None:
    found, problems = reply.read(text)
    assert found is not None, (kind, problems)
    assert problems == []
    said = found.model_dump()
    assert {name: said[name] for name in has} == has


SCHEMA = '{"type": "object", "properties": {"facts": {"type": "array"}}, "required": ["facts"]}'
REFUSED = [
    ("its schema, for a reply that needs a field", SegmentSummary, SCHEMA, "none of"),
    ("thoughts that never end", SegmentSummary, '<think>maybe {"summary": "a draft"}', "empty"),
    ("cut at the limit", SegmentSummary, '{"summary": "Ann baked and th', "cut off"),
    ("cut behind a whole field", SegmentSummary, '{"summary": "s", "people": ["An', "cut off"),
    ("a refusal in words", SegmentSummary, "I'm sorry, but I can't help with that.", "no JSON"),
    ("the shape of the prompt", SegmentSummary, shape_text(SegmentSummary), "repeats the shape"),
    ("the shape of the prompt", Evolution, shape_text(Evolution), "repeats the shape"),
    ("null alone", SegmentSummary, "null", "no JSON"),
]


@pytest.mark.parametrize(("kind", "reply", "text", "reason"), REFUSED)
def test_it_is_refused_with_a_reason(kind: str, reply: type[Reply], text: str, reason: str) -> None:
    found, problems = reply.read(text)
    assert found is None, kind
    assert reason in str(problems[0])


def test_ids_under_another_name_are_still_ids() -> None:
    text = (
        '{"lines": [{"action": "update", "memory_id": "a", "statement": "s", "source_ids": ["m1"]},'
        ' {"action": "delete", "id": "b", "message_ids": "m2, m3"}]}'
    )
    reply, problems = Evolution.read(text)
    assert reply is not None
    assert problems == []
    assert [(line.old_id, line.sources) for line in reply.lines] == [
        ("a", ["m1"]),
        ("b", ["m2", "m3"]),
    ]


def test_curly_quotes_inside_a_text_stay_what_they_are() -> None:
    reply, _ = SegmentSummary.read('{"summary": "安安说“好”，就去了：七点",}')
    assert reply is not None
    assert reply.summary == "安安说“好”，就去了：七点"


WHOLE: dict[str, dict[str, Any]] = {
    "topic_attribute": {
        "answers": [{"n": 1, "choice": 2, "title": "", "description": ""}],
        "titles": [{"n": 1, "title": "The oven, again", "description": "安安修烤箱，周五完工"}],
    },
    "segment_summarize": {
        "summary": "Ann's oven: it is mended, she said",
        "decisions": ["周五七点，西站出发"],
        "people": ["Ann", "小北"],
    },
    "topics_summarize": {"talks": [{"n": 1, "summary": "Ann baked: rye, then spelt"}]},
    "summary_merge": {
        "summary": "安安烤了面包，很香：两炉",
        "open_questions": ["who eats it, then?"],
    },
    "summary_quality": {"score": 0.4, "reasons": ["it names Ben: he was not there, Ann was"]},
    "memory_evolve": {
        "lines": [
            {"action": "create", "statement": "小北对花生过敏，碰都不行", "sources": ["m1", "m2"]},
            {"action": "delete", "old_id": "a1", "change_reason": "she moved: it is over"},
        ]
    },
    "note_rewrite": {
        "canonical_text": "On 2026-03-02 Ann said: no nuts, please",
        "new_info": "Ann eats no nuts",
    },
    "profile_merge": {
        "name": "Ann",
        "body": "- Ann keeps bees, and bakes\n- 住在汉堡",
        "tags": ["bees", "bread"],
        "preferences": [{"key": "answers", "value": "short, please"}],
    },
}
"""A usable reply to each prompt, with commas and colons of both scripts inside its texts."""


def _in_single_quotes(text: str) -> str:
    return text.replace("'", "\\'").replace('"', "'")


def _with_trailing_commas(text: str) -> str:
    return text.replace("]", ",]").replace("}", ",}")


def _in_chinese_punctuation(text: str) -> str:
    """Between the texts only: what stands inside them is the chat's own."""
    parts = text.split('"')
    parts[::2] = [part.replace(":", "：").replace(",", "，") for part in parts[::2]]
    return '"'.join(parts)


AROUND: dict[str, Callable[[str], str]] = {
    "a fence": lambda text: f"```json\n{text}\n```",
    "prose before and after it": lambda text: f"Here it is:\n\n{text}\n\nAnything else?",
    "single quotes": _in_single_quotes,
    "trailing commas": _with_trailing_commas,
    "Chinese punctuation": _in_chinese_punctuation,
    "thoughts before it": lambda text: f"<think>Who spoke? Ann.</think>\n{text}",
    "fields of its own": lambda text: '{"model_notes": "done", ' + text[1:],
}
each_prompt = pytest.mark.parametrize("prompt_id", list(REPLIES))


def test_every_prompt_has_a_whole_reply_and_a_question() -> None:
    assert WHOLE.keys() == REPLIES.keys(), "a whole reply of each prompt stands in WHOLE, above"
    assert QUESTIONS.keys() == REPLIES.keys(), "a question of each: tests/clients/questions.py"
    assert RULES.keys() == REPLIES.keys(), "a rule of each: infra/emulators/openai/rules"


@each_prompt
@pytest.mark.parametrize("kind", list(AROUND))
def test_every_reply_is_read_in_every_form(prompt_id: str, kind: str) -> None:
    text = json.dumps(WHOLE[prompt_id], ensure_ascii=False)
    expected, _ = REPLIES[prompt_id].read(text)
    assert expected is not None
    found, problems = REPLIES[prompt_id].read(AROUND[kind](text))
    assert found == expected
    # A reply that may come as lines counts those of prose as left out.
    assert {problem.reason for problem in problems} <= {"not JSON"}
    assert problems == [] or prompt_id == "memory_evolve"


@each_prompt
@pytest.mark.parametrize("kind", ["schema", "shape", "cut", "refusal", "endless thoughts"])
def test_no_reply_is_made_of_what_is_none(prompt_id: str, kind: str) -> None:
    reply = REPLIES[prompt_id]
    whole = json.dumps(WHOLE[prompt_id], ensure_ascii=False)
    text = {
        "schema": json.dumps(strict_schema(reply)),
        "shape": shape_text(reply),
        "cut": whole[: whole.index(":") + 8],
        "refusal": "I'm sorry, but I can't help with that.",
        "endless thoughts": f"<think>Perhaps {whole}",
    }[kind]
    found, problems = reply.read(text)
    assert found is None
    assert problems
