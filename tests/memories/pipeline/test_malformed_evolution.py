"""Replies that a model got wrong, through a whole run: what can be used is used."""

import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.clients.model import ModelAnswer
from shared.contracts.replies import Evolution
from shared.domain.jobs.job import JobState
from shared.domain.jobs.kinds import EvolutionStats
from shared.domain.memories.door import DoorRules
from shared.domain.memories.evolution import decide_evolution
from shared.domain.memories.evolution_plan import EvolutionRules
from shared.domain.memories.memory import MAX_STATEMENT, Memory
from shared.domain.memories.talk import ModelLine, NewTalk
from shared.errors import BadReply, Transient
from shared.wiring import Services
from tests.memories.evolving import Evolving
from tests.services import Clock

TEA = "Members drink tea at noon"
KEEP, UPDATE = (
    {"action": "keep", "old_id": "$tea"},
    {
        "action": "update",
        "old_id": "$tea",
        "statement": "Members drink green tea at noon",
        "change_reason": "somebody said green",
    },
)
CREATE = {"action": "create", "statement": "Members fly kites", "change_reason": "they do"}
GREEN, KITES = "Members drink green tea at noon", "Members fly kites"


def lines(*items: Any) -> str:
    return json.dumps({"lines": list(items)}, ensure_ascii=False)


def json_lines(*items: Any) -> str:
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in items)


TABLE: dict[str, tuple[str, set[str]]] = {
    "normal JSON": (json_lines(KEEP, CREATE), {TEA, KITES}),
    "missing quotes": (
        "{action: keep, old_id: $tea}\n{action: create, statement: Members fly kites}",
        {TEA},
    ),
    "a comma too many": ('{"action": "create", "statement": "Members fly kites",}', {TEA, KITES}),
    "single quotes": ("{'action': 'create', 'statement': 'Members fly kites'}", {TEA, KITES}),
    "a code block": (f"```json\n{json_lines(CREATE)}\n```", {TEA, KITES}),
    "no JSON at all": ("这不是JSON", {TEA}),
}
"""The six cases: what comes, and what is remembered after it."""

MORE: list[tuple[str, set[str]]] = [
    (lines(UPDATE, CREATE), {GREEN, KITES}),
    (json.dumps([UPDATE, CREATE]), {GREEN, KITES}),
    (json.dumps({"lines": json.loads(lines(CREATE))["lines"], "note": "ok"}), {TEA, KITES}),
    ("Sure! Here you are:\n" + json_lines(CREATE), {TEA, KITES}),
    (json_lines(CREATE) + "\nI hope this helps.", {TEA, KITES}),
    ("<think>well, {maybe}</think>" + lines(CREATE), {TEA, KITES}),
    ("\ufeff" + lines(CREATE), {TEA, KITES}),
    ("// a comment\n" + json_lines(CREATE), {TEA, KITES}),
    (lines(CREATE)[:-2], {TEA, KITES}),
    (lines(UPDATE, CREATE)[:-30], {GREEN}),
    (json_lines(UPDATE) + '\n{"action": "create", "statement": "Members fl', {GREEN}),
    (lines({**UPDATE, "old_id": "nobody"}, CREATE), {TEA, KITES}),
    (lines({"action": "delete", "old_id": "nobody"}, CREATE), {TEA, KITES}),
    (lines(UPDATE, UPDATE, {"action": "delete", "old_id": "$tea"}), {GREEN}),
    (lines({"action": "delete", "old_id": "$tea"}, UPDATE), {GREEN}),
    (lines({**CREATE, "statement": ""}), {TEA}),
    (lines({**CREATE, "statement": None}), {TEA}),
    (lines({**CREATE, "statement": "x" * (MAX_STATEMENT + 1)}, CREATE), {TEA, KITES}),
    (lines({**UPDATE, "statement": "   "}), {TEA}),
    (lines({"action": "explode", "old_id": "$tea"}, CREATE), {TEA, KITES}),
    (lines({"action": 7}, CREATE), {TEA, KITES}),
    (lines({"old_id": "$tea"}, CREATE), {TEA, KITES}),
    (lines({**CREATE, "action": "ADD"}), {TEA, KITES}),
    (lines({**CREATE, "tags": "sky, wind"}), {TEA, KITES}),
    (lines({**CREATE, "tags": {"a": 1}, "sources": 5, "kind": ["x"]}), {TEA, KITES}),
    (lines({**CREATE, "sources": ["made-up", None, 3]}), {TEA}),
    (lines({**CREATE, "kind": "nonsense", "subject": "group"}), {TEA, KITES}),
    (lines("a word", 5, None, [], CREATE), {TEA, KITES}),
    (lines(CREATE, {**CREATE, "statement": "members FLY kites!"}), {TEA, KITES}),
    (lines({**CREATE, "statement": TEA.upper()}), {TEA}),
    (lines({**CREATE, "statement": "Members fly kites \ud83e"}), {TEA, "Members fly kites �"}),
    (lines(), {TEA}),
    ("{}", {TEA}),
    ("null", {TEA}),
    ("", {TEA}),
    ("[" * 5000, {TEA}),
    ('{"lines": "nothing"}', {TEA}),
    ('{"error": {"message": "overloaded"}}', {TEA}),
]


class Says:
    """A model that says `raw`; reading it is the product's own, without its corrective retry."""

    def __init__(self, raw: str) -> None:
        self._raw = raw

    async def ask(self, *_: Any, **__: Any) -> ModelAnswer[Evolution]:
        reply, problems = Evolution.read(self._raw)
        if reply is None:
            raise BadReply("; ".join(map(str, problems)))
        return ModelAnswer(reply, self._raw)


@pytest.fixture
async def group(made: Services, clock: Clock, told: dict[str, Any]) -> Evolving:
    """A group that drinks tea; what one person says is not held back."""
    group = Evolving(made, clock, told, f"test:malformed-{clock().timestamp()}")
    group.deps = replace(
        group.deps, settings=group.deps.settings.replaced(hold_back_memories=False)
    )
    await group.say([("Ann", "something")])
    await run(group, [lines({"action": "create", "statement": TEA})])
    return group


async def run(group: Evolving, raws: Sequence[str]) -> list[JobState]:
    """A run for each reply, each on one more message; the states their jobs end in."""
    tea = next((one for one in await group.memories() if one.statement == TEA), None)
    states = []
    for raw in raws:
        said = raw.replace("$tea", tea.memory_id if tea else "")
        group.deps = replace(group.deps, model=Says(said))  # type: ignore[arg-type]
        job = await group.start(f"reply {group.clock().isoformat()}")
        with suppress(Transient):
            await group.run(job)
        found = await group.made.jobs.get(job.job_id)
        assert found is not None
        states.append(found.state)
    return states


@pytest.mark.parametrize("case", TABLE)
async def test_each_case_of_the_table_through_a_whole_run(group: Evolving, case: str) -> None:
    raw, remembered = TABLE[case]
    group.clock.turn(minutes=1)
    await group.say([("Bob", "something else")])

    (state,) = await run(group, [raw])

    statements = await group.statements()
    assert remembered <= statements
    assert state is (JobState.PENDING if case == "no JSON at all" else JobState.DONE)
    if case == "missing quotes":
        assert KITES in statements


async def test_thirty_more_malformed_replies_and_none_crashes(
    made: Services, clock: Clock, told: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    assert len(MORE) >= 30

    async def outcome(number: int, raw: str) -> tuple[set[str], JobState]:
        one = Evolving(made, clock, told, f"test:reply-{number}-{clock().timestamp()}")
        one.deps = replace(one.deps, settings=one.deps.settings.replaced(hold_back_memories=False))
        await one.say([("Ann", "something")])
        job = await one.start("first")
        one.deps = replace(one.deps, model=Says(lines({"action": "create", "statement": TEA})))  # type: ignore[arg-type]
        await one.run(job)
        await one.say([("Bob", "something else")])
        (state,) = await run(one, [raw])
        return await one.statements(), state

    for number, (raw, remembered) in enumerate(MORE):
        statements, state = await outcome(number, raw)
        assert statements == remembered, f"reply {number}: {raw[:80]}"
        assert state in (JobState.DONE, JobState.PENDING)
    told_events = " ".join(record.getMessage() for record in caplog.records)
    assert "evolution_lines_left_out" in told_events
    assert "kites" not in told_events


SPOILED = ("missing_quotes", "trailing_comma", "single_quotes", "markdown_fence", "json_lines")
HOPELESS = ("nonsense", "wrong_ids", "other_language", "bare_array")


@contextmanager
def spoiling(told: dict[str, Any], kind: str) -> Iterator[None]:
    faults = f"{told['admin']['openai']}/faults"
    fault = {"kind": kind, "prompt": "memory_evolve", "times": 1}
    httpx.post(faults, json=fault, trust_env=False).raise_for_status()
    try:
        yield
    finally:
        httpx.delete(faults, trust_env=False)


@pytest.mark.parametrize("kind", [*SPOILED, *HOPELESS])
async def test_a_model_service_that_spoils_its_replies(
    made: Services, clock: Clock, told: dict[str, Any], kind: str
) -> None:
    group = Evolving(made, clock, told, f"test:spoiled-{kind}-{clock().timestamp()}")
    await group.say(
        [("Ann", "We play chess every Friday"), ("Bob", "Yes, we play chess every Friday")]
    )
    with spoiling(told, kind):
        result = await group.evolve()

    # Nobody vouches for it where the sources are spoiled; the other prose is no statement.
    created = 0 if kind in ("wrong_ids", "other_language") else 1
    assert result.stats == EvolutionStats(kept=0, updated=0, created=created, deleted=0)
    assert result.refused >= 1 - created
    if kind in SPOILED:
        assert "chess" in str(await group.statements())


words = st.text(max_size=30)
fields = st.fixed_dictionaries(
    {},
    optional={
        "action": st.sampled_from(["keep", "update", "delete", "create", "fly", ""]) | words,
        "old_id": st.sampled_from(["a", "b", "nobody", ""]) | st.none(),
        "statement": words | st.none() | st.integers(),
        "change_reason": words,
        "kind": words,
        "subject": words | st.none(),
        "tags": st.lists(words) | words,
        "sources": st.lists(st.sampled_from(["m1", "m2", "no"])) | st.none(),
    },
)
replies = st.lists(fields, max_size=6).flatmap(
    lambda items: st.sampled_from([lines(*items), json_lines(*items), json.dumps(items)])
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(raw=replies, cut=st.integers(0, 400), junk=words)
def test_no_reply_breaks_the_decision(raw: str, cut: int, junk: str) -> None:
    now = datetime(2026, 3, 4, tzinfo=UTC)
    known = [Memory(name, "g:1", f"says {name}", 1, now, now) for name in ("a", "b")]
    for text in (raw, raw[:cut], raw + junk, junk + raw):
        reply, _ = Evolution.read(text)
        if reply is None:
            continue
        given_lines = [
            ModelLine(
                one.action,
                one.old_id or None,
                one.statement or "",
                tags=tuple(one.tags),
                sources=tuple(one.sources),
            )
            for one in reply.lines
        ]
        plan = decide_evolution(
            known,
            given_lines,
            group_id="g:1",
            run_id="r",
            now=now,
            talk=NewTalk({}),
            rules=EvolutionRules(DoorRules(holds_back=False)),
        )
        assert plan.kept + plan.deleted <= 2
        assert len({one.memory_id for one in plan.new}) == len(plan.new)
        assert all(0 < len(one.statement) <= MAX_STATEMENT for one in plan.new)


def test_replies_are_read_the_same_each_time() -> None:
    for raw, _ in (*TABLE.values(), *MORE):
        assert Evolution.read(raw) == Evolution.read(raw)


async def test_a_bad_reply_is_tried_again_and_the_news_are_not_lost(group: Evolving) -> None:
    group.clock.turn(minutes=1)
    await group.say([("Bob", "something else")])
    await run(group, ["这不是JSON"])

    await run(group, [lines(CREATE)])

    assert KITES in await group.statements()
