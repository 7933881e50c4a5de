"""What a member may ask for their own words: that they are forgotten, or no longer kept."""

from dataclasses import dataclass
from datetime import datetime

from shared.contracts.jobs import forget_member_job
from shared.domain.forgetting.forgotten import hashed_member
from shared.domain.group import BeingForgotten, Group, with_opt_out
from shared.domain.jobs.job import Job
from shared.stores.groups import Groups, being_forgotten
from shared.stores.jobs import new_job
from shared.stores.messages import Messages
from shared.stores.tails import forgotten_lines


@dataclass(frozen=True)
class MemberRequests:
    groups: Groups
    messages: Messages

    async def forget_member(self, group_id: str, user_id: str, now: datetime) -> Job:
        """The job, committed with all that makes it hold; who sends it may come later."""
        await self.groups.get(group_id)
        job = forget_member_job(group_id, user_id, now)
        mark = being_forgotten(group_id, job.job_id, BeingForgotten(user_ids=(user_id,)))
        await self.messages.apply({}, {}, [*forgotten_lines(group_id, []), mark, new_job(job)])
        return job

    async def opt_out(
        self, group_id: str, user_id: str, is_out: bool, hash_key: str | None, now: datetime
    ) -> Group:
        """From now on, nothing this member says is kept but its place in the reply chain."""
        hashed = hashed_member(user_id, hash_key) if hash_key else ""
        return await self.groups.change(
            group_id, lambda group: with_opt_out(group, user_id, is_out, hashed), now
        )
