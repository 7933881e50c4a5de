"""A noisy chat with labels: three topics, two languages, interleaved, with people in several."""

import functools
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.language import terms

PEOPLE = {
    "release": ["Ann", "Bob", "Cid", "小李"],
    "trip": ["小李", "小王", "阿芳", "Dan"],
    "budget": ["Eve", "Dan", "Bob", "老陈"],
}
EVERYBODY = [name for names in PEOPLE.values() for name in names]
OPENINGS = {
    "release": [
        "the {thing} fails on staging with error {n}", "who can review the {thing} before we ship?",
        "rolled back the {thing}, build {n} was broken", "the {thing} passes, merging build {n}",
        "can we move the release past the {thing} fix?", "logs of the {thing} show {n} timeouts",
    ],
    "trip": [
        "周末去{thing}的话要带几双鞋？", "{thing}那边天气预报说{n}度",
        "谁订一下{thing}的民宿，{n}个人", "去{thing}的车票还剩{n}张",
        "上次爬{thing}走了{n}公里，腿都断了", "{thing}的门票要提前{n}天预约",
    ],
    "budget": [
        "the {thing} invoice is {n} euros over", "财务说{thing}的报销要在{n}号前交",
        "can we cut the {thing} line by {n} percent?", "{thing}这一项去年花了{n}块",
        "who signed the {thing} contract?", "供应商把{thing}的价格涨了{n}个点",
    ],
}  # fmt: skip
THINGS = {
    "release": ["payment service", "login page", "search index", "deploy script", "image cache"],
    "trip": ["黄山", "莫干山", "千岛湖", "雁荡山"],
    "budget": ["cloud", "office rent", "打印机", "travel", "硬件"],
}
FOLLOW_UPS = {
    "release": [
        "ok, restarting it",
        "same here",
        "looks like the connection pool",
        "try again now",
    ],
    "trip": ["好啊，算我一个", "我也去", "那得早点出发", "行，我来订"],
    "budget": ["ok, 我问一下", "that is too much", "同意", "I will write to them"],
}
NOISE = ["哈哈哈", "lol", "good morning all", "早", "👍", "brb"]
ATTRIBUTION_ERRORS = 0.05
PENDING = 6
"""The last messages have no topic yet: attribution comes a few seconds later."""


@dataclass(frozen=True)
class Labelled:
    message: StoredMessage
    topic: str


def noisy_chat(group_id: str, now: datetime, size: int, seed: int = 7) -> list[Labelled]:
    return list(noisy_messages(group_id, now, size, seed))


def noisy_messages(group_id: str, now: datetime, size: int, seed: int = 7) -> Iterator[Labelled]:
    """Oldest first; each with the topic it truly belongs to (`noise` for none)."""
    dice = random.Random(seed)
    last: dict[str, deque[Labelled]] = {}
    topic = "release"
    for number in range(size):
        if dice.random() < 0.45:
            topic = dice.choice(list(PEOPLE))
        label = "noise" if dice.random() < 0.08 else topic
        said = last.setdefault(label, deque(maxlen=4))
        fill = {"thing": dice.choice(THINGS.get(label, ["-"])), "n": dice.randint(2, 99)}
        replied = None
        if label == "noise":
            text, speaker = dice.choice(NOISE), dice.choice(EVERYBODY)
        elif said and dice.random() < 0.35:
            replied = dice.choice(said)
            text, speaker = dice.choice(FOLLOW_UPS[label]), dice.choice(PEOPLE[label])
        else:
            text = dice.choice(OPENINGS[label]).format(**fill)
            speaker = dice.choice(PEOPLE[label])
        is_pending = number >= size - PENDING
        attributed = dice.choice(list(PEOPLE)) if dice.random() < ATTRIBUTION_ERRORS else label
        message = StoredMessage(
            group_id=group_id,
            message_id=f"m{number}",
            user_id=f"u-{speaker}",
            user_name=speaker,
            content=text,
            create_time=now - timedelta(seconds=40 * (size - number)),
            reply_message_id=replied.message.message_id if replied else None,
            terms=_terms(text),
            topic_id=None if is_pending else attributed,
            state=MessageState.PENDING if is_pending else MessageState.ATTRIBUTED,
        )
        said.append(Labelled(message, label))
        yield said[-1]


@functools.cache
def _terms(text: str) -> tuple[str, ...]:
    """In a long chat of this kind the same sentences come again and again."""
    return tuple(terms(text))
