"""What a context reads: a bounded number of documents, however much was said."""

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx

from functions.ingest_message import handle_attribute
from shared.wiring import Services
from tests.context.contexts import ask, ingest, remembering, said
from tests.services import Clock
from tests.topics.attributing import attributing

MOST_READS = 40
THINGS = ("roof", "boiler", "garden", "piano", "kitchen", "attic", "cellar")


async def reads(told: dict[str, Any]) -> int:
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"{told['admin']['firestore']}/counters")
    return int(answer.json()["documents_read"])


async def test_a_context_reads_at_most_forty_documents_of_a_long_talk(
    made: Services, clock: Clock, told: dict[str, Any]
) -> None:
    group = f"test:{uuid.uuid4().hex[:12]}"
    await remembering(made, clock, group)
    lines = [
        said(group, n, f"the {THINGS[n % 7]} costs {n} euros to repair", clock) for n in range(240)
    ]
    start = clock() - timedelta(days=9)
    lines = [replace(one, create_time=start + timedelta(hours=n)) for n, one in enumerate(lines)]
    for at in range(0, len(lines), 80):
        await ingest(made, group, *lines[at : at + 80])
        await handle_attribute.attribute(group, attributing(made))
    before = await reads(told)
    answer = await ask(made, group, message="what did the roof repair cost?", user_id="u1")

    assert answer.mode == "intelligent"
    assert await reads(told) - before <= MOST_READS
