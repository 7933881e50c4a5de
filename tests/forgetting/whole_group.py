"""A group that every pipeline has worked on, in process, and a search of all that is stored."""

import json
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from functions.build_context import handle_feedback
from functions.evolve_group import handle_evolve
from functions.historian_job import (
    handle_forget,
    handle_note,
    handle_profile,
)
from functions.ingest_message import handle_attribute, handle_messages
from functions.summarize_topic import handle_digest, handle_summarize
from shared.clients.model import ModelAnswer
from shared.contracts.context import ContextAnswer
from shared.contracts.context_records import Feedback
from shared.contracts.jobs import evolve_job, historian_job, summarize_job
from shared.domain.jobs.job import Job, JobState
from shared.domain.jobs.kinds import (
    EvolveGroup,
    ForgetGroup,
    ForgetMember,
    ForgetMemory,
    ForgetMessage,
    ForgetReport,
    MergeProfile,
    RecordNote,
    SummarizeTopic,
    TellWeek,
)
from shared.domain.knowledge.event import Note
from shared.domain.messages.message import Message, Recall
from shared.errors import Transient
from shared.jobs.worker import Ran
from shared.stores.groups import group_path
from shared.wiring import Services
from tests.context.contexts import ask
from tests.memories.evolving import nobody
from tests.services import Clock, replaced
from tests.topics.attributing import attributing, ingesting

OF_VECTORS = {
    "message": "messages", "topic": "topics", "summary": "topics", "event": "events",
    "memory": "memories", "entity": "entities", "profile": "profiles",
}  # fmt: skip
"""Which records the kinds of vectors are of."""
AT_ONCE = 100
"""Vectors that are fetched together."""
TRIES = 5
"""A service that is late on a busy machine is asked again, as the queue would."""


class Saying:
    """A model that answers each prompt as it is told, and leaves the rest to the real one."""

    def __init__(self, model: Any, answers: Mapping[str, Mapping[str, Any]]) -> None:
        self.model = model
        self.answers = answers

    async def ask(self, prompt_id: str, reply_type: Any, data: Any, **how: Any) -> Any:
        if prompt_id not in self.answers:
            return await self.model.ask(prompt_id, reply_type, data, **how)
        raw = json.dumps(self.answers[prompt_id], ensure_ascii=False)
        reply, problems = reply_type.read(raw)
        assert reply is not None, problems
        return ModelAnswer(reply, raw)


@dataclass
class WholeGroup:
    made: Services
    clock: Clock
    told: dict[str, Any]
    group_id: str
    model: Any = None
    patience: int = 20
    """Rounds of open jobs: some leave another behind them."""
    _said: int = 0
    _asked: int = 0
    ingest: handle_messages.IngestDeps = field(init=False)

    def __post_init__(self) -> None:
        self.model = self.made.model
        self.ingest = replace(
            ingesting(self.made),
            dispatch=nobody(),
            removal=lambda: self.made.removal,
            hash_key=self.made.settings.hash_key,
        )

    async def say(
        self, *sayings: tuple[str, str], said_at: datetime | None = None, **changes: Any
    ) -> list[str]:
        """`said_at` is the platform's time, if it is another than ours."""
        messages = []
        for user, content in sayings:
            self._said += 1
            is_bot = user == "Bot"
            messages.append(
                Message(
                    group_id=self.group_id,
                    message_id=f"m{self._said:05}",
                    user_id="u-bot" if is_bot else f"u-{user.lower()}",
                    user_name=user,
                    content=content,
                    create_time=(said_at or self.clock()) + timedelta(seconds=self._said),
                    role="assistant" if is_bot else "user",
                    **changes,
                )
            )
        for at in range(0, len(messages), 100):
            await handle_messages.ingest(self.group_id, messages[at : at + 100], self.ingest)
        return [one.message_id for one in messages]

    async def recall(self, message_id: str) -> None:
        recall = Recall(group_id=self.group_id, message_id=message_id, recalled_at=self.clock())
        await handle_messages.ingest(self.group_id, [recall], self.ingest)

    async def attribute(self) -> None:
        deps = replace(attributing(self.made), dispatch=nobody(), model=self.model)
        for _ in range(TRIES):
            try:
                await handle_attribute.attribute(self.group_id, deps)
                return
            except Transient:
                continue
        raise AssertionError("the embedder never answered")

    async def start(self, job: Job) -> Job:
        return await self.made.jobs.ensure(job)

    async def run(self, job_id: str) -> Ran:
        """By the handler that the job's route calls."""
        job = await self.made.jobs.get(job_id)
        assert job is not None, f"there is no job {job_id}"
        do = self._handler(job)
        return await self.made.worker.run(job_id, do)

    def _handler(self, job: Job) -> Any:
        made, own = self.made, {"model": self.model, "model_budget_s": 30.0}
        match job.payload:
            case SummarizeTopic():
                deps: Any = replaced(made, dispatch=nobody(), **own)
                return lambda work: handle_summarize.run(work, deps)
            case TellWeek():
                deps = replaced(made, dispatch=nobody())
                return lambda work: handle_digest.run(work, deps)
            case RecordNote():
                deps = replaced(made, dispatch=nobody(), **own)
                return lambda work: handle_note.run(work, deps)
            case MergeProfile():
                deps = replaced(made, **own)
                return lambda work: handle_profile.run(work, deps)
            case EvolveGroup():
                deps = replace(handle_evolve.deps_for(None, made), dispatch=nobody(), **own)
                return lambda work: handle_evolve.evolve(work, deps)
            case ForgetMessage() | ForgetMember() | ForgetMemory() | ForgetGroup():
                deps = self.forgetting()
                return lambda work: handle_forget.run(work, deps)
        raise AssertionError(job.kind)

    def forgetting(self) -> Services:
        return replaced(self.made, dispatch=nobody())

    async def run_all(self) -> None:
        """Everything that is open, until nothing is."""
        for _ in range(self.patience):
            if not (waiting := await self._open_jobs()):
                return
            for job in waiting:
                if await self.made.jobs.get(job.job_id):
                    with suppress(Transient):  # as the queue would: again
                        await self.run(job.job_id)
        left = [(job.kind, job.state.value, job.attempts, job.error) for job in waiting]
        raise AssertionError(f"there is no end to the open jobs {left[:5]}, {len(left)} in all")

    async def _open_jobs(self) -> list[Job]:
        """A page of each state. Those that are done may be more than a page, and hide no other."""
        found: list[Job] = []
        for state in (JobState.PENDING, JobState.RUNNING, JobState.COMMITTED):
            found += (
                await self.made.jobs.listed(
                    state=state.value, group_id=self.group_id, limit=200, offset=0
                )
            )[1]
        return found

    async def summarize(self) -> None:
        self._asked += 1
        _, topics = await self.made.topics.listed(
            self.group_id, is_active=None, limit=200, offset=0
        )
        for topic in topics:
            cause = f"test {self._asked}"
            await self.start(summarize_job(self.group_id, topic.topic_id, cause, self.clock()))
        await self.run_all()

    async def evolve(self) -> None:
        self._asked += 1
        await self.start(evolve_job(self.group_id, f"test {self._asked}", self.clock()))
        await self.run_all()

    async def note(self, user: str, action: str, info: str, *message_ids: str) -> None:
        self._asked += 1
        note = Note(
            group_id=self.group_id,
            user_id=f"u-{user.lower()}",
            request_id=f"r{self._asked}",
            end_seq=1,
            action_summary=action,
            new_info=info,
            force=False,
            message_ids=message_ids,
            received_at=self.clock(),
        )
        await self.start(historian_job(note, self.clock()))
        await self.run_all()

    async def context(self, question: str, user: str = "Bob") -> ContextAnswer:
        return await ask(
            self.made, self.group_id, message=question, user_id=f"u-{user.lower()}",
            include=["messages", "memories", "events", "profiles", "summaries", "graph"],
        )  # fmt: skip

    async def reply(self, answer: ContextAnswer, words: str) -> None:
        record = await self.made.contexts.find(answer.context_id)
        deps = self.made
        await handle_feedback.take_feedback(record, Feedback(llm_response=words), deps)

    async def forgotten(self, job: Job) -> ForgetReport:
        await self.run_all()
        found = await self.made.jobs.get(job.job_id)
        assert found is not None
        assert isinstance(found.report, ForgetReport), found
        return found.report

    async def where(self, *words: str) -> dict[str, list[str]]:
        """Every document and vector that holds one of the words, by the word."""
        found: dict[str, list[str]] = {word: [] for word in words}
        async for path, text in self._everything():
            for word in words:
                if word in text:
                    found[word].append(path)
        return found

    async def _everything(self) -> AsyncIterator[tuple[str, str]]:
        firestore = self.made.database.firestore
        async for document in _documents(firestore.service, firestore.documents):
            yield document.name.partition("/documents/")[2], _readable(document)
        from shared.domain.ids import namespace

        for store in (self.made.vectors, self.made.word_index):
            index = await store._index()
            ids = [one async for one in vector_ids(index, namespace(self.group_id))]
            for start in range(0, len(ids), AT_ONCE):
                some = ids[start : start + AT_ONCE]
                got = await index.fetch(ids=some, namespace=namespace(self.group_id))
                for vector_id in some:
                    one = got.vectors.get(vector_id)
                    told = dict(one.metadata or {}) if one else {}
                    text = json.dumps(told, ensure_ascii=False)
                    yield f"vector {vector_id}", f"{vector_id} {text}"

    async def orphans(self) -> list[str]:
        """Vectors and rows of words whose record is gone, or blank: they tell nobody's words by
        themselves, but come from them."""
        from shared.domain.ids import namespace

        live: dict[str, set[str]] = {}
        firestore = self.made.database.firestore
        async for document in _documents(firestore.service, firestore.documents):
            path = document.name.partition("/documents/")[2]
            below = path.removeprefix(f"{group_path(self.group_id)}/").split("/")
            is_blank = below[0] == "messages" and not document.fields["content"].string_value
            if len(below) == 2 and not is_blank:
                live.setdefault(below[0], set()).add(below[1])
        found = []
        index = await self.made.vectors._index()
        async for one in vector_ids(index, namespace(self.group_id)):
            kind, _, record_id = one.partition("#")
            if record_id not in live.get(OF_VECTORS[kind], ()):
                found.append(one)
        index = await self.made.word_index._index()
        rows = [one async for one in vector_ids(index, namespace(self.group_id))]
        return found + [f"words of {one}" for one in rows if one not in live.get("messages", ())]

    def in_files(self, *words: str) -> dict[str, list[str]]:
        """Every file of the emulators' data that holds one of the words, once they have tidied
        up."""
        admin = self.told["admin"]
        for name, path in (("firestore", "/checkpoint"), ("tasks", "/checkpoint")):
            assert httpx.post(f"{admin[name]}{path}", trust_env=False).is_success
        httpx.post(f"{admin['pinecone']}/checkpoint", trust_env=False)
        found: dict[str, list[str]] = {word: [] for word in words}
        for file in Path(self.told["data"]).rglob("*"):
            content = file.read_bytes() if file.is_file() else b""
            for word in words:
                if word.encode() in content:
                    found[word].append(str(file))
        return found


async def _documents(service: Any, parent: str) -> AsyncIterator[Any]:
    """All below, whatever their collections are called."""
    every = {"from_": [{"all_descendants": True}]}
    request = {"parent": parent, "structured_query": every}
    async for found in await service.run_query(request=request):
        if found.document.name:
            yield found.document


def _readable(document: Any) -> str:
    parts = [document.name, str(type(document).to_dict(document))]
    for value in document.fields.values():
        parts += _packed(value.bytes_value)
    return " ".join(parts)


def _packed(value: bytes) -> list[str]:
    """Texts are packed in some documents."""
    try:
        return [zlib.decompress(value).decode()]
    except (zlib.error, UnicodeDecodeError):
        return []


async def vector_ids(index: Any, namespace: str) -> AsyncIterator[str]:
    from pinecone.errors.exceptions import NotFoundError

    token: str | None = None
    while True:
        try:
            page = await index.list_paginated(namespace=namespace, pagination_token=token)
        except NotFoundError:
            return
        for one in page.vectors:
            yield one.id
        token = page.pagination.next if page.pagination else None
        if not token:
            return
