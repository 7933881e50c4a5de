"""The groups that a key may see."""

from shared.contracts.looking import GroupList, ShownGroup
from shared.runtime.auth import Caller
from shared.stores.groups import Groups

MOST_LOOKED_AT = 1000
"""Groups read for one page, where a key sees few of many: the rest is behind the cursor."""


async def list_groups(caller: Caller, limit: int, cursor: str, groups: Groups) -> GroupList:
    found: list[ShownGroup] = []
    after, read = cursor, 0
    while read < MOST_LOOKED_AT:
        page = await groups.by_id(after, limit)
        read += len(page)
        for one in page:
            if len(found) == limit:
                return GroupList(groups=found, next_cursor=after)
            after = one.group_id
            if caller.may_see(one.group_id) and not one.is_deleted:
                found.append(
                    ShownGroup(
                        group_id=one.group_id,
                        name=one.name,
                        platform=one.platform,
                        audience=one.audience,
                        created_at=one.created_at,
                    )
                )
        if len(page) < limit:
            return GroupList(groups=found, next_cursor=None)
    return GroupList(groups=found, next_cursor=after)
