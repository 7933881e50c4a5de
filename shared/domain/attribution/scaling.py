"""How much the parts of the score count in one group: what its own replies say (`tuning`)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from shared.domain.attribution.features import LINE_FEATURES
from shared.domain.attribution.tables import Table, Tables

OPENS = "opens"
"""Beside the parts: what is added to opening a topic, so that as many are opened as before."""
PARTS: Mapping[str, tuple[str, ...]] = {
    "distance": (
        *("lines", "time", "previous", "one_before", "interlopers", "same_time", "topic_gap"),
        *("topic_time", "topic_rank", "seconds", "pause_before", "plain_lines", "busy_lines"),
        *("reacts_to_previous", "reacts_time", "short_after_previous"),
    ),
    "people": (
        *("own_since", "theirs_since", "same", "addresses_author", "addresses_other"),
        *("own_to_other", "own_to_same", "was_addressed", "author_to_other", "addressee_in"),
        *("speaker_in", "speaker_was_last_in", "names_author", "author_spoke_last"),
        *("speaker_silent_since", "own_last", "spoke_last_in_topic", "spoke_before_in_topic"),
        *("answers_speaker", "partner", "speaker_share", "only_topic_of_speaker"),
        *("plain_speaker_in", "busy_speaker_in", "plain_same"),
    ),
    "meaning": (
        *("shared", "topic_shared", "cosine", "cosine_other", "last_three", "mean"),
        *("best_in_topic", "best", "best_three", "three_ahead", "three_long", "reply"),
        *("reply_to_end", "plain_shared", "plain_three", "busy_three"),
    ),
    "votes": ("vote", "votes", "mean_vote", "best_votes", "votes_for"),
}
"""Features that belong together; those in none of them count as they do everywhere."""
OF_PART = np.array([[name in part for name in LINE_FEATURES] for part in PARTS.values()])


def parted(table: Table, lines: Any) -> Any:
    """What each part adds to the score of each line: a column for each of `PARTS`."""
    return lines @ (table.lines * OF_PART).T


def scaled(tables: Tables, scales: Mapping[str, float]) -> Tables:
    """The tables with every part of the score multiplied by one plus its scale."""
    if not scales:
        return tables
    factors = 1.0 + np.array([scales.get(one, 0.0) for one in PARTS]) @ OF_PART

    def of(table: Table) -> Table:
        opens = table.opens + scales.get(OPENS, 0.0)
        return replace(table, lines=(table.lines * factors).astype(np.float32), opens=opens)

    return Tables(of(tables.plain), of(tables.addressing), of(tables.visited))
