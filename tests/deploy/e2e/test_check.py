"""`python -m infra.check` against a local cloud that is well, and against gaps."""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from infra.check import round_trip
from infra.check.round_trip import Deployment, at_one_url, check
from shared.config.deployment import FUNCTIONS
from tests.local_cloud import LocalCloud
from tests.project import ROOT


def deployment(cloud: LocalCloud, client: httpx.Client, key: str | None = None) -> Deployment:
    urls = at_one_url(cloud.told["base"], FUNCTIONS)
    return Deployment(urls, cloud.told["key"] if key is None else key, client)


def test_the_command_finds_a_local_cloud_well_and_leaves_nothing(cloud: LocalCloud) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "infra.check", "--url", cloud.told["base"]],
        cwd=ROOT,
        env={**os.environ, "ANNALS_KEY": cloud.told["key"], "NO_PROXY": "127.0.0.1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok     a task is delivered: the message has a topic" in done.stdout
    assert "ok     nothing of it comes back" in done.stdout
    assert done.stdout.rstrip().endswith("everything is well")
    left = cloud.ok("GET", "/build_context/groups")["groups"]
    for group in (one["group_id"] for one in left if one["group_id"].startswith("check:")):
        topics = cloud.ok("GET", f"/summarize_topic/topics?group_id={group}")
        assert topics["total"] == 0


def test_a_key_that_may_not_is_named(cloud: LocalCloud) -> None:
    asked = {"name": "reads only", "scopes": ["read"], "groups": ["*"]}
    key = str(cloud.ok("POST", "/historian_job/keys", asked)["key"])
    with httpx.Client(timeout=60, trust_env=False) as client:
        wrong = [one for one in check(deployment(cloud, client, key)) if not one.is_ok]

    assert [one.name for one in wrong] == ["a message goes in"]
    assert "no scope" in wrong[0].to_do


def test_a_task_that_does_not_come_is_seen_and_the_message_is_forgotten(
    cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(round_trip, "PATIENCE_S", 2.0)
    monkeypatch.setattr(round_trip, "LOOK_EVERY_S", 0.1)
    with cloud.paused("attribute"), httpx.Client(timeout=60, trust_env=False) as client:
        steps = {one.name: one for one in check(deployment(cloud, client))}

    late = steps["a task is delivered: the message has a topic"]
    assert not late.is_ok
    assert "task_not_sent" in late.to_do
    assert steps["nothing of it comes back"].is_ok


def test_an_open_worker_and_a_silent_one_are_wrong(cloud: LocalCloud) -> None:
    base = cloud.told["base"]
    urls = {"ingest_message": f"{base}/ingest_message", "gone": "http://127.0.0.1:1"}
    with httpx.Client(timeout=60, trust_env=False) as client:
        made = Deployment(urls, "", client, frozenset({"ingest_message"}))
        steps = list(check(made))

    assert [one.is_ok for one in steps] == [False, False]
    assert "it answers everybody" in steps[0].to_do
    assert "ConnectError" in steps[1].to_do


def test_it_must_be_told_which_deployment(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "infra.check"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--cloud and --env, or --url" in done.stderr

    words += ["before", "--cloud", "gcp", "--env", "nowhere"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "copy infra/gcp/example.tfvars.json" in done.stderr
    assert json.loads((ROOT / "infra/gcp/example.tfvars.json").read_text("utf-8"))
