"""What a task carries: never the work itself, only where it is recorded."""

from shared.contracts.api import Body, GroupId


class AttributeTask(Body):
    group_id: GroupId


class JobTask(Body):
    job_id: str
