"""Do all notes come through a bad model? Real stores, the real pipeline, a model that misbehaves.

    python -m bench.historian_faults [--notes 1000]

Twice: with the model failing 20 % of its calls, late for 10 % and malformed for 10 %; and down for
all of them, then back. Printed: notes that ended as an event, doubled ones, those stored as they
came and marked, failed jobs, and how many had to wait for the model.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.history.noting import Impatient, Noting
from tests.services import Clock, all_emulators, in_process, replaced

NOTES = 1000
AT_ONCE = 8
"""As many as the queue lets run at the same time."""
_NOTES = {
    "I answered his question": "I leave tomorrow",
    "Helped her with the form": "I will come next Friday",
    "I told Jon about the plan": "I moved yesterday",
    "我回答了她": "我明天出差",
    "帮他查了资料": "我下周三搬家",
}
"""Plain ones, which the stand-in can put in absolute words."""


async def measure(notes: int, told: dict[str, Any], clock: Clock, *, is_down: bool) -> str:
    name = "down" if is_down else "faulty"
    async with in_process(told, clock) as made:
        noting = Noting(made, clock, told, f"bench:{name}")
        await noting.say(("Ida", "hello"), ("Jon", "hi"))
        if is_down:
            noting.fault("server_error")
        else:
            noting.fault("server_error", share=0.2, seed=1)
            noting.fault("latency", share=0.1, seed=2, latency_ms=1500)
            noting.fault("nonsense", share=0.1, seed=3)
        noting.deps = replaced(noting.made, model=Impatient(made.model, 1.0))
        await _record(noting, notes)
        before = await noting.events(limit=2 * notes)
        noting.heal()
        noting.deps = noting.made
        await noting.run_all()
        after = await noting.events(limit=2 * notes)
        failed = await noting.failed_jobs()
    waited = notes - len(before)
    marked = sum(event.degraded for event in after)
    doubled = len(after) - len({(event.request_id, event.end_seq) for event in after})
    return (
        f"{name:7} notes {notes}, events {len(after)}, doubled {doubled}, marked {marked}, "
        f"failed jobs {failed}, waited for the model {waited}"
    )


async def _record(noting: Noting, notes: int) -> None:
    rng = random.Random("faults")
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(number: int, action: str, info: str) -> None:
        note = noting.note(action, info, request_id=f"r{number}")
        async with slots:
            await noting.start(note)

    chosen = [rng.choice(list(_NOTES.items())) for _ in range(notes)]
    await asyncio.gather(*(one(number, *pair) for number, pair in enumerate(chosen)))
    await noting.run_due()


async def run(notes: int) -> None:
    with tempfile.TemporaryDirectory() as folder, all_emulators(Path(folder)) as running:
        for is_down in (False, True):
            clock = Clock(datetime(2026, 11, 16, 15, 50, tzinfo=UTC))
            print(await measure(notes, running.told, clock, is_down=is_down), flush=True)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.historian_faults", description=__doc__)
    parser.add_argument("--notes", type=int, default=NOTES)
    asyncio.run(run(parser.parse_args(argv).notes))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
