"""What became of the talk, read back over the API: `show` prints it, tests check it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infra.demo.cloud import Cloud
from infra.demo.play import summarize
from infra.demo.script import BOT, Chat, Step
from shared.language import estimate_tokens

LAST = 20
BUDGET = 500
"""Tokens the bot has for a context."""
SUMMARIES = 2


@dataclass
class OfChat:
    """One chat's records, as the API shows them."""

    chat: Chat
    topic_count: int
    topics: list[dict[str, Any]]
    memories: list[dict[str, Any]]
    histories: dict[str, list[dict[str, Any]]]
    ended: list[dict[str, Any]]
    events: list[dict[str, Any]]


@dataclass
class Asked:
    """One question: what Annals offers, beside what a bot without memory would send."""

    question: Step
    context: dict[str, Any]
    last: list[Step]
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def answered(self) -> tuple[int, int]:
        """How many of the messages that answer the question stand in the context, and how many
        among the last ones."""
        offered = {item["id"] for item in self.context["items"]}
        seen = {step.message_id for step in self.last}
        wanted = set(self.question.about)
        return len(wanted & offered), len(wanted & seen)

    @property
    def last_lines(self) -> list[str]:
        return [line_of(step) for step in self.last]

    @property
    def last_tokens(self) -> int:
        """With the same ruler as the context's own."""
        return sum(estimate_tokens(line) + 1 for line in self.last_lines)


def line_of(step: Step) -> str:
    """As the context quotes a message, so that both sides cost the same per line."""
    who = f"{BOT} (bot)" if step.user == BOT else step.user
    return f"> [{step.said_at.strftime('%Y-%m-%d %H:%M')}] {who}: {step.text}"


def of_chat(cloud: Cloud, chat: Chat) -> OfChat:
    listed = cloud.get("/summarize_topic/topics", group_id=chat.group_id, limit=1)
    memories = cloud.get(f"/evolve_group/memory/list/{chat.group_id}", limit=50)["memories"]
    changes = cloud.get(f"/evolve_group/memory/changes/{chat.group_id}", days=1)["changes"]
    return OfChat(
        chat=chat,
        topic_count=int(listed["total"]),
        topics=summarize(cloud, chat, SUMMARIES),
        memories=memories,
        histories={
            one["memory_id"]: cloud.get(f"/evolve_group/memory/history/{one['memory_id']}")[
                "history"
            ]
            for one in memories
            if one["version"] > 1
        },
        ended=[one for one in changes if one["action"] == "delete"],
        events=cloud.get("/historian_job/events", group_id=chat.group_id, limit=10)["events"],
    )


def ask(cloud: Cloud, steps: Sequence[Step], chats: Sequence[OfChat]) -> Asked:
    question = next(step for step in steps if step.is_question)
    group_id = question.chat.group_id
    wanted = {"group_id": group_id, "message_id": question.message_id, "max_tokens": BUDGET}
    context = cloud.post("/build_context/context", wanted)
    asked = Asked(question, context, last_of(steps, question))
    said = current(steps, group_id)
    own = next(one for one in chats if one.chat.group_id == group_id)
    asked.texts = {
        **{message_id: f"{step.user}: {step.text}" for message_id, step in said.items()},
        **{one["memory_id"]: one["statement"] for one in own.memories},
        **{one["event_id"]: one["canonical_text"] for one in own.events},
        **{one["id"]: summary_text(cloud, one["id"]) for one in offered(context, "summary")},
    }
    return asked


def offered(context: Mapping[str, Any], kind: str) -> list[Mapping[str, Any]]:
    return [item for item in context["items"] if item["kind"] == kind]


def summary_text(cloud: Cloud, item_id: str) -> str:
    """A summary's item is named by its topic and its version."""
    topic_id, _, version = item_id.rpartition(":")
    listed = cloud.get(f"/summarize_topic/topics/{topic_id}/summaries")["summaries"]
    return next(str(one["content"]) for one in listed if one["version"] == int(version))


def current(steps: Sequence[Step], group_id: str) -> dict[str, Step]:
    """A chat as its members see it now: edits made, recalled messages gone."""
    said: dict[str, Step] = {}
    for step in steps:
        if step.chat.group_id != group_id or step.kind == "note":
            continue
        if step.kind == "recall":
            said.pop(step.message_id, None)
        else:
            said[step.message_id] = step
    return said


def last_of(steps: Sequence[Step], question: Step) -> list[Step]:
    """What a bot without memory sends along: the last messages before the question."""
    said = [
        step
        for step in current(steps, question.chat.group_id).values()
        if step.at <= question.at and step is not question
    ]
    return said[-LAST:]


def recalled_texts(steps: Sequence[Step]) -> list[str]:
    gone = {step.message_id for step in steps if step.kind == "recall"}
    return [step.text for step in steps if step.kind == "say" and step.message_id in gone]


def foreign_texts(steps: Sequence[Step], group_id: str, text: str) -> list[str]:
    """Messages of other chats that stand in a text, though nobody said them in this one."""
    own = {step.text for step in steps if step.chat.group_id == group_id}
    others = {step.text for step in steps if step.chat.group_id != group_id and step.text}
    return sorted(one for one in others - own if len(one) > 8 and one in text)
