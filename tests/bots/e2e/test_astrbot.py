"""The plugin in a real AstrBot, as its zip installs it. AstrBot needs Python 3.12 and packages of
its own: name the Python of that environment in ASTRBOT_PYTHON."""

import json
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from infra.addresses import free_port
from tests.bots.onebot import OneBot, onebot
from tests.bots.running import Model, model, until
from tests.bots.scenario import MEMORY, Group, a_burst, a_recall, ten_turns, without_annals
from tests.local_cloud import ON_THE_FRAGILE_CLOUD, LocalCloud
from tests.project import ROOT

PYTHON = os.environ.get("ASTRBOT_PYTHON", "")
PLUGIN = ROOT / "clients" / "astrbot_plugin_annals"
needs_astrbot = pytest.mark.skipif(not PYTHON, reason="ASTRBOT_PYTHON names no Python with AstrBot")


def packed(folder: Path) -> Path:
    subprocess.run([sys.executable, str(PLUGIN / "pack.py"), str(folder)], check=True)
    return folder / "astrbot_plugin_annals.zip"


def test_the_zip_is_small_and_whole(tmp_path: Path) -> None:
    path = packed(tmp_path)
    names = zipfile.ZipFile(path).namelist()

    assert path.stat().st_size < 16 * 1024 * 1024
    assert {"astrbot_plugin_annals/main.py", "astrbot_plugin_annals/metadata.yaml"} <= set(names)
    assert "astrbot_plugin_annals/vendor/annals/client.py" in names
    assert not any("pack.py" in one or "__pycache__" in one for one in names)


def settings(port: int, model_url: str) -> dict[str, Any]:
    """What a person sets in AstrBot: the chat platform and the model."""
    source = {
        "id": "local",
        "provider": "openai",
        "type": "openai_chat_completion",
        "provider_type": "chat_completion",
        "enable": True,
        "key": ["none"],
        "api_base": model_url,
        "timeout": 120,
    }
    chat = {
        "id": "qq",
        "type": "aiocqhttp",
        "enable": True,
        "ws_reverse_host": "127.0.0.1",
        "ws_reverse_port": port,
        "ws_reverse_token": "",
    }
    made = {"id": "local/any", "provider_source_id": "local", "model": "any", "enable": True}
    return {
        "platform": [chat],
        "provider_sources": [source],
        "provider": [made],
        "provider_settings": {"default_provider_id": "local/any"},
        "dashboard": {"enable": False},
    }


@contextmanager
def astrbot(folder: Path, cloud: LocalCloud, port: int, asked: Model) -> Iterator[None]:
    data = folder / "data"
    command = str(Path(PYTHON).with_name("astrbot"))
    variables = {"PATH": os.environ["PATH"], "HOME": str(folder), "ASTRBOT_DISABLE_METRICS": "1"}
    variables |= {"LANG": "C.UTF-8", "DASHBOARD_PORT": str(free_port())}
    with (folder / "astrbot.log").open("wb") as log:
        subprocess.run(
            [command, "init", "-y"], cwd=folder, env=variables, stdout=log, stderr=log, check=True
        )
        zipfile.ZipFile(packed(folder)).extractall(data / "plugins")
        whole = json.dumps(settings(port, asked.url))
        (data / "cmd_config.json").write_text(whole, "utf-8")
        own = {"url": cloud.told["base"], "key": cloud.told["key"], "context_deadline": 25}
        (data / "config").mkdir(exist_ok=True)
        (data / "config" / "astrbot_plugin_annals_config.json").write_text(json.dumps(own))
        process = subprocess.Popen(
            [command, "run"], cwd=folder, env=variables, stdout=log, stderr=log
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=60)


async def a_members_command(client: OneBot) -> None:
    before = len(client.replies)
    await client.say("/annals list")
    await until(lambda: len(client.replies) > before, "the group's memories")
    assert MEMORY in client.replies[-1]


@needs_astrbot
@ON_THE_FRAGILE_CLOUD
@pytest.mark.timeout(900)
async def test_a_group_with_a_bot_that_remembers(fragile: LocalCloud, tmp_path: Path) -> None:
    group_id, port = int(time.time()), free_port()
    group = Group(fragile, group_id)
    group.know()
    with model() as asked, astrbot(tmp_path, fragile, port, asked):
        async with onebot(f"ws://127.0.0.1:{port}/ws", group_id) as client:
            await a_burst(client, group)
            await a_recall(client, group, asked)
            await ten_turns(client, asked)
            await a_members_command(client)
            await without_annals(client, group, fragile, asked)
