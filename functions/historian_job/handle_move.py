"""A group that the platform calls by another id now: all of it moves there, page by page, and what
is left under the old id is forgotten. Every step can be repeated."""

from functions.historian_job import handle_forget, handle_transfer
from shared.contracts.jobs import move_job
from shared.domain.jobs.job import JobState
from shared.domain.jobs.kinds import MoveGroup, MoveReport
from shared.domain.transfer.imported_records import moved_line
from shared.errors import Transient
from shared.jobs.worker import JobInHand
from shared.wiring import Services

PAGE = 100
PAGES = 10
"""Of one job: a thousand documents take seconds; the next job goes on."""


async def run(work: JobInHand, made: Services) -> MoveReport:
    asked, job = work.payload(MoveGroup), work.job
    before, group_id = asked.previous_group_id, job.group_id
    old = await made.groups.find(before)
    if old is None or old.is_deleted:
        return MoveReport(0, None)
    await _let_others_end(work, before, made)
    moved, after = 0, asked.after
    for _ in range(PAGES):
        page = await made.transfer.page(before, after, PAGE)
        lines = [moved_line(line, before, group_id) for line in page.lines if line.kind != "group"]
        read = [handle_transfer.checked(line, group_id) for line in lines]
        taken, _ = await handle_transfer.take_lines(group_id, read, made)
        moved, after = moved + sum(taken.values()), page.cursor
        if after is None:
            await handle_forget.forget_group(before, made)
            return MoveReport(moved, None)
    rest = await made.jobs.ensure(move_job(group_id, before, made.now(), after))
    await made.dispatch.job(rest)
    return MoveReport(moved, rest.job_id)


async def _let_others_end(work: JobInHand, before: str, made: Services) -> None:
    """Notes and summaries that wait under the old id are done first, or what they would write is
    lost; but they are not waited for for ever."""
    if work.job.attempts >= work.job.max_attempts:
        return
    for state in (JobState.PENDING, JobState.RUNNING):
        count, _ = await made.jobs.listed(state=state, group_id=before, limit=1, offset=0)
        if count:
            raise Transient(f"{count} jobs of {before} are not done yet")
