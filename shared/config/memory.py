"""What a group's memory does and how much of it a context has: topics, summaries, memories."""

from typing import Literal

from shared.config.setting import (
    Experiment,
    Section,
    Share,
    Weights,
    Words,
    Zone,
    group_setting,
    setting,
)


class SelectionSettings(Section):
    """What goes into a context."""

    enable_intelligent_memory: bool = group_setting(
        True, "Select context by relevance; off = reply chain and last messages only."
    )
    grey_share: Share = setting(
        1, "Share of groups, always the same ones, for which that selection is on."
    )
    grey_groups: Words = setting((), "Groups for which it is on whatever the share.")
    fallback_on_error: bool = group_setting(
        True, "Answer with the traditional context when selection fails; off = the request fails."
    )
    max_context_messages: int = group_setting(
        0, "Messages in a context at most; 0 = as many as its tokens hold.", within=(0, 200)
    )
    max_context_tokens: int = group_setting(
        3000, "Tokens of a context when the request names no budget.", within=(100, 200000)
    )
    time_window_hours: int = group_setting(24, "How far back messages count.", within=(1, 8760))
    context_spending: Literal["full", "lean"] = group_setting(
        "full",
        "`full` uses the budget, best lines first; `lean` offers only the few that stand out.",
    )
    context_scorer: Literal["ranker", "five_factor"] = group_setting(
        "ranker",
        "What ranks the lines: words, meaning and conversation, or the five weighted factors.",
    )
    relevance_threshold: Share = group_setting(
        0.3, "With the five factors, a line scored lower is left out (never the reply chain)."
    )
    reply_chain_weight: Share = group_setting(0.4, "Weight of the reply chain; in the ranker too.")
    time_decay_weight: Share = group_setting(0.2, "Weight of being recent; in the ranker too.")
    user_continuity_weight: Share = group_setting(
        0.15, "Weight of who talks with whom; in the ranker too."
    )
    mention_relation_weight: Share = group_setting(
        0.15, "Weight of mentions; in the ranker, of whom the question names."
    )
    keyword_overlap_weight: Share = group_setting(0.1, "Weight of shared words; in the ranker too.")
    recall_weights: Weights = group_setting(
        {}, "How much more or less than usual each part of a line's score counts: `near=1.5`."
    )
    ab_settings: Experiment = setting(
        {}, "An experiment: what one part of the groups, variant `b`, has instead."
    )
    ab_share: Share = setting(0.5, "Share of groups, always the same ones, that are `b`.")
    timezone: Zone = group_setting(
        None,
        "Zone of times in contexts and notes; unset = what the group's notes last said, or UTC.",
    )
    context_build_timeout_seconds: float = setting(
        5, "A context is answered within this time, whatever is down.", within=(0.1, 60)
    )
    enable_async_data_collection: bool = group_setting(
        True, "Keep a record of every context, for feedback and tuning."
    )
    context_retention_days: int = group_setting(
        30, "How long such a record is kept; 0 = for ever.", within=(0, 3650)
    )


class LongTermSettings(Section):
    """When and how much long-term memory is offered."""

    enable_long_term: bool = group_setting(
        True, "Offer memories, events, profiles and summaries in contexts."
    )
    first_round_empty: bool = group_setting(
        True, "No long-term memory for the very first message of a group."
    )
    min_query_length: int = group_setting(
        2, "Shorter queries get none (in words; a Chinese character is a word).", within=(0, 100)
    )
    long_term_trigger: Literal["always", "keywords", "auto"] = group_setting(
        "auto", "`always`; `keywords` = a trigger word; `auto` = also a question, a name or a time."
    )
    trigger_keywords: Words = group_setting(
        ("remember", "last time", "before", "earlier", "记得", "上次", "之前", "以前"),
        "The trigger words.",
    )
    max_return: int = group_setting(5, "Relevant memories in a context.", within=(0, 50))
    auto_top_k: int = group_setting(3, "Events in a context.", within=(0, 50))
    tool_max_tokens: int = group_setting(
        2000, "Tokens of one answer of a model's tool.", within=(100, 100000)
    )
    profile_sharing: Literal["isolated", "shared"] = setting(
        "isolated",
        "`shared` merges a user's profiles of all groups when read: of those whose messages say "
        "`audience: group`, never of a private chat or of one of which nobody knows.",
    )


class TopicSettings(Section):
    """Attribution and summaries."""

    topic_join_threshold: Share = group_setting(
        0.7, "A message this likely to continue a topic joins it."
    )
    topic_ask_threshold: Share = group_setting(
        0.5, "From here up to the join threshold the model decides."
    )
    topic_ask_every: int = group_setting(
        200,
        "Messages between two questions about topics to the model; in between the likeliest holds.",
        within=(1, 1000),
    )
    topic_idle_hours: int = group_setting(6, "A topic this quiet is closed.", within=(1, 720))
    message_vectors: bool = group_setting(True, "Index every message's vector.")
    embed_every_messages: int = group_setting(
        15,
        "Lines that are embedded together and then placed once more; 1 = each run embeds its own.",
        within=(1, 100),
    )
    index_every_messages: int = group_setting(
        25,
        "Lines gathered before they go to the indexes; until then they are found without.",
        within=(1, 50),
    )
    enable_summaries: bool = group_setting(True, "Summarise topics.")
    summary_every_messages: int = group_setting(
        50, "A topic is summarised again after so many messages.", within=(5, 1000)
    )
    trigger_tokens: int = group_setting(4000, "... or after so many tokens.", within=(200, 100000))
    small_topic_messages: int = group_setting(
        6,
        "A topic of fewer messages is summarised by its own lines, without a model.",
        within=(0, 1000),
    )
    shared_topic_messages: int = group_setting(
        40,
        "One of fewer messages than this shares a call of the model with others of its group.",
        within=(0, 1000),
    )
    shared_topic_hours: int = group_setting(
        168,
        "... and waits for them at most so long; meanwhile its own lines tell it.",
        within=(1, 8760),
    )
    summary_every_hours: int = group_setting(
        24, "A topic that goes on is summarised at least this often.", within=(1, 8760)
    )
    enable_digests: bool = group_setting(
        False, "Tell each week of a group in a digest of its summaries."
    )
    summary_concurrency: int = setting(
        4, "Parts of one topic summarised at the same time.", within=(1, 50)
    )
    quality_drop: Share = setting(
        0.25, "A version that is worse than its parent by more is kept but not shown."
    )
    quality_sample: Share = setting(0.1, "Share of summaries whose quality the model judges.")


class UpkeepSettings(Section):
    """Events, profiles, facts; how memories grow, fade and go."""

    mask_secrets_in_messages: bool = group_setting(
        False,
        "Mask passwords, tokens and cards in messages before they are stored; in what is derived "
        "from messages they are masked always.",
    )
    enable_cognitive: bool = group_setting(True, "Turn end-of-turn notes into events and profiles.")
    extract_batch_size: int = group_setting(
        5,
        "New talk is read into memories and the graph every so many rounds with the bot, or at a "
        "full page of lines; 0 = rounds do not count.",
        within=(0, 100),
    )
    remember: str = group_setting(
        "",
        "What the group wants remembered, in plain words: `plans and allergies, no gossip`.",
        pattern=r"^.{0,1000}$",
    )
    max_facts: int = group_setting(
        10, "New facts about members in one reading at most.", within=(0, 100)
    )
    min_confidence: Share = group_setting(
        0.6, "Statements, entities and relations the model is less sure of are dropped."
    )
    auto_tag: bool = group_setting(True, "Keep the tags that the model gives to memories.")
    entity_same_threshold: Share = group_setting(
        0.8, "From this similarity on, two names of one type are one entity."
    )
    conflict_margin: Share = group_setting(
        0.25, "A newer statement wins unless it is less certain than the older by more than this."
    )
    rewrite_max_retry: int = setting(
        2, "Further rewrites of a note that is not absolute.", within=(0, 5)
    )
    profile_revision_keep: int = setting(
        5, "Earlier versions of a profile that are kept, to go back to.", within=(0, 50)
    )
    profile_max_loss: Share = setting(
        0.2, "A merge that drops a larger share of a profile's facts is held back and tried again."
    )
    max_active_memories: int = group_setting(
        30, "Past this the weakest memories of a group are archived.", within=(1, 500)
    )
    archive_threshold: Share = group_setting(0.2, "Weaker memories are archived.")
    core_threshold: Share = group_setting(
        0.8, "Stronger ones are core: always offered, never fading."
    )
    strength_up: Share = group_setting(
        0.05, "A memory that a reply used grows stronger by this, up to 1."
    )
    strength_down: Share = group_setting(
        0.02,
        "One that was offered and not used fades by this, at most once a day; core ones never.",
    )
    evolve_every_messages: int = group_setting(
        150, "New messages of a group that are worth an evolution by schedule.", within=(1, 10000)
    )
    evolve_every_days: int = group_setting(
        7, "... fewer wait at most so long; the first of a group do not wait.", within=(1, 365)
    )
    hold_back_memories: bool = group_setting(
        True, "What one person said once about the group waits as a candidate for a second one."
    )
    unsupported_days: int = setting(
        21, "A memory unsupported this long is looked at again.", within=(1, 3650)
    )
    member_commands: bool = group_setting(
        False,
        "Members may ask in chat what is known of them, and to be forgotten or not remembered.",
    )
    event_retention_days: int = group_setting(
        0, "Events of end-of-turn notes older than this are purged; 0 = never.", within=(0, 36500)
    )
    retention_days: int = group_setting(
        0, "Messages older than this are purged; 0 = never.", within=(0, 36500)
    )
    job_retention_days: int = group_setting(
        30,
        "How long the record of a job that is done is kept, of one that failed twice as long; a "
        "group may keep its own for a shorter time.",
        within=(1, 3650),
    )
    usage_retention_days: int = setting(
        400, "How long counts of usage are kept; 0 = for ever.", within=(0, 3650)
    )
