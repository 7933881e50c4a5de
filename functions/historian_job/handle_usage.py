"""What models cost, in pages: by day of one group, of a key or of everybody, or group by group."""

from datetime import date, timedelta

from shared.contracts.usage import UsageList, UsageRow
from shared.domain.ids import checked_group_id
from shared.domain.usage import EVERYBODY, of_key
from shared.errors import InvalidInput
from shared.wiring import Services


async def by_day(
    group_id: str | None, key_id: str | None, days: int, limit: int, cursor: str, made: Services
) -> UsageList:
    """One row a day on which models were asked, the oldest first. A page is `limit` days long."""
    today = made.now().date()
    first = today - timedelta(days=days - 1)
    if cursor:
        first = max(first, min(_day(cursor), today) + timedelta(days=1))
    last = min(today, first + timedelta(days=limit - 1))
    scope = group_id or (of_key(key_id) if key_id else EVERYBODY)
    rows = await made.usage.totals(scope, first.isoformat(), last.isoformat())
    shown = [UsageRow.from_record(one) if group_id else UsageRow.folded(one) for one in rows]
    return UsageList(usage=shown, next_cursor=last.isoformat() if last < today else None)


async def by_group(limit: int, cursor: str, made: Services) -> UsageList:
    """One row a group and day that is kept, by group."""
    group_id, _, day = cursor.rpartition(" ")
    if cursor:
        after = (checked_group_id(group_id), _day(day).isoformat())
    else:
        after = (EVERYBODY + "\U0010ffff", "")
    rows, last = await made.usage.page(after, limit)
    return UsageList(
        usage=[UsageRow.from_record(one) for one in rows],
        next_cursor=" ".join(last) if last else None,
    )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput("cursor: use the `next_cursor` of the page before") from error
