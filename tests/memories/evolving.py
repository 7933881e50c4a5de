"""One group's evolution in process: what was said, runs of the handler, and what is remembered."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import httpx

from functions.evolve_group import handle_evolve, handle_maintain, handle_memory
from functions.ingest_message import handle_messages
from shared.config.overrides import effective
from shared.contracts.jobs import evolve_job
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import EvolutionReport
from shared.domain.memories.memory import Memory
from shared.domain.messages.analyser import analysed
from shared.domain.messages.message import Message
from shared.jobs.worker import Ran
from shared.wiring import Services
from tests.services import Clock

Saying = tuple[str, str]
"""Who says what."""


PATIENT_S = 120.0
"""For a model on a machine that is busy with something else."""


@dataclass
class Evolving:
    """A group on real stores. `deps` can be changed before a run: that is where faults go."""

    made: Services
    clock: Clock
    told: dict[str, Any]
    group_id: str = "test:evolving"
    deps: handle_evolve.EvolutionDeps = field(init=False)
    _said: int = 0
    _asked: int = 0

    def __post_init__(self) -> None:
        self.deps = replace(handle_evolve.deps_for(None, self.made), model_budget_s=PATIENT_S)

    async def say(self, sayings: Sequence[Saying], **changes: Any) -> list[Message]:
        """Stored as ingest stores it, a minute apart, up to now; sent to nobody."""
        start = self.clock() - timedelta(minutes=len(sayings))
        messages = []
        for place, (user, content) in enumerate(sayings):
            self._said += 1
            message = Message(
                group_id=self.group_id,
                message_id=f"m{self._said:05}",
                user_id=user.lower(),
                user_name=user,
                content=content,
                create_time=start + timedelta(minutes=place),
            )
            messages.append(replace(message, **changes))
        nobody: Any = _Nobody()
        ingest = handle_messages.IngestDeps(
            self.made.groups, self.made.messages, nobody, analysed, self.made.now
        )
        for at in range(0, len(messages), 200):
            await handle_messages.ingest(self.group_id, messages[at : at + 200], ingest)
        return messages

    async def start(self, cause: str = "test", days: int | None = None) -> Job:
        await self.made.groups.change(self.group_id, lambda group: group, self.clock())
        job = evolve_job(self.group_id, cause, self.clock(), days)
        return await self.made.jobs.ensure(job)

    async def run(self, job: Job) -> Ran:
        return await self.made.worker.run(
            job.job_id, lambda work: handle_evolve.evolve(work, self.deps)
        )

    async def evolve(self, days: int | None = None) -> EvolutionReport:
        """A run, and the ones it enqueues, to the end; the last one's report."""
        self._asked += 1
        report = reported(await self.run(await self.start(f"run {self._asked}", days)))
        while report.next_job:
            found = await self.made.jobs.get(report.next_job)
            assert found is not None
            report = reported(await self.run(found))
        return report

    async def memories(self, status: str | None = "active") -> list[Memory]:
        _, found = await self.made.memories.listed(
            self.group_id, status=status, limit=500, offset=0
        )
        return found

    async def statements(self, status: str | None = "active") -> set[str]:
        return {one.statement for one in await self.memories(status)}

    async def indexed(self) -> set[str]:
        """Ids of the memories whose vectors the index has."""
        every = await self.memories(None)
        ids = {f"memory#{one.memory_id}": one.memory_id for one in every}
        return {ids[one] for one in await self.made.vectors.known(self.group_id, list(ids))}

    def model_calls(self) -> int:
        """How often the model service was asked to evolve, ever."""
        url = f"{self.told['admin']['openai']}/counts"
        counts = httpx.get(url, trust_env=False).json()
        return int(counts["prompts"].get("memory_evolve", {}).get("calls", 0))


def reported(ran: Ran) -> EvolutionReport:
    assert isinstance(ran.report, EvolutionReport), ran
    return ran.report


def upkeep(made: Services, **changes: Any) -> handle_maintain.UpkeepDeps:
    """What the schedule's upkeep works with; `changes` are settings."""
    settings = effective(made.settings, changes)
    return replace(handle_maintain.deps_for(made), settings=settings)


def by_hand(group: Evolving) -> handle_memory.ByHandDeps:
    """What a change by hand in this group needs."""
    return replace(handle_memory.deps_for(None, group.made), similarity=group.deps.similarity)


def nobody() -> Any:
    return _Nobody()


class _Nobody:
    """Takes tasks and does nothing with them: the test runs the handlers itself."""

    async def attribution(self, group_id: str, **told: object) -> bool:
        return True

    async def job(self, job: Job) -> bool:
        return True
