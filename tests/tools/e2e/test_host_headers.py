"""What a host says in headers may be in any script: groups and members are called as people are."""

from typing import Any
from urllib.parse import quote

import pytest

from tests.local_cloud import LocalCloud
from tests.talk import new_group, said


@pytest.mark.parametrize("encoded", [str.encode, quote], ids=["utf-8", "percent-encoded"])
def test_a_group_and_a_member_are_meant_as_they_are_written(
    cloud: LocalCloud, encoded: Any
) -> None:
    group = f"{new_group()}群"
    told = said(group, 1, "I live by the harbour", user_id="小满", user_name="小满")
    cloud.ok("POST", "/ingest_message/messages", [told])
    cloud.ok("PUT", f"/historian_job/groups/{quote(group)}/settings", {"member_commands": True})
    headers = {"X-Annals-Group": encoded(group), "X-Annals-User": encoded("小满")}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}

    def called(name: str, arguments: dict[str, Any]) -> str:
        body = {**call, "params": {"name": name, "arguments": arguments}}
        answer = cloud.call("POST", "/build_context/mcp", body, headers=headers)
        assert answer.is_success, answer.text
        return answer.text

    assert "harbour" in called("search_messages", {"query": "Who lives by the harbour?"})
    called("dont_remember_me", {})
    settings = cloud.ok("GET", f"/historian_job/groups/{quote(group)}/settings")
    assert "小满" in str(settings)
    cloud.ok("POST", "/ingest_message/messages", [{**told, "message_id": "m2", "content": "PIN"}])
    assert "PIN" not in called("search_messages", {"query": "PIN"})


def test_what_is_no_text_is_refused(cloud: LocalCloud) -> None:
    headers = {"X-Annals-Group": b"test:\xff\xfe"}

    answer = cloud.call("POST", "/build_context/mcp", {}, headers=headers)

    assert answer.status_code == 400
    assert "UTF-8" in answer.json()["error"]["message"]
