"""Weaves dialogues into group chats with known topics, at three paces, for fitting.

Members take part in several dialogues; few lines address anybody, few are native replies, some
dialogues pause for hours and go on; short reactions join the last line's dialogue.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.fit.dialogues import Dialogue

START = datetime(2026, 3, 2, 8, tzinfo=UTC)
NAMES = {
    "zh": (
        *("小满", "阿杰", "林夕", "大刘", "琪琪", "老周", "Momo", "陈晨", "Leo", "苏苏", "海带"),
        *("阿布", "Nina", "王薇", "大鹏", "Ken", "豆豆", "小贺"),
    ),
    "en": (
        *("Nadia", "Owen", "priya_k", "Tomasz", "Lou", "bea", "Marcus", "Fen", "Ruth", "jamie"),
        *("Sol", "Ines", "Hugh", "kit", "Dara", "Moss", "Yusuf", "Annika"),
    ),
}
REACTIONS = {
    "zh": (
        *("哈哈哈哈", "好的", "+1", "对对对", "可以啊", "真的假的", "笑死", "收到", "厉害", "这样"),
        *("嗯嗯", "[捂脸]", "懂了", "我也是", "行", "哈哈", "啊？", "确实", "OK", "👍"),
    ),
    "en": (
        *("lol", "ok", "same", "nice", "haha", "oh no", "yep", "wait what", "👍", "fair", "true"),
        *("noted", "omg", "will do", "😂", "exactly", "ha", "thanks!", "no way", "sounds good"),
    ),
}


@dataclass(frozen=True)
class Pace:
    """So many dialogues at a time, and the median seconds between two lines of one."""

    at_a_time: float
    seconds: float


PACES = {"quiet": Pace(1.1, 80), "normal": Pace(1.9, 45), "busy": Pace(3.0, 25)}
CUT = 12
"""Lines of a dialogue: what people say of one matter at a time."""
REACTS, ADDRESSES, REPLIES, PAUSES, SILENCES = 0.07, 0.07, 0.06, 0.08, 0.06
"""Shares: of lines that are reacted to, address somebody, or are native replies; of dialogues that
pause, and that a silence of the whole group follows."""


@dataclass
class Said:
    """A line of a weave: `follows` are places in the same list, the first is the line before."""

    at: float
    user: str
    text: str
    topic: int
    follows: list[int]
    is_native: bool = False


def woven(
    dialogues: Sequence[Dialogue], pace: Pace, name: str, lines: int, seed: int
) -> list[dict[str, Any]]:
    """Rows in the form of the labelled files, of dialogues in one language."""
    dice = random.Random(seed)
    waiting = [part for message in dialogues for part in message.cut(CUT)]
    dice.shuffle(waiting)
    language = dialogues[0].language
    members = dice.sample(NAMES[language], dice.randint(6, 10))
    said: list[Said] = []
    begins, topic = 0.0, 0
    while waiting and len(said) < lines:
        talked = 0.0
        clock = begins
        for message, gap in _spoken(dice, waiting.pop(), pace, members, topic, len(said)):
            message.at += clock
            clock += gap
            talked += min(gap, 3600.0)
            said.append(message)
        topic += 1
        begins += max(5.0, dice.expovariate(pace.at_a_time / max(talked, 60.0)))
        if dice.random() < SILENCES:
            begins += dice.uniform(1, 8) * 3600
    return rows_of(said, name)


def _spoken(
    dice: random.Random,
    dialogue: Dialogue,
    pace: Pace,
    members: Sequence[str],
    topic: int,
    first: int,
) -> Iterator[tuple[Said, float]]:
    """Lines with the people of this weave, and the time that goes by before each."""
    talkers = len({who for who, _ in dialogue.turns})
    people = dice.sample(list(members), min(len(members), talkers + (dice.random() < 0.4)))
    pause = dice.randint(2, len(dialogue.turns) - 1) if dice.random() < PAUSES else 0
    last: tuple[int, str] | None = None
    count = first
    for place, (who, text) in enumerate(dialogue.turns):
        user = people[who % len(people)]
        if len(people) > talkers and who and dice.random() < 0.3:
            user = people[-1]
        gap = 0.0
        if place:
            gap = pace.seconds * dice.lognormvariate(0, 0.8)
            gap *= dice.uniform(4, 12) if dice.random() < 0.06 else 1.0
            gap += dice.uniform(1.2, 4.5) * 3600 if place == pause else 0.0
        if last and last[1] != user and dice.random() < ADDRESSES:
            text = f"@{last[1]} {text}"
        is_native = last is not None and dice.random() < REPLIES
        yield Said(gap, user, text, topic, [last[0]] if last else [], is_native), gap
        last = (count, user)
        count += 1
        if dice.random() < REACTS:
            other = dice.choice([person for person in members if person != user])
            reaction = dice.choice(REACTIONS[dialogue.language])
            yield Said(dice.uniform(3, 25), other, reaction, topic, [last[0]]), 0.0
            count += 1


def rows_of(said: Sequence[Said], name: str) -> list[dict[str, Any]]:
    order = sorted(range(len(said)), key=lambda place: said[place].at)
    new = {old: place + 1 for place, old in enumerate(order)}
    return [
        {
            "chat": name,
            "message_id": new[old],
            "time": (START + timedelta(seconds=int(message.at))).isoformat(),
            "user": message.user,
            "text": message.text,
            "kind": "msg",
            "reply_to": [new[other] for other in message.follows],
            "conversation": f"{name}#{message.topic}",
            "annotated": True,
            "reply_message_id": new[message.follows[0]] if message.is_native else None,
        }
        for old in order
        for message in (said[old],)
    ]
