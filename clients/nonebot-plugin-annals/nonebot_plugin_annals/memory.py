"""The client while the bot runs. Whatever fails here costs a log line, never a reply."""

import sqlite3
from collections.abc import Callable
from typing import Any

from annals import AsyncAnnals, Context
from nonebot_plugin_annals.config import Config


class GroupMemory:
    def __init__(self, config: Config, warn: Callable[[str], None]) -> None:
        self._config = config
        self._warn = warn
        self.client: AsyncAnnals | None = None

    async def open(self) -> None:
        config = self._config
        try:
            self.client = AsyncAnnals(
                config.annals_url,
                config.annals_key,
                queue=config.annals_queue,
                context_deadline_s=config.annals_context_deadline,
            )
        except (OSError, sqlite3.Error, ValueError) as error:
            self._warn(f"annals: the bot runs without a memory: {error!r}")

    async def close(self) -> None:
        """What is not sent yet stays on disk."""
        if self.client is not None:
            await self.client.aclose()
            self.client = None

    async def relay(self, event: dict[str, Any]) -> None:
        if self.client is None:
            return
        try:
            await self.client.relay("onebot", event)
        except (OSError, sqlite3.Error, TypeError, ValueError) as error:
            self._warn(f"annals: not remembered: {error!r}")

    async def context(
        self, group_id: str, question: str, message_id: str, user_id: str, max_tokens: int | None
    ) -> Context:
        """The line itself is on its way or there already: by its id it is not told once more."""
        if self.client is None:
            return Context(reason="annals is not open")
        if not question.strip():
            return Context(reason="nothing was asked in words")
        return await self.client.context(
            group_id, question, message_id=message_id, user_id=user_id, max_tokens=max_tokens
        )
