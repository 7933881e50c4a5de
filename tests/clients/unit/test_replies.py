"""Replies of a model: what is forgiven, what is refused, and the schema that is asked for."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.lib._pydantic import _ensure_strict_json_schema

from shared.contracts.replies import (
    REPLIES,
    Evolution,
    MergedSummary,
    RewrittenNote,
    SegmentSummary,
    SummaryQuality,
    TopicChoices,
)
from shared.contracts.reply_reading import Reply, shape_text, strict_schema

replies = pytest.mark.parametrize("reply", REPLIES.values(), ids=list(REPLIES))


def lines(text: str) -> list[tuple[str, str | None]]:
    reply, _ = Evolution.read(text)
    assert reply is not None
    return [(line.action, line.old_id) for line in reply.lines]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('{"action": "keep", "old_id": "uuid-1"}', [("keep", "uuid-1")]),
        ("{action: keep, old_id: uuid-1}", [("keep", "uuid-1")]),
        ('{"action": "keep",}', [("keep", None)]),
        ("{'action': 'keep'}", [("keep", None)]),
        ('```json\n{"action": "keep", "old_id": "uuid-1"}\n```', [("keep", "uuid-1")]),
    ],
)
def test_the_tables_repairable_cases_become_lines(
    text: str, read: list[tuple[str, str | None]]
) -> None:
    assert lines(text) == read


def test_nonsense_is_no_evolution_and_says_so() -> None:
    reply, problems = Evolution.read("这不是JSON")
    assert reply is None
    assert problems


def test_a_line_that_cannot_be_used_is_skipped_and_the_rest_is_used() -> None:
    reply, problems = Evolution.read(
        '{"action": "keep", "old_id": "a"}\n'
        "这不是JSON\n"
        '{"action": "fly", "old_id": "b"}\n'
        '{"action": "Remove", "old_id": "c", "change_reason": "过时"}'
    )
    assert reply is not None
    assert [(line.action, line.old_id) for line in reply.lines] == [("keep", "a"), ("delete", "c")]
    assert len(problems) == 2


def test_nothing_to_change_is_an_answer_but_only_bad_lines_are_not() -> None:
    assert Evolution.read('{"lines": []}') == (Evolution(lines=[]), [])
    assert Evolution.read('{"lines": [{"action": "fly"}]}')[0] is None
    assert Evolution.read("")[0] is None


def test_what_a_model_gets_wrong_harmlessly_is_forgiven() -> None:
    reply, problems = Evolution.read(
        """{"lines": [{"action": "ADD", "content": "  Ann works on 3 projects ", "kind": "FACT",
        "tags": null, "confidence": "85%", "replaces": "null", "sources": ["m1", "m1", 7],
        "agree": null, "mood": "good"}],
        "entities": null, "relations": {"source_entity": "Ann", "target": "X",
        "relation_type": "Uses", "confidence": 90}, "extra": 1}"""
    )
    assert problems == []
    assert reply is not None
    (line,) = reply.lines
    assert (line.action, line.statement) == ("create", "Ann works on 3 projects")
    assert (line.kind, line.tags, line.old_id, line.agree) == ("fact", [], None, [])
    assert (line.confidence, line.sources) == (0.85, ["m1", "7"])
    assert reply.entities == []
    (relation,) = reply.relations
    assert (relation.source, relation.target, relation.type) == ("Ann", "X", "uses")
    assert relation.confidence == 0.9


def test_one_bad_item_is_left_out_and_named_by_its_place() -> None:
    reply, problems = Evolution.read(
        '{"lines": [], "entities": [{"name": "a"}, {"name": ""}, "b", {"name": "c"}]}'
    )
    assert reply is not None
    assert [entity.name for entity in reply.entities] == ["a", "c"]
    assert [problem.place for problem in problems] == [2, 3]


def test_a_relation_of_a_type_that_is_not_on_the_list_keeps_its_word() -> None:
    reply, _ = Evolution.read(
        '{"relations": [{"source": "Ann", "target": "Ben", "type": "has sister"}]}'
    )
    assert reply is not None
    (relation,) = reply.relations
    assert (relation.type, relation.label) == ("related_to", "has_sister")


def test_a_list_of_which_nothing_is_left_is_refused() -> None:
    reply, problems = Evolution.read('{"lines": [], "entities": [{"names": "a"}]}')
    assert reply is None
    assert "name" in problems[0].reason


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (2, 2),
        ("2", 2),
        ("2.", 2),
        ("主题 2", 2),
        ("candidate 2", 2),
        ("new", "new"),
        ("New topic", "new"),
        ("新主题", "new"),
        ("新主题 3", "new"),
        (0, "new"),
        ("0", "new"),
        (None, "new"),
        ("none", "new"),
    ],
)
def test_a_choice_is_understood_however_it_is_written(written: Any, meant: Any) -> None:
    reply, problems = TopicChoices.check({"answers": [{"n": "4", "choice": written}]})
    assert problems == []
    assert reply is not None
    assert (reply.answers[0].n, reply.answers[0].choice) == (4, meant)


def test_an_unreadable_choice_is_left_out() -> None:
    reply, problems = TopicChoices.check(
        {"answers": [{"n": 1, "choice": "perhaps"}, {"n": 2, "choice": 1}]}
    )
    assert reply is not None
    assert [answer.n for answer in reply.answers] == [2]
    assert len(problems) == 1


def test_keywords_come_with_weights_or_without() -> None:
    reply, _ = MergedSummary.read(
        '{"summary": "s", "keywords": ["hotpot", {"keyword": "Friday", "weight": "0.4"}]}'
    )
    assert reply is not None
    assert [(one.keyword, one.weight) for one in reply.keywords] == [
        ("hotpot", 1.0),
        ("Friday", 0.4),
    ]


def test_words_with_commas_are_a_list() -> None:
    reply, _ = SegmentSummary.read(
        '{"summary": "s", "people": "安、Ben，Cora", "decisions": "On Friday, at eight"}'
    )
    assert reply is not None
    assert reply.people == ["安", "Ben", "Cora"]
    assert reply.decisions == ["On Friday, at eight"], "a sentence is not taken apart"


@pytest.mark.parametrize("written", ["group", "Group", "群组", "null", "", None])
def test_a_memory_about_nobody_in_particular_is_about_the_group(written: Any) -> None:
    reply, _ = Evolution.check({"lines": [{"action": "create", "subject": written}]})
    assert reply is not None
    assert reply.lines[0].subject is None


@pytest.mark.parametrize(
    ("score", "read"), [(0.7, 0.7), ("0.7", 0.7), (1, 1.0), (70, 0.7), (-1, 0.0), (1.2, 1.0)]
)
def test_a_score_is_brought_between_0_and_1(score: Any, read: float) -> None:
    reply, _ = SummaryQuality.check({"score": score})
    assert reply is not None
    assert reply.score == read


@pytest.mark.parametrize("score", ["high", None, [], True, float("nan"), "nan"])
def test_what_is_no_score_is_refused(score: Any) -> None:
    assert SummaryQuality.check({"score": score})[0] is None


def test_an_empty_text_where_one_is_needed_is_refused() -> None:
    assert RewrittenNote.read('{"canonical_text": "  "}')[0] is None
    assert SegmentSummary.read('{"summary": null}')[0] is None


def test_problems_name_fields_and_never_what_was_said() -> None:
    _, problems = RewrittenNote.read(
        '{"canonical_text": ["a secret"], "new_info": {"a": "secret"}}'
    )
    assert problems
    assert not any("secret" in str(problem) for problem in problems)


@replies
@given(text=st.text(max_size=100))
def test_no_text_makes_reading_raise(reply: type[Reply], text: str) -> None:
    for said in (text, "{" + text + "}", f'{{"lines": [{text}]}}'):
        found, problems = reply.read(said)
        assert found is not None or problems


json_values: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def garbled(schema: dict[str, Any]) -> Any:
    """Values of about the right structure with anything at all in any place."""
    if schema.get("type") == "object":
        fields = {name: garbled(field) for name, field in schema["properties"].items()}
        return json_values | st.fixed_dictionaries({}, optional=fields)
    if schema.get("type") == "array":
        return json_values | st.lists(garbled(schema["items"]), max_size=3)
    return json_values


@replies
@given(data=st.data())
def test_no_value_in_any_place_makes_checking_raise(reply: type[Reply], data: Any) -> None:
    fields = strict_schema(reply)["properties"].items()
    found = data.draw(st.fixed_dictionaries({name: garbled(field) for name, field in fields}))
    answer, problems = reply.check(found)
    assert answer is not None or problems


@replies
def test_the_schema_is_what_strict_mode_asks_for(reply: type[Reply]) -> None:
    schema = strict_schema(reply)
    check_strict(schema)
    again = _ensure_strict_json_schema(strict_schema(reply), path=(), root=schema)
    assert again == schema, "the SDK itself would change nothing in it"


def check_strict(schema: dict[str, Any]) -> None:
    assert set(schema) <= {
        "type",
        "enum",
        "description",
        "anyOf",
        "items",
        "properties",
        "required",
        "additionalProperties",
    }
    if schema.get("type") == "object":
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    for part in [*inner, *([schema["items"]] if "items" in schema else [])]:
        check_strict(part)


@replies
def test_the_shape_in_a_prompt_names_every_field(reply: type[Reply]) -> None:
    shape = shape_text(reply)
    for name in strict_schema(reply)["properties"]:
        assert f'"{name}":' in shape
