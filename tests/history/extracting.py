"""One group's extraction in process: rounds of dialogue, runs of the handler, what was learnt."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import httpx

from functions.historian_job import extraction_batch, handle_extract
from functions.ingest_message import handle_messages
from shared.clients.model import ModelAnswer
from shared.contracts.jobs import extract_job
from shared.contracts.replies import Extraction
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import ExtractionReport
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

    async def ask(self, prompt_id: str, reply_type: Any, data: Any, **_: Any) -> Any:
        self.asked.append(data)
        raw = self.answers.pop(0) if self.answers else '{"facts": []}'
        reply, problems = Extraction.read(raw)
        assert reply is not None, problems
        return ModelAnswer(reply, raw)


@dataclass
class Extracting:
    """A group on real stores; `deps` can be changed before a run: that is where faults go."""

    made: Services
    clock: Clock
    told: dict[str, Any]
    group_id: str
    deps: extraction_batch.ExtractionDeps = field(init=False)
    _said: int = 0
    _asked: int = 0

    def __post_init__(self) -> None:
        self.deps = replace(
            extraction_batch.deps_for(None, self.made), model_budget_s=30, dispatch=nobody()
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

    async def start(self, cause: str) -> Job:
        await self.made.groups.change(self.group_id, lambda group: group, self.clock())
        return await self.made.jobs.ensure(extract_job(self.group_id, cause, 5, self.clock()))

    async def run(self, job: Job) -> Ran:
        return await self.made.worker.run(
            job.job_id, lambda work: handle_extract.extract(work, self.deps)
        )

    async def extract(self) -> list[ExtractionReport]:
        """A run and those that follow from it."""
        self._asked += 1
        reports = [reported(await self.run(await self.start(f"run {self._asked}")))]
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
        """The model service misbehaves when asked to extract, until `heal`."""
        self._admin("POST", "/faults", {"kind": kind, "prompt": "extract", **what})

    def heal(self) -> None:
        self._admin("DELETE", "/faults")

    def calls(self) -> int:
        counts = self._admin("GET", "/counts").json()
        return int(counts["prompts"].get("extract", {}).get("calls", 0))

    def _admin(self, method: str, path: str, body: Any = None) -> httpx.Response:
        url = f"{self.told['admin']['openai']}{path}"
        answer = httpx.request(method, url, json=body, trust_env=False)
        assert answer.is_success, answer.text
        return answer


def reported(ran: Ran) -> ExtractionReport:
    assert isinstance(ran.report, ExtractionReport), ran
    return ran.report
