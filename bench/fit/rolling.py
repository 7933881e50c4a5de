"""Rolls a table over labelled chats as the product does: its decisions are the state of what comes.

What it leaves are the examples to fit the next round on.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bench.labelled_chats import LabelledChat
from shared.domain.attribution.lines import as_said, own_text
from shared.threads.features import LINE_FEATURES, NEW_FEATURES, Sight
from shared.threads.lines import Names, ThreadLine
from shared.threads.pairs import PAUSE_S
from shared.threads.second_look import EVERY, look_back
from shared.threads.table import Table, Tables
from shared.threads.talk import Talk
from shared.threads.window import NOBODY

KEPT = 20
"""Of a line's candidates the best so many, and the true one, are kept to fit on."""
SLOTS = KEPT + 2
VOTES_EVERY = 3
"""Of so many lines one gives its pairs: forty each."""
LEAST = 1e-30
"""In the place of the chance of a line that the second layer does not look at."""


@dataclass(frozen=True)
class Spoken:
    """A chat ready to be rolled over: lines, vectors, and which earlier lines are right."""

    name: str
    lines: Sequence[ThreadLine]
    vectors: Sequence[Any]
    follows: Sequence[Sequence[int] | None]
    """Places it may follow; empty: it opens; None: not labelled."""
    topics: Sequence[str | None]
    natives: Sequence[int | None]
    names: Names
    resumes: frozenset[int]
    """Where to open a topic is right as well: after a pause the second look joins both."""


def spoken(chat: LabelledChat, vector_of: Callable[[str], Any]) -> Spoken:
    names = Names()
    lines = []
    for message in chat.messages:
        said = as_said(message, None)
        names.learn(said)
        lines.append(names.line(said))
    place = {message.message_id: at for at, message in enumerate(chat.messages)}
    follows: list[Sequence[int] | None] = []
    for message in chat.messages:
        gold = chat.follows.get(message.message_id)
        follows.append(None if gold is None else [place[other] for other in gold if other in place])
    return Spoken(
        name=chat.name,
        lines=lines,
        vectors=[vector_of(own_text(message)) for message in chat.messages],
        follows=follows,
        topics=[chat.topics.get(message.message_id) for message in chat.messages],
        natives=[place.get(message.reply_message_id or "") for message in chat.messages],
        names=names,
        resumes=frozenset(
            at
            for at, gold in enumerate(follows)
            if gold and lines[at].at - lines[max(gold)].at > PAUSE_S
        ),
    )


@dataclass
class Stack:
    """What was seen of each labelled line: `lines` [n, SLOTS, features], the last slot is `new`."""

    lines: Any
    new: Any
    exists: Any
    right: Any
    right_topic: Any
    weight: Any

    def __len__(self) -> int:
        return len(self.new)


@dataclass
class Examples:
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    votes: list[tuple[Any, Any]] = field(default_factory=list)
    """Pairs of labelled lines, and whether they are of one topic."""

    def stacked(self, weight: float) -> Stack:
        """Together they weigh so much."""
        lines, new, exists, right, right_topic = (
            np.stack(part) for part in zip(*self.rows, strict=True)
        )
        each = np.full(len(self.rows), weight / len(self.rows), np.float32)
        return Stack(lines, new, exists, right, right_topic, each)


def together(stacks: Sequence[Stack]) -> Stack:
    names = Stack.__dataclass_fields__
    found = Stack(*(np.concatenate([getattr(stack, name) for stack in stacks]) for name in names))
    found.weight *= len(found) / found.weight.sum()
    return found


def roll(
    chat: Spoken,
    table: Table,
    examples: Examples | None = None,
    on_look: Callable[[Talk], None] | None = None,
) -> Talk:
    """Native replies are taken, and every ten lines there is a second look; `on_look` sees what it
    is about to look at."""
    talk = Talk(Tables(table, table, table))
    talk.names = chat.names
    window = talk.window
    for place, (line, vector) in enumerate(zip(chat.lines, chat.vectors, strict=True)):
        weighed = talk.weigh_line(line, window.unit(vector), place)
        native = chat.natives[place]
        if native is not None and native < place:
            link = native
        else:
            link = decided(weighed.sight, weighed.chances)
            if examples is not None:
                _keep(chat, place, weighed.sight, weighed.chances, examples)
        topic = window.topic_ids[int(window.topic[link])] if link >= 0 else str(place)
        window.add(line, place, topic, link, weighed.vector)
        if (place + 1) % EVERY == 0:
            if on_look is not None:
                on_look(talk)
            topics = window.topic[: len(window)]
            look_back(talk, EVERY, Counter(window.topic_ids[number] for number in topics))
    return talk


def decided(sight: Sight, chances: Any) -> int:
    """The place of the line to follow, NOBODY to open: the topic of most mass, its best line."""
    if len(chances) == 1:
        return NOBODY
    mass = np.bincount(sight.topics, weights=chances[:-1])
    best = int(mass.argmax())
    if mass[best] < chances[-1]:
        return NOBODY
    inside = np.where(sight.topics == best, chances[:-1], -1.0)
    return sight.start + int(inside.argmax())


def _keep(chat: Spoken, place: int, sight: Sight, chances: Any, examples: Examples) -> None:
    gold = chat.follows[place]
    if gold is None:
        return
    count = len(sight.lines)
    right = np.zeros(count + 1, bool)
    right_topic = np.zeros(count + 1, bool)
    own = chat.topics[place]
    if not gold:
        right[count] = right_topic[count] = True
    else:
        right[[other - sight.start for other in gold if sight.start <= other < place]] = True
        right_topic[:count] = [topic == own for topic in chat.topics[sight.start : place]]
        right_topic |= right
        right[count] = right_topic[count] = place in chat.resumes
    if place % VOTES_EVERY == 0 and len(sight.voted):
        near = range(place - len(sight.voted), place)
        known = np.array([chat.follows[other] is not None for other in near])
        labels = np.array([chat.topics[other] == own for other in near])
        examples.votes.append((sight.voted[known], labels[known]))
    if not right.any():
        return
    best = np.argpartition(-chances[:count], KEPT)[:KEPT] if count > KEPT else np.arange(count)
    chosen = list(best)
    if not right[count] and not right[best].any():
        chosen.append(int(np.flatnonzero(right[:count])[-1]))
    lines = np.zeros((SLOTS, len(LINE_FEATURES)), np.float16)
    exists, is_right, is_right_topic = np.zeros((3, SLOTS), bool)
    lines[: len(chosen)] = sight.lines[chosen]
    exists[: len(chosen)] = exists[-1] = True
    is_right[: len(chosen)] = right[chosen]
    is_right_topic[: len(chosen)] = right_topic[chosen]
    is_right[-1], is_right_topic[-1] = right[count], right_topic[count]
    examples.rows.append((lines, sight.new, exists, is_right, is_right_topic))


def by_hand() -> Table:
    """To begin with: the nearest lines, alike ones first."""
    weights = {
        "lines": -1.0,
        "time": -0.3,
        "addresses_author": 4.0,
        "was_addressed": 1.5,
        "same": 1.0,
        "own_since": -1.5,
        "alike": 0.4,
        "shared": 0.3,
    }
    lines = np.array([weights.get(name, 0.0) for name in LINE_FEATURES], np.float32)
    return Table(lines, np.zeros(len(NEW_FEATURES), np.float32), opens=0.5)
