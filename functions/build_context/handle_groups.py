"""The groups that a key may see."""

from shared.contracts.context_records import GroupList, ShownGroup
from shared.domain.group import Group
from shared.domain.ids import checked_group_id
from shared.runtime.auth import Caller
from shared.stores.groups import Groups

MOST_LOOKED_AT = 1000
"""Groups read for one page, where a key sees few of many: the rest is behind the cursor."""


async def list_groups(caller: Caller, limit: int, cursor: str, groups: Groups) -> GroupList:
    """InvalidInput for a cursor that is no group's id."""
    found: list[ShownGroup] = []
    after, read = checked_group_id(cursor) if cursor else "", 0
    while read < MOST_LOOKED_AT:
        page = await groups.by_id(after, limit)
        read += len(page)
        for one in page:
            if len(found) == limit:
                return GroupList(groups=found, next_cursor=after)
            after = one.group_id
            if caller.may_see(one.group_id) and not one.is_deleted:
                found.append(_shown(one))
        if len(page) < limit:
            return GroupList(groups=found, next_cursor=None)
    return GroupList(groups=found, next_cursor=after)


async def list_stuck(caller: Caller, limit: int, groups: Groups) -> GroupList:
    """Those whose attribution is set aside, the longest first; when the cause is gone they come
    back by themselves, and others can be seen."""
    found = await groups.stuck(MOST_LOOKED_AT)
    seen = [_shown(one) for one in found if caller.may_see(one.group_id)]
    return GroupList(groups=seen[:limit], next_cursor=None)


def _shown(group: Group) -> ShownGroup:
    return ShownGroup(
        group_id=group.group_id,
        name=group.name,
        platform=group.platform,
        audience=group.audience,
        created_at=group.created_at,
        stuck_since=group.stuck_since,
    )
