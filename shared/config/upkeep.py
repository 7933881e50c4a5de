"""How memories, events and profiles come, grow, fade and go: their `MEMORY_*` settings."""

from shared.config.setting import number, switch, whole


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
        "How long the record of a job that is done is kept; of one that failed twice as long. A"
        " group may keep its own for a shorter time.",
        per_group=True,
    )
    usage_retention_days: int = whole(
        "MEMORY_USAGE_RETENTION_DAYS",
        400,
        0,
        3650,
        "How long counts of usage are kept; 0 = for ever.",
    )
