"""Reading JSON that a model wrote badly: the six cases of the table, and worse."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.contracts.parsing import parse_items, parse_object, runs_on

KEEP = {"action": "keep"}
KEEP_1 = {"action": "keep", "old_id": "uuid-1"}


@pytest.mark.parametrize(
    ("case", "text", "items"),
    [
        ("as it should be", '{"action": "keep", "old_id": "uuid-1"}', [KEEP_1]),
        ("quotes missing", "{action: keep, old_id: uuid-1}", [KEEP_1]),
        ("a comma too many", '{"action": "keep",}', [KEEP]),
        ("single quotes", "{'action': 'keep'}", [KEEP]),
        ("a code block", '```json\n{"action": "keep", "old_id": "uuid-1"}\n```', [KEEP_1]),
        ("no JSON at all", "这不是JSON", []),
    ],
)
def test_each_case_of_the_table(case: str, text: str, items: list[dict[str, Any]]) -> None:
    found, problems = parse_items(text, "lines")
    assert found == items
    assert bool(problems) == (not items)


def test_all_cases_of_the_table_in_one_reply() -> None:
    text = """```json
{"action": "keep", "old_id": "uuid-1"}
{action: keep, old_id: uuid-1}
这不是JSON
{"action": "keep",}
# a remark
{'action': 'keep'}
```"""
    items, problems = parse_items(text, "lines")
    assert items == [KEEP_1, KEEP_1, KEEP, KEEP]
    assert [problem.reason for problem in problems] == ["not JSON"]


@pytest.mark.parametrize(
    "text",
    [
        '{"lines": [{"action": "keep"}, {"action": "keep", "old_id": "uuid-1"}]}',
        '[{"action": "keep"}, {"action": "keep", "old_id": "uuid-1"}]',
        '{"action": "keep"}\n{"action": "keep", "old_id": "uuid-1"}',
        '{"action": "keep"},\n{"action": "keep", "old_id": "uuid-1"},',
        '[\n{"action": "keep"},\n{"action": "keep", "old_id": "uuid-1"}\n]',
        '{\n  "action": "keep"\n}\n{\n  "action": "keep",\n  "old_id": "uuid-1"\n}',
        "{'lines': [{'action': 'keep'}, {action: keep, old_id: uuid-1}]}",
        'Here they are:\n{"action": "keep"}\n{"action": "keep", "old_id": "uuid-1"}\nThat is all.',
        '<think>{"lines": []}?</think>[{"action": "keep"}, {"action": "keep", "old_id": "uuid-1"}]',
        '```\n{"lines": [{"action": "keep"}, {"action": "keep", "old_id": "uuid-1"}]}\n```',
        '{"lines": [{"action": "keep"}]}\n{"lines": [{"action": "keep", "old_id": "uuid-1"}]}',
        '\ufeff{"lines": [{"action": "keep"}, {"action": "keep", "old_id": "uuid-1"}]}',
    ],
)
def test_an_object_an_array_and_lines_mean_the_same(text: str) -> None:
    assert parse_items(text, "lines")[0] == [KEEP, KEEP_1]


def test_colons_and_commas_inside_quotes_stay_what_they_are() -> None:
    said = "we like tea, especially: green, {really: yes}"
    for text in (f'{{"statement": "{said}",}}', f'{{a: "{said}"}}'):
        assert list(parse_items(text, "lines")[0][0].values()) == [said]


def test_an_empty_list_is_no_problem() -> None:
    assert parse_items('{"lines": []}', "lines") == ([], [])
    assert parse_items('{"lines": null}', "lines") == ([], [])


@pytest.mark.parametrize(
    "text",
    [
        '{"lines": [{"action": "keep"}, {"action": "create", "statement": "they meet on Fri',
        '[{"action": "keep"}, {"action": "create", "statement": "they meet on Fri',
        '{"action": "keep"}\n{"action": "create", "statement": "they meet on Fri',
        '{\n"lines": [\n{"action": "keep"},\n{"action": "create", "statement": "they meet on Fri',
    ],
)
def test_what_was_cut_in_the_middle_is_never_taken_for_whole(text: str) -> None:
    items, problems = parse_items(text, "lines")
    assert items == [KEEP]
    assert "cut off" in problems[-1].reason


@pytest.mark.parametrize("text", ["{}", "{\n" * 50, ",", "}", "[[]]", "[{}]", "null", "3", '"a"'])
def test_nothing_readable_is_never_taken_for_nothing_to_do(text: str) -> None:
    items, problems = parse_items(text, "lines")
    assert items == []
    assert problems


def test_what_is_not_an_object_is_named_by_its_place() -> None:
    items, problems = parse_items('{"lines": [{"action": "keep"}, "keep", 7, {}]}', "lines")
    assert items == [KEEP]
    assert [problem.place for problem in problems] == [2, 3, 4]


def test_a_problem_never_repeats_the_text() -> None:
    _, problems = parse_items("a secret of the chat\n{broken: a secret", "lines")
    assert problems
    assert not any("secret" in str(problem) for problem in problems)


@pytest.mark.parametrize(
    "text",
    [
        '{"summary": "s", "n": 1}',
        '```json\n{"summary": "s", "n": 1}\n```',
        'Sure, here it is: {"summary": "s", "n": 1} Tell me if it helps.',
        "{'summary': 's', 'n': 1,}",
        "{summary: s, n: 1} Tell me if it helps.",
        '[{"summary": "s", "n": 1}]',
        '<thinking>hm {</thinking>{"summary": "s", "n": 1}',
        '{\n  // the digest\n  "summary": "s",\n  "n": 1\n}',
    ],
)
def test_the_one_object_is_found_whatever_stands_around_it(text: str) -> None:
    assert parse_object(text) == ({"summary": "s", "n": 1}, [])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("   \n", "empty"),
        ("```json\n```", "empty"),
        ("no", "no JSON object"),
        ("null", "no JSON object"),
        ("[1, 2]", "not one JSON object"),
        ("{}", "not one JSON object"),
        ('{"summary": "they meet on Fri', "cut off"),
        ('{"facts": [{"content": "a"}, {"content": "b', "cut off"),
    ],
)
def test_a_reply_without_a_whole_object_says_what_is_wrong(text: str, reason: str) -> None:
    found, problems = parse_object(text)
    assert found is None
    assert reason in problems[0].reason


def test_deep_nonsense_is_given_up_at_once() -> None:
    nested = ['{"a":' * depth + "1" + "}" * depth for depth in (50_000, 900)]
    for text in ("{" * 100_000, "[" * 100_000, *nested):
        assert parse_object(text)[0] is None
        assert parse_items(text, "lines")[0] == []


def test_a_reply_too_long_to_repair_is_given_up() -> None:
    assert parse_object("{a: " + "b" * 300_000 + "}")[0] is None


def test_an_emoji_escaped_as_a_surrogate_pair_is_one_character_again() -> None:
    for text in (
        '{"lines": [{"statement": "\\ud83d\\udc4d"}]}',
        "{'statement': '\\ud83d\\udc4d',}",
    ):
        assert parse_items(text, "lines")[0] == [{"statement": "👍"}]


def test_half_a_surrogate_pair_cannot_reach_the_database() -> None:
    items, _ = parse_items('{"lines": [{"statement": "\\ud83d"}]}', "lines")
    assert items == [{"statement": "�"}]


json_like = st.text(alphabet="{}[]:,\"'\\ \nabc1-.`#/<>", max_size=80)
values = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
objects = st.dictionaries(st.text(min_size=1, max_size=8), values, min_size=1, max_size=4)
named = st.dictionaries(
    st.from_regex(r"[a-z_]{1,8}", fullmatch=True), values, min_size=1, max_size=4
)
"""With fields as our replies have them; of a cut field that is named "}" a part may be lost."""


@given(st.text(max_size=200) | json_like)
def test_no_text_makes_it_raise(text: str) -> None:
    items, problems = parse_items(text, "lines")
    assert all(isinstance(item, dict) and item for item in items)
    if not items and not problems:
        assert text.strip().startswith(("[", '{"lines"')), "only an empty list is no problem"
    found, problems = parse_object(text)
    assert (found is None) == bool(problems)


@given(st.lists(objects, min_size=1, max_size=5), json_like)
def test_well_formed_lines_survive_a_broken_one(lines: list[dict[str, Any]], broken: str) -> None:
    lines = [{key: value for key, value in line.items() if key != "lines"} for line in lines]
    lines = [line for line in lines if line]
    broken = "x" + broken.replace("\n", "").replace("`", "")
    text = "\n".join([*(json.dumps(line) for line in lines), broken, '{"action": "keep"}'])
    items, _ = parse_items(text, "lines")
    assert items[: len(lines)] == lines
    assert items[-1] == KEEP


@example([{'0"]': None}], 17)
@example([{"0": None}, {"0\\\U00010000]": None}, {"1": None}], 60)
@given(st.lists(named, max_size=5), st.integers(0, 400))
def test_a_cut_reply_gives_only_what_was_whole(lines: list[dict[str, Any]], at: int) -> None:
    text = json.dumps({"lines": lines})[:at]
    items, _ = parse_items(text, "lines")
    assert items == lines[: len(items)] or items == [{"lines": lines}][: len(items)]


ITEM = '{{"action": "create", "old_id": null, "statement": "{0} keeps bees", "kind": "fact"}},'


@pytest.mark.parametrize(
    ("text", "is_loop"),
    [
        ("and so on and on " * 40, True),
        ("he said that " + "she said that he said " * 30 + "she sa", True),
        ("好的，" * 200, True),
        ("".join(ITEM.format(name) for name in ("Ann", "Ben", "Cy", "Dee", "Eve", "Fay")), False),
        ("and so on and on ", False),
        ("", False),
    ],
)
def test_what_would_go_on_for_ever_is_told_from_a_long_list(text: str, is_loop: bool) -> None:
    assert runs_on(text) == is_loop
