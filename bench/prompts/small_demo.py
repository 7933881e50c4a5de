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
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from bench.prompts.small import MODEL, REPLY_TOKENS, end, serving
from infra.demo.cloud import Cloud, DemoFailed, own
from infra.demo.gather import foreign_texts
from infra.demo.play import evolve, play, summarize
from infra.demo.script import Chat, Step, last_monday, read_talk

Told = dict[str, Any]
"""A line of a log, as it was written."""

PATIENCE_S = 3600.0
SETTLE_S = 1800.0
"""Several leases, sweeps and attempts; a job that goes on after them is stuck."""
SOON_S = 3600.0
NIGHTS = 2
SUMMARIES = 2
"""Of each chat, as many as the demo asks for."""
SLOW = {
    "MEMORY_MODEL_TIMEOUT_SECONDS": "240",
    "MEMORY_MODEL_REPLY_TOKENS": REPLY_TOKENS,
    "MEMORY_TOPIC_ASK_EVERY": "50",
    "MEMORY_QUALITY_SAMPLE": "1",
}
"""For a model that takes a minute a call on a busy core, repeats itself without end and goes on
when nobody waits any more: more time, short replies, short questions; and every summary judged, so
that this prompt is asked too."""
PROMPT_OF = {
    "topics_without_model": "topic_attribute",
    "note_degraded": "note_rewrite",
    "evolution_lines_left_out": "memory_evolve",
    "evolution_page_skipped": "memory_evolve",
    "profile_merge_held_back": "profile_merge",
    "summary_not_judged": "summary_quality",
}
"""What fell back, where the line itself does not name its prompt."""
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
    "evolution_page_skipped",
    "profile_merge_held_back",
    "reply_items_skipped",
)
"""Log lines that tell of an answer that could not be used as it was."""


@contextlib.contextmanager
def _cloud(is_rules: bool, log: Path) -> Iterator[Cloud]:
    if is_rules:
        with own(patience_s=PATIENCE_S, log=log) as cloud:
            yield cloud
        return
    os.environ.update({**SLOW, **os.environ})
    with (
        serving() as base_url,
        own("--chat-url", base_url, "--chat-model", MODEL, patience_s=PATIENCE_S, log=log) as cloud,
    ):
        yield cloud


def played(cloud: Cloud, steps: list[Step]) -> list[str]:
    """As the demo does it, but in smaller pieces, for a small model reads a week's talk for minutes
    and loses itself in it: day by day every step delivered, every other night every chat evolved,
    at the end the largest topics summarised. What was refused on the way, as a person would see
    it."""
    refused: list[str] = []

    def tried(what: str, work: Callable[[], object]) -> None:
        began = time.monotonic()
        try:
            work()
        except DemoFailed as failed:
            refused.append(str(failed)[:160])
        print(f"{what}: {time.monotonic() - began:.0f} s", flush=True)

    chats = list(dict.fromkeys(step.chat for step in steps))
    for day in sorted({step.day for step in steps}):
        said = [step for step in steps if step.day == day]
        tried(f"day {day}, {len(said)} steps", partial(_day, cloud, said))
        if day % NIGHTS == 0 or day == steps[-1].day:
            for chat in chats:
                tried(f"evolved {chat.group_id}", partial(evolve, cloud, chat))
    for chat in chats:
        tried(f"summarised {chat.group_id}", partial(summarize, cloud, chat, SUMMARIES))
    tried("the rest", partial(_settle, cloud))
    return refused


def _day(cloud: Cloud, steps: list[Step]) -> None:
    play(cloud, steps, lambda _: None)
    cloud.wait_until_idle()


def _settle(cloud: Cloud) -> None:
    """Until nothing runs and nothing waits for its next attempt: a job whose request was given up
    runs until its lease ends and a sweep takes it back."""
    until = time.monotonic() + SETTLE_S
    cloud.wait_until_idle()
    while unfinished(cloud) and time.monotonic() < until:
        time.sleep(2)
        cloud.wait_until_idle()


def unfinished(cloud: Cloud) -> list[str]:
    """Jobs under way, and those due soon; a summary that waits for company is due in days."""
    soon = datetime.now(UTC) + timedelta(seconds=SOON_S)
    jobs = [
        one
        for state in ("running", "pending")
        for one in cloud.get("/historian_job/jobs", status=state, limit=100)["jobs"]
    ]
    return [
        f"{one['kind']} {one['job_id']} of {one['group_id']}"
        for one in jobs
        if one["state"] == "running" or datetime.fromisoformat(one["due_at"]) < soon
    ]


def told_of(cloud: Cloud, steps: list[Step], log: Path) -> list[str]:
    metrics = cloud.get("/build_context/metrics", window_seconds=86_400)["metrics"]
    found = calls_in(log.read_text("utf-8", errors="replace"))
    found += [
        f"{name} {metrics[name]}"
        for name in metrics
        if name.startswith(("jobs_", "job_", "changes_", "oldest_"))
    ]
    for chat in dict.fromkeys(step.chat for step in steps):
        found += of_chat(cloud, chat, steps)
    return found


def calls_in(log: str) -> list[str]:
    """A line for each prompt: its answers, what they cost, and what fell back, by log lines."""
    answers: dict[str, list[Told]] = {}
    fallbacks: dict[str, Counter[str]] = {}
    for told in _told_in(log):
        event = str(told.get("message"))
        prompt = str(told.get("prompt_id") or PROMPT_OF.get(event, ""))
        if event == "model_asked":
            answers.setdefault(prompt, []).append(told)
        elif event in FALLBACKS:
            # A form that the server does not take is another matter than an answer too late.
            is_form = event == "model_call_failed" and told.get("code") == "refused"
            fallbacks.setdefault(prompt, Counter())["form_refused" if is_form else event] += 1
    return [
        f"{prompt or 'of several prompts'}: {_cost(answers.get(prompt, []))}; "
        + (", ".join(f"{name} {n}" for name, n in fallbacks.get(prompt, {}).items()) or "as asked")
        for prompt in sorted({*answers, *fallbacks})
    ]


def _told_in(log: str) -> Iterator[Told]:
    for line in log.splitlines():
        with contextlib.suppress(ValueError):
            told = json.loads(line)
            if isinstance(told, dict):
                yield told


def _cost(answers: list[Told]) -> str:
    if not answers:
        return "no answer"
    seconds = [one["ms"] / 1000 for one in answers]
    most_in, most_out = (
        max(one[name] for one in answers) for name in ("prompt_tokens", "completion_tokens")
    )
    return (
        f"{len(answers)} answers, median {median(seconds):.0f} s, longest {max(seconds):.0f} s,"
        f" at most {most_in} tokens in and {most_out} out"
    )


def wrong_with(cloud: Cloud, steps: list[Step]) -> list[str]:
    """What must not be, whatever a model says."""
    found = [f"not finished: {one}" for one in unfinished(cloud)]
    for chat in dict.fromkeys(step.chat for step in steps):
        found += [
            f"without a topic: {one['state']} {one['content'][:60]}"
            for one in messages_of(cloud, chat)
            if not one["topic_id"] and one["state"] != "recalled"
        ]
        active = cloud.get(f"/evolve_group/memory/list/{chat.group_id}", limit=100)
        said = " ".join(step.text for step in steps if step.chat == chat)
        found += [
            f"active, and nobody said it: {one['statement']}"
            for one in active["memories"]
            if share_said(one["statement"], said) < LEAST_SAID
        ]
    return found


def messages_of(cloud: Cloud, chat: Chat) -> Iterator[dict[str, Any]]:
    path = f"/summarize_topic/groups/{chat.group_id}/messages"
    cursor: dict[str, str] = {}
    while True:
        page = cloud.get(path, limit=100, **cursor)
        yield from page["messages"]
        if not page["next_cursor"]:
            return
        cursor = {"cursor": page["next_cursor"]}


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
    ways = Counter(str(one["generation_method"]) for one in _summaries(cloud, topics["topics"]))
    return [
        (
            f"== {chat.group_id}: {topics['total']} topics, {active['total']} memories,"
            f" {waiting['total']} candidates, {len(events)} events ({degraded} degraded),"
            f" summaries: {dict(ways)},"
            f" context {context['mode']} of {context['tokens']['total']} tokens,"
            f" {len(foreign_texts(steps, chat.group_id, context['text']))} lines of other chats"
        ),
        *(f"  active: {one['statement']}" for one in active["memories"]),
    ]


def _summaries(cloud: Cloud, topics: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for topic in topics:
        found = cloud.get(f"/summarize_topic/topics/{topic['topic_id']}")["summary"]
        if found:
            yield found


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench.prompts.small_demo", description=__doc__)
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--messages", type=int)
    parser.add_argument("--log", type=Path, help="keeps what the local cloud said")
    asked = parser.parse_args(argv)
    signal.signal(signal.SIGTERM, end)  # so that the model's server and the local cloud end too
    steps = list(read_talk(last_monday(datetime.now(UTC))))[: asked.messages]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        log = asked.log or Path(folder) / "local.log"
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
