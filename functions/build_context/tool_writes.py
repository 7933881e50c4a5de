"""Tools that leave something behind: a memory the model was told to keep, and its note."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pydantic import ValidationError

from functions.build_context.tool_room import Bound
from functions.build_context.tool_search import shown_memory
from shared import log
from shared.clients.embedder import Embedder
from shared.config import Settings, settings_for
from shared.contracts.jobs import historian_job
from shared.contracts.notes import EndRequest
from shared.contracts.tools import AddedMemory, AddMemory, End, EndNoted
from shared.domain.forgetting.forgotten import is_opted_out
from shared.domain.group import Group
from shared.domain.ids import digest
from shared.domain.memories.backing import bare_words
from shared.domain.memories.embedded_wording import embedded_as, memory_text
from shared.domain.memories.guessed_kind import guessed_kind
from shared.domain.memories.memory import Memory
from shared.domain.memories.versions import created
from shared.domain.similarity.vectors import pack
from shared.errors import InvalidInput, NotFound, Transient
from shared.search.memory_index import index
from shared.stores.groups import Groups
from shared.stores.jobs import Jobs
from shared.stores.memories import Memories, step_erased, step_writes
from shared.stores.messages import Messages
from shared.stores.vectors import Vectors

MOST_COMPARED = 500
"""Many times what a group may have active: all of them, in practice."""
EMBED_BUDGET_S = 5.0
"""As other tools wait; a memory without a vector gets one in upkeep."""
STRENGTH = 0.5
"""What a model was told once is worth less than what a person adds by hand (0.7)."""
REASON = "kept by the bot's tool"


@dataclass(frozen=True)
class MemoryDeps:
    groups: Groups
    messages: Messages
    memories: Memories
    vectors: Vectors
    embedder: Embedder
    settings: Settings
    now: Callable[[], datetime]


@dataclass(frozen=True)
class NoteDeps:
    groups: Groups
    jobs: Jobs
    settings: Settings
    now: Callable[[], datetime]


async def add_memory(asked: AddMemory, bound: Bound, deps: MemoryDeps) -> AddedMemory:
    """A memory in the same words is told instead of added twice."""
    now = deps.now()
    for one in await deps.memories.holding(bound.group_id, now, MOST_COMPARED):
        if bare_words(one.statement) == bare_words(asked.statement):
            return AddedMemory(is_new=False, memory=shown_memory(one))
    group = await deps.groups.find(bound.group_id)
    if _is_out(group, bound.user_id, deps.settings):
        raise InvalidInput("the member who speaks wants nothing remembered")
    await _check_sources(bound, deps)
    silent_days = settings_for(group, deps.settings).unsupported_days
    silent_until = now + timedelta(days=silent_days)
    await deps.groups.change(
        bound.group_id, lambda found: replace(found, review_at=found.review_at or silent_until), now
    )
    kind = asked.kind or guessed_kind(asked.statement)
    vector = await deps.embedder.embed_one(
        memory_text(asked.statement, kind), group_id=bound.group_id, budget_s=EMBED_BUDGET_S
    )
    memory = Memory(
        memory_id="",
        group_id=bound.group_id,
        statement=asked.statement,
        version=1,
        created_at=now,
        updated_at=now,
        kind=kind,
        subject=asked.subject,
        change_summary=REASON,
        strength=STRENGTH,
        sources=bound.message_ids,
        source_users=(bound.user_id,) if bound.user_id else (),
        last_supported_at=now,
        vector=pack(vector or ()),
        embedded_as=embedded_as(deps.settings.embedding_model),
    )
    step = created(memory, run_id=f"tool {now.isoformat()}", now=now)
    await deps.memories.apply(step_writes(step, {}))
    try:
        await _check_sources(bound, deps)
    except InvalidInput:  # taken back in this moment: what forgets it may have looked before
        await deps.memories.apply(step_erased(step))
        raise
    try:
        await index(bound.group_id, [step.new.memory_id], deps.memories, deps.vectors)
    except Transient as error:
        # It is kept; upkeep brings what never reached the index.
        log.warning("memory_not_indexed", group_id=bound.group_id, code=error.code)
    return AddedMemory(is_new=True, memory=shown_memory(step.new))


async def _check_sources(bound: Bound, deps: MemoryDeps) -> None:
    """InvalidInput if a message that it comes from was recalled or forgotten."""
    found = await deps.messages.get_many(bound.group_id, bound.message_ids)
    if any(not one.message.is_readable for one in found.values()):
        raise InvalidInput("a message that this comes from was taken back")


async def end(asked: End, bound: Bound, deps: NoteDeps) -> EndNoted:
    """The end-of-turn note, as `POST /end` takes it. Its job is committed here and sent by the
    next sweep, within a minute: this function ships without the SDK of the task queue."""
    if not bound.user_id:
        raise InvalidInput("the host did not say who speaks: send user_id")
    now = deps.now()
    said = digest(bound.user_id, asked.action_summary, asked.new_info, now.date().isoformat())
    try:
        note = EndRequest(
            group_id=bound.group_id,
            user_id=bound.user_id,
            request_id=bound.request_id or f"tool-{said}",
            end_seq=bound.end_seq,
            action_summary=asked.action_summary,
            new_info=asked.new_info,
            force=asked.force,
            message_ids=list(bound.message_ids),
            timezone=bound.timezone,
        ).note()
    except ValidationError as error:
        first = error.errors()[0]
        where, why = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        raise InvalidInput(f"{where}: {why}") from error
    if note.is_empty and note.force:
        raise InvalidInput("force needs an action_summary or a new_info: there is no note to keep")
    group = await deps.groups.find(bound.group_id)
    if group is not None and group.is_deleted:
        raise NotFound(f"there is no group {bound.group_id}")
    is_on = settings_for(group, deps.settings).enable_cognitive
    if note.is_empty or not is_on or _is_out(group, bound.user_id, deps.settings):
        return EndNoted(job_id=None)
    job = await deps.jobs.ensure(historian_job(replace(note, received_at=now), now))
    return EndNoted(job_id=job.job_id)


def _is_out(group: Group | None, user_id: str | None, settings: Settings) -> bool:
    if group is None or user_id is None:
        return False
    return is_opted_out(group.opted_out, user_id, settings.hash_key)
