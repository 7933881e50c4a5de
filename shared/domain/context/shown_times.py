"""Times as a context shows them: in the group's zone, and saying so."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

_DAYS_ZH = "一二三四五六日"
_DAYS_EN = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True)
class ShownTimes:
    """`2026-11-16 周一 UTC+8` and `23:50`. The offset, not the zone's name, stands there: it is
    short, and true for that day where clocks change twice a year."""

    zone: tzinfo = UTC
    is_chinese: bool = False

    def day(self, at: datetime) -> str:
        """What is said once for all lines of a day."""
        there = at.astimezone(self.zone)
        weekday = there.weekday()
        name = f"周{_DAYS_ZH[weekday]}" if self.is_chinese else _DAYS_EN[weekday]
        return f"{there:%Y-%m-%d} {name} {_offset(there.utcoffset())}"

    def clock(self, at: datetime) -> str:
        return f"{at.astimezone(self.zone):%H:%M}"

    def quarter(self, at: datetime) -> str:
        """Lines of the same quarter of an hour share one clock."""
        there = at.astimezone(self.zone)
        return f"{there:%H}:{there.minute // 15}"


def zone_named(*names: str | None) -> tzinfo:
    """The first zone that is named at all. A stored name was checked when it came in."""
    return next((ZoneInfo(name) for name in names if name), UTC)


def _offset(of: timedelta | None) -> str:
    minutes = int((of or timedelta()).total_seconds()) // 60
    if minutes == 0:
        return "UTC"
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'+' if minutes > 0 else '-'}{hours}" + (f":{rest:02d}" if rest else "")
