"""A day of a group with a bot that remembers: the same for every framework."""

import asyncio
from typing import Any

from tests.bots.onebot import OneBot
from tests.bots.running import Model, until
from tests.local_cloud import LocalCloud

TURNS = 10
MEMORY = "The band rehearses on Thursdays"


class Group:
    """A chat as Annals has it."""

    def __init__(self, cloud: LocalCloud, group_id: int) -> None:
        self._cloud = cloud
        self._group_id = group_id

    def know(self) -> None:
        """A memory so strong that it is always told, in the part that providers cache."""
        known = {"statement": MEMORY, "strength": 0.9}
        self._cloud.ok("POST", f"/evolve_group/memory/onebot:{self._group_id}", known)

    def messages(self) -> list[dict[str, Any]]:
        """The oldest first."""
        path = f"/summarize_topic/groups/onebot:{self._group_id}/messages?limit=100"
        found: list[dict[str, Any]] = self._cloud.ok("GET", path)["messages"]
        return found[::-1]

    def texts(self) -> list[str]:
        return [one["content"] for one in self.messages()]


async def asked(client: OneBot, text: str) -> str:
    """The bot's reply to a question."""
    before = len(client.replies)
    await client.say(text, to_bot=True)
    await until(lambda: len(client.replies) > before, f"a reply to {text!r}")
    return client.replies[-1]


def parts(request: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]], str]:
    """The system's words, the bot's own history, and what was added for this reply."""
    last = max((at for at, one in enumerate(request) if one["role"] == "assistant"), default=0)
    return str(request[0]["content"]), request[1 : last + 1], str(request[last + 1 :])


async def a_burst(client: OneBot, group: Group) -> None:
    lines = [f"line {number} of forty" for number in range(40)]
    for text in lines:
        await client.say(text)
    await until(lambda: len(group.messages()) == len(lines), "forty stored lines")
    assert group.texts() == lines
    assert client.replies == []


async def a_recall(client: OneBot, group: Group, model: Model) -> dict[str, Any]:
    """The bot's own words, as they are stored."""
    secret = await client.say("the code of the rehearsal room is 4711")
    await until(lambda: any("4711" in one for one in group.texts()), "the line with the code")
    await asked(client, "what is the code of the rehearsal room?")
    assert "4711" in parts(model.requests[-1])[2]

    await client.recall(secret)
    await until(lambda: not any("4711" in one for one in group.texts()), "the recall")
    reply = await asked(client, "and what is the code of the rehearsal room now?")

    assert "4711" not in str(model.requests[-1])
    own = await until(
        lambda: [one for one in group.messages() if one["content"] == reply], "the bot's own words"
    )
    assert own[0]["role"] == "assistant"
    return own[0]


async def ten_turns(client: OneBot, model: Model) -> None:
    for number in range(TURNS):
        await asked(client, f"question {number}: when do we rehearse?")
    turns = [parts(one) for one in model.requests[-TURNS:]]

    assert all(MEMORY in system for system, _, _ in turns)
    assert len({system for system, _, _ in turns}) == 1, "the cached part changed"
    kept = turns[-1][1]
    assert len(kept) >= 4
    assert "line 39 of forty" not in str(kept), "memory was saved into the history"
    assert MEMORY not in str(kept)


async def without_annals(client: OneBot, group: Group, cloud: LocalCloud, model: Model) -> None:
    cloud.kill()
    await client.say("said while nobody listened")
    reply = await asked(client, "are you still there?")
    assert reply
    assert MEMORY not in parts(model.requests[-1])[0]

    await asyncio.to_thread(cloud.start)  # a bot drops a client that answers no ping meanwhile
    await until(lambda: reply in group.texts(), "what was said meanwhile", 240)
    assert group.texts().count("said while nobody listened") == 1
