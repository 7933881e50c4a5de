"""Forgetting: messages become blank at once; what was derived from them is removed in the same
request while there is time, and by a job after that, which keeps the receipt."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from shared.config import need, settings_for
from shared.contracts.jobs import (
    forget_group_job,
    forget_message_job,
    summarize_job,
)
from shared.domain.forgetting.forgotten import Forgotten, hashed_member
from shared.domain.group import BeingForgotten, Group, deleted_group
from shared.domain.ids import digest
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import (
    ForgetGroup,
    ForgetMember,
    ForgetMemory,
    ForgetMessage,
    ForgetReport,
)
from shared.domain.jobs.lease import profile_of, summary_of
from shared.domain.messages.delivery import blanked, forgotten_message, without_mentions
from shared.domain.word_index.rows import rows_without
from shared.errors import AnnalsError, Conflict, Misconfigured, NotFound, Transient
from shared.forgetting.removal import forget_now, read_back
from shared.jobs.worker import JobInHand
from shared.stores.derived import BELOW, OF_THE_GROUP, PAGE, Changes
from shared.stores.firestore import Snapshot, delete
from shared.stores.groups import being_forgotten, put_group
from shared.stores.jobs import new_job
from shared.stores.leases import lease_path
from shared.stores.message_records import MESSAGES, changed_message
from shared.stores.tails import forgotten_lines
from shared.stores.vectors import vector_id
from shared.wiring import Services

UNCOUNTED = ("tail", "pages")
"""Copies of other records: a receipt does not count them."""
ATTEMPTS = 5
"""Of blanking a message that others write at the same time."""
AT_ONCE_S = 8.0
"""Time limit for removing everything within the request; the job does the rest."""
NEIGHBOURS_WITHIN = timedelta(hours=6)
NEIGHBOURS = 100
"""Where the lines beside a forgotten one are looked for, before it and after it."""


async def forget_message(group_id: str, message_id: str, made: Services) -> Job:
    """Blank the message and commit the job that removes its traces, in one commit. They are gone
    when this returns, unless a store is away: then the job does it."""
    for _ in range(ATTEMPTS):
        with contextlib.suppress(Conflict):  # attribution placed it, or it was edited, meanwhile
            return await _blank_message(group_id, message_id, made)
    raise Transient("the message changed at every try; try again")


async def _blank_message(group_id: str, message_id: str, made: Services) -> Job:
    found = await made.messages.get_many(group_id, [message_id])
    if message_id not in found:
        raise NotFound(f"there is no message {message_id} in this group")
    message = found[message_id].message
    job = forget_message_job(message, made.now())
    known = await made.jobs.get(job.job_id)
    if known is not None:
        return known
    topics = [message.topic_id] if message.topic_id else []
    asked = BeingForgotten(message_ids=(message_id,), topic_ids=tuple(topics))
    mark = being_forgotten(group_id, job.job_id, asked)
    also = [*forgotten_lines(group_id, [message_id]), mark, new_job(job)]
    await made.messages.apply({message_id: blanked(message)}, found, also)
    forgotten = Forgotten(message_ids=frozenset([message_id]))
    await forget_now(made.removal, group_id, forgotten, topics, job.job_id)
    await made.dispatch.job(job)
    return job


async def forget_member(group_id: str, user_id: str, made: Services) -> Job:
    """All that a member said here, and all that is kept of them."""
    need(made.settings.hash_key, "ANNALS_HASH_KEY")
    job = await made.member_requests.forget_member(group_id, user_id, made.now())
    with contextlib.suppress(AnnalsError, TimeoutError):
        async with asyncio.timeout(AT_ONCE_S):
            await _forget_words_of(job, user_id, made)
            await made.derived.all_gone(group_id, job.job_id)
    await made.dispatch.job(job)
    return job


async def forget_group(group_id: str, made: Services) -> Job:
    """A tombstone from now on, which refuses late commits; what is below it goes in the job."""
    group = await made.groups.find(group_id)
    if group is None:
        raise NotFound(f"there is no group {group_id}")
    job = forget_group_job(group, made.now())
    known = await made.jobs.get(job.job_id)
    if known is not None:
        return known
    tombstone = put_group(deleted_group(group, made.now()))
    await made.messages.apply({}, {}, [tombstone, new_job(job)])
    await made.dispatch.job(job)
    return job


async def run(work: JobInHand, made: Services) -> ForgetReport:
    """Every step looks for what is still there, so a retry goes on where the last run ended; the
    commit that removes something also counts it on the job."""
    asked = work.job.payload
    if isinstance(asked, ForgetMember):
        await _forget_member(work, asked, made)
    elif isinstance(asked, ForgetGroup):
        await _forget_group(work, made)
    elif isinstance(asked, ForgetMemory):
        forgotten = Forgotten(root_ids=frozenset([asked.memory_root_id]))
        await made.removal.made_of(work.job.group_id, forgotten, [], work.job.job_id)
    else:
        await _forget_message(work, work.payload(ForgetMessage), made)
    if not isinstance(asked, ForgetGroup):  # of which only a tombstone is left
        await made.derived.all_gone(work.job.group_id, work.job.job_id)
    job = (await work.reread()).job
    counts: dict[str, Any] = {"messages": 0, "topics": 0, "vectors": 0, **job.removed}
    return ForgetReport(**counts, rederived=dict(job.rederived), finished_at=made.now())


async def _forget_message(work: JobInHand, asked: ForgetMessage, made: Services) -> None:
    group_id, message_id = work.job.group_id, asked.message_id
    forgotten = Forgotten(message_ids=frozenset([message_id]))
    await made.tails.drop_lines(group_id, lambda line: line.message_id == message_id)
    await made.pages.change_lines(
        group_id,
        "message_ids",
        [message_id],
        lambda line: None if line.message_id == message_id else line,
    )
    anew = await made.removal.made_of(
        group_id, forgotten, [asked.topic_id] if asked.topic_id else [], work.job.job_id
    )
    # A topic that this message began has an id derived from it, even if it was never committed.
    began = digest("topic", group_id, message_id)
    vectors = [vector_id("message", message_id)]
    if asked.topic_id is None or asked.topic_id == began:
        left = await made.topics.get_many(group_id, [began])
        vectors += [] if left else [vector_id("topic", began), vector_id("summary", began)]
    await _drop_vectors(group_id, vectors, [message_id], made)
    await _forget_words(group_id, message_id, asked.topic_id, made)
    if "messages" not in work.job.removed:
        await made.derived.count_on(work.job.job_id, {"messages": 1, "vectors": 1})
    await _tell_anew(work.job, anew, made)


async def _drop_vectors(
    group_id: str, vectors: Sequence[str], message_ids: Sequence[str], made: Services
) -> None:
    """Removes the vectors of messages from both indexes at once."""
    await made.word_index.delete(group_id, message_ids)
    await made.removal.drop_vectors(group_id, vectors)

    async def is_gone() -> bool:
        return not await made.word_index.known(group_id, message_ids)

    await read_back(is_gone)


async def _forget_words(
    group_id: str, message_id: str, topic_id: str | None, made: Services
) -> None:
    """Lines beside it are no longer found by its words."""
    message = await made.messages.get(group_id, message_id)
    if message is None or not topic_id:
        return
    when = message.create_time
    before = await made.messages.recent(
        group_id, since=when - NEIGHBOURS_WITHIN, until=when, limit=NEIGHBOURS
    )
    after = await made.messages.said_between(
        group_id, when, when + NEIGHBOURS_WITHIN, message_id, NEIGHBOURS
    )
    rows = rows_without([*before, *after], topic_id, message_id, when)
    with contextlib.suppress(Misconfigured):  # no index, no rows
        await made.word_index.upsert(group_id, rows)


async def _tell_anew(job: Job, topic_ids: Sequence[str], made: Services) -> None:
    """A removed summary is made again from the lines that are left."""
    group = await made.groups.find(job.group_id)
    if not settings_for(group, made.settings).enable_summaries:
        return
    for topic_id in topic_ids:
        cause = f"after forgetting {job.job_id}"
        again = await made.jobs.ensure(summarize_job(job.group_id, topic_id, cause, made.now()))
        await made.dispatch.job(again)


async def _forget_member(work: JobInHand, asked: ForgetMember, made: Services) -> None:
    """Derived records go first: the topics to look in are known only while the messages exist."""
    group_id, user_id = work.job.group_id, asked.member_id
    job_id = work.job.job_id
    hashed = hashed_member(user_id, need(made.settings.hash_key, "ANNALS_HASH_KEY"))
    await _forget_words_of(work.job, user_id, made)
    await _hash_mentions(group_id, user_id, hashed, job_id, made)
    # Attribution waits for this job's lease: it cannot put back a line that it read before.
    await made.tails.drop_lines(
        group_id,
        lambda line: user_id in (line.user_id, *(each.user_id for each in line.mentions)),
    )
    await made.pages.change_lines(
        group_id,
        "user_ids",
        [user_id],
        lambda line: None if line.user_id == user_id else without_mentions(line, user_id, hashed),
    )
    await _drop_lines_of(group_id, hashed, made)
    await made.groups.change(
        group_id, lambda group: _hashed_out(group, user_id, hashed), made.now()
    )
    lease = delete(lease_path(profile_of(group_id, f"user:{user_id}")))
    await made.messages.apply({}, {}, [lease])
    await made.jobs.move(job_id, lambda job: replace(job, payload=ForgetMember(hashed)))


def _hashed_out(group: Group, user_id: str, hashed: str) -> Group:
    """Members who opted out stay opted out, under a hashed id."""
    out = tuple(hashed if opted_out == user_id else opted_out for opted_out in group.opted_out)
    return replace(group, opted_out=tuple(dict.fromkeys(out)))


async def _forget_words_of(job: Job, user_id: str, made: Services) -> None:
    """All that they said, and what was made of it, in pages; safe to end anywhere."""
    group_id, job_id = job.group_id, job.job_id
    forgotten = Forgotten(user_ids=frozenset([user_id]))
    hashed = hashed_member(user_id, need(made.settings.hash_key, "ANNALS_HASH_KEY"))
    await made.tails.drop_lines(group_id, lambda line: line.user_id == user_id)
    topics = await made.derived.made_of(group_id, "topics", "user_ids", [user_id])
    in_topics = [str(topic.data["topic_id"]) for topic in topics]
    anew = set(await made.removal.made_of(group_id, forgotten, in_topics, job_id))
    were_in = set(in_topics)
    while page := await made.derived.where(group_id, "messages", "user_id", user_id, PAGE):
        said = [MESSAGES.read(message) for message in page]
        others = {message.topic_id for message in said if message.topic_id} - were_in
        anew |= set(await made.removal.topics_again(group_id, sorted(others), forgotten, job_id))
        were_in |= others
        ids = [message.message_id for message in said]
        vectors = [vector_id("message", message_id) for message_id in ids]
        await _drop_vectors(group_id, vectors, ids, made)
        for message in said:
            await _forget_words(group_id, message.message_id, message.topic_id, made)
        changes = Changes()
        for snapshot, message in zip(page, said, strict=True):
            left = changed_message(forgotten_message(message, hashed), snapshot.updated_at)
            changes.write(snapshot, left, {"removed": {"messages": 1, "vectors": 1}})
        await made.derived.apply(group_id, changes, job_id)
    # Once more: until all of it was blank, a pipeline could still make something of it.
    anew |= set(await made.removal.made_of(group_id, forgotten, sorted(were_in), job_id))
    await _tell_anew(job, sorted(anew), made)


async def _drop_lines_of(group_id: str, hashed: str, made: Services) -> None:
    """Vectors and rows of words of lines that are blank already: a run of attribution that had read
    them before puts them into the indexes when it ends, which it has by now, as this job has its
    lease."""
    after: str | None = None
    while page := await made.derived.page_where(group_id, "messages", "user_id", hashed, after):
        after = page[-1].path
        ids = [MESSAGES.read(found).message_id for found in page]
        vectors = [vector_id("message", message_id) for message_id in ids]
        await _drop_vectors(group_id, vectors, ids, made)


async def _hash_mentions(
    group_id: str, user_id: str, hashed: str, job_id: str, made: Services
) -> None:
    """What others wrote stays, without its mentions of this member."""
    after: str | None = None
    while page := await made.derived.page(group_id, "messages", after):
        after = page[-1].path
        changes = Changes()
        for snapshot in page:
            message = MESSAGES.read(snapshot)
            left = without_mentions(message, user_id, hashed)
            if left != message:
                write = changed_message(left, snapshot.updated_at)
                changes.write(snapshot, write, {"removed": {"mentions": 1}})
        await made.derived.apply(group_id, changes, job_id)


async def _forget_group(work: JobInHand, made: Services) -> None:
    group_id, job_id = work.job.group_id, work.job.job_id
    await made.vectors.delete_all(group_id)
    await made.word_index.delete_all(group_id)
    for kind in OF_THE_GROUP:
        while page := await made.derived.page(group_id, kind):
            below = BELOW.get(kind)
            for parent in page if below else ():
                found = await made.derived.below(parent, below or "")
                await made.derived.delete_all(found, job_id, below or "")
            # Before the records: their names tell of members, and nobody else knows them.
            await made.messages.apply(
                {}, {}, [delete(path) for path in _leases(group_id, kind, page)]
            )
            await made.derived.delete_all(page, job_id, "others" if kind in UNCOUNTED else kind)
    skip = 0
    while page := await made.derived.jobs_page(group_id, skip):
        others = [found for found in page if found.data["job_id"] != job_id]
        await made.derived.delete_all(others, job_id, "jobs")
        skip = len(page) - len(others)
        if not others:
            break

    async def is_gone() -> bool:
        in_either = [await index.has_any(group_id) for index in (made.vectors, made.word_index)]
        return not any(in_either)

    await read_back(is_gone)


def _leases(group_id: str, kind: str, page: Sequence[Snapshot]) -> list[str]:
    """Paths of the leases of single records."""
    if kind == "profiles":
        return [lease_path(profile_of(group_id, str(found.data["profile_id"]))) for found in page]
    if kind == "topics":
        return [lease_path(summary_of(group_id, str(found.data["topic_id"]))) for found in page]
    return []
