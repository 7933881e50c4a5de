"""The composition root: every client and store, made once, when first asked for.

Each SDK is imported inside its own factory, so a function pays only for what it uses.
"""

import functools

from shared.config import settings as process_settings
from shared.domain.key import StoredKey
from shared.wiring.connections import utc_now
from shared.wiring.searches import SearchServices
from shared.wiring.work import WorkServices

__all__ = ["Services", "find_key", "services", "utc_now"]


CLOSED = ("database", "vectors", "word_index", "task_queue", "openai", "embedding_service")
"""Services that hold connections."""


class Services(SearchServices, WorkServices):
    """Everything a handler may depend on, for one set of settings and one event loop."""

    async def close(self) -> None:
        """End every connection that was opened. A function's process just ends; others tidy up."""
        made = self.__dict__
        opened = [made[name] for name in CLOSED if name in made]
        for client in [*opened, *(task.client for task in made.get("task_models", {}).values())]:
            await client.close()


@functools.cache
def services() -> Services:
    """The process's own."""
    return Services(process_settings())


async def find_key(key_id: str) -> StoredKey | None:
    return await services().keys.find(key_id)
