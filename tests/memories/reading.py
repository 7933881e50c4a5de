"""One group's readings in process: what was said, a model's scripted replies, what is kept."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import httpx

from functions.evolve_group import handle_evolve
from functions.ingest_message import handle_messages
from shared.clients.model import ModelAnswer
from shared.contracts.jobs import evolve_job
from shared.contracts.replies import Evolution
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import EvolutionReport
from shared.domain.memories.memory import Memory
from shared.domain.messages.analyser import analysed
from shared.domain.messages.message import Message
from shared.jobs.worker import Ran
from shared.wiring import Services
from tests.memories.evolving import nobody
from tests.services import Clock

Saying = tuple[str, str]
"""Who says what; `Bot` is the assistant."""


class Told:
    """A model that says what it was told to: where the guards of the product are on trial."""

    def __init__(self, answers: Sequence[Mapping[str, Any]]) -> None:
        self.answers = [json.dumps(one, ensure_ascii=False) for one in answers]
        self.asked: list[dict[str, Any]] = []
        self.cut: set[int] = set()
        """Which of its replies, by their number, come cut."""

    async def ask(self, prompt_id: str, reply_type: Any, data: Any, **_: Any) -> Any:
        self.asked.append(data)
        raw = self.answers.pop(0) if self.answers else '{"lines": []}'
        reply, problems = Evolution.read(raw)
        assert reply is not None, problems
        return ModelAnswer(reply, raw, is_cut=len(self.asked) in self.cut)


@dataclass
class Reading:
    """A group on real stores; `deps` can be changed before a run: that is where faults go."""

    made: Services
    clock: Clock
    told: dict[str, Any]
    group_id: str
    deps: handle_evolve.EvolutionDeps = field(init=False)
    _said: int = 0
    _asked: int = 0

    def __post_init__(self) -> None:
        self.deps = replace(
            handle_evolve.deps_for(None, self.made), model_budget_s=30, dispatch=nobody()
        )

    def model(self, *answers: Mapping[str, Any]) -> Told:
        told = Told(answers)
        model: Any = told
        self.deps = replace(self.deps, model=model)
        return told

    def settings(self, **changes: Any) -> None:
        self.deps = replace(self.deps, settings=self.deps.settings.replaced(**changes))

    async def say(self, *sayings: Saying, **changes: Any) -> list[str]:
        """Stored as ingest stores it, a second apart; the ids of the messages."""
        messages = []
        for user, content in sayings:
            self._said += 1
            message = Message(
                group_id=self.group_id,
                message_id=f"m{self._said:05}",
                user_id=f"u-{user.lower()}",
                user_name=user,
                content=content,
                create_time=self.clock() + timedelta(seconds=self._said),
                role="assistant" if user == "Bot" else "user",
            )
            messages.append(replace(message, **changes))
        ingest = handle_messages.IngestDeps(
            self.made.groups, self.made.messages, nobody(), analysed, self.made.now
        )
        for at in range(0, len(messages), 100):
            await handle_messages.ingest(self.group_id, messages[at : at + 100], ingest)
        return [one.message_id for one in messages]

    async def rounds(self, *said: Saying) -> list[str]:
        """Each is answered by the bot; the ids of what people said."""
        talk = [one for each in said for one in (each, ("Bot", "Noted, thank you."))]
        return (await self.say(*talk))[::2]

    async def start(self, cause: str, days: int | None = None) -> Job:
        await self.made.groups.change(self.group_id, lambda group: group, self.clock())
        return await self.made.jobs.ensure(evolve_job(self.group_id, cause, self.clock(), days))

    async def run(self, job: Job) -> Ran:
        return await self.made.worker.run(
            job.job_id, lambda work: handle_evolve.evolve(work, self.deps)
        )

    async def read(self, days: int | None = None) -> list[EvolutionReport]:
        """A run and those that follow from it."""
        self._asked += 1
        reports = [reported(await self.run(await self.start(f"run {self._asked}", days)))]
        while next_id := reports[-1].next_job:
            found = await self.made.jobs.get(next_id)
            assert found is not None
            reports.append(reported(await self.run(found)))
        return reports

    async def memories(self, status: str | None = "active") -> list[Memory]:
        _, found = await self.made.memories.listed(
            self.group_id, status=status, limit=500, offset=0
        )
        return found

    async def statements(self, status: str | None = "active") -> set[str]:
        return {one.statement for one in await self.memories(status)}

    def fault(self, kind: str, **what: Any) -> None:
        """The model service misbehaves when asked to read, until `heal`."""
        self._admin("POST", "/faults", {"kind": kind, "prompt": "memory_evolve", **what})

    def heal(self) -> None:
        self._admin("DELETE", "/faults")

    def calls(self) -> int:
        counts = self._admin("GET", "/counts").json()
        return int(counts["prompts"].get("memory_evolve", {}).get("calls", 0))

    def _admin(self, method: str, path: str, body: Any = None) -> httpx.Response:
        url = f"{self.told['admin']['openai']}{path}"
        answer = httpx.request(method, url, json=body, trust_env=False)
        assert answer.is_success, answer.text
        return answer


def reported(ran: Ran) -> EvolutionReport:
    assert isinstance(ran.report, EvolutionReport), ran
    return ran.report


def line(statement: str, subject: str | None, *sources: str, **more: Any) -> dict[str, Any]:
    """As a model writes it: something new, said in these messages."""
    return {
        "action": "create",
        "statement": statement,
        "kind": "fact",
        "subject": subject,
        "confidence": 0.9,
        "sources": list(sources),
        **more,
    }
