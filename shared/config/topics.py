"""How lines become topics and summaries: their `MEMORY_*` settings."""

from shared.config.setting import number, switch, whole


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
