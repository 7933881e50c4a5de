"""A new line among the lines before it and the topics these were found to be of."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shared.threads.lines import Line
from shared.threads.pairs import VOTERS, Pairs
from shared.threads.topic_state import TopicState
from shared.threads.window import NOBODY

MOST_VOTES = 12.0
"""All votes for one topic together: beyond this they only say the same again."""
NO_VOTES = -3.0
"""In the place of the mean vote of a topic that nobody votes on: rather against it."""


@dataclass(frozen=True)
class LineInTalk:
    """A new line among the lines before it and their topics, and what several features are made
    of: one value for each line before, or for each topic where the name says so."""

    line: Line
    pair: Pairs
    topics: TopicState
    to_same: Any
    """Whether somebody is addressed by both."""
    parent: Any
    """The place of the line that each goes on with; beyond the lines in sight where none is."""
    topic_three: Any
    """The line's cosine with the last three lines of each topic..."""
    topic_mean: Any
    """... and with all of them."""

    @cached_property
    def count(self) -> int:
        return len(self.pair.gap)

    @cached_property
    def is_question(self) -> float:
        return float(self.line.kind == "question")

    @cached_property
    def is_reaction(self) -> float:
        return float(self.line.kind == "casual")

    @cached_property
    def addresses(self) -> float:
        return float(bool(self.line.to))

    @cached_property
    def plain(self) -> float:
        """How little people here say whom they talk to."""
        return 1.0 - self.pair.addressing

    @cached_property
    def busy(self) -> float:
        """How many topics are going on."""
        return float(np.log1p(self.topics.is_going.sum()))

    @cached_property
    def pause_s(self) -> float:
        return float(self.pair.elapsed[-1])

    @cached_property
    def pause(self) -> float:
        return float(np.log1p(self.pause_s / self.pair.pace))

    @cached_property
    def other(self) -> Any:
        """Whether somebody else said it."""
        return 1.0 - self.pair.same

    @cached_property
    def previous(self) -> Any:
        return (self.pair.gap == 1).astype(np.float32)

    @cached_property
    def log_lines(self) -> Any:
        return np.log(self.pair.gap)

    @cached_property
    def own_last(self) -> int:
        """The place of the speaker's last line."""
        own = np.flatnonzero(self.pair.same)
        return int(own[-1]) if len(own) else NOBODY

    @cached_property
    def is_end(self) -> Any:
        """Whether it is what its topic ended with."""
        return (self.topics.end[self.topics.of_line] == np.arange(self.count)).astype(np.float32)

    @cached_property
    def speaker_in(self) -> Any:
        """Whether the speaker has a say in its topic."""
        return (self.topics.speaks_in[self.topics.of_line] > 0).astype(np.float32)

    @cached_property
    def topic_is_speakers(self) -> Any:
        """Of each topic: whether it is going on and the speaker has a say in it."""
        return (self.topics.speaks_in > 0) & self.topics.is_going

    @cached_property
    def three(self) -> Any:
        return self.topic_three[self.topics.of_line]

    @cached_property
    def voters(self) -> Any:
        """How many lines of each topic have a vote."""
        of_line = self.topics.of_line
        return np.bincount(
            of_line[max(0, self.count - VOTERS) :], minlength=len(self.topics.numbers)
        )

    @cached_property
    def topic_votes(self) -> Any:
        sums = np.bincount(
            self.topics.of_line, weights=self.pair.votes, minlength=len(self.topics.numbers)
        )
        return np.where(self.voters > 0, np.clip(sums, -MOST_VOTES, MOST_VOTES), -MOST_VOTES)

    @cached_property
    def topic_mean_vote(self) -> Any:
        return np.where(self.voters > 0, self.topic_votes / np.maximum(self.voters, 1), NO_VOTES)
