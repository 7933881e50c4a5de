"""Tools that leave something behind: a memory the model was told to keep, and its note."""

from collections.abc import Callable, Sequence
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
from shared.domain.memories.door import DoorRules, Origin, admit, sole_source
from shared.domain.memories.embedded_wording import embedded_as, memory_text
from shared.domain.memories.memory import Memory, MemoryStatus, bare_words, is_expired
from shared.domain.memories.reading import members_in
from shared.domain.memories.versions import Step, created, updated
from shared.domain.memories.voices import KNOWN_MESSAGES, Voices, standing_by
from shared.domain.similarity.vectors import pack
from shared.domain.tail import Tail
from shared.errors import Conflict, InvalidInput, NotFound, Transient
from shared.language import kind_of_statement, why_unclear
from shared.search.memory_index import index
from shared.stores.groups import Groups
from shared.stores.jobs import Jobs
from shared.stores.memories import Memories, step_erased, step_writes
from shared.stores.messages import Messages
from shared.stores.tails import Tails
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
    tails: Tails
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
    """Through the same door as what is read: what one member says of others or of all waits for a
    second voice. A memory in the same words is told instead of added twice; who else says it is
    another voice."""
    now, group_id = deps.now(), bound.group_id
    if unclear := why_unclear(asked.statement):
        raise InvalidInput(f"statement: say it in one sentence that stands alone: {unclear}")
    await _check_sources(bound, deps)
    silent_until = now + timedelta(days=deps.settings.unsupported_days)
    group = await deps.groups.change(
        group_id, lambda found: replace(found, review_at=found.review_at or silent_until), now
    )
    if _is_out(group, bound.user_id, deps.settings):
        raise InvalidInput("the member who speaks wants nothing remembered")
    found = [
        *await deps.memories.with_status(group_id, MemoryStatus.ACTIVE, MOST_COMPARED),
        *await deps.memories.with_status(group_id, MemoryStatus.CANDIDATE, MOST_COMPARED),
    ]
    known = [one.memory for one in found]
    users = (bound.user_id,) if bound.user_id else ()
    same = next((one for one in found if _is_same(one.memory, asked, now)), None)
    old = same.memory if same else None
    if old and (old.status is MemoryStatus.ACTIVE or set(users) <= set(old.source_users)):
        return AddedMemory(is_new=False, memory=shown_memory(old))
    memory = Memory(
        memory_id="",
        group_id=group_id,
        statement=asked.statement,
        version=1,
        created_at=now,
        updated_at=now,
        kind=asked.kind or (old.kind if old else kind_of_statement(asked.statement)),
        subject=asked.subject,
        change_summary=REASON,
        strength=STRENGTH,
        sources=bound.message_ids,
        source_users=users,
        last_supported_at=now,
        valid_from=now,
    )
    step = await _step(memory, old, known, group, bound, deps)
    revisions = {same.memory.memory_id: same.revision} if same else {}
    try:
        await deps.memories.apply(step_writes(step, revisions))
    except Conflict:
        # The same call in the same moment: one of them made it.
        stored = await deps.memories.get_many(group_id, [step.new.memory_id])
        if step.new.memory_id not in stored:
            raise
        return AddedMemory(is_new=False, memory=shown_memory(stored[step.new.memory_id]))
    try:
        await _check_sources(bound, deps)
    except InvalidInput:  # taken back in this moment: what forgets it may have looked before
        if step.old is None:
            await deps.memories.apply(step_erased(step))
        raise
    try:
        touched = [step.new.memory_id, *([step.old.memory_id] if step.old else [])]
        await index(group_id, touched, deps.memories, deps.vectors)
    except Transient as error:
        # It is kept; upkeep brings what never reached the index.
        log.warning("memory_not_indexed", group_id=group_id, code=error.code)
    return AddedMemory(is_new=True, memory=shown_memory(step.new))


async def _step(
    memory: Memory,
    old: Memory | None,
    known: Sequence[Memory],
    group: Group,
    bound: Bound,
    deps: MemoryDeps,
) -> Step:
    """As the door lets it in, with its vector; an id that comes from what is said."""
    now, own = deps.now(), settings_for(group, deps.settings)
    tail = await deps.tails.get(bound.group_id)
    rules = DoorRules(
        own.max_active_memories,
        own.hold_back_memories,
        lambda user_id: is_opted_out(group.opted_out, user_id, deps.settings.hash_key),
        members=_members(tail, bound),
    )
    # A host that does not say who speaks gives its own word.
    voices = await _voices(memory, old, group, deps) if memory.source_users else None
    admitted = admit(memory, Origin.TOOL, voices, known, rules, {now})
    if admitted.refusal:
        raise InvalidInput(admitted.refusal)
    memory = admitted.memory
    waiting = [one for one in known if one.status is MemoryStatus.CANDIDATE]
    own_waiting = sum(sole_source(one) == bound.user_id for one in waiting)
    if memory.held_back and old is None and own_waiting >= rules.share:
        raise InvalidInput("this member has as many memories waiting for a second voice as may be")
    vector = await deps.embedder.embed_one(
        memory_text(memory.statement, memory.kind),
        group_id=bound.group_id,
        budget_s=EMBED_BUDGET_S,
    )
    memory = replace(
        memory, vector=pack(vector or ()), embedded_as=embedded_as(deps.settings.embedding_model)
    )
    run_id = f"tool {digest(memory.group_id, memory.subject, bare_words(memory.statement))}"
    if old is not None:
        return updated(old, memory, run_id=f"{run_id} {bound.user_id}", now=now)
    step = created(memory, run_id=run_id, now=now)
    stored = await deps.memories.get_many(group.group_id, [step.new.memory_id])
    before = stored.get(step.new.memory_id)
    if before and before.status not in (MemoryStatus.ACTIVE, MemoryStatus.CANDIDATE):
        # It was here before and is over: this is another one in the same words.
        step = created(memory, run_id=f"{run_id} {now.isoformat()}", now=now)
    return step


async def _voices(memory: Memory, old: Memory | None, group: Group, deps: MemoryDeps) -> Voices:
    users = dict.fromkeys((*memory.source_users, *(old.source_users if old else ())))
    said = [await deps.messages.some_of(group.group_id, user, KNOWN_MESSAGES) for user in users]
    standings = {
        user: standing
        for user, lines in zip(users, said, strict=True)
        if (standing := standing_by(lines)) is not None
    }
    return Voices(dict.fromkeys(users, 1), deps.now(), standings, group.created_at)


def _members(tail: Tail | None, bound: Bound) -> dict[str, str]:
    """Who spoke lately, and the one who speaks: until they did, their id is their name."""
    known = members_in(tail.lines) if tail else {}
    return {bound.user_id: bound.user_id, **known} if bound.user_id else known


def _is_same(memory: Memory, asked: AddMemory, now: datetime) -> bool:
    is_held = not is_expired(memory, now)
    return is_held and bare_words(memory.statement) == bare_words(asked.statement)


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
