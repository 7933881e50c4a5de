"""What a line tells of each line it may follow, and of opening a topic: the scorer's numbers.

Those of `pairs`, and beside them the state of the topics found so far.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shared.threads.lines import ThreadLine
from shared.threads.pairs import (
    LONG,
    PAIR_FEATURES,
    USUAL_PACE_S,
    VOTERS,
    Pairs,
    log1p,
    pairs_of,
)
from shared.threads.topic_state import LATELY, TopicState, ahead_of_others, topics_before
from shared.threads.window import NOBODY, Floats, Integers, Window

NEVER = 4.0
"""In the place of the time since somebody spoke who has not spoken yet..."""
NEVER_LINES = 5.3
"""... and of the lines since."""
OPEN = 30
"""A topic with one of so many last lines counts among those that are open."""
MOST_SIZE, MOST_PEOPLE, MOST_WORDS = 1.61, 4, 10
"""Of a topic's lines (a logarithm) and people and of a line's words: more say no more."""
MOST_SECONDS = 9.0
"""Of a pause, a logarithm: more than two hours are long whatever they are."""
CROWD_LINES = 20
"""Who spoke in so many last lines is here."""
MOST_VOTES = 12.0
"""All votes for one topic together: beyond this they only say the same again."""
NO_VOTES = -3.0
"""In the place of the mean vote of a topic that nobody votes on: rather against it."""

LINE_FEATURES = (
    # How far, who spoke since, who speaks to whom.
    *("lines", "time", "own_since", "theirs_since", "topic_since", "same", "addresses_author"),
    *("addresses_other", "own_to_other", "own_to_same", "was_addressed", "author_to_other"),
    *("addressee_in", "speaker_in", "speaker_was_last_in", "names_author", "after_question"),
    "shared",
    # Turn-taking and the state of the topics found so far.
    *("previous", "one_before", "interlopers", "author_spoke_last", "speaker_silent_since"),
    *("same_time", "own_last", "topic_end", "topic_gap", "topic_time", "reaction"),
    *("reacts_to_previous", "reacts_time", "short_after_previous", "open_question", "topic_of_one"),
    *("topic_size", "topic_people", "spoke_last_in_topic", "spoke_before_in_topic"),
    *("answers_speaker", "partner", "met", "replies", "speaker_share", "asks_on", "topic_rank"),
    *("only_topic_of_speaker", "seconds", "topic_shared", "topic_asks", "pause_before"),
    # Meaning.
    *("alike", "alike_other", "last_three", "mean", "best_in_topic", "best", "best_three"),
    *("three_ahead", "three_long"),
    # Votes of the topic's lines.
    *("vote", "votes", "mean_vote", "best_votes", "votes_for"),
    # How much of it holds where nobody is addressed, and where much goes on at once.
    *("plain_shared", "plain_three", "plain_lines", "plain_speaker_in", "busy_lines"),
    *("busy_speaker_in", "busy_three", "plain_end", "plain_same"),
)
NEW_FEATURES = (
    *("opens", "long", "addresses", "asks", "own_time", "pause", "never_spoke", "own_gap"),
    *("reacts", "words", "open_topics", "speaker_topics", "speaker_topic_open", "people"),
    *("most_shared", "was_called", "seconds", "asks_first", "beginning", "most_alike"),
    *("alike_three", "most_three", "most_mean", "most_votes", "most_mean_vote"),
    *("most_vote", "addressing", "visiting", "pace", "topics_going", "never_where_addressing"),
    *("asks_where_addressing", "addresses_where_addressing", "plain_three"),
    *("pace_pause", "busy_plain"),
)


@dataclass(frozen=True)
class Sight:
    """What a line sees: `lines` is a row for each earlier line from `start` on, `new` is one row;
    `topics` is the topic of each, counted from 0, `numbers` their numbers in the window."""

    start: int
    lines: Floats
    new: Floats
    topics: Integers
    numbers: Integers
    votes: Floats
    voted: Floats


def see(
    window: Window, line: ThreadLine, vector: Floats, place: int, vote_weights: Floats | None
) -> Sight:
    """What a line at `place` sees; `vector` is from the window's `unit`."""
    if not place:
        return _first(line)
    pair = pairs_of(window, line, vector, place, vote_weights)
    topics = topics_before(window, pair, place)
    known = window.known[pair.start : place]
    groups = pair.likeness.with_groups
    among = _Among(
        line=line,
        pair=pair,
        topics=topics,
        to_same=_to_same(line, window.lines[pair.start : place]),
        parent=window.parent[pair.start : place] - pair.start,
        topic_three=groups(pair.standard, topics.last_three(), known),
        topic_mean=groups(pair.standard, topics.all_telling(), known),
    )
    columns = {
        **_nearness(among),
        **_turn_taking(among),
        **_topics(among),
        **_meaning(among),
        **_votes(among),
        **_where_it_holds(among),
    }
    rows = np.empty((among.count, len(LINE_FEATURES)), np.float32)
    for index, name in enumerate(LINE_FEATURES):
        rows[:, index] = columns[name]
    new = _one_row(_opening(among), NEW_FEATURES)
    return Sight(pair.start, rows, new, topics.of_line, topics.numbers, pair.votes, pair.voted)


def _first(line: ThreadLine) -> Sight:
    """Of the first line there is: there is nothing it may follow."""
    nothing = dict.fromkeys(NEW_FEATURES, 0.0)
    new = {
        **nothing,
        "opens": 1.0,
        "long": min(len(line.terms), MOST_WORDS) / MOST_WORDS,
        "asks": line.kind == "question",
        "own_time": NEVER,
        "never_spoke": 1.0,
        "own_gap": NEVER_LINES,
        "reacts": line.kind == "casual",
        "words": np.log1p(len(line.terms)),
        "seconds": MOST_SECONDS,
        "beginning": 1.0,
        "pace": np.log(USUAL_PACE_S),
    }
    none = np.zeros(0, np.int64)
    rows = np.zeros((0, len(LINE_FEATURES)), np.float32)
    voted = np.zeros((0, len(PAIR_FEATURES) + 1), np.float32)
    return Sight(0, rows, _one_row(new, NEW_FEATURES), none, none, np.zeros(0), voted)


def _one_row(values: Mapping[str, Any], names: Sequence[str]) -> Floats:
    return np.array([values[name] for name in names], dtype=np.float32)


def _to_same(line: ThreadLine, before: Sequence[ThreadLine]) -> Floats:
    """Whether somebody is addressed by both."""
    return np.fromiter((bool(line.to & earlier.to) for earlier in before), np.float32, len(before))


@dataclass(frozen=True)
class _Among:
    """A new line among the lines before it and their topics, and what several features are made
    of: one value for each line before, or for each topic where the name says so."""

    line: ThreadLine
    pair: Pairs
    topics: TopicState
    to_same: Floats
    parent: Integers
    """The place of the line that each goes on with; out of sight where none is."""
    topic_three: Floats
    """How alike the line is to the last three lines of each topic..."""
    topic_mean: Floats
    """... and to all of them."""

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
    def other(self) -> Floats:
        """Whether somebody else said it."""
        return 1.0 - self.pair.same

    @cached_property
    def previous(self) -> Floats:
        return np.equal(self.pair.gap, 1).astype(np.float32)

    @cached_property
    def log_lines(self) -> Floats:
        return np.log(self.pair.gap)

    @cached_property
    def own_last(self) -> int:
        """The place of the speaker's last line."""
        own = np.flatnonzero(self.pair.same)
        return int(own[-1]) if len(own) else NOBODY

    @cached_property
    def is_end(self) -> Floats:
        """Whether it is what its topic ended with."""
        return np.equal(self.topics.end[self.topics.of_line], np.arange(self.count)).astype(
            np.float32
        )

    @cached_property
    def speaker_in(self) -> Floats:
        """Whether the speaker has a say in its topic."""
        return (self.topics.speaks_in[self.topics.of_line] > 0).astype(np.float32)

    @cached_property
    def topic_is_speakers(self) -> Floats:
        """Of each topic: whether it is going on and the speaker has a say in it."""
        return ((self.topics.speaks_in > 0) & self.topics.is_going).astype(np.float32)

    @cached_property
    def three(self) -> Floats:
        return self.topic_three[self.topics.of_line]

    @cached_property
    def voters(self) -> Integers:
        """How many lines of each topic have a vote."""
        of_line = self.topics.of_line
        return np.bincount(of_line[max(0, self.count - VOTERS) :], minlength=len(self.topics))

    @cached_property
    def topic_votes(self) -> Floats:
        sums = np.bincount(self.topics.of_line, weights=self.pair.votes, minlength=len(self.topics))
        return np.where(self.voters > 0, np.clip(sums, -MOST_VOTES, MOST_VOTES), -MOST_VOTES)

    @cached_property
    def topic_mean_vote(self) -> Floats:
        return np.where(self.voters > 0, self.topic_votes / np.maximum(self.voters, 1), NO_VOTES)


def _nearness(among: _Among) -> dict[str, Floats]:
    """How far, who spoke since, who speaks to whom."""
    pair, topics, other, addresses = among.pair, among.topics, among.other, among.addresses
    of_line, by_topic = topics.of_line, topics.by_topic
    topic_since = (by_topic[::-1].cumsum(0)[::-1] * by_topic).sum(1) - 1.0
    addressee_in = ((pair.is_author @ by_topic)[of_line] > 0) * addresses
    last_in = of_line[among.own_last] if among.own_last >= 0 else NOBODY
    return {
        "lines": among.log_lines,
        "time": pair.time,
        "seconds": log1p(pair.elapsed),
        "own_since": log1p(pair.own_since),
        "theirs_since": other * log1p(pair.theirs_since),
        "topic_since": log1p(topic_since),
        "same": pair.same,
        "same_time": pair.same * pair.time,
        "addresses_author": other * pair.is_author,
        "addresses_other": other * addresses * (1 - pair.is_author),
        "own_to_other": pair.same * addresses * (1 - among.to_same),
        "own_to_same": pair.same * among.to_same,
        "was_addressed": other * pair.to_us,
        "author_to_other": other * pair.addresses_somebody * (1 - pair.to_us),
        "addressee_in": addressee_in * (1 - pair.is_author),
        "speaker_in": among.speaker_in * other,
        "speaker_was_last_in": (of_line == last_in).astype(np.float32),
        "names_author": pair.names_author,
        "after_question": other * pair.asks * (1 - among.is_question),
        "shared": pair.shared,
    }


def _turn_taking(among: _Among) -> dict[str, Floats]:
    pair, other, previous, speaker = among.pair, among.other, among.previous, among.pair.speaker
    has_parent = (among.parent >= 0) & (among.parent < among.count)
    answered = speaker[np.where(has_parent, among.parent, 0)]
    parent_speaker = np.where(has_parent, answered, NOBODY)
    partner = parent_speaker[among.own_last] if among.own_last >= 0 else NOBODY
    replies = np.bincount(among.parent[has_parent], minlength=among.count)
    answers_us = (parent_speaker == pair.person) * other
    ours = (pair.same > 0) & has_parent & (parent_speaker != pair.person)
    met = np.bincount(
        np.concatenate((speaker[answers_us > 0], parent_speaker[ours])),
        minlength=int(speaker.max()) + 1,
    )
    return {
        "previous": previous,
        "one_before": (pair.gap == 2).astype(np.float32),
        "interlopers": pair.third,
        "author_spoke_last": other * (pair.theirs_since == 0),
        "speaker_silent_since": other * (pair.own_since == 0),
        "own_last": (np.arange(among.count) == among.own_last).astype(np.float32),
        "reaction": pair.reacts,
        "reacts_to_previous": among.is_reaction * previous,
        "reacts_time": among.is_reaction * pair.time,
        "short_after_previous": (len(among.line.terms) <= 2) * previous,
        "open_question": pair.asks * other * (replies == 0),
        "answers_speaker": answers_us,
        "partner": (speaker == partner) * other,
        "met": log1p(met)[speaker] * other,
        "replies": log1p(replies),
        "asks_on": among.is_question * pair.same,
        "pause_before": among.pause * previous,
    }


def _topics(among: _Among) -> dict[str, Floats]:
    """The state of the topic that each line is of."""
    pair, topics, of_line = among.pair, among.topics, among.topics.of_line
    rank = np.empty(len(topics))
    rank[np.argsort(-topics.last)] = np.arange(len(topics))
    is_last, was_before = topics.spoke_last == pair.person, topics.spoke_before == pair.person
    is_only = among.topic_is_speakers.sum() == 1
    of_topic: dict[str, Any] = {
        "topic_gap": log1p(among.count - 1 - topics.last),
        "topic_time": log1p((among.line.at - pair.at[topics.last]) / pair.pace),
        "topic_of_one": topics.size == 1,
        "topic_size": np.minimum(log1p(topics.size), MOST_SIZE),
        "topic_people": np.minimum(topics.people, MOST_PEOPLE),
        "spoke_last_in_topic": is_last,
        "spoke_before_in_topic": was_before & ~is_last,
        "speaker_share": topics.speaks_in / topics.size,
        "topic_rank": log1p(rank),
        "only_topic_of_speaker": is_only * among.topic_is_speakers,
        "topic_shared": topics.most(pair.shared),
        "topic_asks": pair.asks[topics.end] * ~is_last,
    }
    return {"topic_end": among.is_end, **{name: of_topic[name][of_line] for name in of_topic}}


def _meaning(among: _Among) -> dict[str, Floats]:
    alike, topics, three = among.pair.alike, among.topics, among.three
    return {
        "alike": alike,
        "alike_other": alike * among.other,
        "last_three": three,
        "mean": among.topic_mean[topics.of_line],
        "best_in_topic": topics.most(alike)[topics.of_line],
        "best": (alike == alike.max()).astype(np.float32),
        "best_three": (three == among.topic_three.max()).astype(np.float32),
        "three_ahead": ahead_of_others(among.topic_three)[topics.of_line],
        "three_long": three * min(len(among.line.terms), LONG) / LONG,
    }


def _votes(among: _Among) -> dict[str, Floats]:
    """What the lines of each topic say on whether the new one is of it too."""
    of_line, votes = among.topics.of_line, among.pair.votes
    topic_votes = among.topic_votes
    votes_for = np.bincount(of_line, weights=np.maximum(votes, 0.0), minlength=len(among.topics))
    return {
        "vote": votes,
        "votes": topic_votes[of_line],
        "mean_vote": among.topic_mean_vote[of_line],
        "best_votes": (topic_votes[of_line] == topic_votes.max()).astype(np.float32),
        "votes_for": log1p(votes_for)[of_line],
    }


def _where_it_holds(among: _Among) -> dict[str, Floats]:
    """How much of it holds where nobody is addressed, and where much goes on at once."""
    plain, busy = among.plain, among.busy
    return {
        "plain_shared": plain * among.pair.shared,
        "plain_three": plain * among.three,
        "plain_lines": plain * among.log_lines,
        "plain_speaker_in": plain * among.speaker_in * among.other,
        "busy_lines": busy * among.log_lines,
        "busy_speaker_in": busy * among.speaker_in,
        "busy_three": busy * among.three,
        "plain_end": plain * among.is_end,
        "plain_same": plain * among.pair.same,
    }


def _opening(among: _Among) -> dict[str, Any]:
    """What speaks for a topic of its own."""
    pair, topics, own_last = among.pair, among.topics, among.own_last
    words, never = len(among.line.terms), float(own_last < 0)
    addressing, pace = pair.addressing, np.log(pair.pace)
    since = among.count - LATELY
    return {
        "opens": 1.0,
        "long": min(words, MOST_WORDS) / MOST_WORDS,
        "addresses": among.addresses,
        "asks": among.is_question,
        "own_time": NEVER if never else pair.time[own_last],
        "pause": among.pause,
        "never_spoke": never,
        "own_gap": NEVER_LINES if never else np.log1p(among.count - own_last),
        "reacts": among.is_reaction,
        "words": np.log1p(words),
        "open_topics": np.log1p((topics.last >= among.count - OPEN).sum()),
        "speaker_topics": float(among.topic_is_speakers.sum()),
        "speaker_topic_open": not never and topics.last[topics.of_line[own_last]] >= since,
        "people": len(set(pair.speaker[-CROWD_LINES:].tolist())) / 10,
        "most_shared": pair.shared.max(),
        "was_called": pair.to_us[own_last + 1 :].any(),
        "seconds": min(np.log1p(among.pause_s), MOST_SECONDS),
        "asks_first": among.is_question * never,
        "beginning": among.count < 10,
        "most_alike": pair.alike.max(),
        "alike_three": np.sort(pair.alike)[-3:].mean(),
        "most_three": among.topic_three.max(),
        "most_mean": among.topic_mean.max(),
        "most_votes": among.topic_votes.max(),
        "most_mean_vote": among.topic_mean_vote.max(),
        "most_vote": pair.votes.max(),
        "addressing": addressing,
        "visiting": pair.visiting,
        "pace": pace,
        "topics_going": among.busy,
        "never_where_addressing": addressing * never,
        "asks_where_addressing": addressing * among.is_question,
        "addresses_where_addressing": addressing * among.addresses,
        "plain_three": among.plain * among.topic_three.max(),
        "pace_pause": pace * among.pause,
        "busy_plain": among.busy * among.plain,
    }
