"""The bots of `clients/examples` that need no NoneBot: as processes, on a local cloud."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from infra.addresses import free_port
from tests.bots.running import EXAMPLES, Model, environment, model, running_bot
from tests.local_cloud import LocalCloud, wait_for
from tests.platforms.clients import lark as lark_client
from tests.python_client.server import Answer, Server, ok, refused, serving


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_is_read_at_a_glance(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) < 80


def console(lines: str, cloud: LocalCloud, folder: Path, asked: Model, group_id: str) -> str:
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / "console_bot.py")],
        cwd=folder,
        env=environment(
            folder,
            cloud.told,
            ANNALS_CONTEXT_DEADLINE="25",
            ANNALS_GROUP=group_id,
            OPENAI_BASE_URL=asked.url,
            USER="Ada",
        ),
        input=lines,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_console_bot_remembers_what_it_was_told_before_it_was_stopped(
    cloud: LocalCloud, tmp_path: Path
) -> None:
    group_id = f"console:{uuid4().hex[:8]}"
    with model() as asked:
        first = console("My locker has the number 318\n", cloud, tmp_path, asked, group_id)
        path = f"/summarize_topic/groups/{group_id}/messages"
        wait_for(lambda: len(cloud.ok("GET", path)["messages"]) == 2, "both lines")
        console("Which number has my locker?\n", cloud, tmp_path, asked, group_id)

    assert "bot> reply 1" in first
    assert "318" not in json.dumps(asked.requests[0][:-1])
    assert "318" in json.dumps(asked.requests[1][:-1])


class Lark:
    """Lark's API: a token, and replies with an id."""

    def __init__(self, server: Server) -> None:
        self.url = server.url
        self._server = server
        server.answer = self._answer

    @property
    def replies(self) -> list[tuple[str, str]]:
        return [
            (path.split("/")[-2], json.loads(body["content"])["text"])
            for path, body in self._server.seen
            if path.endswith("/reply")
        ]

    def _answer(self, path: str, _body: Any) -> Answer:
        if path.endswith("/reply"):
            return 200, json.dumps(
                {"code": 0, "data": {"message_id": f"om_{uuid4().hex}"}}
            ).encode()
        return 200, json.dumps({"code": 0, "tenant_access_token": "t-1", "expire": 7200}).encode()


class LarkChat:
    """What Lark sends to the bot's address, signed and sealed with the cloud's own secrets."""

    def __init__(self, cloud: LocalCloud, port: int) -> None:
        self._secrets = cloud.told["secrets"]["lark"]
        self._url = f"http://127.0.0.1:{port}/"
        self.chat_id = f"oc_{uuid4().hex}"

    def say(self, text: str, *, to_bot: bool = False) -> httpx.Response:
        message: dict[str, Any] = {
            "message_id": f"om_{uuid4().hex}",
            "chat_id": self.chat_id,
            "chat_type": "group",
            "message_type": "text",
            "content": json.dumps({"text": text}),
            "create_time": str(int(time.time() * 1000)),
        }
        if to_bot:
            message["mentions"] = [
                {"key": "@_user_1", "id": {"open_id": "ou_bot"}, "name": "Annie"}
            ]
        event = {
            "schema": "2.0",
            "header": {
                "event_id": uuid4().hex,
                "event_type": "im.message.receive_v1",
                "token": self._secrets["verification_token"],
                "create_time": str(int(time.time() * 1000)),
            },
            "event": {
                "sender": {"sender_id": {"open_id": "ou_ada"}, "sender_type": "user"},
                "message": message,
            },
        }
        return self.send(event)

    def send(self, event: dict[str, Any]) -> httpx.Response:
        key = self._secrets["encrypt_key"]
        body = lark_client.encrypted(json.dumps(event).encode(), key)
        headers = lark_client.headers(body, str(int(time.time())), "1", key)
        return httpx.post(self._url, content=body, headers=headers, timeout=60, trust_env=False)

    def challenge(self) -> httpx.Response:
        token = self._secrets["verification_token"]
        return self.send({"challenge": "c-1", "token": token, "type": "url_verification"})


def is_up(chat: LarkChat) -> bool:
    try:
        return bool(chat.challenge().json() == {"challenge": "c-1"})
    except httpx.TransportError:
        return False


def test_the_lark_bot_hands_on_what_it_hears_and_answers_who_mentions_it(
    cloud: LocalCloud, tmp_path: Path
) -> None:
    port = free_port()
    chat = LarkChat(cloud, port)
    path = f"/summarize_topic/groups/lark:{chat.chat_id}/messages"
    with model() as asked, serving() as server:
        lark = Lark(server)
        variables = environment(
            tmp_path,
            cloud.told,
            ANNALS_CONTEXT_DEADLINE="25",
            LARK_URL=lark.url,
            LARK_ENCRYPT_KEY=cloud.told["secrets"]["lark"]["encrypt_key"],
            LARK_APP_ID="cli_1",
            LARK_APP_SECRET="s",
            LARK_BOT_OPEN_ID="ou_bot",
            OPENAI_BASE_URL=asked.url,
            OPENAI_MODEL="any",
            PORT=str(port),
        )
        with running_bot(EXAMPLES / "lark_bot.py", tmp_path, variables):
            wait_for(lambda: is_up(chat), "the bot", 120)
            assert chat.say("the projector's remote lies in drawer nine").status_code == 200
            assert chat.say("@_user_1 where is the remote?", to_bot=True).status_code == 200
            wait_for(lambda: lark.replies, "a reply", 120)
            forged = httpx.post(
                f"http://127.0.0.1:{port}/", content=b'{"encrypt": "AAAA"}', trust_env=False
            )
            wait_for(
                lambda: len(cloud.ok("GET", path)["messages"]) == 3, "the bot's own words", 120
            )
            stored = cloud.ok("GET", path)["messages"]

    assert "drawer nine" in json.dumps(asked.requests[0][:-1])
    assert asked.requests[0][-1]["content"] == "@Annie where is the remote?"
    assert len(asked.requests) == 1, "it answers only who speaks to it"
    assert stored[0]["role"] == "assistant"
    assert stored[0]["content"] == lark.replies[0][1]
    assert forged.status_code in (400, 401)


DISCORD = """
import asyncio, json, os
class Intents:
    def __init__(self, **wanted): pass
class Client:
    def __init__(self, **options): assert options["enable_debug_events"]
    def run(self, token, **options):
        for line in open(os.environ["FRAMES"]):
            asyncio.run(self.on_socket_raw_receive(line))
        assert self.memory.flush(60)
"""
"""As much of discord.py as the relay uses, which hands it frames of a file."""


def test_the_discord_relay_sends_what_it_is_told_to_the_base_address(tmp_path: Path) -> None:
    sent = ("one", "refused", "two")
    frames = [{"op": 0, "t": "MESSAGE_CREATE", "s": 1, "d": {"content": text}} for text in sent]
    frames.append({"op": 0, "t": "TYPING_START", "s": 2, "d": {}})
    (tmp_path / "discord.py").write_text(DISCORD, "utf-8")
    (tmp_path / "frames").write_text("\n".join(map(json.dumps, frames)), "utf-8")
    with serving() as server:
        server.answer = lambda path, body: (
            refused(400) if body["d"]["content"] == "refused" else ok()
        )
        variables = environment(
            tmp_path, {"base": server.url, "key": "k"}, DISCORD_TOKEN="t", FRAMES="frames"
        )
        variables["PYTHONPATH"] += f"{os.pathsep}{tmp_path}"
        ran = subprocess.run(
            [sys.executable, str(EXAMPLES / "discord_relay.py")],
            cwd=tmp_path,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )

    assert ran.returncode == 0, ran.stderr
    expected = [{"t": "MESSAGE_CREATE", "d": {"content": text}} for text in sent]
    assert server.seen == [("/ingest_message/webhooks/discord", one) for one in expected]
    assert "refused for good" in ran.stderr
