"""The demo as a newcomer runs it, and what it claims."""

import json
import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from infra.demo.gather import current, foreign_texts, recalled_texts
from infra.demo.play import deliveries
from infra.demo.script import DAYS, TALK, BadTalk, Step, last_monday, read_talk
from tests.project import ROOT

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)
STEPS = read_talk(last_monday(NOW))


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """What it printed, and the same as data."""
    told = tmp_path_factory.mktemp("demo") / "told.json"
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    done = subprocess.run(
        ["make", "--no-print-directory", "demo", f"JSON={told}"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout, json.loads(told.read_text("utf-8"))


@pytest.mark.timeout(600)
@pytest.mark.xdist_group("demo")
def test_the_demo_keeps_what_it_promises(ran: tuple[str, dict[str, Any]]) -> None:
    printed, told = ran
    context = told["context"]
    question = next(step for step in STEPS if step.is_question)

    assert told["counts"]["stored"] == sum(step.kind == "say" for step in STEPS)
    assert told["counts"]["edited"] == told["counts"]["recalled"] == 1
    assert "rejected" not in told["counts"]

    assert 0 < context["tokens"]["total"] < told["last_tokens"], "fewer tokens than last 20"
    assert len(told["last"]) == 20
    assert context["items"], "a context with nothing in it is cheap, and useless"
    assert all(item["reasons"] for item in context["items"])
    assert "西站出口A" in context["text"], "where they meet is offered"
    assert not any("西站" in line for line in told["last"]), "the last messages do not tell"
    with_annals, without = told["answered"]
    assert with_annals == len(question.about), "every message that answers is offered"
    assert without == 0

    everything = json.dumps(told, ensure_ascii=False)
    assert not foreign_texts(STEPS, question.chat.group_id, context["text"])
    assert "surprise party" not in context["text"]
    for text in recalled_texts(STEPS):
        assert text not in everything
        assert "4417#" not in everything  # ids have no #, so none holds it by chance
        assert "4417#" not in printed


@pytest.mark.timeout(600)
@pytest.mark.xdist_group("demo")
def test_the_demo_shows_memories_that_changed_and_one_that_ended(
    ran: tuple[str, dict[str, Any]],
) -> None:
    printed, told = ran
    walkers = told["chats"][0]
    memories = [memory for chat in told["chats"] for memory in chat["memories"]]
    versions = [version for chat in told["chats"] for each in chat["histories"].values()
                for version in each]  # fmt: skip
    said = {step.message_id for step in STEPS if step.kind == "say"}

    assert all(chat["memories"] for chat in told["chats"])
    assert walkers["histories"]
    assert walkers["ended"]
    for version in (*memories, *versions):
        assert version["sources"]
        assert set(version["sources"]) <= said
        assert version["source_users"]
    assert any(version["change_summary"].startswith("stand-in: ") for version in versions)
    assert not any("山神" in memory["statement"] for memory in memories), "an order to the bot"
    assert "a stand-in of plain rules" in printed
    assert all(chat["events"] for chat in told["chats"])
    assert all(topic["summary"]["content"] for chat in told["chats"] for topic in chat["topics"])
    assert "  + " in printed
    assert "fewer tokens" in printed


def test_the_talk_is_two_weeks_of_three_chats_one_of_them_private() -> None:
    chats = {step.chat for step in STEPS}
    said = [step for step in STEPS if step.kind == "say"]

    assert len(said) >= 380
    assert sorted(chat.audience for chat in chats) == ["group", "group", "private"]
    assert {step.kind for step in STEPS} == {"say", "edit", "recall", "note"}
    assert STEPS[-1].at - STEPS[0].at > timedelta(days=DAYS - 1)
    assert sum(step.is_question for step in STEPS) == 1
    assert len({step.message_id for step in said}) == len(said)


@pytest.mark.parametrize("days", range(8))
def test_the_talk_begins_on_a_monday_and_is_over_by_now(days: int) -> None:
    now = NOW + timedelta(days=days)

    monday = last_monday(now)

    assert monday.weekday() == 0
    assert monday + timedelta(days=DAYS) <= now < monday + timedelta(days=DAYS + 8)


def test_what_was_recalled_is_not_part_of_the_talk_and_an_edit_keeps_its_place() -> None:
    group_id = next(step.chat.group_id for step in STEPS if step.kind == "edit")
    edit = next(step for step in STEPS if step.kind == "edit")
    said = current(STEPS, group_id)

    assert recalled_texts(STEPS)
    assert not set(recalled_texts(STEPS)) & {step.text for step in said.values()}
    assert said[edit.message_id].text == edit.text
    assert edit.said_at < edit.at


def test_deliveries_keep_the_order_of_each_chat() -> None:
    delivered: list[Step] = [step for batch in deliveries(STEPS) for step in batch]

    assert sorted(delivered, key=STEPS.index) == STEPS
    for group_id in {step.chat.group_id for step in STEPS}:
        own = [step for step in delivered if step.chat.group_id == group_id]
        assert own == [step for step in STEPS if step.chat.group_id == group_id]


def test_a_line_that_is_no_talk_is_named(tmp_path: Path) -> None:
    talk = tmp_path / "talk.txt"
    talk.write_text("== a:1 | A | group\n-- 1\nnobody said this\n")

    with pytest.raises(BadTalk, match="nobody said this"):
        read_talk(last_monday(NOW), talk)
    assert TALK.exists()


def test_a_line_of_another_chat_would_be_noticed() -> None:
    question = next(step for step in STEPS if step.is_question)
    secret = next(step.text for step in STEPS if "surprise party" in step.text)

    assert foreign_texts(STEPS, question.chat.group_id, f"> Priya: {secret}") == [secret]
    assert foreign_texts(STEPS, question.chat.group_id, f"> Tom: {question.text}") == []
