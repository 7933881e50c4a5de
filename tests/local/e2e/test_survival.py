"""Kill anything, anywhere: nothing is lost, nothing is doubled."""

import threading
import time
from typing import Any

import httpx
import pytest

from tests.local_cloud import ON_THE_FRAGILE_CLOUD, LocalCloud, wait_for
from tests.talk import new_group, said

GROUPS = 4
MESSAGES = 15
SETTLE_S = 240.0
pytestmark = [pytest.mark.timeout(480), ON_THE_FRAGILE_CLOUD]


def insist(cloud: LocalCloud, path: str, body: Any) -> dict[str, Any]:
    """As a platform does: again, until somebody answers 2xx."""
    deadline = time.monotonic() + 60
    while True:
        try:
            answer = cloud.call("POST", path, body)
            if answer.is_success:
                found: dict[str, Any] = answer.json()
                return found
            assert answer.status_code >= 500, answer.text
        except httpx.TransportError:
            pass
        assert time.monotonic() < deadline, f"nobody took {path}"
        time.sleep(0.2)


def sweep(cloud: LocalCloud) -> None:
    cloud.trigger("/ingest_message/cron/sweep")


def settle(cloud: LocalCloud, groups: list[str]) -> None:
    """Wait until every message has its topic and every job is done; the sweep helps."""
    deadline = time.monotonic() + SETTLE_S
    while left := unsettled(cloud, groups):
        assert time.monotonic() < deadline, left
        sweep(cloud)
        time.sleep(0.5)


def unsettled(cloud: LocalCloud, groups: list[str]) -> list[Any]:
    left: list[Any] = []
    for group_id in groups:
        topics = cloud.ok("GET", f"/summarize_topic/topics?group_id={group_id}&limit=200")
        placed = sum(one["message_count"] for one in topics["topics"])
        if placed < MESSAGES:
            left.append(f"{group_id}: {placed} of {MESSAGES} messages have a topic")
        jobs = cloud.ok("GET", f"/historian_job/jobs?group_id={group_id}&limit=200")["jobs"]
        left += [job for job in jobs if job["state"] != "done"]
    return left


def test_functions_and_emulators_are_killed_in_the_middle_of_everything(
    fragile: LocalCloud,
) -> None:
    groups = [new_group() for _ in range(GROUPS)]
    victims = [
        ("infra.serve",),
        ("infra.emulators", "firestore"),
        ("infra.emulators", "tasks"),
        ("infra.emulators", "pinecone"),
        ("infra.emulators", "openai"),
    ]

    def talk(group_id: str) -> None:
        for number in range(MESSAGES):
            reply = {"reply_message_id": f"m{number - 1}"} if number % 5 else {}
            insist(
                fragile,
                "/ingest_message/messages",
                said(group_id, number, f"say {number}", **reply),
            )
            if number % 5 == 4:
                note = {"group_id": group_id, "user_id": "u1", "request_id": f"r{number}"}
                insist(fragile, "/ingest_message/end", {**note, "action_summary": "answered"})
            time.sleep(0.4)

    speakers = [threading.Thread(target=talk, args=[group_id]) for group_id in groups]
    for speaker in speakers:
        speaker.start()
    for victim in victims:
        time.sleep(0.8)
        fragile.kill_child(*victim)
        wait_for(lambda: is_answering(fragile), "everything to answer again")
    for speaker in speakers:
        speaker.join()
    settle(fragile, groups)

    check(fragile, groups)


def test_the_whole_machine_is_killed_and_goes_on_where_it_was(fragile: LocalCloud) -> None:
    groups = [new_group() for _ in range(2)]
    for group_id in groups:
        messages = [said(group_id, number, f"say {number}") for number in range(MESSAGES)]
        fragile.ok("POST", "/ingest_message/messages", messages)
        for number in (4, 9, 14):
            note = {"group_id": group_id, "user_id": "u1", "request_id": f"r{number}"}
            fragile.ok("POST", "/ingest_message/end", {**note, "action_summary": "answered"})

    fragile.kill()
    fragile.start()
    settle(fragile, groups)

    check(fragile, groups)


def is_answering(cloud: LocalCloud) -> bool:
    try:
        return all(
            cloud.call("GET", path).is_success
            for path in (
                "/ingest_message/health/live",
                "/historian_job/jobs?limit=1",
                "/summarize_topic/topics?group_id=test:x",
            )
        )
    except httpx.TransportError:
        return False


def check(cloud: LocalCloud, groups: list[str]) -> None:
    """Each message once in exactly one topic, each note one event, each job done once."""
    for group_id in groups:
        topics = cloud.ok("GET", f"/summarize_topic/topics?group_id={group_id}&limit=200")["topics"]
        seen: list[str] = []
        for topic in topics:
            path = f"/summarize_topic/topics/{topic['topic_id']}/messages"
            found = [one["message_id"] for one in cloud.ok("GET", path)["messages"]]
            assert len(found) == topic["message_count"]
            seen += found
        assert sorted(seen) == sorted(f"m{number}" for number in range(MESSAGES))
        events = cloud.ok("GET", f"/historian_job/events?group_id={group_id}")["events"]
        assert sorted(one["event_id"] for one in events) == ["r14:0", "r4:0", "r9:0"]
        jobs = cloud.ok("GET", f"/historian_job/jobs?group_id={group_id}")["jobs"]
        assert [one["state"] for one in jobs] == ["done"] * 3


def test_a_job_that_fails_at_every_attempt_is_listed_and_succeeds_after_a_retry(
    fragile: LocalCloud,
) -> None:
    group_id = new_group()
    fragile.hurry("historian")
    admin = fragile.told["endpoints"]["admin"]["openai"]
    fault = {"kind": "server_error", "endpoint": "embeddings", "share": 1.0}
    httpx.post(f"{admin}/faults", json=fault, trust_env=False).raise_for_status()
    try:
        # Words nobody embedded before: a vector that is known already costs no call.
        note = {"group_id": group_id, "user_id": "u1", "request_id": "r1"}
        note["action_summary"] = f"Explained {group_id}"
        fragile.ok("POST", "/ingest_message/end", note)
        failed = wait_for(
            lambda: fragile.ok("GET", f"/historian_job/jobs?status=failed&group_id={group_id}")[
                "jobs"
            ],
            "the job to fail for good",
            seconds=120,
        )
    finally:
        httpx.delete(f"{admin}/faults", trust_env=False).raise_for_status()
    assert failed[0]["attempts"] == failed[0]["max_attempts"]
    assert failed[0]["error"]

    fragile.ok("POST", f"/historian_job/jobs/{failed[0]['job_id']}/retry")
    wait_for(lambda: _states(fragile, group_id) == ["done"], "the retried job")
    events = fragile.ok("GET", f"/historian_job/events?group_id={group_id}")["events"]
    assert [one["event_id"] for one in events] == ["r1:0"]


def test_what_could_not_be_sent_is_sent_by_the_sweep(fragile: LocalCloud) -> None:
    group_id = new_group()
    admin = fragile.told["endpoints"]["admin"]["tasks"]
    httpx.post(f"{admin}/faults", json={"kind": "lose", "share": 1.0}, trust_env=False)
    try:
        fragile.ok("POST", "/ingest_message/messages", said(group_id, 1, "is anybody there?"))
        note = {"group_id": group_id, "user_id": "u1", "request_id": "r1"}
        fragile.ok("POST", "/ingest_message/end", {**note, "action_summary": "answered"})
        fragile.wait_until_idle()
    finally:
        httpx.delete(f"{admin}/faults", trust_env=False)
    assert _states(fragile, group_id) == ["pending"]

    def healed() -> bool:
        sweep(fragile)
        time.sleep(0.5)
        path = f"/summarize_topic/topics?group_id={group_id}"
        return fragile.ok("GET", path)["total"] == 1 and _states(fragile, group_id) == ["done"]

    wait_for(healed, "the sweep")


def _states(cloud: LocalCloud, group_id: str) -> list[str]:
    jobs = cloud.ok("GET", f"/historian_job/jobs?group_id={group_id}")["jobs"]
    return [one["state"] for one in jobs]
