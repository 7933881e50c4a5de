"""One group talks as fast as it can; twenty quiet ones beside it are served all the same."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import httpx

from tests.local_cloud import LocalCloud, wait_for
from tests.project import ROOT
from tests.talk import new_group

TALKS = ROOT / "tests" / "fixtures" / "talks" / "talks.json"
BUSY_MESSAGES, AT_ONCE, SENDERS = 500, 10, 4
QUIET_GROUPS = 20
MOST_MODEL_CALLS, MOST_EMBED_CALLS = 0.10, 0.2
"""A message."""


def lines() -> Iterator[tuple[str, str]]:
    """Who says what, without end: talks of many subjects, one after the other."""
    talks = json.loads(TALKS.read_text(encoding="utf-8"))
    number = 0
    while True:
        for talk in talks:
            for speaker, text in talk["lines"]:
                number += 1
                yield speaker, f"{text} ({number})"


def said(group_id: str, number: int, line: tuple[str, str]) -> dict[str, Any]:
    return {
        "group_id": group_id,
        "message_id": f"m{number}",
        "user_id": line[0],
        "user_name": line[0],
        "content": line[1],
        "role": "user",
        "create_time": datetime.now(UTC).isoformat(),
    }


def send(cloud: LocalCloud, *messages: dict[str, Any]) -> None:
    results = cloud.ok("POST", "/ingest_message/messages", list(messages))["results"]
    assert {one["outcome"] for one in results} == {"stored"}


def in_topics(cloud: LocalCloud, group_id: str) -> int:
    found = cloud.ok("GET", f"/summarize_topic/topics?group_id={group_id}&limit=200")
    assert found["total"] <= 200, "more topics than one page shows"
    return sum(one["message_count"] for one in found["topics"])


def calls(cloud: LocalCloud) -> tuple[int, int]:
    """Of models and of the embedder, by everything that runs."""
    admin = cloud.told["endpoints"]["admin"]["openai"]
    counted = httpx.get(f"{admin}/counts", trust_env=False).json()["endpoints"]
    return counted.get("chat", {}).get("calls", 0), counted.get("embeddings", {}).get("calls", 0)


def test_a_flood_is_attributed_cheaply_and_no_group_waits_for_another(cloud: LocalCloud) -> None:
    cloud.wait_until_idle()
    models_before, embeds_before = calls(cloud)
    busy, quiet = new_group(), [new_group() for _ in range(QUIET_GROUPS)]
    talk = lines()
    flood = [said(busy, n, next(talk)) for n in range(BUSY_MESSAGES)]
    with ThreadPoolExecutor(SENDERS) as senders:
        parts = [flood[start : start + AT_ONCE] for start in range(0, BUSY_MESSAGES, AT_ONCE)]
        sending = [senders.submit(send, cloud, *part) for part in parts]
        for number, group_id in enumerate(quiet):
            send(cloud, said(group_id, number, next(talk)))
        for one in sending:
            one.result()

    sent = BUSY_MESSAGES

    def are_served() -> bool:
        """While one waits, the busy group goes on talking: it is never idle."""
        nonlocal sent
        if all(in_topics(cloud, one) == 1 for one in quiet):
            return True
        send(cloud, said(busy, sent, next(talk)))
        sent += 1
        return False

    wait_for(are_served, "the quiet groups while another is busy")
    wait_for(lambda: in_topics(cloud, busy) == sent, "the topics of the busy group")
    cloud.wait_until_idle()

    models, embeds = calls(cloud)
    total = sent + QUIET_GROUPS
    assert in_topics(cloud, busy) == sent
    assert (models - models_before) / total <= MOST_MODEL_CALLS
    assert (embeds - embeds_before) / total <= MOST_EMBED_CALLS
