"""A member of long standing is forgotten, the job killed five times: no trace in any document,
vector or file, and what others said is there.

Only `make faults` runs it: MARKED is the number of their messages.
"""

import os
from dataclasses import replace
from datetime import timedelta

import pytest

from functions.historian_job import handle_forget
from shared.domain.ids import digest
from shared.domain.memories.memory import Memory
from shared.domain.memories.versions import created, updated
from shared.domain.messages.message import Mention
from shared.stores.firestore import update
from shared.stores.memories import step_writes
from shared.stores.message_records import message_path
from shared.stores.topics import put_topic
from tests.forgetting.interleaving import Interleaving, Killed, freed, killed_at, stepped_stores
from tests.forgetting.whole_group import Saying, WholeGroup

MESSAGES = int(os.environ.get("MARKED", "0"))
TOPICS, MEMORIES, KILLS = 40, 25, 5
MARKED = ("u-zed", "zebrawood", "quincunx")
SUBJECTS = (
    "harbour", "violin", "tomato", "glacier", "invoice", "marathon", "chess", "telescope",
    "bakery", "carburettor", "orchid", "passport", "avalanche", "sourdough", "lighthouse", "tax",
    "kayak", "dentist", "origami", "printer", "wedding", "beehive", "opera", "cement", "puppy",
    "ballot", "espresso", "roof", "vaccine", "satellite", "quilt", "mortgage", "gymnastics",
    "mushroom", "elevator", "poetry", "drone", "sauna", "archive", "bicycle",
)  # fmt: skip

pytestmark = [
    pytest.mark.skipif(not MESSAGES, reason="asked for by `make faults` (MARKED=...)"),
    pytest.mark.timeout(1800),
]


async def lived_long(whole: WholeGroup) -> None:
    """Zed in forty topics, and in every pipeline."""
    each = max(1, MESSAGES // len(SUBJECTS))
    for number, subject in enumerate(SUBJECTS):
        lines = []
        for turn in range(each):
            lines.append(("Zed", f"the {subject} {turn} stands on my zebrawood quincunx {number}"))
            if turn % 5 == 0:
                lines.append(("Ann", f"I like the {subject} too, number {turn}"))
        (opened,) = await whole.say(("Ann", f"Now something quite different: the {subject}!"))
        await whole.attribute()
        ann = (Mention("u-ann", "Ann"),)
        await whole.say(*lines, mentions=ann, reply_message_id=opened)
        meant = (Mention("u-zed", "Zed"),)
        await whole.say(("Bob", f"Zed knows all about {subject}"), mentions=meant)
        for _ in range(3 + each // 60):
            await whole.attribute()
        await apart(whole, opened, f"zebrawood {subject}")
        whole.clock.turn(hours=9)
    for number in range(MEMORIES):
        memory = Memory(
            memory_id="", group_id=whole.group_id, statement=f"Zed owns zebrawood desk {number}",
            version=1, created_at=whole.clock(), updated_at=whole.clock(), subject="u-zed",
            sources=(f"m{number + 1:05}",), source_users=("u-zed",),
            last_supported_at=whole.clock(),
        )  # fmt: skip
        first = created(memory, run_id=f"test {number}", now=whole.clock())
        await whole.made.memories.apply(step_writes(first, {}))
        if number % 3 == 0:
            (found,) = await whole.made.memories.history(first.new)
            better = replace(first.new, statement=f"Zed sold zebrawood desk {number}")
            step = updated(first.new, better, run_id=f"again {number}", now=whole.clock())
            revisions = {first.new.memory_id: found.revision}
            await whole.made.memories.apply(step_writes(step, revisions))
    whole.model = Saying(
        whole.made.model,
        {
            "memory_evolve": {
                "lines": [],
                "entities": [{"name": "zebrawood", "type": "other", "confidence": 0.9}],
                "relations": [],
            }
        },
    )
    for number in range(5):
        spoke = f"Zed spoke of zebrawood {number}"
        await whole.note("Zed", spoke, "Zed has a desk", f"m{number + 1:05}")
    await whole.summarize()
    await whole.evolve()
    for number in range(5):
        answer = await whole.context(f"What of the {SUBJECTS[number]}?", "Zed")
        await whole.reply(answer, "A zebrawood desk.")


async def apart(whole: WholeGroup, opened: str, title: str) -> None:
    """All from that message on in a topic of its own: how well topics are told apart is not what is
    tried here."""
    made, group_id = whole.made, whole.group_id
    first = await made.messages.get(group_id, opened)
    assert first is not None
    _, some = await made.messages.page(
        group_id, since=first.create_time, until=None, user_id=None, topic_id=None, after=None,
        limit=500,
    )  # fmt: skip
    (was,) = (await made.topics.get_many(group_id, [first.topic_id or ""])).values()
    own = digest("topic", group_id, opened, "apart")
    topic = replace(was, topic_id=own, title=title, keywords={"zebrawood": 1.0},
                    message_count=len(some), user_ids=("u-zed", "u-ann", "u-bob"))  # fmt: skip
    writes = [update(message_path(group_id, one.message_id), {"topic_id": own}) for one in some]
    await made.database.commit([put_topic(topic), *writes])


async def test_nothing_of_a_member_of_long_standing_is_left(
    whole: WholeGroup, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole.clock.at -= timedelta(days=30)
    await lived_long(whole)
    total, _ = await whole.made.topics.listed(whole.group_id, is_active=None, limit=200, offset=0)
    before = await whole.where(*MARKED, "Ann")
    assert all(before.values())
    assert total >= TOPICS
    said, _ = await whole.made.messages.page(
        whole.group_id, since=None, until=None, user_id="u-zed", topic_id=None, after=None, limit=1
    )
    others, _ = await whole.made.messages.page(
        whole.group_id, since=None, until=None, user_id="u-ann", topic_id=None, after=None, limit=1
    )
    print(f"\n{said} messages in {total} topics; {len(before['zebrawood'])} records hold the word")
    monkeypatch.setattr(handle_forget, "AT_ONCE_S", 0.0)  # all of it is the job's
    job = await handle_forget.forget_member(whole.group_id, "u-zed", whole.forgetting())
    kills = 0
    for at in (3, 11, 29, 61, 101):
        between = Interleaving(at, killed_at)
        try:
            with stepped_stores(whole.made, between):
                await whole.run(job.job_id)
        except Killed:
            kills += 1
        await freed(whole.made)
    receipt = await whole.forgotten(job)

    assert await whole.where(*MARKED) == {word: [] for word in MARKED}
    assert whole.in_files(*MARKED[1:]) == {word: [] for word in MARKED[1:]}
    assert receipt.messages == said
    assert receipt.memories == MEMORIES + len(range(0, MEMORIES, 3))
    assert receipt.mentions == len(SUBJECTS)
    assert kills == KILLS
    left, _ = await whole.made.messages.page(
        whole.group_id, since=None, until=None, user_id="u-ann", topic_id=None, after=None, limit=1
    )
    assert left == others, "what others said stays"
    print(f"killed {kills} times; receipt {receipt}; 0 hits in documents, vectors and files")
