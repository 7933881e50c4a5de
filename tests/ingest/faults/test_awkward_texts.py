"""An hour of awkward texts in some groups, pressed into minutes: another group's topics come nearly
as soon as on a quiet day, while they are sent and until the last of them has its own.

Only `make faults` runs it: AWKWARD is the number of deliveries. Times are compared with the quiet
time of the same machine a moment before.
"""

import os
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.language.awkward import SHAPES, awkward
from tests.local_cloud import LocalCloud, wait_for
from tests.talk import new_group, said

TEXTS = int(os.environ.get("AWKWARD", "0"))
QUIET = 5
"""Times are taken so often without the texts; the longest counts as the quiet time."""
MOST = 10
"""How many times the quiet time a message may wait beside them."""
SIZES = (300, 4_000, 20_000, 64_000)
PLACES = ("content", "user_name", "mentions", "names", "note", "question", "burst")
NOTE, QUESTION_BYTES = 16_000, 4_000
"""The longest that are taken: characters, and bytes."""
PATIENCE_S = 300.0

pytestmark = [
    pytest.mark.skipif(not TEXTS, reason="asked for by `make faults` (AWKWARD=...)"),
    pytest.mark.timeout(3600),
]


def attributed_after_s(cloud: LocalCloud, group_id: str, number: int) -> float:
    """From the sending of a message to its place in a topic."""

    def count() -> int:
        answer = cloud.ok("GET", "/summarize_topic/topics", params={"group_id": group_id})
        return sum(one["message_count"] for one in answer["topics"])

    before = count()
    began = time.monotonic()
    cloud.ok("POST", "/ingest_message/messages", said(group_id, number, f"lunch plan {number}"))
    wait_for(lambda: count() > before, "its topic", PATIENCE_S)
    return time.monotonic() - began


def are_some_waiting(cloud: LocalCloud) -> bool:
    told = cloud.ok("GET", "/build_context/metrics")
    return float(told["metrics"]["oldest_pending_message_seconds"]) > 0


def jobs(cloud: LocalCloud, *states: str) -> list[str]:
    """Of all groups, those that are due."""
    found = [
        one
        for state in states
        for one in cloud.ok("GET", f"/historian_job/jobs?status={state}&limit=200")["jobs"]
        if datetime.fromisoformat(one["due_at"]) <= datetime.now(UTC)
    ]
    return [f"{one['kind']}: {one['error']}" for one in found]


def deliveries(seed: int, count: int) -> Iterator[tuple[str, Any]]:
    """Shapes, sizes and places at random, each with the route that takes it; a burst is eight of
    the longest in one request."""
    rng = random.Random(seed)
    groups = [new_group() for _ in range(4)]
    for number in range(count):
        group_id = rng.choice(groups)
        text = awkward(rng.choice(list(SHAPES)), rng.choice(SIZES))
        place = rng.choice(PLACES)
        message: dict[str, Any] = said(group_id, number, "hello")
        if place == "note":
            note = {"group_id": group_id, "user_id": "u1", "request_id": f"r{number}"}
            told = text[:NOTE]
            yield "/ingest_message/end", {**note, "action_summary": told, "new_info": told}
        elif place == "question":
            asked = text.encode()[:QUESTION_BYTES].decode(errors="ignore")
            yield "/build_context/context", {"group_id": group_id, "message": asked}
        else:
            yield "/ingest_message/messages", _messages(place, message, text, number)


def _messages(place: str, message: dict[str, Any], text: str, number: int) -> list[dict[str, Any]]:
    if place == "content":
        return [{**message, "content": text}]
    if place == "user_name":
        return [{**message, "user_name": text[:200]}]
    if place == "mentions":
        mentions = [{"user_id": f"u{n}", "name": text[n : n + 60] or "x"} for n in range(20)]
        return [{**message, "content": text, "mentions": mentions}]
    if place == "names":
        files = [{"kind": "file", "name": text[n : n + 200] or "x"} for n in range(9)]
        return [{**message, "group_name": text[:200], "attachments": files}]
    return [
        {**said(message["group_id"], 10_000 + 10 * number + n, "x"), "content": text}
        for n in range(8)
    ]


def test_another_groups_message_gets_its_topic_within_ten_times_its_quiet_time(
    cloud: LocalCloud,
) -> None:
    quiet_group = new_group()
    quiet_s = max(attributed_after_s(cloud, quiet_group, n) for n in range(QUIET))
    seed = int(os.environ.get("AWKWARD_SEED") or random.randrange(2**32))
    statuses: list[int] = []
    is_over = threading.Event()

    def attack() -> None:
        statuses.extend(
            cloud.call("POST", path, body).status_code for path, body in deliveries(seed, TEXTS)
        )
        is_over.set()

    attacker = threading.Thread(target=attack, daemon=True)
    began = time.monotonic()
    attacker.start()
    waits: list[float] = []
    while not is_over.is_set() or are_some_waiting(cloud):
        waits.append(attributed_after_s(cloud, quiet_group, 100 + len(waits)))
    attacker.join(PATIENCE_S)
    wait_for(
        lambda: not jobs(cloud, "pending", "running", "committed"),
        "the last of the notes",
        PATIENCE_S,
    )

    print(
        f"seed {seed}: {len(statuses)} deliveries in {time.monotonic() - began:.0f} s; quiet"
        f" {quiet_s:.1f} s, beside them {len(waits)} messages, at most {max(waits):.1f} s,"
        f" on average {sum(waits) / len(waits):.1f} s; statuses {Counter(statuses)}"
    )
    assert max(waits) <= MOST * quiet_s, f"seed {seed}"
    assert {one for one in statuses if one >= 500} == set(), f"seed {seed}"
    assert jobs(cloud, "failed") == [], f"seed {seed}"
