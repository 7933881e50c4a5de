"""Plays the talk: deliveries as a bot would make them, then the work of each week."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from infra.demo.cloud import Cloud
from infra.demo.script import Chat, Step

BATCH = 50


def deliveries(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """What one request carries: messages of a chat together, everything else alone and in order."""
    waiting: dict[str, list[Step]] = {}
    for step in steps:
        own = waiting.setdefault(step.chat.group_id, [])
        if step.kind != "say" or (own and own[0].day != step.day) or len(own) >= BATCH:
            if own:
                yield own
            waiting[step.chat.group_id] = own = []
        if step.kind == "say":
            own.append(step)
        else:
            yield [step]
    yield from (own for own in waiting.values() if own)


def deliver(cloud: Cloud, batch: Sequence[Step]) -> list[str]:
    """The outcomes, as the API names them."""
    if batch[0].kind == "note":
        cloud.post("/ingest_message/end", batch[0].as_note())
        return ["noted"]
    answer = cloud.post("/ingest_message/messages", [step.as_message() for step in batch])
    return [str(one["outcome"]) for one in answer["results"]]


def play(cloud: Cloud, steps: Sequence[Step], tell: Callable[[int], None]) -> dict[str, int]:
    """Every step delivered and worked through; how often each outcome came."""
    counts: dict[str, int] = {}
    for batch in deliveries(steps):
        for outcome in deliver(cloud, batch):
            counts[outcome] = counts.get(outcome, 0) + 1
        for step in batch:
            if step.is_to_bot and not step.is_question:
                ask_before_reply(cloud, step)
        tell(len(batch))
    return counts


def ask_before_reply(cloud: Cloud, step: Step) -> None:
    """As a bot does each time it is spoken to; what it then said stands in the talk."""
    asked = {"group_id": step.chat.group_id, "message_id": step.message_id}
    cloud.post("/build_context/context", asked)


def evolve(cloud: Cloud, chat: Chat) -> None:
    """As the nightly schedule would, but now; a run that goes on by itself is waited for."""
    answer = cloud.post(f"/evolve_group/memory/evolve/{chat.group_id}")
    if answer.get("status") == "running":
        cloud.wait_until_idle()


def summarize(cloud: Cloud, chat: Chat, most: int) -> list[dict[str, Any]]:
    """The largest topics with their newest summaries."""
    found = cloud.get("/summarize_topic/topics", group_id=chat.group_id, limit=100)
    topics = sorted(found["topics"], key=lambda topic: -int(topic["message_count"]))[:most]
    for topic in topics:
        path = f"/summarize_topic/topics/{topic['topic_id']}"
        made = cloud.post(f"{path}/summarize")
        if made.get("status") == "running":
            cloud.wait_until_idle()
        topic["summary"] = cloud.get(path)["summary"]
    return topics
