"""What outages leave of a context: an answer in time, that says what is missing."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.build_context.deps import Deps, context_deps
from functions.build_context.handle_context import build_context
from infra.emulators.testing import emulators
from shared.contracts.context import ContextRequest
from shared.errors import Transient
from shared.stores.firestore import merge
from shared.wiring import Services
from tests.context.contexts import ask, bot, ids, ingest, remembering, said
from tests.project import ROOT
from tests.services import Clock, in_process

DEADLINE_MS = 1500
"""Short, so that a hanging service is noticed soon."""
TIMES = 6
"""Asked so often of a service that fails half the time."""


@pytest.fixture
def group() -> str:
    return f"test:{uuid.uuid4().hex[:12]}"


class Trouble:
    """Sets and ends the faults of one service through its emulator's admin endpoint."""

    def __init__(self, told: dict[str, Any], service: str, how: str) -> None:
        self._admin = told["admin"][service]
        self._service = service
        self.how = how

    def begin(self) -> None:
        body: dict[str, Any]
        slow, share = self.how == "slow", {"down": 1.0, "half": 0.5, "slow": 0.0}[self.how]
        match self._service:
            case "firestore":
                body = {"latency_ms": 10_000} if slow else {"unavailable": share}
                httpx.put(f"{self._admin}/faults", json=body, trust_env=False)
            case "pinecone":
                body = {"latency_ms": 10_000} if slow else {"status": 503, "share": share}
                httpx.put(f"{self._admin}/faults", json=body, trust_env=False)
            case _:
                kind = {"kind": "latency", "latency_ms": 10_000} if slow else {}
                body = kind or {"kind": "server_error", "share": share}
                httpx.post(f"{self._admin}/faults", json=body, trust_env=False)

    def end(self) -> None:
        if self._service == "firestore":
            httpx.put(f"{self._admin}/faults", json={}, trust_env=False)
        else:
            httpx.delete(f"{self._admin}/faults", trust_env=False)


@pytest.fixture(params=["firestore", "pinecone", "openai"])
def service(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["down", "slow", "half"])
def trouble(
    request: pytest.FixtureRequest, told: dict[str, Any], service: str
) -> Iterator[Trouble]:
    trouble = Trouble(told, service, request.param)
    yield trouble
    trouble.end()


@pytest.fixture
async def warm(made: Services, clock: Clock, group: str) -> Deps:
    """An instance that has answered before."""
    await remembering(made, clock, group)
    await ingest(made, group, bot(group, 1, "hello", clock), said(group, 2, "the plan", clock))
    deps = context_deps(made)
    await build_context(ContextRequest(group_id=group, message="what is the plan?"), deps)
    return deps


async def test_whatever_is_down_slow_or_failing_an_answer_comes_and_says_what_is_missing(
    warm: Deps, group: str, service: str, trouble: Trouble
) -> None:
    trouble.begin()
    # What fails at once leaves time for the rest, on a busy machine too.
    deadline_ms = 5 * DEADLINE_MS if trouble.how == "half" else DEADLINE_MS
    request = ContextRequest(
        group_id=group, message="what was the plan?", user_id="u2", deadline_ms=deadline_ms
    )
    for _ in range(TIMES if trouble.how == "half" else 1):
        answer = await build_context(request, warm)

        assert answer.timings_ms["total"] <= deadline_ms
        assert answer.reason
        if service != "firestore":
            assert answer.mode == "intelligent"
            assert "m2" in ids(answer)
            if trouble.how != "half":
                assert "without" in answer.reason
        elif trouble.how != "half":
            assert answer.mode == "empty"
            assert "Firestore" in answer.reason or "in time" in answer.reason


@pytest.mark.parametrize("service", ["firestore", "pinecone", "openai"])
async def test_an_instance_that_never_answered_before_holds_its_deadline_too(
    made: Services, told: dict[str, Any], clock: Clock, group: str, service: str
) -> None:
    await remembering(made, clock, group)
    await ingest(made, group, bot(group, 1, "hello", clock), said(group, 2, "the plan", clock))
    trouble = Trouble(told, service, "slow")
    trouble.begin()
    try:
        async with in_process(told, clock) as cold:
            answer = await ask(
                cold, group, message="what was the plan?", user_id="u2", deadline_ms=DEADLINE_MS
            )
    finally:
        trouble.end()

    assert answer.timings_ms["total"] <= DEADLINE_MS
    assert answer.mode == ("empty" if service == "firestore" else "intelligent")
    if service != "pinecone":  # of a group whose talk is at hand nothing is asked there
        assert "in time" in answer.reason or "did not answer" in answer.reason


@pytest.mark.parametrize("how", ["down", "slow"])
async def test_without_fallback_an_outage_is_raised(
    told: dict[str, Any], clock: Clock, group: str, how: str
) -> None:
    trouble = Trouble(told, "firestore", how)
    async with in_process(told, clock, MEMORY_FALLBACK_ON_ERROR="false") as made:
        trouble.begin()
        try:
            with pytest.raises(Transient):
                await ask(made, group, message="hello there", deadline_ms=DEADLINE_MS)
        finally:
            trouble.end()


@pytest.fixture
def lacking(
    request: pytest.FixtureRequest, told: dict[str, Any], tmp_path: Path
) -> Iterator[dict[str, Any]]:
    """The emulators, with a Firestore that has no index of messages on the named field."""
    indexes = json.loads((ROOT / "infra" / "firestore.indexes.json").read_text())
    indexes["indexes"] = [
        one
        for one in indexes["indexes"]
        if one["collectionGroup"] != "messages" or one["fields"][0]["fieldPath"] != request.param
    ]
    indexes["fieldOverrides"] = [
        one
        for one in indexes["fieldOverrides"]
        if one["collectionGroup"] != "messages" or one["fieldPath"] != request.param
    ]
    file = tmp_path / "indexes.json"
    file.write_text(json.dumps(indexes))
    with emulators(["firestore"], tmp_path / "data", "--indexes", str(file)) as running:
        yield {**told, "FIRESTORE_EMULATOR_HOST": running.told["FIRESTORE_EMULATOR_HOST"]}


@pytest.mark.parametrize(
    ("lacking", "mode", "missing"),
    [
        ("pending_since", "traditional", ""),
        ("create_time", "empty", ""),
    ],
    indirect=["lacking"],
)
async def test_a_missing_index_costs_only_what_is_read_by_it(
    lacking: dict[str, Any], clock: Clock, group: str, mode: str, missing: str
) -> None:
    async with in_process(lacking, clock) as made:
        await ingest(made, group, said(group, 1, "we ship on Friday", clock))
        await ask(made, group, message="what is the plan?")
        answer = await ask(made, group, message="what is the plan?")

    assert answer.mode == mode
    assert missing in answer.reason
    assert "lacks an index" in answer.reason
    assert ids(answer) == ([] if mode == "empty" else ["m1"])


async def test_a_record_that_cannot_be_read_costs_only_its_section(
    made: Services, clock: Clock, group: str
) -> None:
    await remembering(made, clock, group)
    await ingest(made, group, bot(group, 1, "hello", clock))
    await made.database.commit([merge(f"groups/{group}/memories/k1", {"version": "not a number"})])
    answer = await ask(made, group, message="which flight to Tokyo did we book?", user_id="u1")

    assert answer.mode == "intelligent"
    assert "without memories: a stored Memory cannot be read" in answer.reason
    assert ids(answer, "event") == ["r1:1"]
