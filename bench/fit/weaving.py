"""Weaves dialogues into group chats with known topics, at several paces, for fitting.

The dialogues are those of woven chats taken apart again: other speakers, other times, other
neighbours, the same words. Most lines address nobody, few are native replies, and some dialogues
pause for hours or days and go on.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

START = datetime(2026, 3, 2, 8, tzinfo=UTC)
NAMES = (
    *(
        "小满",
        "阿杰",
        "林夕",
        "大刘",
        "琪琪",
        "老周",
        "Momo",
        "陈晨",
        "Leo",
        "苏苏",
        "海带",
        "阿布",
    ),
    *("Nina", "王薇", "大鹏", "Ken", "豆豆", "小贺"),
)


@dataclass(frozen=True)
class Pace:
    """So many dialogues at a time, the median seconds between two lines of one, how many pause
    for how many hours, and how often all are silent for how long."""

    at_a_time: float
    seconds: float
    pausing: float = 0.08
    pause_h: tuple[float, float] = (1.2, 4.5)
    silences: float = 0.06
    silence_h: tuple[float, float] = (1.0, 8.0)
    most_pauses: int = 1
    has_nights: bool = False


PACES = {
    "quiet": Pace(1.1, 80),
    "normal": Pace(1.9, 45),
    "busy": Pace(3.0, 25),
    "days": Pace(1.4, 70, pausing=0.55, pause_h=(2.0, 40.0), silences=0.3, silence_h=(2.0, 14.0)),
    "slow": Pace(*(1.5, 60, 0.85, (0.7, 16.0), 0.3, (0.7, 4.0)), most_pauses=3, has_nights=True),
}
NIGHT_H = 9.0


@dataclass(frozen=True)
class Turn:
    """`follows` is the place in the dialogue of the line before, if any."""

    speaker: int
    text: str
    follows: int | None
    is_aside: bool


Dialogue = Sequence[Turn]


def taken_apart(rows: Sequence[dict[str, Any]]) -> dict[str, Dialogue]:
    """The dialogues of woven chats, by conversation; names and addresses of the weave are gone."""
    by: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by.setdefault(row["conversation"], []).append(row)
    return {name: _dialogue(lines) for name, lines in by.items()}


def _dialogue(rows: Sequence[dict[str, Any]]) -> Dialogue:
    place = {row["message_id"]: n for n, row in enumerate(rows)}
    speakers: dict[str, int] = {}
    followed = {row["reply_to"][0] for row in rows if row["reply_to"]}
    turns = []
    for row in rows:
        first, _, rest = row["text"].partition(" ")
        turns.append(
            Turn(
                speakers.setdefault(row["user"], len(speakers)),
                rest if first.startswith("@") and rest else row["text"],
                place[row["reply_to"][0]] if row["reply_to"] else None,
                row["message_id"] not in followed and row is not rows[-1],
            )
        )
    return turns


def woven(
    dialogues: Sequence[Dialogue], pace: Pace, name: str, lines: int, seed: int
) -> list[dict[str, Any]]:
    """Rows in the form of the labelled files."""
    dice = random.Random(seed)
    waiting = list(dialogues)
    dice.shuffle(waiting)
    members = dice.sample(NAMES, dice.randint(6, 10))
    items: list[dict[str, Any]] = []
    begins, number = 0.0, 0
    while waiting and len(items) < lines:
        dialogue = waiting.pop()
        said = list(_said(dice, dialogue, pace, begins, members))
        shift = len(items)
        for one in said:
            follows = one["follows"]
            items.append(
                {
                    **one,
                    "conversation": number,
                    "follows": None if follows is None else follows + shift,
                }
            )
        number += 1
        talked = sum(one["flowing"] for one in said)
        begins += max(5.0, dice.expovariate(pace.at_a_time / max(talked, 60.0)))
        if dice.random() < pace.silences:
            begins += dice.uniform(*pace.silence_h) * 3600
    order = sorted(range(len(items)), key=lambda place: items[place]["at"])
    new = {old: place + 1 for place, old in enumerate(order)}
    return [
        {
            "chat": name,
            "message_id": new[old],
            "time": (START + timedelta(seconds=_clock(items[old]["at"], pace))).isoformat(),
            "user": items[old]["user"],
            "text": items[old]["text"],
            "kind": "msg",
            "reply_to": [] if items[old]["follows"] is None else [new[items[old]["follows"]]],
            "conversation": f"{name}#{items[old]['conversation']}",
            "annotated": True,
        }
        for old in order
    ]


def _clock(at: float, pace: Pace) -> int:
    """Seconds since the first morning; nobody speaks at night."""
    day = (24.0 - NIGHT_H) * 3600
    return int(at + (at // day) * NIGHT_H * 3600 if pace.has_nights else at)


def _said(
    dice: random.Random, dialogue: Dialogue, pace: Pace, begins: float, members: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """The lines of one dialogue with the people and times of this weave."""
    talkers = sorted({turn.speaker for turn in dialogue})
    people = dict(
        zip(talkers, dice.sample(list(members), min(len(members), len(talkers))), strict=False)
    )
    clock = begins
    pauses: set[int] = set()
    if dice.random() < pace.pausing:
        for _ in range(dice.randint(1, pace.most_pauses)):
            pauses.add(dice.randint(2, max(2, len(dialogue) - 1)))
    users: list[str] = []
    for place, turn in enumerate(dialogue):
        user = people.get(turn.speaker) or dice.choice(list(members))
        users.append(user)
        if turn.is_aside:
            yield {
                "at": clock + dice.uniform(3, 25), "user": user, "text": turn.text,
                "follows": turn.follows, "flowing": 0.0,
            }  # fmt: skip
            continue
        gap = 0.0
        if place:
            gap = pace.seconds * dice.lognormvariate(0, 0.8)
            gap *= dice.uniform(4, 12) if dice.random() < 0.06 else 1.0
            clock += gap
            if place in pauses:
                clock += dice.uniform(*pace.pause_h) * 3600
        before = users[turn.follows] if turn.follows is not None else None
        is_to = before not in (None, user) and dice.random() < 0.07
        yield {
            "at": clock, "user": user, "text": f"@{before} {turn.text}" if is_to else turn.text,
            "follows": turn.follows, "flowing": gap,
        }  # fmt: skip
