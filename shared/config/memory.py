"""How Annals remembers: the `MEMORY_*` settings, by the part of the system they steer."""

from collections.abc import Mapping
from typing import Any

from shared.config.setting import (
    choice,
    number,
    overrides,
    switch,
    weights,
    whole,
    words,
    zone,
)

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


class Topics:
    """Attribution and summaries."""

    topic_join_threshold: float = number(
        "MEMORY_TOPIC_JOIN_THRESHOLD",
        0.7,
        0,
        1,
        "A message this likely to continue a topic joins it.",
        per_group=True,
    )
    topic_ask_threshold: float = number(
        "MEMORY_TOPIC_ASK_THRESHOLD",
        0.5,
        0,
        1,
        "From here up to the join threshold the model decides.",
        per_group=True,
    )
    topic_ask_every: int = whole(
        "MEMORY_TOPIC_ASK_EVERY",
        200,
        1,
        1000,
        "Messages between two questions about topics to the model; in between the likeliest holds.",
        per_group=True,
    )
    topic_idle_hours: int = whole(
        "MEMORY_TOPIC_IDLE_HOURS", 6, 1, 720, "A topic this quiet is closed.", per_group=True
    )
    message_vectors: bool = switch(
        "MEMORY_MESSAGE_VECTORS", True, "Index every message's vector.", per_group=True
    )
    embed_every_messages: int = whole(
        "MEMORY_EMBED_EVERY_MESSAGES",
        15,
        1,
        100,
        "Lines that are embedded together and then placed once more; 1 = each run embeds its own.",
        per_group=True,
    )
    index_every_messages: int = whole(
        "MEMORY_INDEX_EVERY_MESSAGES",
        25,
        1,
        50,
        "Lines gathered before they go to the indexes; until then they are found without.",
        per_group=True,
    )
    enable_summaries: bool = switch(
        "MEMORY_ENABLE_SUMMARIES", True, "Summarise topics.", per_group=True
    )
    summary_every_messages: int = whole(
        "MEMORY_SUMMARY_EVERY_MESSAGES",
        50,
        5,
        1000,
        "A topic is summarised again after so many messages.",
        per_group=True,
    )
    trigger_tokens: int = whole(
        "MEMORY_TRIGGER_TOKENS",
        4000,
        200,
        100_000,
        "... or after so many tokens.",
        per_group=True,
    )
    small_topic_messages: int = whole(
        "MEMORY_SMALL_TOPIC_MESSAGES",
        6,
        0,
        1000,
        "A topic of fewer messages is summarised by its own lines, without a model.",
        per_group=True,
    )
    shared_topic_messages: int = whole(
        "MEMORY_SHARED_TOPIC_MESSAGES",
        40,
        0,
        1000,
        "One of fewer messages than this shares a call of the model with others of its group.",
        per_group=True,
    )
    shared_topic_hours: int = whole(
        "MEMORY_SHARED_TOPIC_HOURS",
        168,
        1,
        8760,
        "... and waits for them at most so long; meanwhile its own lines tell it.",
        per_group=True,
    )
    summary_every_hours: int = whole(
        "MEMORY_SUMMARY_EVERY_HOURS",
        24,
        1,
        8760,
        "A topic that goes on is summarised at least this often.",
        per_group=True,
    )
    enable_digests: bool = switch(
        "MEMORY_ENABLE_DIGESTS",
        False,
        "Tell each week of a group in a digest of its summaries.",
        per_group=True,
    )
    summary_concurrency: int = whole(
        "MEMORY_SUMMARY_CONCURRENCY", 4, 1, 50, "Parts of one topic summarised at the same time."
    )
    quality_drop: float = number(
        "MEMORY_QUALITY_DROP",
        0.25,
        0,
        1,
        "A version that is worse than its parent by more is kept but not shown.",
    )
    quality_sample: float = number(
        "MEMORY_QUALITY_SAMPLE", 0.1, 0, 1, "Share of summaries whose quality the model judges."
    )


class Upkeep:
    """Events, profiles, facts; how memories grow, fade and go."""

    enable_cognitive: bool = switch(
        "MEMORY_ENABLE_COGNITIVE",
        True,
        "Turn end-of-turn notes into events and profiles.",
        per_group=True,
    )
    extract_batch_size: int = whole(
        "MEMORY_EXTRACT_BATCH_SIZE",
        5,
        0,
        100,
        "Facts and the graph are extracted every so many rounds of dialogue; 0 = never.",
        per_group=True,
    )
    max_facts: int = whole(
        "MEMORY_MAX_FACTS", 10, 0, 100, "Facts of one extraction at most.", per_group=True
    )
    min_confidence: float = number(
        "MEMORY_MIN_CONFIDENCE",
        0.6,
        0,
        1,
        "Facts, entities and relations the model is less sure of are dropped.",
        per_group=True,
    )
    auto_tag: bool = switch(
        "MEMORY_AUTO_TAG", True, "Keep the tags that the model gives to facts.", per_group=True
    )
    entity_same_threshold: float = number(
        "MEMORY_ENTITY_SAME_THRESHOLD",
        0.8,
        0,
        1,
        "From this similarity on, two names of one type are one entity.",
        per_group=True,
    )
    conflict_margin: float = number(
        "MEMORY_CONFLICT_MARGIN",
        0.25,
        0,
        1,
        "A newer fact wins unless it is less certain than the older by more than this.",
        per_group=True,
    )
    rewrite_max_retry: int = whole(
        "MEMORY_REWRITE_MAX_RETRY", 2, 0, 5, "Further rewrites of a note that is not absolute."
    )
    profile_revision_keep: int = whole(
        "MEMORY_PROFILE_REVISION_KEEP",
        5,
        0,
        50,
        "Earlier versions of a profile that are kept, to go back to.",
    )
    profile_max_loss: float = number(
        "MEMORY_PROFILE_MAX_LOSS",
        0.2,
        0,
        1,
        "A merge that drops a larger share of a profile's facts is held back and tried again.",
    )
    max_active_memories: int = whole(
        "MEMORY_MAX_ACTIVE_MEMORIES",
        30,
        1,
        500,
        "Past this the weakest memories of a group are archived.",
        per_group=True,
    )
    archive_threshold: float = number(
        "MEMORY_ARCHIVE_THRESHOLD", 0.2, 0, 1, "Weaker memories are archived.", per_group=True
    )
    core_threshold: float = number(
        "MEMORY_CORE_THRESHOLD",
        0.8,
        0,
        1,
        "Stronger ones are core: always offered, never fading.",
        per_group=True,
    )
    strength_up: float = number(
        "MEMORY_STRENGTH_UP",
        0.05,
        0,
        1,
        "A memory that a reply used grows stronger by this, up to 1.",
        per_group=True,
    )
    strength_down: float = number(
        "MEMORY_STRENGTH_DOWN",
        0.02,
        0,
        1,
        "One that was offered and not used fades by this, at most once a day; core ones never.",
        per_group=True,
    )
    same_threshold: float = number(
        "MEMORY_SAME_THRESHOLD",
        0.7,
        0.0,
        1,
        "From this similarity on, two statements say the same and become one memory.",
        per_group=True,
    )
    support_threshold: float = number(
        "MEMORY_SUPPORT_THRESHOLD",
        0.94,
        0.5,
        1,
        "From this similarity on, a message supports a memory.",
        per_group=True,
    )
    evolve_every_messages: int = whole(
        "MEMORY_EVOLVE_EVERY_MESSAGES",
        150,
        1,
        10_000,
        "New messages of a group that are worth an evolution by schedule.",
        per_group=True,
    )
    evolve_every_days: int = whole(
        "MEMORY_EVOLVE_EVERY_DAYS",
        7,
        1,
        365,
        "... fewer wait at most so long; the first of a group do not wait.",
        per_group=True,
    )
    hold_back_memories: bool = switch(
        "MEMORY_HOLD_BACK_MEMORIES",
        True,
        "What one person said once about the group waits as a candidate for a second one.",
        per_group=True,
    )
    unsupported_days: int = whole(
        "MEMORY_UNSUPPORTED_DAYS", 21, 1, 3650, "A memory unsupported this long is looked at again."
    )
    member_commands: bool = switch(
        "MEMORY_MEMBER_COMMANDS",
        False,
        "Members may ask in chat what is known of them, and to be forgotten or not remembered.",
        per_group=True,
    )
    event_retention_days: int = whole(
        "MEMORY_EVENT_RETENTION_DAYS",
        0,
        0,
        36_500,
        "Events of end-of-turn notes older than this are purged; 0 = never.",
        per_group=True,
    )
    retention_days: int = whole(
        "MEMORY_RETENTION_DAYS",
        0,
        0,
        36_500,
        "Messages older than this are purged; 0 = never.",
        per_group=True,
    )
    job_retention_days: int = whole(
        "MEMORY_JOB_RETENTION_DAYS",
        30,
        1,
        3650,
        "How long the record of a job that is done is kept; of one that failed twice as long.",
    )
    usage_retention_days: int = whole(
        "MEMORY_USAGE_RETENTION_DAYS",
        400,
        0,
        3650,
        "How long counts of usage are kept; 0 = for ever.",
    )
