"""docs/bots.md, followed word by word on a local cloud."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from infra.addresses import free_port
from tests.bots.onebot import onebot
from tests.bots.running import environment, running_bot, until
from tests.docs.pages import blocks, text_of
from tests.local_cloud import LocalCloud
from tests.project import ROOT

PAGES = ("docs/bots.md", "docs/bots.zh-CN.md")
PAGE = text_of(PAGES[0])
LOCAL = "http://127.0.0.1:8080"
needs_curl = pytest.mark.skipif(not shutil.which("curl"), reason="curl is missing")


def block(language: str, word: str) -> str:
    """The one block of the page with this word in it."""
    (found,) = [one for one in blocks(PAGE, language) if word in one]
    return found


def variables(cloud: LocalCloud, folder: Path) -> dict[str, str]:
    """What the first block exports; a busy machine gets more than 0.3 seconds."""
    given = block("sh", "export")
    assert set(re.findall(r"export ([A-Z_]+)=", given)) == {"ANNALS_URL", "ANNALS_KEY"}
    commands = folder / "bin"
    commands.mkdir(exist_ok=True)
    script = "from annals.command import main; main()"
    (commands / "annals").write_text(f'#!/bin/sh\nexec {sys.executable} -c "{script}" "$@"\n')
    (commands / "annals").chmod(0o755)
    made = environment(folder, cloud.told, ANNALS_CONTEXT_DEADLINE="25", COLUMNS="160")
    return {**made, "PATH": f"{commands}{os.pathsep}{made['PATH']}"}


def run(command: list[str], cloud: LocalCloud, folder: Path) -> str:
    ran = subprocess.run(
        command,
        cwd=folder,
        env=variables(cloud, folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_both_languages_show_the_same_blocks() -> None:
    english, chinese = (text_of(one) for one in PAGES)

    for language in ("sh", "python", "json"):
        assert blocks(english, language) == blocks(chinese, language)


def test_what_is_installed_is_there() -> None:
    named = re.findall(r"\./(clients/[\w-]+)", "\n".join(blocks(PAGE, "sh")))

    assert named
    assert all((ROOT / one / "pyproject.toml").exists() for one in named)


@needs_curl
def test_the_calls_with_curl(cloud: LocalCloud, tmp_path: Path) -> None:
    script = block("sh", "curl").replace("\ncurl", "\necho\ncurl")
    stored, context = run(["bash", "-euo", "pipefail", "-c", script], cloud, tmp_path).splitlines()

    assert json.loads(stored)["results"][0]["outcome"] == "stored"
    assert "Friday" in json.loads(context)["text"]


def test_the_bot_in_python_then_its_memory_on_the_command_line_and_over_mcp(
    cloud: LocalCloud, tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text(block("python", "from annals import Annals"), "utf-8")
    told = run([sys.executable, "bot.py"], cloud, tmp_path)
    assert "heron-92" in told

    shown = run(["bash", "-euo", "pipefail", "-c", block("sh", "annals add")], cloud, tmp_path)
    assert shown.count("rehearses on Thursdays") >= 2
    assert "historian_job" in shown


async def test_the_configuration_for_mcp(cloud: LocalCloud) -> None:
    (server,) = json.loads(block("json", "mcpServers"))["mcpServers"].values()
    headers = {
        name: value.replace("${ANNALS_KEY}", cloud.told["key"])
        for name, value in server["headers"].items()
    }
    url = server["url"].replace(LOCAL, cloud.told["base"])
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        added = await client.call_tool("add_memory", {"statement": "Ada plays the cello"})
        found = await client.call_tool("search_memories", {"query": "what does Ada play?"})

    assert not added.is_error, added
    assert "cello" in str(found.structured_content)


@pytest.mark.timeout(300)
async def test_the_bot_on_nonebot(cloud: LocalCloud, tmp_path: Path) -> None:
    group_id, port = int(time.time()), free_port()
    source = block("python", "import nonebot")
    assert "port=8081" in source
    (tmp_path / "bot.py").write_text(source.replace("port=8081", f"port={port}"), "utf-8")
    with running_bot(tmp_path / "bot.py", tmp_path, variables(cloud, tmp_path)):
        async with onebot(f"ws://127.0.0.1:{port}/onebot/v11/ws", group_id) as client:
            await client.say("the keys are under the blue flowerpot")
            path = f"/summarize_topic/groups/onebot:{group_id}/messages"
            await until(lambda: cloud.ok("GET", path)["messages"], "the line")
            await client.say("where are the keys?", to_bot=True)
            await until(lambda: client.replies, "a reply")

    logged = (tmp_path / "bot.log").read_text()
    assert "flowerpot" in logged, logged[-2000:]
    assert "flowerpot" not in client.replies[0], "the context would be remembered as said"
