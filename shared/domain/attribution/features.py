"""What a line tells of each line it may follow, and of opening a topic: the scorer's numbers.

Those of `pairs`, and beside them the state of the topics found so far.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from shared.domain.attribution.lines import Line
from shared.domain.attribution.pairs import (
    LONG,
    PAIR_FEATURES,
    USUAL_PACE_S,
    VOTERS,
    SeeingPairs,
    log1p,
)
from shared.domain.attribution.topic_state import best_of_others, distinct, last_three, mean_cosine
from shared.domain.attribution.window import NOBODY, Window

NEVER = 4.0
"""In the place of the time since somebody spoke who has not spoken yet."""
LATELY = 12
"""A topic is going on if one of so many last lines is of it."""
OPEN = 30
"""A topic with one of so many last lines counts among those that are open."""
MOST_VOTES = 12.0
"""... and all votes for one topic together: beyond this they only say the same again."""
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
        start, m = pair.start, len(pair.gap)
        speaker, same, asks, reacts, gap = pair.speaker, pair.same, pair.asks, pair.reacts, pair.gap
        other, time, cosine, votes = 1.0 - same, pair.time, pair.cosine, pair.votes
        is_question = float(line.kind == "question")
        is_reaction = float(line.kind == "casual")
        words, addresses, plain = len(line.terms), float(bool(line.to)), 1.0 - pair.addressing
        numbers, topic = np.unique(window.column("topic", start, place), return_inverse=True)
        count, places = len(numbers), np.arange(m)
        by_topic = (topic[:, None] == np.arange(count)[None, :]).astype(np.float32)
        topic_since = (by_topic[::-1].cumsum(0)[::-1] * by_topic).sum(1) - 1.0
        size = by_topic.sum(0)
        last = np.zeros(count, np.int64)
        last[topic] = places
        speaks_in = same @ by_topic
        in_topic = (speaks_in[topic] > 0).astype(np.float32)
        addressee_in = ((pair.is_author @ by_topic)[topic] > 0) * addresses
        before = window.lines[start:place]
        to_same = (
            np.fromiter((bool(line.to & one.to) for one in before), np.float32, m)
            if line.to
            else np.zeros(m, np.float32)
        )
        own = np.flatnonzero(same)
        own_last = int(own[-1]) if len(own) else NOBODY
        # The end of each topic: its last line that is more than a reaction.
        telling = np.flatnonzero(reacts == 0)
        last_telling = np.full(count, NOBODY)
        last_telling[topic[telling]] = telling
        end = np.where(last_telling >= 0, last_telling, last)
        spoke_last = speaker[end]
        others = np.flatnonzero((speaker != spoke_last[topic]) & (reacts == 0))
        spoke_before = np.full(count, NOBODY)
        spoke_before[topic[others]] = speaker[others]
        is_end = (end[topic] == places).astype(np.float32)
        people = distinct(topic, speaker, count)
        gap_of = log1p(m - 1 - last)
        time_of = log1p((line.at - pair.at[last]) / pair.pace)
        parent = window.column("parent", start, place) - start
        has_parent = (parent >= 0) & (parent < m)
        parent_speaker = np.where(has_parent, speaker[np.where(has_parent, parent, 0)], NOBODY)
        replies = np.bincount(parent[has_parent], minlength=m).astype(np.float32)
        partner = parent_speaker[own_last] if own_last >= 0 else NOBODY
        rank = np.empty(count)
        rank[np.argsort(-last)] = np.arange(count)
        going = last >= m - LATELY
        speaks_going = (speaks_in > 0) & going
        speaker_topics = float(speaks_going.sum())
        pause_s = float(pair.elapsed[-1])
        pause = float(np.log1p(pause_s / pair.pace))
        previous = (gap == 1).astype(np.float32)
        # Meaning.
        raw = window.column("vector", start, place) @ vector if vector.size else cosine
        alike = window.alike(start, place)
        three = self._meant(mean_cosine(last_three(telling, by_topic), raw, alike))
        telling_of = by_topic * (reacts == 0)[:, None]
        whole = np.where(telling_of.sum(0) > 0, telling_of, by_topic)
        mean = self._meant(mean_cosine(whole, raw, alike))
        best_in = np.full(count, -1.0, np.float32)
        np.maximum.at(best_in, topic, cosine)
        shared_in = np.zeros(count, np.float32)
        np.maximum.at(shared_in, topic, pair.shared)
        ahead = three - best_of_others(three)
        # Votes.
        voters = np.bincount(topic[max(0, m - VOTERS) :], minlength=count)
        sums = np.bincount(topic, weights=votes, minlength=count)
        votes_of = np.where(voters > 0, np.clip(sums, -MOST_VOTES, MOST_VOTES), -MOST_VOTES)
        mean_vote = np.where(voters > 0, votes_of / np.maximum(voters, 1), NO_VOTES)
        votes_for = np.bincount(topic, weights=np.maximum(votes, 0.0), minlength=count)
        busy = float(np.log1p(going.sum()))
        log_lines = np.log(gap)
        last_in = topic[own_last] if own_last >= 0 else NOBODY
        of = [
            log_lines, time, log1p(pair.own_since), other * log1p(pair.theirs_since),
            log1p(topic_since), same, other * pair.is_author,
            other * addresses * (1 - pair.is_author), same * addresses * (1 - to_same),
            same * to_same, other * pair.to_us, other * pair.addresses_somebody * (1 - pair.to_us),
            addressee_in * (1 - pair.is_author), in_topic * other, topic == last_in,
            pair.names_author, other * asks * (1 - is_question), pair.shared,
            previous, gap == 2, pair.third, other * (pair.theirs_since == 0),
            other * (pair.own_since == 0), same * time, places == own_last, is_end, gap_of[topic],
            time_of[topic], reacts, is_reaction * previous, is_reaction * time,
            (words <= 2) * previous, asks * other * (replies == 0), (size == 1)[topic],
            np.minimum(log1p(size), 1.61)[topic], np.minimum(people, 4)[topic],
            (spoke_last == pair.person)[topic],
            ((spoke_before == pair.person) & (spoke_last != pair.person))[topic],
            (parent_speaker == pair.person) * other, (speaker == partner) * other,
            log1p(replies), (speaks_in / size)[topic], is_question * same, log1p(rank)[topic],
            (speaker_topics == 1) * speaks_going[topic], log1p(pair.elapsed), shared_in[topic],
            (asks[end] * (spoke_last != pair.person))[topic], pause * previous,
            cosine, cosine * other, three[topic], mean[topic], best_in[topic],
            cosine == cosine.max(), three[topic] == three.max(), ahead[topic],
            three[topic] * min(words, LONG) / LONG, pair.reply, pair.reply[end][topic],
            votes, votes_of[topic], mean_vote[topic], votes_of[topic] == votes_of.max(),
            log1p(votes_for)[topic],
            plain * pair.shared, plain * three[topic], plain * log_lines, plain * in_topic * other,
            busy * log_lines, busy * in_topic, busy * three[topic], plain * is_end, plain * same,
        ]  # fmt: skip
        rows = np.empty((m, len(LINE_FEATURES)), np.float32)
        for index, column in enumerate(of):
            rows[:, index] = column
        never = float(own_last < 0)
        crowd = len(set(speaker[-20:].tolist())) / 10
        new = np.array(
            [
                1.0, min(words, 10) / 10, addresses, is_question,
                NEVER if never else time[own_last], pause, never,
                5.3 if never else np.log1p(m - own_last), is_reaction, np.log1p(words),
                np.log1p((last >= m - OPEN).sum()), speaker_topics,
                float(own_last >= 0 and last[topic[own_last]] >= m - LATELY), crowd,
                pair.shared.max(), float(pair.to_us[own_last + 1 :].any()),
                min(np.log1p(pause_s), 9.0), is_question * never, float(m < 10), cosine.max(),
                three.max(), mean.max(), pair.opener, pair.reply.max(), votes_of.max(),
                mean_vote.max(), votes.max(), pair.addressing, np.log(pair.pace), busy,
                pair.addressing * never, pair.addressing * is_question,
                pair.addressing * addresses, plain * pair.opener, plain * three.max(),
                np.log(pair.pace) * pause, busy * plain,
            ],
            dtype=np.float32,
        )  # fmt: skip
        return Sight(start, rows, new, topic, numbers, raw, votes, pair.voted)

    def _first(self, line: Line, vector: Any) -> Sight:
        """Of the first line there is: there is nothing it may follow."""
        opener = self._opener(vector)
        new = np.zeros(len(NEW_FEATURES), np.float32)
        known = {
            "opens": 1.0, "long": min(len(line.terms), 10) / 10, "asks": line.kind == "question",
            "own_time": NEVER, "never_spoke": 1.0, "own_gap": 5.3, "reacts": line.kind == "casual",
            "words": np.log1p(len(line.terms)), "seconds": 9.0, "beginning": 1.0,
            "opener": opener, "pace": np.log(USUAL_PACE_S), "plain_opener": opener,
        }  # fmt: skip
        for name, value in known.items():
            new[NEW_FEATURES.index(name)] = value
        none = np.zeros(0, np.float32)
        rows = np.zeros((0, len(LINE_FEATURES)), np.float32)
        voted = np.zeros((0, len(PAIR_FEATURES) + 1), np.float32)
        return Sight(0, rows, new, none.astype(int), none.astype(int), none, none, voted)
