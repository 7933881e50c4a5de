"""One group's notes in process: what was said, notes as `/end` takes them, runs to the end."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import httpx

from functions.historian_job import handle_note, handle_profile
from functions.ingest_message import handle_messages
from shared.contracts.jobs import historian_job, profile_job
from shared.domain.jobs.job import Job, JobState
from shared.domain.jobs.kinds import MergeProfile
from shared.domain.knowledge.event import Event, Note
from shared.domain.knowledge.profile import EntityType, News, Profile
from shared.domain.messages.analyser import analysed
from shared.domain.messages.message import Message
from shared.errors import Transient
from shared.jobs.worker import Ran
from shared.wiring import Services
from tests.memories.evolving import _Nobody
from tests.services import Clock


class Impatient:
    """A model that is given up after a moment."""

    def __init__(self, model: Any, seconds: float = 0.2) -> None:
        self._model = model
        self._seconds = seconds

    async def ask(self, *asked: Any, **how: Any) -> Any:
        return await self._model.ask(*asked, **{**how, "budget_s": self._seconds})


@dataclass
class Noting:
    """A group on real stores; `deps` can be changed before a run: that is where faults go."""

    made: Services
    clock: Clock
    told: dict[str, Any]
    group_id: str
    deps: Services = field(init=False)
    _said: int = 0

    def __post_init__(self) -> None:
        self.deps = self.made

    async def say(self, *sayings: tuple[str, str]) -> list[str]:
        """Stored as ingest stores it; the ids of the messages."""
        messages: list[Message] = []
        for user, content in sayings:
            self._said += 1
            messages.append(
                Message(
                    group_id=self.group_id,
                    message_id=f"m{self._said}",
                    user_id=f"u-{user.lower()}",
                    user_name=user,
                    content=content,
                    create_time=self.clock() - timedelta(seconds=len(sayings) - len(messages)),
                )
            )
        nobody: Any = _Nobody()
        ingest = handle_messages.IngestDeps(
            self.made.groups, self.made.messages, nobody, analysed, self.made.now
        )
        await handle_messages.ingest(self.group_id, messages, ingest)
        return [one.message_id for one in messages]

    def note(self, action: str = "", info: str = "", **changes: Any) -> Note:
        note = Note(
            group_id=self.group_id,
            user_id="u-ida",
            request_id="r",
            end_seq=1,
            action_summary=action,
            new_info=info,
            force=False,
            message_ids=(),
            received_at=self.clock(),
        )
        return replace(note, **changes)

    async def start(self, note: Note) -> Job:
        return await self.made.jobs.ensure(historian_job(note, self.clock()))

    async def run(self, job_id: str, deps: Services | None = None) -> Ran:
        """By the handler that the job's route calls."""
        job = await self.made.jobs.get(job_id)
        if job is not None and isinstance(job.payload, MergeProfile):
            return await self.made.worker.run(
                job_id, lambda work: handle_profile.run(work, deps or self.deps)
            )
        return await self.made.worker.run(
            job_id, lambda work: handle_note.run(work, deps or self.deps)
        )

    async def learn(self, *new_info: str, cause: str, **about: Any) -> Job:
        """Something of Ida, as whoever learnt it commits it; not run yet."""
        news = News(**{"entity_type": "user", "entity_id": "u-ida", "name": "Ida", **about,
                       "new_info": new_info, "source_event_id": cause})  # fmt: skip
        return await self.made.jobs.ensure(profile_job(self.group_id, news, cause, self.clock()))

    async def merge(self, *new_info: str, cause: str, **about: Any) -> Profile:
        """... and run: the profile after it."""
        job = await self.learn(*new_info, cause=cause, **about)
        await self.run(job.job_id)
        profile = await self.profile()
        assert profile is not None
        return profile

    async def profile(
        self, entity_type: EntityType = "user", entity_id: str = "u-ida"
    ) -> Profile | None:
        return await self.made.profiles.get(self.group_id, entity_type, entity_id)

    async def record(self, note: Note) -> Event:
        """The note's event, after one run."""
        await self.run((await self.start(note)).job_id)
        event = await self.event(note.event_id)
        assert event is not None
        return event

    async def event(self, event_id: str) -> Event | None:
        return (await self.made.events.get_many(self.group_id, [event_id])).get(event_id)

    async def events(self, limit: int = 100) -> Sequence[Event]:
        _, found = await self.made.events.listed(
            self.group_id, time_from=None, time_to=None, limit=limit, offset=0
        )
        return found

    async def run_all(self, rounds: int = 100) -> None:
        """Everything that is open, again and again as the queue and the sweep would, until
        nothing is; the clock goes on by the longest wait each time."""
        for _ in range(rounds):
            _, jobs = await self.made.jobs.listed(
                state=None, group_id=self.group_id, limit=5000, offset=0
            )
            if not any(job.is_open for job in jobs):
                return
            await self.run_due()
            self.clock.turn(hours=7)
        raise AssertionError("there is no end to the open jobs")

    async def run_due(self) -> None:
        """Everything whose time has come, once."""
        _, jobs = await self.made.jobs.listed(
            state=None, group_id=self.group_id, limit=5000, offset=0
        )
        for job in jobs:
            if job.is_open and job.due_at <= self.clock():
                with contextlib.suppress(Transient):
                    await self.run(job.job_id)

    async def failed_jobs(self) -> int:
        total, _ = await self.made.jobs.listed(
            state=JobState.FAILED.value, group_id=self.group_id, limit=1, offset=0
        )
        return total

    def fault(self, kind: str, *, prompt: str = "note_rewrite", **what: Any) -> None:
        self._admin("POST", "/faults", {"kind": kind, "prompt": prompt, **what})

    def heal(self) -> None:
        self._admin("DELETE", "/faults")

    def model_calls(self, prompt: str = "note_rewrite") -> int:
        counts = httpx.get(f"{self.told['admin']['openai']}/counts", trust_env=False).json()
        return int(counts["prompts"].get(prompt, {}).get("calls", 0))

    def _admin(self, method: str, path: str, body: dict[str, Any] | None = None) -> None:
        url = f"{self.told['admin']['openai']}{path}"
        answer = httpx.request(method, url, json=body, trust_env=False)
        answer.raise_for_status()
