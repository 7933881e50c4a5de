"""The set-up pages, followed word by word on the local cloud, by a platform that is not there."""

import json
import re
import shutil
import subprocess

import pytest

from tests.local_cloud import LocalCloud
from tests.project import ROOT

PAGES = ROOT / "docs" / "platforms"
ANSWERS = {"lark": "200", "qq": "204", "slack": "200", "telegram": "200", "discord": "200"}
assert set(ANSWERS) == {page.name.partition(".")[0] for page in PAGES.glob("*.md")}
_BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)

needs_tools = pytest.mark.skipif(
    not (shutil.which("curl") and shutil.which("openssl")), reason="curl or openssl is missing"
)


def commands(page: str) -> list[str]:
    return _BLOCK.findall((PAGES / page).read_text("utf-8"))


def environment(cloud: LocalCloud) -> dict[str, str]:
    """What the page's first block asks the reader to fill in."""
    held = cloud.told["secrets"]
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "BASE": cloud.told["base"],
        "KEY": cloud.told["key"],
        "LARK_ENCRYPT_KEY": held["lark"]["encrypt_key"],
        "LARK_VERIFICATION_TOKEN": held["lark"]["verification_token"],
        "ONEBOT_SECRET": held["onebot"]["secret"],
        "SLACK_SIGNING_SECRET": held["slack"]["signing_secret"],
        "TELEGRAM_SECRET_TOKEN": held["telegram"]["secret_token"],
    }


def run(script: str, cloud: LocalCloud) -> str:
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        env=environment(cloud),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return ran.stdout


@needs_tools
@pytest.mark.parametrize("platform", ANSWERS)
def test_who_follows_the_page_has_a_stored_message_and_a_platform_that_is_ready(
    cloud: LocalCloud, platform: str
) -> None:
    given, *send, read = commands(f"{platform}.md")
    assert set(re.findall(r"^([A-Z_]+)=", given, re.MULTILINE)) <= set(environment(cloud))
    answers = [run(command, cloud).strip() for command in send]

    messages, setup = run(read.replace("\ncurl", "\necho\ncurl"), cloud).strip().split("\n")

    assert answers[-1] == ANSWERS[platform]
    if platform == "lark":
        assert json.loads(answers[0]) == {"challenge": "hello"}
    (message,) = json.loads(messages)["messages"]
    assert message["content"] == "the first message"
    told = json.loads(setup)
    assert told["is_ready"] is True, told["checks"]


@pytest.mark.parametrize("platform", ANSWERS)
def test_both_languages_give_the_same_commands(platform: str) -> None:
    assert commands(f"{platform}.md") == commands(f"{platform}.zh-CN.md")


def test_messages_are_read_a_page_at_a_time_by_who_may_read_that_group(cloud: LocalCloud) -> None:
    group_id = "discord:7001"
    for number in range(3):
        said = {
            "group_id": group_id,
            "message_id": f"m{number}",
            "user_id": "42",
            "content": f"line {number}",
            "create_time": f"2026-01-01T00:00:0{number}Z",
        }
        cloud.ok("POST", "/ingest_message/messages", said)
    path = f"/summarize_topic/groups/{group_id}/messages"

    first = cloud.ok("GET", f"{path}?limit=2&user_id=42&from=2026-01-01T00:00:00Z")
    second = cloud.ok("GET", f"{path}?limit=2&user_id=42&cursor={first['next_cursor']}")
    one = cloud.ok("GET", f"{path}/m1")

    assert [each["message_id"] for each in first["messages"]] == ["m2", "m1"]
    assert [each["message_id"] for each in second["messages"]] == ["m0"]
    assert (first["total"], second["next_cursor"]) == (3, None)
    assert one["message"]["content"] == "line 1"
    assert cloud.call("GET", f"{path}/m9").status_code == 404
    assert cloud.call("GET", f"{path}?cursor=x").status_code == 400
    for body in (
        {"scopes": ["ingest"], "groups": ["discord:*"]},
        {"scopes": ["read"], "groups": ["lark:*"]},
    ):
        key = cloud.ok("POST", "/historian_job/keys", {"name": "reader", **body})["key"]
        assert cloud.call("GET", path, key=key).status_code == 403
        assert cloud.call("GET", f"{path}/m1", key=key).status_code == 403
        assert cloud.call("GET", "/ingest_message/platforms/lark", key=key).status_code == 403
