"""`python -m bench.prompts.small_demo`: the demo's two weeks through the very small model.

What it says is mostly useless; the point is that nothing gets stuck, that what falls back says so,
and that nothing it makes up becomes an active memory; exit 1 if one of them fails. `--rules`
plays the same on `annals-rules`, `--messages N` only the first so many steps.
"""

import argparse
import contextlib
import json
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from bench.prompts.small import MODEL, serving
from infra.demo.cloud import Cloud, DemoFailed, own
from infra.demo.gather import foreign_texts
from infra.demo.play import evolve, play
from infra.demo.script import Chat, Step, last_monday, read_talk

PATIENCE_S = 3600.0
SETTLE_S = 900.0
"""Several leases and sweeps; a job that runs on after them is stuck."""
MODEL_TIMEOUT_S = "240"
"""An answer of this model on a busy core takes minutes; what it does not say in time is a fallback
like any other, but then there is nothing of the model to see."""
LEAST_SAID = 0.5
"""Of a memory's words; names and the form of the statement are the rest."""
FALLBACKS = (
    "model_call_failed",
    "reply_to_be_corrected",
    "reply_unusable",
    "topics_without_model",
    "summary_without_model",
    "summary_not_judged",
    "note_degraded",
    "batch_split",
    "job_attempt_failed",
    "evolution_lines_left_out",
    "extraction_refused",
)
"""Log lines that tell of an answer that could not be used as it was."""


@contextlib.contextmanager
def _cloud(is_rules: bool, log: Path) -> Iterator[Cloud]:
    if is_rules:
        with own(patience_s=PATIENCE_S, log=log) as cloud:
            yield cloud
        return
    os.environ.setdefault("MEMORY_MODEL_TIMEOUT_SECONDS", MODEL_TIMEOUT_S)
    with (
        serving() as base_url,
        own("--chat-url", base_url, "--chat-model", MODEL, patience_s=PATIENCE_S, log=log) as cloud,
    ):
        yield cloud


def played(cloud: Cloud, steps: list[Step]) -> list[str]:
    """Every step delivered, every chat evolved; what was refused on the way."""
    refused: list[str] = []
    play(cloud, steps, lambda _: None)
    print("said", len(steps), flush=True)
    cloud.wait_until_idle()
    print("topics, summaries, notes and extraction are through", flush=True)
    for chat in dict.fromkeys(step.chat for step in steps):
        try:
            evolve(cloud, chat)
        except DemoFailed as failed:
            refused.append(str(failed)[:160])
        print("evolved", chat.group_id, flush=True)
    cloud.wait_until_idle()
    _settle(cloud)
    return refused


def _settle(cloud: Cloud) -> None:
    """A job whose request was given up runs until its lease ends and a sweep takes it back."""
    until = time.monotonic() + SETTLE_S
    while running_jobs(cloud) and time.monotonic() < until:
        time.sleep(2)
        cloud.wait_until_idle()


def running_jobs(cloud: Cloud) -> list[str]:
    found = cloud.get("/historian_job/jobs", status="running", limit=100)["jobs"]
    return [str(one["job_id"]) for one in found]


def told_of(cloud: Cloud, steps: list[Step], log: Path) -> list[str]:
    lines = Counter[str]()
    for line in log.read_text("utf-8", errors="replace").splitlines():
        with contextlib.suppress(ValueError, AttributeError):
            lines[str(json.loads(line).get("message"))] += 1
    metrics = cloud.get("/build_context/metrics", window_seconds=86_400)["metrics"]
    usage = cloud.get("/historian_job/usage", days=1)["usage"]
    found = [f"model calls {sum(int(one.get('calls', 0)) for one in usage)}"]
    found += [f"{name} {lines[name]}" for name in FALLBACKS if lines[name]]
    found += [
        f"{name} {metrics[name]}"
        for name in metrics
        if name.startswith(("jobs_", "job_", "changes_", "oldest_"))
    ]
    for chat in dict.fromkeys(step.chat for step in steps):
        found += of_chat(cloud, chat, steps)
    return found


def wrong_with(cloud: Cloud, steps: list[Step]) -> list[str]:
    """What must not be, whatever a model says."""
    found = [f"a job is still running: {one}" for one in running_jobs(cloud)]
    for chat in dict.fromkeys(step.chat for step in steps):
        page = cloud.get(f"/summarize_topic/groups/{chat.group_id}/messages", limit=100)
        found += [
            f"without a topic: {one['content'][:60]}"
            for one in page["messages"]
            if not one.get("topic_id") and not one.get("recalled")
        ]
        active = cloud.get(f"/evolve_group/memory/list/{chat.group_id}", limit=100)
        said = " ".join(step.text for step in steps if step.chat == chat)
        found += [
            f"active, and nobody said it: {one['statement']}"
            for one in active["memories"]
            if share_said(one["statement"], said) < LEAST_SAID
        ]
    return found


def share_said(statement: str, said: str) -> float:
    """How much of a statement's words stands in the talk: words of more than three letters, and
    pairs of Chinese characters."""
    words = re.findall(r"[a-z0-9]{4,}", statement.casefold())
    for run in re.findall(r"[\u4e00-\u9fff]+", statement):
        words += [run[at : at + 2] for at in range(len(run) - 1)]
    heard = said.casefold()
    return sum(word in heard for word in words) / len(words) if words else 0.0


def of_chat(cloud: Cloud, chat: Chat, steps: list[Step]) -> list[str]:
    topics = cloud.get("/summarize_topic/topics", group_id=chat.group_id, limit=100)
    active = cloud.get(f"/evolve_group/memory/list/{chat.group_id}", limit=100)
    waiting = cloud.get(f"/evolve_group/memory/list/{chat.group_id}", limit=100, status="candidate")
    events = cloud.get("/historian_job/events", group_id=chat.group_id, limit=100)["events"]
    context = cloud.post(
        "/build_context/context", {"group_id": chat.group_id, "message": "what is planned?"}
    )
    degraded = sum(bool(one.get("degraded")) for one in events)
    return [
        (
            f"== {chat.group_id}: {topics['total']} topics, {active['total']} memories,"
            f" {waiting['total']} candidates, {len(events)} events ({degraded} degraded),"
            f" context {context['mode']} of {context['tokens']['total']} tokens,"
            f" {len(foreign_texts(steps, chat.group_id, context['text']))} lines of other chats"
        ),
        *(f"  active: {one['statement']}" for one in active["memories"]),
    ]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench.prompts.small_demo", description=__doc__)
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--messages", type=int)
    asked = parser.parse_args(argv)
    steps = list(read_talk(last_monday(datetime.now(UTC))))[: asked.messages]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "local.log"
        with _cloud(asked.rules, log) as cloud:
            refused = played(cloud, steps)
            lines = told_of(cloud, steps, log)
            wrong = wrong_with(cloud, steps)
    print(f"{len(steps)} steps in {time.monotonic() - began:.0f} s")
    print("\n".join([*lines, *(f"refused: {one}" for one in refused)]))
    print("\n".join(f"WRONG {one}" for one in wrong) or "nothing stuck, nothing made up is active")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
