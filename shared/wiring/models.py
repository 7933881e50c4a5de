"""The models, and what may be spent on them."""

import functools
from typing import TYPE_CHECKING

from shared.wiring.stores import StoreServices

if TYPE_CHECKING:
    from openai import AsyncOpenAI

    from shared.clients.embedder import Embedder
    from shared.clients.model import Model, ModelOf
    from shared.clients.spending import Spending


class ModelServices(StoreServices):
    """Language and embedding models, each from the service that is set for it."""

    @functools.cached_property
    def spending(self) -> "Spending":
        from shared.clients.spending import Spending
        from shared.config import settings_for
        from shared.domain.usage import SpendingBounds, price_table

        own = self.settings

        async def of_group(group_id: str) -> SpendingBounds:
            found = settings_for(await self.groups.find(group_id), own)
            return SpendingBounds(
                found.group_budget_calls, found.group_budget_tokens, found.group_budget_dollars
            )

        return Spending(
            self.usage,
            everybody=SpendingBounds(own.budget_calls, own.budget_tokens, own.budget_dollars),
            a_key=SpendingBounds(
                own.key_budget_calls, own.key_budget_tokens, own.key_budget_dollars
            ),
            bounds_of=of_group,
            prices=price_table(own.prices),
            now=self.now,
        )

    @functools.cached_property
    def embedding_service(self) -> "AsyncOpenAI":
        """Where embeddings come from: the models' own service unless another is named."""
        from shared.clients.openai_calls import make_client

        settings = self.settings
        if settings.embedding_base_url is None and settings.embedding_api_key is None:
            return self.openai
        return make_client(
            settings.embedding_base_url or settings.openai_base_url,
            settings.embedding_api_key or settings.openai_api_key,
        )

    @functools.cached_property
    def embedder(self) -> "Embedder":
        from shared.clients.embedder import Embedder
        from shared.clients.openai_calls import RetryingCaller

        return Embedder(
            self.embedding_service,
            self.spending,
            model=self.settings.embedding_model,
            dimensions=self.settings.embedding_dimensions,
            caller=RetryingCaller(
                timeout_s=self.settings.embedding_timeout_seconds, sleep=self.sleep
            ),
        )

    @functools.cached_property
    def model(self) -> "Model":
        from shared.clients.model import Model
        from shared.clients.openai_calls import RetryingCaller
        from shared.prompts.library import PromptLibrary

        settings = self.settings
        return Model(
            self.openai,
            PromptLibrary(self.prompts.find),
            self.spending,
            caller=RetryingCaller(timeout_s=settings.model_timeout_seconds, sleep=self.sleep),
            model=settings.model,
            others=self.task_models,
            reply_tokens=settings.model_reply_tokens,
        )

    @functools.cached_property
    def task_models(self) -> "dict[str, ModelOf]":
        """Of the prompts for which another model, service or key is set."""
        from shared.clients.model import ModelOf
        from shared.clients.openai_calls import RetryingCaller, make_client
        from shared.config.models import PROMPTS

        settings, found = self.settings, {}
        keys = dict(task_api_key.split("=", 1) for task_api_key in settings.task_api_keys)
        for name in PROMPTS:
            model, url = (getattr(settings, f"{what}_{name}") for what in ("model", "base_url"))
            if not (model or url or name in keys):
                continue
            client = self.openai
            if url or name in keys:
                client = make_client(
                    url or settings.openai_base_url, keys.get(name) or settings.openai_api_key
                )
            caller = RetryingCaller(timeout_s=settings.model_timeout_seconds, sleep=self.sleep)
            found[name] = ModelOf(client, model or settings.model, caller)
        return found
