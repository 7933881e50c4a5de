"""The age of the oldest waiting line by minute, as a picture."""

from collections.abc import Sequence

from bench.simulation.day import LIMIT_S, Day

_WIDE, _HIGH, _LEFT, _TOP = 900, 200, 60, 30


def plotted(days: Sequence[Day]) -> str:
    """One panel a day; outages are grey and named, the limit is dashed."""
    high = len(days) * (_HIGH + 60) + 20
    wide = _WIDE + _LEFT + 20
    size = f'width="{wide}" height="{high}"'
    font = 'font-family="sans-serif" font-size="11"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>',
        f'<rect {size} fill="white"/>',
    ]
    for number, day in enumerate(days):
        parts += _panel(day, _TOP + number * (_HIGH + 60))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(day: Day, top: int) -> list[str]:
    minutes = [(at, age) for at, age, _ in day.minutes()]
    first, last = minutes[0][0], minutes[-1][0]
    most = max(120.0, *(age for _, age in minutes))

    def x(at: float) -> float:
        return _LEFT + (at - first) / (last - first) * _WIDE

    def y(age: float) -> float:
        return top + _HIGH - age / most * _HIGH

    title = f"{day.size} groups: age of the oldest waiting line by minute, seconds"
    found = [f'<text x="{_LEFT}" y="{top - 10}" font-weight="bold">{title}</text>']
    for one in day.outages:
        wide = x(one.ends) - x(one.begins)
        found.append(
            f'<rect x="{x(one.begins):.1f}" y="{top}" width="{wide:.1f}" height="{_HIGH}" '
            'fill="#ddd"/>'
            f'<text x="{x(one.begins):.1f}" y="{top + 12}" fill="#666">{one.service}</text>'
        )
    found.append(
        f'<line x1="{_LEFT}" x2="{_LEFT + _WIDE}" y1="{y(LIMIT_S):.1f}" y2="{y(LIMIT_S):.1f}" '
        'stroke="#c33" stroke-dasharray="4"/>'
    )
    points = " ".join(f"{x(at):.1f},{y(age):.1f}" for at, age in minutes)
    found.append(f'<polyline points="{points}" fill="none" stroke="#136" stroke-width="1"/>')
    found += [f'<text x="8" y="{y(age) + 4:.1f}">{age:.0f}</text>' for age in (0.0, LIMIT_S, most)]
    hours = range(int(first // 3600), int(last // 3600) + 1, max(1, int(day.hours // 8)))
    found += [
        f'<text x="{x(hour * 3600):.1f}" y="{top + _HIGH + 16}">{hour}:00</text>'
        for hour in hours
        if first <= hour * 3600 <= last
    ]
    return found
