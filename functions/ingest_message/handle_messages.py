"""Stores what was said: read what is known, decide, one commit, one named task. No model waits."""

import asyncio
import contextlib
import functools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from functions.ingest_message.imported_lines import known_by_their_words
from shared import log
from shared.config import Settings, settings_for
from shared.contracts.jobs import forget_message_job, move_job
from shared.domain.audience import combined_audience
from shared.domain.forgetting.forgotten import Forgotten, is_opted_out
from shared.domain.group import BeingForgotten, Group, new_group
from shared.domain.jobs.attribution_tasks import is_bot_asked
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import ForgetMessage
from shared.domain.messages.analyser import analysed
from shared.domain.messages.delivery import (
    Analyse,
    IngestPlan,
    Receipt,
    decide_ingest,
    early_recall,
    is_history,
    with_early_recall,
)
from shared.domain.messages.member_commands import command_of
from shared.domain.messages.message import GroupEvent, Message, Recall
from shared.domain.transfer.imported_records import taken_over
from shared.errors import Broken, Conflict, Forbidden, Transient
from shared.jobs.dispatch import Dispatch
from shared.stores.firestore import Write, create
from shared.stores.groups import (
    FoundGroup,
    Groups,
    audience_write,
    being_forgotten,
    group_fields,
    group_path,
)
from shared.stores.jobs import new_job
from shared.stores.messages import Messages
from shared.stores.tails import forgotten_lines
from shared.wiring import Services

if TYPE_CHECKING:
    from shared.forgetting.removal import Removal

MAX_MESSAGES = 100
"""Of one commit, with what else it writes: well below the 500 writes a commit may have."""
MAX_BYTES = 5 * 1024 * 1024
"""Of one commit: half of what Firestore takes."""
MUCH_TEXT = 16 * 1024
"""So many characters take tens of milliseconds to read: others are answered meanwhile."""
TRIES = 8
"""Deliveries of the same message that race each other: the last of eight still gets through."""


@dataclass(frozen=True)
class IngestDeps:
    groups: Groups
    messages: Messages
    dispatch: Dispatch
    analyse: Analyse
    now: Callable[[], datetime]
    removal: "Callable[[], Removal] | None" = None
    """Takes away at once what was made of a recalled message; without it only the job does."""
    hash_key: str | None = None
    """Of forgotten members, so that one who opted out is known again."""
    own_settings: Settings | None = None
    """They say whether members may ask about their own words, and whether secrets are masked;
    without them both are off."""


def deps_for(made: Services) -> IngestDeps:
    return made.deps(
        IngestDeps,
        analyse=analysed,
        removal=lambda: made.removal,
        hash_key=made.settings.hash_key,
        own_settings=made.settings,
    )


async def ingest(
    group_id: str, arrivals: Sequence[Message | Recall], deps: IngestDeps
) -> list[Receipt]:
    """Deliveries of one group, in order. Delivered twice, or in another order, it ends the same."""
    receipts: list[Receipt] = []
    for chunk in chunks(arrivals):
        receipts += await _ingest_apart(group_id, chunk, deps)
    return receipts


async def _ingest_apart(
    group_id: str, arrivals: Sequence[Message | Recall], deps: IngestDeps
) -> list[Receipt]:
    """What the database refuses for one message it refuses for all beside it: then each half is
    tried by itself, and the one that is left without what was found in it."""
    try:
        return list(await _ingest_chunk(group_id, arrivals, deps))
    except Broken:
        if len(arrivals) == 1:
            log.error("message_kept_without_features", group_id=group_id)
            unread = replace(deps, analyse=lambda _: (None, ()))
            return list(await _ingest_chunk(group_id, arrivals, unread))
    half = len(arrivals) // 2
    first = await _ingest_apart(group_id, arrivals[:half], deps)
    return first + await _ingest_apart(group_id, arrivals[half:], deps)


async def placed(recall: Recall, deps: IngestDeps) -> Recall | None:
    """The same in the chat it happened in; None if no private chat has what it takes back."""
    platform = recall.group_id.partition(":")[0]
    found = await deps.messages.newest_in_private(
        platform, recall.native_id or "", recall.user_id or ""
    )
    if found is None:
        return None
    return Recall(
        group_id=found.group_id,
        message_id=found.message_id,
        recalled_at=recall.recalled_at,
        user_id=recall.user_id,
    )


async def note_event(event: GroupEvent, deps: IngestDeps) -> None:
    """What happened to the group itself: a new name is kept, another id takes all along, the rest
    is only logged."""
    log.info("group_event", group_id=event.group_id, happening=event.happening)
    if event.previous_group_id:
        await _take_over(event.group_id, event.previous_group_id, deps)
    name = event.group_name
    if name and event.happening in ("renamed", "bot_added"):
        await deps.groups.change(
            event.group_id, lambda group: replace(group, name=name), deps.now()
        )


async def _take_over(group_id: str, before: str, deps: IngestDeps) -> None:
    """Settings and opt-outs hold at once; everything else follows in a job. Told twice, it is done
    once."""
    old = await deps.groups.find(before)
    if old is None or old.is_deleted or group_id == before:
        return
    job = move_job(group_id, before, deps.now())
    with contextlib.suppress(Conflict):  # it is under way
        await deps.groups.change(
            group_id, lambda found: taken_over(found, old), deps.now(), [new_job(job)]
        )
    await deps.dispatch.job(job)


async def _ingest_chunk(
    group_id: str, arrivals: Sequence[Message | Recall], deps: IngestDeps
) -> Sequence[Receipt]:
    arrivals = [await _resolved(arrival, deps) for arrival in arrivals]
    arrivals = await known_by_their_words(group_id, arrivals, deps.messages)
    ids = [arrival.message_id for arrival in arrivals if arrival.message_id]
    ids += [early_recall(arrival.native_id) for arrival in arrivals if arrival.native_id]
    answered = {
        arrival.reply_message_id
        for arrival in arrivals
        if isinstance(arrival, Message) and arrival.reply_message_id and not arrival.is_mention_bot
    }
    for _ in range(TRIES):
        found, read = await deps.messages.with_group(group_id, [*ids, *answered])
        group = found.group if found else None
        if group and group.is_deleted:
            told = f"group {group_id} was deleted and takes no messages"
            raise Forbidden(told, group_id=group_id, is_deleted=True)
        known = {message_id: found.message for message_id, found in read.items()}
        decide = functools.partial(
            decide_ingest,
            [with_early_recall(arrival, known) for arrival in arrivals],
            known,
            opted_out=_opted_out(group, arrivals, deps.hash_key),
            analyse=deps.analyse,
            now=deps.now(),
            masks_secrets=_masks_secrets(group, deps),
        )
        plan = await asyncio.to_thread(decide) if _is_much(arrivals) else decide()
        jobs = [
            forget_message_job(read[message_id].message, deps.now())
            for message_id in plan.recalled
            if message_id in read
        ]
        try:
            also = [
                *_group_writes(found, arrivals, plan, deps.now()),
                *(_withheld(job) for job in jobs),
                *map(new_job, jobs),
            ]
            if not plan.messages and not also:
                return plan.receipts
            await deps.messages.apply(plan.messages, read, also)
        except Conflict:
            # Somebody delivered one of these meanwhile: what is known has changed.
            continue
        is_asked = is_bot_asked(
            plan.messages.values(),
            [known[message_id] for message_id in answered if message_id in known],
        )
        if masked := sum(message.masked_at is not None for message in plan.messages.values()):
            log.warning("secrets_masked", group_id=group_id, messages=masked)
        await _send(group_id, group, plan, jobs, is_asked, deps)
        return _with_commands(plan.receipts, arrivals, group, deps.own_settings)
    raise Transient(f"the messages of {group_id} keep changing; try again")


def _with_commands(
    receipts: Sequence[Receipt],
    arrivals: Sequence[Message | Recall],
    group: Group | None,
    settings: Settings | None,
) -> Sequence[Receipt]:
    """Where the group lets its members ask about their own words, which of these do."""
    if settings is None or not settings_for(group, settings).member_commands:
        return receipts
    return [
        replace(receipt, command=command_of(arrival.content))
        if isinstance(arrival, Message) and arrival.role == "user" and receipt.outcome == "stored"
        else receipt
        for receipt, arrival in zip(receipts, arrivals, strict=True)
    ]


def _masks_secrets(group: Group | None, deps: IngestDeps) -> bool:
    own = deps.own_settings
    return own is not None and settings_for(group, own).mask_secrets_in_messages


def _is_much(arrivals: Sequence[Message | Recall]) -> bool:
    return (
        sum(len(arrival.content) for arrival in arrivals if isinstance(arrival, Message))
        > MUCH_TEXT
    )


async def _resolved(arrival: Message | Recall, deps: IngestDeps) -> Message | Recall:
    """Where a platform's ids repeat, the newest message with that id is meant: for a reply the
    newest before it; a recall may be stamped by a clock that is behind the message's own."""
    if isinstance(arrival, Recall):
        if arrival.native_id is None:
            return arrival
        found = await deps.messages.newest_by_native_id(arrival.group_id, arrival.native_id)
        message_id = found.message_id if found else early_recall(arrival.native_id)
        at = arrival.recalled_at or deps.now()
        return replace(arrival, native_id=None, message_id=message_id, recalled_at=at)
    if arrival.reply_native_id is None or arrival.reply_message_id is not None:
        return arrival
    found = await deps.messages.newest_by_native_id(
        arrival.group_id, arrival.reply_native_id, arrival.create_time
    )
    return replace(arrival, reply_message_id=found.message_id) if found else arrival


def _group_writes(
    found: FoundGroup | None,
    arrivals: Sequence[Message | Recall],
    plan: IngestPlan,
    now: datetime,
) -> list[Write]:
    """A group's first message makes its document, and whoever hears it is kept as soon as a
    message says so; a recall raises its epoch."""
    first = arrivals[0]
    said = [arrival.audience for arrival in arrivals if isinstance(arrival, Message)]
    audience = combined_audience(found.group.audience if found else "unknown", said)
    if found is None:
        made = new_group(
            first.group_id,
            now,
            name=(first.group_name or "") if isinstance(first, Message) else "",
            audience=audience,
        )
        return [create(group_path(made.group_id), group_fields(made))]
    heard = [] if audience == found.group.audience else [audience_write(found, audience)]
    return [*heard, *(forgotten_lines(first.group_id, plan.unshown) if plan.unshown else [])]


def _withheld(job: Job) -> Write:
    """Marks what was made of the message as being forgotten, so that readers no longer see it."""
    asked = job.payload
    assert isinstance(asked, ForgetMessage)
    topics = (asked.topic_id,) if asked.topic_id else ()
    what = BeingForgotten(message_ids=(asked.message_id,), topic_ids=topics)
    return being_forgotten(job.group_id, job.job_id, what)


def _opted_out(
    group: Group | None, arrivals: Sequence[Message | Recall], hash_key: str | None
) -> Collection[str]:
    """The members who opted out. A forgotten member is known by the hash of their id only."""
    out = set(group.opted_out) if group else set[str]()
    users = {arrival.user_id for arrival in arrivals if arrival.user_id}
    return out | {user for user in users if is_opted_out(out, user, hash_key)}


async def _send(
    group_id: str,
    group: Group | None,
    plan: IngestPlan,
    jobs: Sequence[Job],
    is_asked: bool,
    deps: IngestDeps,
) -> None:
    # Of a group that was set aside only the sweep sends tasks, with pauses.
    if plan.has_pending and not (group and group.stuck_since):
        await deps.dispatch.attribution(
            group_id,
            is_asked=is_asked,
            last_wait=timedelta(seconds=group.last_wait_s if group else 0),
            is_history=is_history(plan, deps.now()),
        )
    for job in jobs:
        asked = job.payload
        if deps.removal and isinstance(asked, ForgetMessage):
            from shared.forgetting.removal import forget_now

            forgotten = Forgotten(message_ids=frozenset([asked.message_id]))
            topics = [asked.topic_id] if asked.topic_id else []
            await forget_now(deps.removal(), group_id, forgotten, topics, job.job_id)
        await deps.dispatch.job(job)


def chunks(arrivals: Sequence[Message | Recall]) -> Iterator[list[Message | Recall]]:
    """Parts small enough for one commit."""
    chunk: list[Message | Recall] = []
    size = 0
    for arrival in arrivals:
        weight = len(arrival.content.encode()) * 2 if isinstance(arrival, Message) else 0
        if chunk and (len(chunk) >= MAX_MESSAGES or size + weight > MAX_BYTES):
            yield chunk
            chunk, size = [], 0
        chunk.append(arrival)
        size += weight
    if chunk:
        yield chunk
