"""What a line tells of each line it may follow, and of opening a topic: the scorer's numbers.

Those of `pairs`, and beside them the state of the topics found so far.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shared.threads.line_in_talk import LineInTalk
from shared.threads.lines import Line
from shared.threads.pairs import (
    LONG,
    PAIR_FEATURES,
    USUAL_PACE_S,
    SeeingPairs,
    log1p,
)
from shared.threads.topic_state import (
    LATELY,
    best_of_others,
    last_three,
    mean_cosine,
    topics_before,
)
from shared.threads.window import NOBODY, Window

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
    *("answers_speaker", "partner", "replies", "speaker_share", "asks_on", "topic_rank"),
    *("only_topic_of_speaker", "seconds", "topic_shared", "topic_asks", "pause_before"),
    # Meaning.
    *("cosine", "cosine_other", "last_three", "mean", "best_in_topic", "best", "best_three"),
    *("three_ahead", "three_long", "reply", "reply_to_end"),
    # Votes of the topic's lines.
    *("vote", "votes", "mean_vote", "best_votes", "votes_for"),
    # How much of it holds where nobody is addressed, and where much goes on at once.
    *("plain_shared", "plain_three", "plain_lines", "plain_speaker_in", "busy_lines"),
    *("busy_speaker_in", "busy_three", "plain_end", "plain_same"),
)
NEW_FEATURES = (
    *("opens", "long", "addresses", "asks", "own_time", "pause", "never_spoke", "own_gap"),
    *("reacts", "words", "open_topics", "speaker_topics", "speaker_topic_open", "people"),
    *("most_shared", "was_called", "seconds", "asks_first", "beginning", "most_cosine"),
    *("most_three", "most_mean", "opener", "most_reply", "most_votes", "most_mean_vote"),
    *("most_vote", "addressing", "pace", "topics_going", "never_where_addressing"),
    *("asks_where_addressing", "addresses_where_addressing", "plain_opener", "plain_three"),
    *("pace_pause", "busy_plain"),
)


@dataclass(frozen=True)
class Sight:
    """What a line sees: `lines` is a row for each earlier line from `start` on, `new` is one row;
    `topics` is the topic of each, counted from 0, `numbers` their numbers in the window."""

    start: int
    lines: Any
    new: Any
    topics: Any
    numbers: Any
    cosines: Any
    votes: Any
    voted: Any


class Seeing(SeeingPairs):
    """Reads features off a window."""

    def see(self, window: Window, line: Line, vector: Any, place: int) -> Sight:
        if not place:
            return self._first(line, vector)
        pair = self.pairs(window, line, vector, place)
        start = pair.start
        topics = topics_before(window, pair, place)
        raw = window.column("vector", start, place) @ vector if vector.size else pair.cosine
        alike = window.alike(start, place)
        telling = topics.by_topic * (pair.reacts == 0)[:, None]
        whole = np.where(telling.sum(0) > 0, telling, topics.by_topic)
        among = LineInTalk(
            line=line,
            pair=pair,
            topics=topics,
            to_same=_to_same(line, window.lines[start:place]),
            parent=window.column("parent", start, place) - start,
            topic_three=self._meant(mean_cosine(last_three(topics), raw, alike)),
            topic_mean=self._meant(mean_cosine(whole, raw, alike)),
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
        return Sight(start, rows, new, topics.of_line, topics.numbers, raw, pair.votes, pair.voted)

    def _first(self, line: Line, vector: Any) -> Sight:
        """Of the first line there is: there is nothing it may follow."""
        opener = self._opener(vector)
        nothing = dict.fromkeys(NEW_FEATURES, 0.0)
        new = _one_row(
            {
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
                "opener": opener,
                "pace": np.log(USUAL_PACE_S),
                "plain_opener": opener,
            },
            NEW_FEATURES,
        )
        none = np.zeros(0, np.float32)
        rows = np.zeros((0, len(LINE_FEATURES)), np.float32)
        voted = np.zeros((0, len(PAIR_FEATURES) + 1), np.float32)
        return Sight(0, rows, new, none.astype(int), none.astype(int), none, none, voted)


def _one_row(values: Mapping[str, Any], names: Sequence[str]) -> Any:
    return np.array([values[name] for name in names], dtype=np.float32)


def _to_same(line: Line, before: Sequence[Line]) -> Any:
    if not line.to:
        return np.zeros(len(before), np.float32)
    return np.fromiter((bool(line.to & one.to) for one in before), np.float32, len(before))


def _nearness(among: LineInTalk) -> dict[str, Any]:
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
        "speaker_was_last_in": of_line == last_in,
        "names_author": pair.names_author,
        "after_question": other * pair.asks * (1 - among.is_question),
        "shared": pair.shared,
    }


def _turn_taking(among: LineInTalk) -> dict[str, Any]:
    pair, other, previous, speaker = among.pair, among.other, among.previous, among.pair.speaker
    has_parent = (among.parent >= 0) & (among.parent < among.count)
    answered = speaker[np.where(has_parent, among.parent, 0)]
    parent_speaker = np.where(has_parent, answered, NOBODY)
    partner = parent_speaker[among.own_last] if among.own_last >= 0 else NOBODY
    replies = np.bincount(among.parent[has_parent], minlength=among.count).astype(np.float32)
    return {
        "previous": previous,
        "one_before": pair.gap == 2,
        "interlopers": pair.third,
        "author_spoke_last": other * (pair.theirs_since == 0),
        "speaker_silent_since": other * (pair.own_since == 0),
        "own_last": np.arange(among.count) == among.own_last,
        "reaction": pair.reacts,
        "reacts_to_previous": among.is_reaction * previous,
        "reacts_time": among.is_reaction * pair.time,
        "short_after_previous": (len(among.line.terms) <= 2) * previous,
        "open_question": pair.asks * other * (replies == 0),
        "answers_speaker": (parent_speaker == pair.person) * other,
        "partner": (speaker == partner) * other,
        "replies": log1p(replies),
        "asks_on": among.is_question * pair.same,
        "pause_before": among.pause * previous,
    }


def _topics(among: LineInTalk) -> dict[str, Any]:
    """The state of the topic that each line is of."""
    pair, topics, of_line = among.pair, among.topics, among.topics.of_line
    rank = np.empty(len(topics.numbers))
    rank[np.argsort(-topics.last)] = np.arange(len(topics.numbers))
    shared_in = np.zeros(len(topics.numbers), np.float32)
    np.maximum.at(shared_in, of_line, pair.shared)
    is_last, was_before = topics.spoke_last == pair.person, topics.spoke_before == pair.person
    is_only = among.topic_is_speakers.sum() == 1
    return {
        "topic_end": among.is_end,
        "topic_gap": log1p(among.count - 1 - topics.last)[of_line],
        "topic_time": log1p((among.line.at - pair.at[topics.last]) / pair.pace)[of_line],
        "topic_of_one": (topics.size == 1)[of_line],
        "topic_size": np.minimum(log1p(topics.size), MOST_SIZE)[of_line],
        "topic_people": np.minimum(topics.people, MOST_PEOPLE)[of_line],
        "spoke_last_in_topic": is_last[of_line],
        "spoke_before_in_topic": (was_before & ~is_last)[of_line],
        "speaker_share": (topics.speaks_in / topics.size)[of_line],
        "topic_rank": log1p(rank)[of_line],
        "only_topic_of_speaker": is_only * among.topic_is_speakers[of_line],
        "topic_shared": shared_in[of_line],
        "topic_asks": (pair.asks[topics.end] * ~is_last)[of_line],
    }


def _meaning(among: LineInTalk) -> dict[str, Any]:
    cosine, of_line, three = among.pair.cosine, among.topics.of_line, among.three
    best_in = np.full(len(among.topics.numbers), -1.0, np.float32)
    np.maximum.at(best_in, of_line, cosine)
    ahead = among.topic_three - best_of_others(among.topic_three)
    return {
        "cosine": cosine,
        "cosine_other": cosine * among.other,
        "last_three": three,
        "mean": among.topic_mean[of_line],
        "best_in_topic": best_in[of_line],
        "best": cosine == cosine.max(),
        "best_three": three == among.topic_three.max(),
        "three_ahead": ahead[of_line],
        "three_long": three * min(len(among.line.terms), LONG) / LONG,
        "reply": among.pair.reply,
        "reply_to_end": among.pair.reply[among.topics.end][of_line],
    }


def _votes(among: LineInTalk) -> dict[str, Any]:
    """What the lines of each topic say on whether the new one is of it too."""
    of_line, votes = among.topics.of_line, among.pair.votes
    topic_votes = among.topic_votes
    votes_for = np.bincount(
        of_line, weights=np.maximum(votes, 0.0), minlength=len(among.topics.numbers)
    )
    return {
        "vote": votes,
        "votes": topic_votes[of_line],
        "mean_vote": among.topic_mean_vote[of_line],
        "best_votes": topic_votes[of_line] == topic_votes.max(),
        "votes_for": log1p(votes_for)[of_line],
    }


def _where_it_holds(among: LineInTalk) -> dict[str, Any]:
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


def _opening(among: LineInTalk) -> dict[str, Any]:
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
        "most_cosine": pair.cosine.max(),
        "most_three": among.topic_three.max(),
        "most_mean": among.topic_mean.max(),
        "opener": pair.opener,
        "most_reply": pair.reply.max(),
        "most_votes": among.topic_votes.max(),
        "most_mean_vote": among.topic_mean_vote.max(),
        "most_vote": pair.votes.max(),
        "addressing": addressing,
        "pace": pace,
        "topics_going": among.busy,
        "never_where_addressing": addressing * never,
        "asks_where_addressing": addressing * among.is_question,
        "addresses_where_addressing": addressing * among.addresses,
        "plain_opener": among.plain * pair.opener,
        "plain_three": among.plain * among.topic_three.max(),
        "pace_pause": pace * among.pause,
        "busy_plain": among.busy * among.plain,
    }
