"""The instrument for prompts: its sets are whole, and what is worse gets a worse row."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bench.prompts.__main__ import forecast
from bench.prompts.asking import CORRECTED, FAILED, REPAIRED, STRICT, Examiner, Outcome
from bench.prompts.cases import BrokenCase, Case, cases_of
from bench.prompts.judging import checks_of
from bench.prompts.matching import holds
from bench.prompts.questions import question_of
from bench.prompts.report import cost, difference, report_of, shown, table
from bench.prompts.small_demo import LEAST_SAID, calls_in, share_said
from shared.contracts.replies import REPLIES
from shared.prompts.library import BrokenPrompt, file_prompt

Body = dict[str, Any]
each = pytest.mark.parametrize("prompt_id", list(REPLIES))
HARD = {"injected", "date", "long", "hearsay", "replaces"}


class Server(httpx2.AsyncBaseTransport):
    """Answers each request with what `reply` makes of its prompt and its question."""

    def __init__(self, reply: Callable[[str, Body], str]) -> None:
        self.reply = reply
        self.asked = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.asked += 1
        system, user = (one["content"] for one in json.loads(request.content)["messages"])
        message = {"role": "assistant", "content": self.reply(system, json.loads(user))}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
        answer = {"id": "c", "model": "m", "choices": [choice], "usage": usage}
        return httpx2.Response(200, json=answer)


async def outcomes_of(
    server: Server, chosen: list[Case], prompts: dict[str, str] | None = None
) -> list[Outcome]:
    examiner = Examiner("http://127.0.0.1:1/v1", "a key", "m", prompts=prompts, transport=server)
    try:
        return await examiner.examine(chosen, 1)
    finally:
        await examiner.close()


@each
def test_a_set_has_thirty_cases_in_both_languages_with_hard_ones(prompt_id: str) -> None:
    found = cases_of(prompt_id)
    assert len(found) >= 30
    assert len({(one.name, one.language) for one in found}) == len(found)
    assert min(sum(one.language == which for one in found) for which in ("zh", "en")) >= 12
    assert len({tag for one in found for tag in one.tags} & HARD) >= 2, "two tags of HARD, above"
    assert 0.25 < sum(one.is_held_back for one in found) / len(found) < 0.75


LABELS = {
    "want", "titled", "fact", "decided", "open", "closed", "undecided", "score", "do", "not",
    "has", "keep", "date", "entity",
}  # fmt: skip


@each
def test_every_case_can_be_asked_and_has_a_label(prompt_id: str) -> None:
    for case in cases_of(prompt_id):
        assert question_of(case)
        assert LABELS & case.fields.keys(), f"{case.case_id} has no label of LABELS, above"


WHO_SPEAKS = "Who speaks and who is addressed counts more"


def literal(system: str, question: Body) -> str:
    """A model that does what its prompt tells it and nothing else: it looks at who speaks if the
    prompt says so, else for a word that the message shares with a candidate."""
    answers = []
    for one in question["questions"]:
        message = one["message"]
        chosen: int | str = "new"
        for candidate in one["candidates"]:
            last = candidate["last_messages"]
            if WHO_SPEAKS in system:
                is_it = message["user_name"] in {said["user_name"] for said in last}
            else:
                words = {word for said in last for word in said["content"].lower().split()}
                is_it = bool(words & set(message["content"].lower().split()))
            chosen = candidate["number"] if is_it else chosen
        title = "Something new" if chosen == "new" else ""
        answers.append({"n": one["n"], "choice": chosen, "title": title})
    return json.dumps({"answers": answers, "titles": []})


async def test_a_worse_prompt_lowers_its_row() -> None:
    chosen = [case for case in cases_of("topic_attribute") if case.one("want")]
    good = file_prompt("topic_attribute").text
    assert WHO_SPEAKS in good
    worse = good.replace(WHO_SPEAKS, "Count the words; that says more")
    server = Server(literal)

    before = report_of(await outcomes_of(server, chosen), "m")
    now = report_of(await outcomes_of(server, chosen, {"topic_attribute": worse}), "m")

    rows = [one["prompts"]["topic_attribute"]["score"] for one in (before, now)]
    assert rows[1] < rows[0]
    told = difference(before, now)
    assert f"score {rows[0]:.3f} -> {rows[1]:.3f}" in told
    assert "topic_attribute/answer-without-a-word: 1.00 -> 0.00" in told


async def test_a_broken_prompt_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(BrokenPrompt, match="missing placeholders"):
        await outcomes_of(Server(literal), [], {"memory_evolve": "Extract facts."})


GOOD = '{"score": 0.9, "reasons": []}'


@pytest.mark.parametrize(
    ("replies", "how", "calls"),
    [
        ([GOOD], STRICT, 1),
        ([f"Here you are:\n```json\n{GOOD}\n```"], REPAIRED, 1),
        (["I would say it is good.", GOOD], CORRECTED, 2),
        (["I would say it is good."], FAILED, 2),
    ],
)
async def test_how_a_reply_came_about_is_told(replies: list[str], how: str, calls: int) -> None:
    left = list(replies)
    server = Server(lambda *_: left.pop(0) if len(left) > 1 else left[0])
    (case,) = [one for one in cases_of("summary_quality") if one.name == "whole-and-right"]
    (outcome,) = await outcomes_of(server, [case])
    assert (outcome.how, server.asked) == (how, calls)
    assert outcome.score == (0 if how == FAILED else 1)
    assert (outcome.tape.prompt_tokens, len(outcome.tape.texts)) == (1000 * calls, calls)
    row = report_of([outcome], "gpt-4o-mini")["prompts"]["summary_quality"]
    assert row["at_once"] == (how == STRICT)
    assert row["after_repair"] == (how in (STRICT, REPAIRED))
    assert row["after_correction"] == (how != FAILED)
    assert row["usd_per_1000"] == pytest.approx(calls * (0.15 + 0.06))
    assert "summary_quality" in table(report_of([outcome], "m"))
    assert case.case_id in shown(outcome, question_of(case))


def test_what_a_run_will_cost_is_told_before_it_begins() -> None:
    told = forecast("gpt-4o-mini", cases_of("memory_evolve"))

    assert told.startswith(f"{len(cases_of('memory_evolve'))} calls of gpt-4o-mini: some ")
    assert "about $0." in told
    assert "not known" in forecast("a model of one's own", cases_of("memory_evolve"))


def test_a_model_without_a_price_costs_nothing_known() -> None:
    assert cost("a model of one's own", 1e6, 1e6) is None


REPLIED: list[tuple[str, str, Body, str]] = [
    ("segment_summarize", "station-hotpot", {"summary": "Ann and Ben chose sushi at 9"}, "covered"),
    ("segment_summarize", "new-year", {"summary": "It costs 777.", "title": "Boiler"}, "numbers"),
    (
        "memory_evolve",
        "moved-house",
        {"lines": [{"action": "delete", "old_id": "d1"}]},
        "operations",
    ),
    (
        "memory_evolve",
        "irony",
        {"lines": [{"action": "create", "statement": "Ivo loves early meetings"}]},
        "nothing else",
    ),
    ("note_rewrite", "moved-yesterday", {"canonical_text": "I moved to Leeds yesterday."}, "gate"),
    (
        "note_rewrite",
        "moved-yesterday",
        {"canonical_text": "Ben moved to Leeds on 2026-03-02.", "new_info": "Ben moved."},
        "dates",
    ),
    ("profile_merge", "one-more", {"body": "- Ann lives in Hamburg"}, "kept"),
    (
        "profile_merge",
        "moved",
        {"body": "- Mona keeps bees\n- Mona lives in Leeds\n- Mona lives in York"},
        "replaced",
    ),
    (
        "memory_evolve",
        "plain-job",
        {"lines": [{"action": "create", "statement": "Ben is kind"}]},
        "nothing else",
    ),
    ("memory_evolve", "plain-job", {"lines": [], "entities": [], "relations": []}, "relations"),
    (
        "memory_evolve",
        "agreed-to-something-else",
        {
            "lines": [
                {
                    "action": "create",
                    "statement": "The book club meets on the first Monday",
                    "sources": ["m1"],
                    "agree": ["m4"],
                }
            ]
        },
        "voices",
    ),
]


@pytest.mark.parametrize(("prompt_id", "name", "said", "check"), REPLIED)
def test_what_is_wrong_with_a_reply_is_named(
    prompt_id: str, name: str, said: Body, check: str
) -> None:
    (case,) = [one for one in cases_of(prompt_id) if one.name == name]
    reply, _ = REPLIES[prompt_id].check(said)
    wrong = {one.name for one in checks_of(case, reply) if not one.is_right}
    assert check in wrong


def test_a_label_holds_however_a_date_or_a_case_is_written() -> None:
    assert holds("Station|harbour & 2026-01-02", "At the station, on 2026年1月2日")
    assert not holds("station & harbour", "At the station")


def test_a_case_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "memory_evolve.txt").write_text("== a en\n- nobody says this\n", encoding="utf-8")
    with pytest.raises(BrokenCase, match="memory_evolve/a"):
        cases_of("memory_evolve", tmp_path)


def test_what_nobody_said_is_seen_in_a_small_models_memories() -> None:
    said = "Mei: I moved to Lisbon in May, still no furniture 我对芒果过敏"
    assert share_said("Mei moved to Lisbon in May", said) == 1.0
    assert share_said("小美对芒果过敏", said) >= LEAST_SAID
    assert share_said("The user prefers concise summaries of the discussion", said) < LEAST_SAID
    assert share_said("用户喜欢简短的总结", said) < LEAST_SAID
    assert share_said("", said) < LEAST_SAID


def test_what_fell_back_is_counted_by_prompt_from_the_log() -> None:
    asked = {"message": "model_asked", "prompt_id": "memory_evolve", "prompt_tokens": 900}
    lines: list[Any] = [
        {**asked, "ms": 4000, "completion_tokens": 10},
        {**asked, "ms": 8000, "completion_tokens": 320},
        {"message": "model_call_failed", "prompt_id": "memory_evolve", "code": "refused"},
        {"message": "model_call_failed", "prompt_id": "memory_evolve", "code": "unavailable"},
        {"message": "topics_without_model", "group_id": "lark:oc_1"},
        {"message": "request"},
        7,
    ]
    log = "a line of something else\n" + "\n".join(map(json.dumps, lines))
    assert calls_in(log) == [
        (
            "memory_evolve: 2 answers, median 6 s, longest 8 s, at most 900 tokens in and 320 out;"
            " form_refused 1, model_call_failed 1"
        ),
        "topic_attribute: no answer; topics_without_model 1",
    ]
