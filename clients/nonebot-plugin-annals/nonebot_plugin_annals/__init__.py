"""Long-term memory for a bot on NoneBot: Annals hears along, other plugins ask it before a reply.

from nonebot import require
require("nonebot_plugin_annals")
from nonebot_plugin_annals import Memory, get_context
"""

from typing import Annotated

from nonebot import get_driver, get_plugin_config, logger
from nonebot.adapters import Bot, Event
from nonebot.adapters.onebot.v11 import Bot as OneBot
from nonebot.adapters.onebot.v11 import Event as OneBotEvent
from nonebot.adapters.onebot.v11 import MessageEvent
from nonebot.exception import NoneBotException
from nonebot.message import event_preprocessor
from nonebot.params import Depends
from nonebot.plugin import PluginMetadata

from annals import AsyncAnnals, Context
from nonebot_plugin_annals.config import Config
from nonebot_plugin_annals.memory import GroupMemory
from nonebot_plugin_annals.names import HeardNames, group_number
from nonebot_plugin_annals.onebot_events import (
    group_of,
    is_private,
    message_id_of,
    relayed_event,
    reply_event,
)

__plugin_meta__ = PluginMetadata(
    name="Annals",
    description="Long-term memory for group chats: hears along, and tells before a reply",
    usage="require('nonebot_plugin_annals'), then take the dependency Memory or call get_context",
    type="library",
    homepage="https://pypi.org/project/nonebot-plugin-annals/",
    config=Config,
    supported_adapters={"~onebot.v11"},
)

__all__ = ["Memory", "get_annals", "get_context", "group_of"]

config = get_plugin_config(Config)
_memory = GroupMemory(config, warn=logger.warning)
_names = HeardNames()
get_driver().on_startup(_memory.open)
get_driver().on_shutdown(_memory.close)


def get_annals() -> AsyncAnnals | None:
    """The client itself, for everything beside a context; None before the start, or where its
    queue could not be opened."""
    return _memory.client


async def get_context(
    event: MessageEvent, question: str | None = None, *, max_tokens: int | None = None
) -> Context:
    """What the bot should know before it answers `event`. Never raises, and comes within
    `annals_context_deadline` seconds; what is missing then is an empty context."""
    said = question if question is not None else event.original_message.extract_plain_text()
    return await _memory.context(
        group_of(event),
        said,
        message_id_of(event),
        str(event.user_id),
        max_tokens or config.annals_max_tokens,
    )


async def _context_of(event: MessageEvent) -> Context:
    return await get_context(event)


Memory = Annotated[Context, Depends(_context_of)]
"""A handler's parameter: `async def answer(memory: Memory) -> None`."""


@get_driver().on_bot_connect
async def _ask_own_name(bot: Bot) -> None:
    """An event has the bot's number only; a client that does not tell costs its name, no more."""
    if not isinstance(bot, OneBot):
        return
    try:
        told = await bot.get_login_info()
    except NoneBotException as error:
        logger.warning(f"annals: the bot's name is not known: {error!r}")
        return
    if name := told.get("nickname"):
        _names.is_called(bot.self_id, str(name))


@event_preprocessor
async def _hear(event: Event) -> None:
    """Only queues: a reply waits for nothing here."""
    if not isinstance(event, OneBotEvent):
        return
    if is_private(event) and not config.annals_private_chats:
        return
    if isinstance(event, MessageEvent):
        _names.hear(event)
    if (seen := relayed_event(event, _names.within(group_number(event)))) is not None:
        await _memory.relay(seen)


@OneBot.on_called_api
async def _hear_own_reply(
    bot: Bot, exception: Exception | None, api: str, data: dict[str, object], result: object
) -> None:
    """OneBot clients do not report the bot's own words unless told to; this is where their ids are
    known."""
    if exception is not None or not isinstance(bot, OneBot):
        return
    group = data.get("group_id")
    names = _names.within(group if isinstance(group, int) else None)
    said = reply_event(bot.self_id, api, data, result, names)
    if said is None or (said["message_type"] == "private" and not config.annals_private_chats):
        return
    await _memory.relay(said)
