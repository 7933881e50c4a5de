"""What has work done later: tasks, jobs, forgetting."""

import functools
from datetime import timedelta
from typing import TYPE_CHECKING

from shared.wiring.stores import StoreServices

if TYPE_CHECKING:
    from shared.forgetting.member_requests import MemberRequests
    from shared.forgetting.removal import Removal
    from shared.jobs.dispatch import Dispatch
    from shared.jobs.worker import Worker


class WorkServices(StoreServices):
    """Sends and runs it."""

    @functools.cached_property
    def dispatch(self) -> "Dispatch":
        from shared.domain.jobs.attribution_tasks import Slots
        from shared.jobs.dispatch import Dispatch

        own = self.settings
        lengths = own.slot_asked_seconds, own.slot_ordinary_seconds, own.slot_late_seconds
        return Dispatch(
            self.task_queue, self.now, Slots(*(timedelta(seconds=length) for length in lengths))
        )

    @functools.cached_property
    def worker(self) -> "Worker":
        from shared.jobs.worker import Worker

        return Worker(self.jobs, self.leases, self.groups, self.dispatch, self.now)

    @functools.cached_property
    def removal(self) -> "Removal":
        from shared.forgetting.removal import Removal

        return self.deps(Removal)

    @functools.cached_property
    def member_requests(self) -> "MemberRequests":
        from shared.forgetting.member_requests import MemberRequests

        return self.deps(MemberRequests)
