"""A platform goes on sending to a group that was deleted: it is told that all is well."""

import time

from tests.local_cloud import LocalCloud
from tests.talk import new_group


def test_what_comes_for_a_deleted_group_is_dropped_and_answered(cloud: LocalCloud) -> None:
    number = int(new_group().partition(":")[2], 16) % 10**9 + 1

    def event(message_id: int) -> dict[str, object]:
        return {
            "post_type": "message", "message_type": "group", "group_id": number, "self_id": 1,
            "message_id": message_id, "user_id": 5, "time": int(time.time()), "message": "hello",
            "sender": {"nickname": "Ann"},
        }  # fmt: skip

    path = "/ingest_message/webhooks/onebot"
    assert cloud.call("POST", path, event(1)).status_code == 204
    cloud.ok("DELETE", f"/historian_job/groups/onebot:{number}")

    answer = cloud.call("POST", path, event(2))

    assert answer.status_code == 204
    listed = cloud.call("GET", f"/summarize_topic/groups/onebot:{number}/messages")
    assert "hello" not in listed.text
