"""Tangles natural talks: the same bursts, several at a time, as in groups where all talk at once.

A talk that one person writes down is tidier than groups are: one matter after the other. Texts,
people and their order within a matter stay; only when each burst is said changes.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bench.labelled_chats import LabelledChat
from shared.domain.messages.stored_message import StoredMessage
from shared.threads.pairs import PAUSE_S

AT_A_TIME = ((1, 0.25), (2, 0.38), (3, 0.25), (4, 0.12))
"""Bursts that are said at once, and how likely that is."""
WITHIN_S = (30.0, 90.0, 240.0)
"""Within which they begin."""
MEDIAN_S, SPREAD = 75.0, 0.8
"""Between two lines of one matter."""
GOES_ON = 0.4
"""Of that, where the same person goes on."""
APART_S = (35 * 60.0, 90 * 60.0)
"""Between two sittings that would run into each other."""

Burst = Sequence[StoredMessage]


def tangled(chat: LabelledChat, seed: int) -> LabelledChat:
    dice = random.Random(seed)
    waiting = bursts(chat)
    said: list[StoredMessage] = []
    while waiting:
        sitting = _taken(dice, waiting, chat)
        begins = sitting[0][0].create_time
        if said and begins < said[-1].create_time + timedelta(seconds=APART_S[0]):
            begins = said[-1].create_time + timedelta(seconds=dice.uniform(*APART_S))
        within = dice.choice(WITHIN_S)
        lines = [message for burst in sitting for message in _timed(dice, burst, begins, within)]
        said += sorted(lines, key=lambda message: message.create_time)
    return replace(
        chat,
        name=f"{chat.name}~{seed}",
        messages=said,
        scored=[message.message_id for message in said],
        follows=_follows(said, chat),
    )


def bursts(chat: LabelledChat) -> list[list[StoredMessage]]:
    """Lines of one matter without a pause between, in the order they begin."""
    found: list[list[StoredMessage]] = []
    going: dict[str, list[StoredMessage]] = {}
    for message in chat.messages:
        matter = chat.topics[message.message_id]
        last = going[matter][-1] if matter in going else None
        if last and (message.create_time - last.create_time).total_seconds() <= PAUSE_S:
            going[matter].append(message)
        else:
            going[matter] = [message]
            found.append(going[matter])
    return found


def _taken(
    dice: random.Random, waiting: list[list[StoredMessage]], chat: LabelledChat
) -> list[Burst]:
    """The next bursts, none of a matter that is among them already."""
    counts, shares = zip(*AT_A_TIME, strict=True)
    wanted = dice.choices(counts, shares)[0]
    found: list[Burst] = []
    matters: set[str] = set()
    while waiting and len(found) < wanted:
        matter = chat.topics[waiting[0][0].message_id]
        if matter in matters:
            break
        matters.add(matter)
        found.append(waiting.pop(0))
    return found


def _timed(
    dice: random.Random, burst: Burst, begins: datetime, within: float
) -> list[StoredMessage]:
    at = begins + timedelta(seconds=dice.uniform(0, within))
    found: list[StoredMessage] = []
    for one in burst:
        if found:
            seconds = MEDIAN_S * dice.lognormvariate(0, SPREAD)
            seconds *= GOES_ON if found[-1].user_id == one.user_id else 1.0
            at += timedelta(seconds=seconds)
        found.append(replace(one, create_time=at))
    return found


def _follows(said: Sequence[StoredMessage], chat: LabelledChat) -> dict[str, list[str]]:
    last: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    for message in said:
        matter = chat.topics[message.message_id]
        found[message.message_id] = [last[matter]] if matter in last else []
        last[matter] = message.message_id
    return found
