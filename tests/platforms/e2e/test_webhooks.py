"""What five platforms send, over HTTP, signed with the running cloud's own secrets."""

import hashlib
import json
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from random import randrange
from typing import Any

import httpx
import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore

from shared.platforms.platform import Secrets
from shared.platforms.registry import PLATFORMS
from tests.local_cloud import LocalCloud
from tests.platforms.clients import lark as lark_client
from tests.platforms.fixtures import Case, cases
from tests.platforms.sending import send
from tests.talk import new_group, said

ANSWERS = {"lark": 200, "onebot": 204, "slack": 200, "telegram": 200, "discord": 200}
assert ANSWERS.keys() == PLATFORMS.keys(), "every platform has its answer"


def signed(cloud: LocalCloud, platform: str, payload: Any) -> tuple[dict[str, str], bytes]:
    """The request as the platform would send it now."""
    if PLATFORMS[platform].is_always_relayed:
        return {"Authorization": f"Bearer {cloud.told['key']}"}, json.dumps(payload).encode()
    told = cloud.told["secrets"][platform]
    secrets = Secrets({f"{platform}_{name}": value for name, value in told.items()})
    request = send(platform, payload, secrets, datetime.now(UTC))
    return request.headers, request.body


def post(cloud: LocalCloud, platform: str, headers: dict[str, str], body: bytes) -> httpx.Response:
    url = f"{cloud.told['base']}/ingest_message/webhooks/{platform}"
    return httpx.post(url, content=body, headers=headers, timeout=30, trust_env=False)


def with_token(cloud: LocalCloud, case: Case) -> dict[str, Any]:
    """Lark puts the app's own token into every event."""
    payload = json.loads(json.dumps(case.payload))
    if case.platform == "lark":
        payload.setdefault("header", {})["token"] = cloud.told["secrets"]["lark"][
            "verification_token"
        ]
    return dict(payload)


def new_number() -> int:
    """Of a group that no other test has, as QQ numbers its groups: none begins with a zero."""
    return randrange(10**8, 10**9)


def stored(cloud: LocalCloud, group_id: str, message_id: str) -> dict[str, Any] | None:
    """The document itself, read past the product."""
    with pytest.MonkeyPatch.context() as patch:
        host = cloud.told["endpoints"]["FIRESTORE_EMULATOR_HOST"]
        patch.setenv("FIRESTORE_EMULATOR_HOST", host)
        client = firestore.Client("annals-local", AnonymousCredentials())  # type: ignore[no-untyped-call]
        try:
            path = f"groups/{group_id}/messages/{message_id}"
            found: dict[str, Any] | None = client.document(path).get().to_dict()
        finally:
            client.close()  # type: ignore[no-untyped-call]
    return found


@pytest.mark.parametrize("platform", ANSWERS)
def test_a_message_of_each_platform_is_stored_as_it_was_said(
    cloud: LocalCloud, platform: str
) -> None:
    """First of all: later payloads edit and recall the same messages."""
    case = next(case for case in cases(platform) if case.name.startswith("text"))
    expected = case.arrivals[0]
    post(cloud, platform, *signed(cloud, platform, with_token(cloud, case)))

    found = stored(cloud, expected["group_id"], expected["message_id"])

    assert found is not None
    assert (found["content"], found["user_id"]) == (expected["content"], expected["user_id"])
    assert found["features"]["message_type"]


@pytest.mark.parametrize("case", cases(), ids=str)
def test_every_payload_is_answered_as_its_platform_wants(cloud: LocalCloud, case: Case) -> None:
    answer = post(cloud, case.platform, *signed(cloud, case.platform, with_token(cloud, case)))

    assert answer.status_code == ANSWERS[case.platform], answer.text
    if case.platform == "onebot":
        assert answer.content == b""


@pytest.mark.parametrize("platform", [name for name, known in PLATFORMS.items() if known.secrets])
def test_a_forged_webhook_is_refused_and_stores_nothing(cloud: LocalCloud, platform: str) -> None:
    case = next(case for case in cases(platform) if case.name.startswith("text"))
    headers, body = signed(cloud, platform, with_token(cloud, case))
    if platform == "telegram":
        headers = {"X-Telegram-Bot-Api-Secret-Token": "guess"}

    answer = post(cloud, platform, headers, body + b" ")

    assert answer.status_code in (400, 401)
    assert answer.json()["success"] is False


@pytest.mark.parametrize("date", [1, 32_503_680_000], ids=["1970", "the year 3000"])
def test_an_impossible_time_of_a_platform_is_made_possible_and_blocks_nobody(
    cloud: LocalCloud, date: int
) -> None:
    """Nobody there would read a refusal; the group goes on, and its contexts too."""
    chat = -int(time.time() * 1000) - date % 7
    group_id = f"telegram:{chat}"
    for number, at in enumerate((date, int(time.time()))):
        payload = {
            "update_id": number,
            "message": {
                "message_id": 7 + number,
                "from": {"id": 42, "is_bot": False, "first_name": "Ann"},
                "chat": {"id": chat, "type": "supergroup", "title": "Reading club"},
                "date": at,
                "text": f"the ferry number {number}",
            },
        }
        assert post(cloud, "telegram", *signed(cloud, "telegram", payload)).status_code == 200
    cloud.wait_until_idle()

    topics = cloud.ok("GET", "/summarize_topic/topics", params={"group_id": group_id})["topics"]
    assert sum(topic["message_count"] for topic in topics) == 2
    read = cloud.ok("GET", f"/summarize_topic/groups/{group_id}/messages")["messages"]
    now = datetime.now(UTC)
    for message in read:
        said_at = datetime.fromisoformat(message["create_time"])
        assert datetime(2000, 1, 1, tzinfo=UTC) <= said_at <= now + timedelta(days=1)
    asked = {"group_id": group_id, "message": "which ferry?"}
    assert cloud.ok("POST", "/build_context/context", asked)["items"]


def test_a_discord_relay_needs_a_key(cloud: LocalCloud) -> None:
    case = cases("discord")[0]
    body = json.dumps(case.payload).encode()

    assert post(cloud, "discord", {}, body).status_code == 401


def test_a_bot_on_a_websocket_passes_on_what_it_saw_with_its_key(cloud: LocalCloud) -> None:
    """The ids are those of the signed way: sent both ways, a message is there once."""
    group = new_number()
    payload = {
        "time": int(time.time()),
        "self_id": 1,
        "post_type": "message",
        "message_type": "group",
        "message_id": 7,
        "group_id": group,
        "user_id": 2,
        "message": [{"type": "text", "data": {"text": "over a websocket"}}],
        "sender": {"nickname": "Ann"},
    }
    body = json.dumps(payload).encode()
    mine = {"Authorization": f"Bearer {cloud.told['key']}"}
    asked = {"name": "relay", "scopes": ["ingest"], "groups": ["onebot:1"]}
    other = cloud.ok("POST", "/historian_job/keys", asked)["key"]
    recall = {
        "time": int(time.time()),
        "self_id": 1,
        "post_type": "notice",
        "notice_type": "group_recall",
        "message_id": 7,
        "group_id": group,
        "user_id": 2,
        "operator_id": 2,
    }

    refused = [
        post(cloud, "onebot", headers, body).status_code
        for headers in ({}, {"Authorization": "Bearer guess"}, {"Authorization": f"Bearer {other}"})
    ]
    relayed = post(cloud, "onebot", mine, body)
    again = post(cloud, "onebot", *signed(cloud, "onebot", payload))
    path = f"/summarize_topic/groups/onebot:{group}/messages"
    there = cloud.ok("GET", path)["messages"]
    post(cloud, "onebot", mine, json.dumps(recall).encode())

    assert refused == [401, 401, 403]
    assert (relayed.status_code, relayed.content, again.status_code) == (204, b"", 204)
    assert [message["content"] for message in there] == ["over a websocket"]
    assert [message["content"] for message in cloud.ok("GET", path)["messages"]] == [""]


def test_an_unknown_platform_is_not_found(cloud: LocalCloud) -> None:
    assert post(cloud, "icq", {}, b"{}").status_code == 404


@pytest.mark.parametrize("is_encrypted", [True, False])
def test_a_lark_challenge_is_answered(cloud: LocalCloud, is_encrypted: bool) -> None:
    kept = cloud.told["secrets"]["lark"]
    asked = {"challenge": "c-1", "token": kept["verification_token"], "type": "url_verification"}
    body = json.dumps(asked).encode()
    if is_encrypted:
        body = lark_client.encrypted(body, kept["encrypt_key"])

    answer = post(cloud, "lark", {}, body)

    assert answer.json() == {"challenge": "c-1"}


def test_the_same_message_five_times_at_once_is_one_document_and_one_task(
    cloud: LocalCloud,
) -> None:
    group = new_number()
    payload = {
        "time": int(time.time()),
        "self_id": 1,
        "post_type": "message",
        "message_type": "group",
        "message_id": 77,
        "group_id": group,
        "user_id": 5,
        "message": "hello all",
        "raw_message": "hello all",
        "sender": {"user_id": 5, "nickname": "Ann"},
    }
    headers, body = signed(cloud, "onebot", payload)
    group_id, message_id = f"onebot:{group}", f"77-{payload['time']}"
    posted = said(group_id, 1, "hello all", message_id=message_id, user_id="5")

    with ThreadPoolExecutor(5) as pool:
        webhooks = [pool.submit(post, cloud, "onebot", headers, body) for _ in range(3)]
        messages = [
            pool.submit(cloud.call, "POST", "/ingest_message/messages", posted) for _ in range(2)
        ]
        assert {webhook.result().status_code for webhook in webhooks} == {204}
        outcomes = [message.result().json()["results"][0]["outcome"] for message in messages]

    assert set(outcomes) <= {"stored", "duplicate"}
    assert stored(cloud, group_id, message_id) is not None
    admin = cloud.told["endpoints"]["admin"]["tasks"]
    tasks = httpx.get(f"{admin}/tasks?queue=attribute", trust_env=False).json()
    prefix = hashlib.sha256(group_id.encode()).hexdigest()[:16]
    assert json.dumps(tasks).count(f"{prefix}-") == 1


def test_while_firestore_is_down_nothing_is_half_stored_and_a_retry_succeeds(
    cloud: LocalCloud,
) -> None:
    group_id = new_group()
    admin = cloud.told["endpoints"]["admin"]["firestore"]
    httpx.put(f"{admin}/faults", json={"unavailable": 1.0}, trust_env=False).raise_for_status()
    try:
        refused = cloud.call("POST", "/ingest_message/messages", said(group_id, 1, "hello"))
    finally:
        httpx.put(f"{admin}/faults", json={}, trust_env=False).raise_for_status()

    assert refused.status_code == 503
    assert refused.headers["retry-after"]
    assert stored(cloud, group_id, "m1") is None
    taken = cloud.ok("POST", "/ingest_message/messages", said(group_id, 1, "hello"))
    assert taken["results"][0]["outcome"] == "stored"
