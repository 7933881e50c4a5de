"""One message that our code cannot get past is found, marked and left; all others have topics."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from shared.domain.attribution.batches import HOPELESS
from shared.domain.messages.stored_message import MessageState
from shared.errors import Broken
from tests.topics.attributing import Attributing

POISON = "poison"


class Misleads:
    """The embedder as it is, but the vector of a poisoned text is none, or the run that asks for it
    is cut short."""

    def __init__(self, real: Any, *, cuts_short: bool = False) -> None:
        self._real, self._cuts_short = real, cuts_short
        self.asked: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def embed(self, texts: Sequence[str], **options: Any) -> list[Any]:
        self.asked.append(len(texts))
        if self._cuts_short and any(POISON in one for one in texts):
            raise asyncio.CancelledError
        vectors = await self._real.embed(texts, **options)
        return [
            ["no", "numbers"] if text.startswith(POISON) else vector
            for text, vector in zip(texts, vectors, strict=True)
        ]


async def states(group: Attributing, count: int) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, one in enumerate(await group.messages(range(count))):
        found.setdefault(one.state.value, []).append(number)
    return found


@pytest.mark.parametrize("poisoned", [{0}, {29}, {11, 12}, set(range(30))], ids=str)
async def test_whatever_is_among_them_every_other_message_gets_its_topic(
    group: Attributing, poisoned: set[int]
) -> None:
    embedder: Any = Misleads(group.made.embedder)
    group.deps = replace(group.deps, embedder=embedder)
    await group.say(
        *(
            group.message(n, f"U{n % 3}", f"{POISON if n in poisoned else 'line'} number {n}")
            for n in range(30)
        )
    )
    report = await group.attribute()

    assert sorted(report.passed_over) == sorted(f"m{n}" for n in poisoned)
    found = await states(group, 30)
    assert set(found.pop("unattributable", ())) == poisoned
    assert set(found.pop("attributed", ())) == set(range(30)) - poisoned
    assert found == {}
    # Seven tries find one; after that the batches grow again instead of starting over.
    assert len(embedder.asked) <= 7 * min(len(poisoned), 2) + len(poisoned) + 10


async def test_a_reply_that_waits_for_a_poisoned_message_does_not_wait_for_ever(
    group: Attributing,
) -> None:
    group.deps = replace(group.deps, embedder=Misleads(group.made.embedder))  # type: ignore[arg-type]
    await group.say(
        group.message(0, "Ann", "what is this?", reply_message_id="m1"),
        group.message(1, "Eve", POISON),
    )
    await group.attribute()

    assert await states(group, 2) == {"attributed": [0], "unattributable": [1]}


async def test_no_message_is_passed_over_for_what_is_wrong_with_the_group(
    group: Attributing,
) -> None:
    """Every message fails here, a harmless one as well: that is a fault to be mended."""
    await group.say(group.message(0, "Ann", "hello there"), group.message(1, "Bob", "and you?"))
    broken: Any = "no tables"
    group.deps = replace(group.deps, tables=broken)

    with pytest.raises(Broken):
        await group.attribute()
    assert await states(group, 2) == {"pending": [0, 1]}


async def test_a_message_whose_runs_are_cut_short_again_and_again_is_passed_over_in_the_end(
    group: Attributing,
) -> None:
    group.deps = replace(group.deps, embedder=Misleads(group.made.embedder, cuts_short=True))  # type: ignore[arg-type]
    await group.say(
        *(group.message(n, "Ann", POISON if n == 5 else f"line number {n}") for n in range(12))
    )
    runs = 0
    while await group.pending():
        runs += 1
        assert runs <= HOPELESS + 8
        try:
            await group.attribute()
        except asyncio.CancelledError:
            continue

    messages = await group.messages(range(12))
    assert [n for n in range(12) if messages[n].state is MessageState.UNATTRIBUTABLE] == [5]
    assert messages[5].state_reason
