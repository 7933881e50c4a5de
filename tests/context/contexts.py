"""Groups with something to remember, and questions about them."""

from datetime import timedelta
from typing import Any

from functions.build_context.deps import context_deps
from functions.build_context.handle_context import build_context
from functions.ingest_message import handle_messages
from shared.contracts.context import ContextAnswer, ContextRequest
from shared.domain.knowledge.event import Event
from shared.domain.knowledge.graph import Entity, Relation
from shared.domain.knowledge.profile import Profile
from shared.domain.memories.embedded_wording import embedded_as
from shared.domain.memories.memory import Memory
from shared.domain.messages.analyser import analysed
from shared.domain.messages.message import Message, Recall
from shared.domain.similarity.vectors import pack
from shared.domain.topics.topic import Summary, Topic
from shared.stores.entities import put_entity
from shared.stores.events import put_event
from shared.stores.memories import new_memory
from shared.stores.profiles import put_profile
from shared.stores.relations import put_relation
from shared.stores.topics import put_summary, put_topic
from shared.stores.vectors import Vector, VectorPlan
from shared.wiring import Services
from tests.services import Clock


def said(group: str, number: int, content: str, clock: Clock, **changes: Any) -> Message:
    fields: dict[str, Any] = {
        "group_id": group,
        "message_id": f"m{number}",
        "user_id": f"u{number % 3}",
        "user_name": ["Ann", "Bob", "Cid"][number % 3],
        "content": content,
        "create_time": clock() - timedelta(minutes=60 - number),
        **changes,
    }
    return Message(**fields)


async def ingest(made: Services, group: str, *messages: Message | Recall) -> None:
    deps = handle_messages.IngestDeps(made.groups, made.messages, made.dispatch, analysed, made.now)
    await handle_messages.ingest(group, list(messages), deps)


def bot(group: str, number: int, content: str, clock: Clock, **changes: Any) -> Message:
    changes = {"role": "assistant", "user_id": "bot", "user_name": "Annals", **changes}
    return said(group, number, content, clock, **changes)


async def ask(made: Services, group: str, **wish: Any) -> ContextAnswer:
    return await build_context(ContextRequest(group_id=group, **wish), context_deps(made))


def ids(answer: ContextAnswer, kind: str = "message") -> list[str]:
    return [item.id for item in answer.items if item.kind == kind]


async def remembering(made: Services, clock: Clock, group: str) -> None:
    """One record of each kind, written through the stores that the pipelines use."""
    now = clock()
    texts = [
        "The team deploys on Tuesdays",
        "Ann is allergic to peanuts",
        "The cat of the office is called Momo",
        "On 2026-01-05 the group booked a flight to Tokyo",
        "They compared hotels in Tokyo and chose the one near the station",
    ]
    found = await made.embedder.embed(texts, group_id=group, budget_s=20)
    vectors = [one for one in found if one]
    core, near, far = (
        Memory(
            f"k{n}",
            group,
            texts[n],
            1,
            now,
            now,
            core=n == 0,
            vector=pack(vectors[n]),
            embedded_as=embedded_as(made.embedder.model),
        )
        for n in range(3)
    )
    event = Event(
        "r1:1", group, texts[3], "r1", 1, now, now.isoformat(), "UTC", "", "end", "u1", "u1",
        (), ("u1",), True,
    )  # fmt: skip
    topic = Topic("t1", group, "Tokyo", "u1", now, now, summary_version=1)
    summary = Summary("t1", group, 1, texts[4], "model", now, (), ("u1",), title="Tokyo")
    momo = Entity("n1", group, "Momo", now, now, "animal", aliases=("摸摸",), description="A cat")
    office = Entity("n2", group, "the office", now, now, "place")
    lives = Relation("l1", group, "n1", "n2", "lives_in", now, now, evidence="Momo lives here")
    await made.database.commit(
        [
            *(new_memory(one) for one in (core, near, far)),
            put_event(event),
            put_topic(topic),
            put_summary(summary),
            put_profile(Profile("group", group, group, "A team of three.", now)),
            *(put_entity(one) for one in (momo, office)),
            put_relation(lives),
            put_profile(Profile("user", "u1", group, "Bob likes maps.", now, name="Bob")),
        ]
    )
    await made.vectors.apply(
        group,
        VectorPlan([Vector("event", "r1:1", vectors[3]), Vector("summary", "t1", vectors[4], 1)]),
    )
