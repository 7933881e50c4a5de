"""Random reads with ids, users and words of other groups, through every read route, with every key:
no record of another group, and none of a private chat in a group.

`make test` has some hundred, `make faults` ten thousand (READS=10000).
"""

import os
import random
from collections import Counter

import pytest

from tests.forgetting.doors import Doors
from tests.forgetting.pipeline.test_withheld import SEARCHES
from tests.forgetting.whole_group import Saying, WholeGroup

READS = int(os.environ.get("READS", "300"))
pytestmark = pytest.mark.timeout(1800 if READS > 1000 else 240)
ALL = ["messages", "memories", "events", "profiles", "summaries", "graph"]
SECRETS = ("zebrawood", "quincunx", "ballast")
"""A word of each group; the last is a private chat, with members of the first."""


async def lived(whole: WholeGroup, word: str, audience: str) -> dict[str, str]:
    """A small group that every pipeline worked on; an id of each kind of record."""
    fact = f"Ann keeps the {word}"
    await whole.say(
        ("Ann", f"I keep the {word}"), ("Bob", f"where is the {word}?"), ("Bot", "Noted."),
        audience=audience,
    )  # fmt: skip
    await whole.attribute()
    whole.model = Saying(
        whole.made.model,
        {
            "memory_evolve": {
                "lines": [{"action": "create", "statement": fact, "kind": "fact",
                           "subject": "u-ann", "confidence": 0.95,
                           "sources": ["m00001"]}],
                "entities": [{"name": word, "type": "other", "confidence": 0.9}],
                "relations": [],
            }
        },
    )  # fmt: skip
    await whole.evolve()
    await whole.note("Ann", f"Ann showed the {word}", f"Ann has the {word}", "m00001")
    await whole.summarize()
    answer = await whole.context(f"Who has the {word}?", "Ann")
    await whole.reply(answer, f"Ann has the {word}.")
    message = await whole.made.messages.get(whole.group_id, "m00001")
    memories = await whole.made.memories.about(whole.group_id, "u-ann")
    _, jobs = await whole.made.jobs.listed(state=None, group_id=whole.group_id, limit=1, offset=0)
    assert message is not None
    return {
        "group_id": whole.group_id, "message_id": "m00001", "topic_id": message.topic_id or "",
        "memory_id": memories[0].memory_id, "context_id": answer.context_id,
        "entity_type": "user", "entity_id": "u-ann", "user_id": "u-ann", "q": f"the {word}",
        "entity": word, "text": word, "job_id": jobs[0].job_id, "forget_id": jobs[0].job_id,
        "prompt_id": "memory_evolve", "platform": "lark",
    }  # fmt: skip


async def test_no_read_with_anothers_names_tells_anything_of_another_group(
    whole: WholeGroup, monkeypatch: pytest.MonkeyPatch
) -> None:
    doors = Doors(whole.made, monkeypatch)
    known: list[dict[str, str]] = []
    keys: list[str] = []
    for place, word in enumerate(SECRETS):
        own = WholeGroup(whole.made, whole.clock, whole.told, f"{whole.group_id}-{place}")
        known.append(await lived(own, word, "private" if place == 2 else "group"))
        keys.append(doors.keys.add(f"k{place}", "ingest", "read", "manage", groups=(own.group_id,)))
    routes = doors.read_routes()
    rng = random.Random(seed := random.randrange(2**32))
    answers: Counter[int] = Counter()
    for _ in range(READS):
        mine = rng.randrange(3)
        others = [at for at in range(3) if at != mine]
        mixed = {name: known[rng.choice([mine, *others])][name] for name in known[mine]}
        if rng.random() < 0.5:
            mixed["group_id"] = known[mine]["group_id"]
        words = [SECRETS[at] for at in others]
        kind = rng.random()
        if kind < 0.7:
            function, template = rng.choice(routes)
            path, query = doors.filled(function, template, mixed)
            got = await doors.call(function, "GET", path, key=keys[mine], params=query)
        elif kind < 0.9:
            name = rng.choice(list(SEARCHES))
            asked = {key: mixed.get({"query": "q", "message": "q"}.get(key, key), value)
                     for key, value in SEARCHES[name].items()}  # fmt: skip
            body = {"group_id": mixed["group_id"], "user_id": "u-ann", "arguments": asked}
            got = await doors.call(
                "build_context", "POST", f"/tools/{name}", key=keys[mine], json=body
            )
        else:
            body = {"group_id": mixed["group_id"], "user_id": "u-ann", "message": mixed["q"],
                    "include": ALL}  # fmt: skip
            got = await doors.call("build_context", "POST", "/context", key=keys[mine], json=body)
        answers[got.status_code] += 1
        assert got.status_code != 500, (seed, got.request.url, got.text)
        asked_for = (mixed["q"], mixed["entity"], mixed["text"])
        told = got.text
        for one in asked_for:
            told = told.replace(one, "")
        leaks = [word for word in words if word in told]
        assert not leaks, (seed, str(got.request.url), leaks)
    print(f"\n{READS} reads with three keys: {dict(answers)}, 0 records of another group")
    assert answers[200] > READS // 10
    assert answers[403] + answers[404] > READS // 10
