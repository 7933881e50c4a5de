"""What models really write around and instead of JSON: each kind is read, or refused with a reason.

One row a kind, over three replies of different make: one that needs a field, one of which every
field may be left out, and one that comes as lines.
"""

from typing import Any

import pytest

from shared.contracts.replies import Evolution, Extraction, SegmentSummary
from shared.contracts.reply_reading import Reply, shape_text

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
        "{“summary”：“安安说“好”，就去了”，“people”：［“安安”］}",
        {"summary": "安安说“好”，就去了", "people": ["安安"]},
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
        Extraction,
        '{"facts": null, "entities": null, "relations": []}',
        {"facts": [], "entities": []},
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
    ("its schema, echoed", Extraction, SCHEMA, "none of"),
    ("its schema, for a reply that needs a field", SegmentSummary, SCHEMA, "none of"),
    ("another object", Extraction, '{"status": "ok"}', "none of"),
    ("thoughts that never end", SegmentSummary, '<think>maybe {"summary": "a draft"}', "empty"),
    ("cut at the limit", SegmentSummary, '{"summary": "Ann baked and th', "cut off"),
    ("cut behind a whole field", SegmentSummary, '{"summary": "s", "people": ["An', "cut off"),
    ("a refusal in words", SegmentSummary, "I'm sorry, but I can't help with that.", "no JSON"),
    ("the shape of the prompt", SegmentSummary, shape_text(SegmentSummary), "repeats the shape"),
    ("the shape of the prompt", Extraction, shape_text(Extraction), "repeats the shape"),
    ("the shape of the prompt", Evolution, shape_text(Evolution), "repeats the shape"),
    ("null alone", Extraction, "null", "no JSON"),
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
