"""The talk of a group as far as it has gone: hears lines, and weighs what the next one follows.

The one engine for who follows whom: attribution places messages by it, and a context is chosen by
it. Everything comes from the last hundred lines, so whoever reads them weighs the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shared.threads.features import Sight, see
from shared.threads.lines import BOT, Names, Said, ThreadLine
from shared.threads.pairs import addressing_of, visiting_of
from shared.threads.table import Table, Tables, shipped
from shared.threads.window import NOBODY, SEEN, Floats, Window

SAME_THREAD, OTHER_THREAD = 4.0, -3.0
"""In log-weight, set by hand: no labelled chat has a platform's own threads."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A topic that a message may continue. `chance` is that it continues the topic rather than
    opening one; `continues` is the line it would follow."""

    topic_id: str
    chance: float
    continues: str | None


@dataclass(frozen=True)
class Weighed:
    """A line and how likely it follows each of those before it: `chances` has one for each from
    `sight.start` on, the last is that it opens a topic; together they are 1."""

    line: ThreadLine
    place: int
    vector: Floats
    sight: Sight
    chances: Floats

    def masses(self) -> dict[int, float]:
        """How likely it goes on with each topic, by the topic's number in the window."""
        sums = np.bincount(self.sight.topics, weights=self.chances[:-1])
        return dict(zip(self.sight.numbers.tolist(), sums.tolist(), strict=True))


class Talk:
    """Lines in the order they were said, with their topics. `tables` others than the shipped."""

    def __init__(self, tables: Tables | None = None) -> None:
        self.names = Names()
        self.window = Window()
        self._tables = tables or shipped()

    def hear(self, message: Said, topic_id: str, continues: str | None) -> None:
        """A message whose topic is known."""
        line = self._line(message)
        place = self.window.place_of(line)
        unit = self.window.unit(message.vector)
        self.window.add(line, place, topic_id, self._parent(continues), unit)

    def weigh(self, message: Said) -> Weighed:
        line = self._line(message)
        return self.weigh_line(line, self.window.unit(message.vector), self.window.place_of(line))

    def weigh_again(self, place: int) -> Weighed:
        """A line that was heard, by what came before it and where that now is."""
        return self.weigh_line(self.window.lines[place], self.window.vector[place], place)

    def weigh_line(self, line: ThreadLine, unit: Floats, place: int) -> Weighed:
        table = self.table(place)
        sight = see(self.window, line, unit, place, table.votes)
        scores = table.scores(sight.lines, sight.new)
        scores[:-1] += self._threads(line, sight.start, place)
        weights = np.exp(scores - scores.max())
        return Weighed(line, place, unit, sight, weights / weights.sum())

    def candidates(self, weighed: Weighed) -> list[Candidate]:
        """The topics it may continue, the likeliest first."""
        sight, chances = weighed.sight, weighed.chances
        if len(chances) == 1:
            return []
        mass = np.bincount(sight.topics, weights=chances[:-1])
        found = []
        for number in np.argsort(-mass, kind="stable"):
            if mass[number] <= 0.0:
                break
            inside = np.where(sight.topics == number, chances[:-1], -1.0)
            best = self.window.lines[sight.start + int(inside.argmax())]
            topic_id = self.window.topic_ids[int(sight.numbers[number])]
            chance = float(mass[number] / (mass[number] + chances[-1]))
            found.append(Candidate(topic_id, chance, best.message_id))
        return found

    def take(self, weighed: Weighed, topic_id: str, continues: str | None) -> None:
        """What was weighed last, as it was decided."""
        parent = self._parent(continues)
        self.window.add(weighed.line, weighed.place, topic_id, parent, weighed.vector)

    def _parent(self, continues: str | None) -> int:
        return self.place(continues) if continues else NOBODY

    def place(self, message_id: str) -> int:
        """Of a line that was heard; NOBODY for one that is out of sight."""
        lines = self.window.lines
        for place in range(len(lines) - 1, max(-1, len(lines) - 3 * SEEN), -1):
            if lines[place].message_id == message_id:
                return place
        return NOBODY

    def table(self, place: int) -> Table:
        window = self.window
        return self._tables.table(addressing_of(window, place), visiting_of(window, place))

    def _line(self, message: Said) -> ThreadLine:
        self.names.learn(message)
        line = self.names.line(message)
        if line.speaker == BOT and not line.to:
            called = self._last_to_call(self.window.place_of(line))
            return replace(line, to=frozenset({called})) if called else line
        return line

    def _last_to_call(self, place: int) -> str | None:
        """Whom the bot answers, if it does not say: the last who called it."""
        for line in reversed(self.window.lines[max(0, place - SEEN) : place]):
            if line.calls_bot:
                return line.speaker
        return None

    def _threads(self, line: ThreadLine, start: int, place: int) -> Floats:
        """What the platform's own threads add for each line before."""
        threads = [earlier.thread for earlier in self.window.lines[start:place]]
        return np.array(
            [
                0.0
                if not (line.thread or thread)
                else SAME_THREAD
                if line.thread == thread
                else OTHER_THREAD
                for thread in threads
            ]
        )


@dataclass(frozen=True)
class Following:
    """By message id, between 0 and 1, for each of the last hundred lines before the message.

    `chances`: that the message follows this very line; with `opens`, that it follows none of them,
    they are 1 together. `masses`: the chances of all lines of the same topic, so each line of a
    topic has the mass of the topic. `topics` is the topic each line is in, provisional ones made
    here included: lines that attribution has not seen yet are placed as it would place them.
    """

    chances: Mapping[str, float]
    masses: Mapping[str, float]
    topics: Mapping[str, str]
    opens: float


def follow(message: Said, before: Sequence[Said]) -> Following:
    """`before` is in the order it was said. A native reply follows what it replies to, whatever
    else is likely."""
    talk = Talk()
    for earlier in before:
        talk.names.learn(earlier)
    topics: dict[str, str] = {}
    for earlier in before:
        topic_id, continues = earlier.topic_id, earlier.continues
        if topic_id is None:
            weighed = talk.weigh(earlier)
            best = next(iter(talk.candidates(weighed)), None)
            if earlier.answers in topics:
                topic_id, continues = topics[earlier.answers], earlier.answers
            elif best is not None and best.chance >= 0.5:
                topic_id, continues = best.topic_id, best.continues
        topic_id = topic_id or f"opened by {earlier.message_id}"
        talk.hear(earlier, topic_id, continues)
        topics[earlier.message_id] = topic_id
    weighed = talk.weigh(message)
    lines = talk.window.lines[weighed.sight.start : weighed.place]
    chances = {
        line.message_id: float(chance)
        for line, chance in zip(lines, weighed.chances[:-1], strict=True)
    }
    opens = float(weighed.chances[-1])
    if message.answers in chances:
        chances = {key: float(key == message.answers) for key in chances}
        opens = 0.0
    of_topic: dict[str, float] = {}
    for key, chance in chances.items():
        of_topic[topics[key]] = of_topic.get(topics[key], 0.0) + chance
    masses = {key: of_topic[topics[key]] for key in chances}
    return Following(chances, masses, topics, opens)
