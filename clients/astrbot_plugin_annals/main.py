"""Annals for AstrBot: hears along, tells the model what it should know, and keeps it out of the
history that AstrBot saves."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from astrbot.api import AstrBotConfig
from astrbot.api.event import AstrMessageEvent, filter  # noqa: A004  its own name there
from astrbot.api.provider import LLMResponse, ProviderRequest
from astrbot.api.star import Context, Star, StarTools
from astrbot.core.agent.message import TextPart
from astrbot.core.star.filter.command import GreedyStr
from astrbot.core.star.session_llm_manager import SessionServiceManager

try:
    import annals  # noqa: F401
except ModuleNotFoundError:  # the zip brings the client along
    sys.path.append(str(Path(__file__).parent / "vendor"))

from annals import AnnalsError, AsyncAnnals, calls
from annals import Context as Memory

from .capture import HearEverything, group_of, is_allowed, own_words, relayed, said
from .tools import WANTED, AnnalsTool

PREFETCHED, OWN_COMMAND = "annals_prefetched", "annals_command"
TOOLS_AGAIN_S = 60.0
"""Annals may start after AstrBot: its tools are asked for until it answers."""
NOT_REMEMBERED = (AnnalsError, OSError, sqlite3.Error, KeyError, TypeError, ValueError)


class AnnalsPlugin(Star):
    def __init__(self, context: Context, config: AstrBotConfig) -> None:
        super().__init__(context)
        self._config = config
        self._heard: asyncio.Queue[tuple[AstrMessageEvent, Any]] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._budgets: dict[str, int] = {}

    async def initialize(self) -> None:
        folder = StarTools.get_data_dir("astrbot_plugin_annals")
        self._annals = AsyncAnnals(
            self._config["url"],
            self._config["key"],
            queue=folder / "outbox.db",
            context_deadline_s=float(self._config["context_deadline"]),
        )
        HearEverything.listener = self._heard.put_nowait
        self._tasks.append(asyncio.create_task(self._listen()))
        if self._config["tools"]:
            self._tasks.append(asyncio.create_task(self._offer_tools()))

    async def terminate(self) -> None:
        HearEverything.listener = None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._annals.aclose()

    # What is said

    @filter.custom_filter(HearEverything)
    async def never(self, event: AstrMessageEvent) -> None:
        """Its filter hears every message and lets none through."""

    async def _listen(self) -> None:
        """In the order of the chat; one that cannot be kept costs a log line."""
        while True:
            event, settings = await self._heard.get()
            try:
                await self._hear(event, settings)
            except NOT_REMEMBERED as error:
                self.logger.warning("annals: not remembered: %r", error)

    async def _hear(self, event: AstrMessageEvent, settings: Any) -> None:
        if event.get_platform_name() in self._config["platforms_with_webhook"]:
            return
        if event.is_private_chat() and not self._config["private_chats"]:
            return
        if not is_allowed(event, settings):
            return
        if not await SessionServiceManager.is_session_enabled(event.unified_msg_origin):
            return
        if (raw := relayed(event)) is not None:
            await self._annals.relay("onebot", raw)
        elif (message := said(event)) is not None:
            await self._annals.ingest(message)

    @filter.on_llm_response()
    async def on_reply(self, event: AstrMessageEvent, response: LLMResponse) -> None:
        text = (response.completion_text or "").strip()
        if text:
            await self._keep_own(event, text)
        prefetched = event.get_extra(PREFETCHED)
        if text and prefetched is not None and prefetched[1].done():
            await self._annals.feedback(prefetched[1].result(), llm_response=text)

    @filter.after_message_sent()
    async def on_sent(self, event: AstrMessageEvent) -> None:
        """Replies of commands; the model's were kept as they came, streamed or not."""
        result = event.get_result()
        if result is None or result.is_model_result() or event.get_extra(OWN_COMMAND):
            return
        if text := result.get_plain_text().strip():
            await self._keep_own(event, text)

    async def _keep_own(self, event: AstrMessageEvent, text: str) -> None:
        if event.is_private_chat() and not self._config["private_chats"]:
            return
        try:
            await self._annals.ingest(own_words(event, text))
        except NOT_REMEMBERED as error:
            self.logger.warning("annals: not remembered: %r", error)

    # What the model is told

    @filter.on_waiting_llm_request()
    async def prefetch(self, event: AstrMessageEvent) -> None:
        """Before the session's lock: while another reply is being made, this one's memory comes."""
        most = self._budgets.get(event.unified_msg_origin, int(self._config["max_tokens"]))
        self._fetch(event, most)

    @filter.on_llm_request()
    async def tell(self, event: AstrMessageEvent, request: ProviderRequest) -> None:
        """`stable` where a provider caches it, `dynamic` where AstrBot does not save it."""
        has_tools = request.func_tool is not None and not request.func_tool.empty()
        most = int(self._config["max_tokens_with_tools" if has_tools else "max_tokens"])
        self._budgets[event.unified_msg_origin] = most
        prefetched = event.get_extra(PREFETCHED)
        if prefetched is None or prefetched[0] != most:
            prefetched = self._fetch(event, most)
        memory = await prefetched[1]
        if memory.stable:
            request.system_prompt = f"{request.system_prompt}\n\n{memory.stable}".strip()
        if memory.dynamic:
            part = TextPart(text=memory.dynamic).mark_as_temp()
            request.extra_user_content_parts.append(part)

    def _fetch(self, event: AstrMessageEvent, most: int) -> tuple[int, asyncio.Task[Memory]]:
        question = event.message_str.strip() or event.get_message_outline().strip() or "?"
        asked = self._annals.context(
            group_of(event), question, user_id=event.get_sender_id(), max_tokens=most
        )
        prefetched = (most, asyncio.create_task(asked))
        event.set_extra(PREFETCHED, prefetched)
        return prefetched

    # Tools

    async def _offer_tools(self) -> None:
        while True:
            try:
                found = [one["function"] for one in await self._annals.tools()]
                break
            except (AnnalsError, KeyError, TypeError) as error:
                self.logger.info("annals: no tools yet: %s", error)
                await asyncio.sleep(TOOLS_AGAIN_S)
        wanted = [one for one in found if one["name"] in WANTED]
        self.context.add_llm_tools(*(AnnalsTool.of(one, self._call_tool) for one in wanted))

    async def _call_tool(
        self, event: AstrMessageEvent, name: str, arguments: dict[str, Any]
    ) -> dict[str, Any]:
        return await self._annals.call_tool(
            group_of(event), name, arguments, user_id=event.get_sender_id()
        )

    # Members' commands

    @filter.command_group("annals")
    def annals_commands(self) -> None:
        """群聊的长期记忆"""

    @annals_commands.command("search")
    async def search(self, event: AstrMessageEvent, text: GreedyStr) -> AsyncIterator[Any]:
        """查记忆：/annals search 我们几点排练"""
        yield await self._answer(event, self._found(group_of(event), str(text)))

    @annals_commands.command("list")
    async def memories(self, event: AstrMessageEvent) -> AsyncIterator[Any]:
        """这个群的记忆"""
        yield await self._answer(event, self._listed(group_of(event)))

    @annals_commands.command("optout")
    async def optout(self, event: AstrMessageEvent) -> AsyncIterator[Any]:
        """从现在起不再记住我说的话"""
        yield await self._answer(event, self._opted_out(group_of(event), event.get_sender_id()))

    async def _found(self, group_id: str, text: str) -> str:
        hits = (await self._annals.search(group_id, text)).results
        return "\n".join(f"- {one.statement}" for one in hits) or "没有找到。"

    async def _listed(self, group_id: str) -> str:
        found = (await self._annals.get_all(group_id, status="active")).memories
        return "\n".join(f"- {one.statement}" for one in found) or "还没有记忆。"

    async def _opted_out(self, group_id: str, user_id: str) -> str:
        await self._annals.request(calls.opt_out(group_id, user_id, opted_out=True))
        return "好的，从现在起不再记住你说的话。"

    async def _answer(self, event: AstrMessageEvent, work: Any) -> Any:
        event.set_extra(OWN_COMMAND, True)
        try:
            told = await work
        except AnnalsError as error:
            self.logger.warning("annals: %s", error)
            told = "现在查不了记忆，请稍后再试。"
        return event.plain_result(told)
