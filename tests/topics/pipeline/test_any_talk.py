"""Whatever is said, however it comes: every line gets its topic, and every topic counts its lines.

Natural talk of several rooms, mixed line by line, with pauses; runs of any size, edits, recalls,
closing of topics and outages of the embedder in between.
"""

import random
import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from functions.summarize_topic import handle_close
from shared.domain.messages.message import Recall
from shared.domain.messages.stored_message import MessageState
from shared.errors import Transient
from tests.topics.attributing import Attributing

TALKS = Path(__file__).parents[3] / "bench" / "talks" / "threads"
LINES = 150
_SPOKEN = re.compile(r"(?:\[\w+\] |\d\d:\d\d \S+ )?([^:\[\]]{1,30}): (.+)")


def room(dice: random.Random) -> list[tuple[str, str]]:
    path = dice.choice(sorted(TALKS.glob("*.txt")))
    spoken = path.read_text("utf-8").partition("\n--\n")[0].splitlines()
    found = [(one[1], one[2]) for line in spoken if (one := _SPOKEN.fullmatch(line))]
    start = dice.randrange(max(1, len(found) - 40))
    return found[start:]


def mixed(dice: random.Random) -> list[tuple[str, str]]:
    rooms = [room(dice) for _ in range(2)]
    found: list[tuple[str, str]] = []
    while any(rooms) and len(found) < LINES:
        one = dice.choice([it for it in rooms if it])
        found += [one.pop(0) for _ in range(min(len(one), dice.randint(1, 4)))]
    return found


@pytest.mark.parametrize("seed", range(2))
async def test_every_line_has_a_topic_that_counts_it(group: Attributing, seed: int) -> None:
    dice = random.Random(f"any talk {seed}")
    gathered = group.deps.settings.replaced(embed_every_messages=15, index_every_messages=25)
    group.deps = replace(group.deps, settings=gathered)
    passed_over: list[str] = []
    recalled: set[str] = set()
    waiting = 0
    said = mixed(dice)
    for number, (who, what) in enumerate(said):
        group.clock.turn(seconds=dice.choice([2, 20, 60, 300, 4000]))
        answers = dice.random() < 0.1 and number
        reply = f"m{dice.randrange(max(0, number - 20), number)}" if answers else None
        at = group.clock()
        message = group.message(number, who, what, at=at, reply_message_id=reply)
        await group.say(message)
        waiting += 1
        if dice.random() < 0.04:
            await group.say(replace(message, content=f"{what} (edited)", edited_at=group.clock()))
        if dice.random() < 0.04:
            gone = f"m{dice.randrange(max(0, number - 30), number + 1)}"
            recalled.add(gone)
            at = group.clock()
            await group.say(Recall(group_id=group.group_id, message_id=gone, recalled_at=at))
        if dice.random() < 0.03:
            await handle_close.close_idle(group.made)
        if waiting >= dice.choice([1, 1, 2, 3, 12]):
            is_down = dice.random() < 0.05
            if is_down:
                group.fault("server_error", endpoint="embeddings")
            with suppress(Transient):  # its task comes again
                passed_over += (await group.attribute()).passed_over
            waiting = 0
            if is_down:
                group.heal()
    passed_over += (await group.attribute()).passed_over

    assert not passed_over
    lines = await group.messages(range(len(said)))
    left = [one for one in lines if one.message_id not in recalled]
    assert {one.state for one in left} == {MessageState.ATTRIBUTED}
    counts = Counter(one.topic_id for one in lines if one.topic_id)
    assert {one.topic_id for one in left} <= set(counts)
    known = Counter({one.topic_id: one.message_count for one in await group.topics()})
    # What was recalled is counted until the job that forgets it has run.
    assert not counts - known
    assert (known - counts).total() <= len(recalled)
