"""What settings leave undone though none of them is bad: said by `/health/ready`, stops nothing."""

from collections.abc import Iterator

from shared.config.deployment import FUNCTIONS
from shared.config.load import CATALOGUE, Settings
from shared.config.models import PROMPTS


def oversights(settings: Settings) -> Iterator[str]:
    if settings.pinecone_api_key is None:
        yield "PINECONE_API_KEY is not set: nothing is indexed, nothing found by meaning"
    if _needs_a_key(settings):
        yield "OPENAI_API_KEY is not set: no model is asked"
    if unknown := [name for name in FUNCTIONS if settings.url_of(name) is None]:
        named = ", ".join(f"ANNALS_URL_{name.upper()}" for name in unknown)
        yield f"{named} not set: tasks that go there are not sent"
    yield from _unpriced(settings)


def _needs_a_key(settings: Settings) -> bool:
    """Not if each model has one of its own."""
    own = {one.partition("=")[0] for one in settings.task_api_keys}
    has_own = settings.embedding_api_key is not None and own >= set(PROMPTS)
    return settings.openai_api_key is None and not has_own


def _unpriced(settings: Settings) -> Iterator[str]:
    """A model without a price costs nothing in our books: no budget in dollars ever stops it."""
    budgets = ("budget_dollars", "group_budget_dollars", "key_budget_dollars")
    named = ", ".join(CATALOGUE[name].env for name in budgets if getattr(settings, name) > 0)
    if not named:
        return
    asked = [settings.embedding_model, settings.model]
    asked += [own for prompt in PROMPTS if (own := getattr(settings, f"model_{prompt}"))]
    priced = {one.partition("=")[0] for one in settings.prices}
    if not priced:
        yield f"{named} without MEMORY_PRICES bounds nothing: no model has a price"
    elif unpriced := [model for model in dict.fromkeys(asked) if model not in priced]:
        yield f"{named} does not bound {', '.join(unpriced)}: MEMORY_PRICES has no price of it"
