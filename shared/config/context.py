"""What goes into a context: `MEMORY_*` settings of selection and of long-term memory."""

from collections.abc import Mapping
from typing import Any

from shared.config.setting import choice, number, overrides, switch, weights, whole, words, zone

RECALL_SIGNS = (
    *("words", "own_words", "meaning", "reply", "speaker", "about", "own", "question", "when"),
    *("amount", "day", "recent", "says_much", "company"),
)
"""What speaks for a line; `shared/domain/recall/ranking.py` has what each is."""


class Selection:
    """What goes into a context."""

    enable_intelligent_memory: bool = switch(
        "MEMORY_ENABLE_INTELLIGENT_MEMORY",
        True,
        "Select context by relevance; off = reply chain and last messages only.",
        per_group=True,
    )
    grey_share: float = number(
        "MEMORY_GREY_SHARE",
        1,
        0,
        1,
        "Share of groups, always the same ones, for which that selection is on.",
    )
    grey_groups: tuple[str, ...] = words(
        "MEMORY_GREY_GROUPS", (), "Groups for which it is on whatever the share."
    )
    fallback_on_error: bool = switch(
        "MEMORY_FALLBACK_ON_ERROR",
        True,
        "Answer with the traditional context when selection fails; off = the request fails.",
        per_group=True,
    )
    max_context_messages: int = whole(
        "MEMORY_MAX_CONTEXT_MESSAGES", 20, 1, 200, "Messages in a context.", per_group=True
    )
    max_context_tokens: int = whole(
        "MEMORY_MAX_CONTEXT_TOKENS",
        3000,
        100,
        200_000,
        "Tokens of a context when the request names no budget.",
        per_group=True,
    )
    time_window_hours: int = whole(
        "MEMORY_TIME_WINDOW_HOURS", 24, 1, 8760, "How far back messages count.", per_group=True
    )
    relevance_threshold: float = number(
        "MEMORY_RELEVANCE_THRESHOLD",
        0.3,
        0,
        1,
        "A message scored lower is left out (the reply chain always stays).",
        per_group=True,
    )
    context_scorer: str = choice(
        "MEMORY_CONTEXT_SCORER",
        "learned",
        ("learned", "five_factor"),
        "How nearness is scored: learned from who follows whom, or the five weighted factors.",
        per_group=True,
    )
    reply_chain_weight: float = number(
        "MEMORY_REPLY_CHAIN_WEIGHT", 0.4, 0, 1, "Weight of the reply chain.", per_group=True
    )
    time_decay_weight: float = number(
        "MEMORY_TIME_DECAY_WEIGHT", 0.2, 0, 1, "Weight of being recent.", per_group=True
    )
    user_continuity_weight: float = number(
        "MEMORY_USER_CONTINUITY_WEIGHT", 0.15, 0, 1, "Weight of the same speaker.", per_group=True
    )
    mention_relation_weight: float = number(
        "MEMORY_MENTION_RELATION_WEIGHT", 0.15, 0, 1, "Weight of mentions.", per_group=True
    )
    keyword_overlap_weight: float = number(
        "MEMORY_KEYWORD_OVERLAP_WEIGHT", 0.1, 0, 1, "Weight of shared keywords.", per_group=True
    )
    recall_weights: Mapping[str, float] = weights(
        "MEMORY_RECALL_WEIGHTS",
        RECALL_SIGNS,
        4,
        "How much more or less than usual each sign counts that a line answers: `meaning=1.5`.",
        per_group=True,
    )
    ab_settings: Mapping[str, Any] = overrides(
        "MEMORY_AB_SETTINGS",
        "An experiment: what one part of the groups, variant `b`, has instead.",
    )
    ab_share: float = number(
        "MEMORY_AB_SHARE", 0.5, 0, 1, "Share of groups, always the same ones, that are `b`."
    )
    timezone: str | None = zone(
        "MEMORY_TIMEZONE",
        "Zone of times in contexts and notes; unset = what the group's notes last said, or UTC.",
        per_group=True,
    )
    context_build_timeout_seconds: float = number(
        "MEMORY_CONTEXT_BUILD_TIMEOUT_SECONDS",
        5,
        0.1,
        60,
        "A context is answered within this time, whatever is down.",
    )
    enable_async_data_collection: bool = switch(
        "MEMORY_ENABLE_ASYNC_DATA_COLLECTION",
        True,
        "Keep a record of every context, for feedback and tuning.",
        per_group=True,
    )
    context_retention_days: int = whole(
        "MEMORY_CONTEXT_RETENTION_DAYS",
        30,
        0,
        3650,
        "How long such a record is kept; 0 = for ever.",
        per_group=True,
    )


class LongTerm:
    """When and how much long-term memory is offered."""

    enable_long_term: bool = switch(
        "MEMORY_ENABLE_LONG_TERM",
        True,
        "Offer memories, events, profiles and summaries in contexts.",
        per_group=True,
    )
    first_round_empty: bool = switch(
        "MEMORY_FIRST_ROUND_EMPTY",
        True,
        "No long-term memory for the very first message of a group.",
        per_group=True,
    )
    min_query_length: int = whole(
        "MEMORY_MIN_QUERY_LENGTH",
        2,
        0,
        100,
        "Shorter queries get none (in words; a Chinese character is a word).",
        per_group=True,
    )
    long_term_trigger: str = choice(
        "MEMORY_LONG_TERM_TRIGGER",
        "auto",
        ("always", "keywords", "auto"),
        "`always`; `keywords` = a trigger word; `auto` = also a question, a name or a time.",
        per_group=True,
    )
    trigger_keywords: tuple[str, ...] = words(
        "MEMORY_TRIGGER_KEYWORDS",
        ("remember", "last time", "before", "earlier", "记得", "上次", "之前", "以前"),
        "The trigger words.",
        per_group=True,
    )
    max_return: int = whole(
        "MEMORY_MAX_RETURN", 5, 0, 50, "Relevant memories in a context.", per_group=True
    )
    auto_top_k: int = whole("MEMORY_AUTO_TOP_K", 3, 0, 50, "Events in a context.", per_group=True)
    tool_max_tokens: int = whole(
        "MEMORY_TOOL_MAX_TOKENS",
        2000,
        100,
        100_000,
        "Tokens of one answer of a model's tool.",
        per_group=True,
    )
    profile_sharing: str = choice(
        "MEMORY_PROFILE_SHARING",
        "isolated",
        ("isolated", "shared"),
        "`shared` merges a user's profiles of all groups when read (never from private chats).",
    )
