"""Does attribution keep up? `python -m bench.capacity [--quick | --real]`.

Without an option: a day at 10,000 groups with a fourfold peak and ten minutes' outage of each
service, and three hours around the peak at 100,000 (one of its queues, with its share of groups
and instances), by the numbers of `infra/capacity.toml`. Exits non-zero when a line waits too long.
`--quick`: a day at 1,000 groups and three hours around the peak at 10,000.
`--real`: the local cloud with real messages, and the simulation of the same, which must agree.
What one piece of work takes is measured by `python -m bench.scale`.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from bench.results import FOLDER, keep
from bench.simulation.day import LIMIT_S, RECOVERY_S, Day, share, simulated
from bench.simulation.plot import plotted

WITHIN = 0.25
"""So far the simulation may be from the real run."""


def told(day: Day) -> tuple[list[str], list[str]]:
    """Lines for the page, and what was missed."""
    waits, minutes = day.waits(), sorted(age for _, age, is_out in day.minutes() if not is_out)
    of = "" if day.part == 1 else f", one of its {day.part} queues"
    numbers = {
        "oldest waiting line by minute, p99": share(minutes, 0.99),
        "oldest line of a run, p99": share(waits, 0.99),
    }
    back = {f"{one.service} back after": day.back_after(one) for one in day.outages}
    ran = f"{day.system.runs} runs, {day.system.failures} failed in outages"
    rows = [
        f"{day.size} groups{of}, {day.hours:g} hours: {ran}",
        f"  {'oldest line of a run, median':<38}{share(waits, 0.5):>8.1f} s",
    ]
    missed = []
    for name, value in numbers.items():
        is_missed = value > LIMIT_S
        missed += [f"{day.size}: {name}"] if is_missed else []
        rows.append(
            f"  {name:<38}{value:>8.1f} s  (at most {LIMIT_S:g}){'  MISSED' if is_missed else ''}"
        )
    for name, after in back.items():
        is_late = after is None or after > RECOVERY_S
        missed += [f"{day.size}: {name}"] if is_late else []
        shown = "never" if after is None else f"{after:.0f} s"
        rows.append(
            f"  {name:<38}{shown:>10}  (at most {RECOVERY_S:g}){'  MISSED' if is_late else ''}"
        )
    return rows, missed


def compared() -> tuple[list[str], list[str]]:
    from bench.simulation.real import real_and_simulated

    with tempfile.TemporaryDirectory() as folder:
        found = real_and_simulated(Path(folder))
    rows, missed = [], []
    for one in found:
        rows += ["", one.about, f"  {'':<26}{'real':>9}{'simulated':>11}"]
        for name, (real, simulation) in one.numbers.items():
            off = simulation / real - 1
            missed += [f"{one.about}: {name}"] if abs(off) > WITHIN else []
            rows.append(
                f"  {name:<26}{real:>7.2f} s{simulation:>9.2f} s  {off:+.0%}"
                + ("  MISSED" if abs(off) > WITHIN else "")
            )
    return rows[1:], missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("quick", "real"):
        parser.add_argument(f"--{name}", action="store_true")
    asked = parser.parse_args()
    if asked.real:
        rows, missed = compared()
        print(keep("capacity_real", "python -m bench.capacity --real", "\n".join(rows)))
    else:
        sizes = {"1000": 24.0, "10000": 3.0} if asked.quick else {"10000": 24.0, "100000": 3.0}
        days = [simulated(size, hours=hours) for size, hours in sizes.items()]
        parts = [told(day) for day in days]
        missed = [one for _, own in parts for one in own]
        text = "\n\n".join("\n".join(rows) for rows, _ in parts)
        name = "capacity_quick" if asked.quick else "capacity"
        command = f"python -m bench.capacity{' --quick' if asked.quick else ''}"
        print(keep(name, command, text))
        (FOLDER / f"{name}.svg").write_text(plotted(days), "utf-8")
    if missed:
        print(f"missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
