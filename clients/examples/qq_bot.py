"""A QQ bot on NoneBot that remembers: it hears the whole group and answers who speaks to it.

Needs `pip install 'nonebot2[fastapi]' nonebot-adapter-onebot nonebot-plugin-annals`; in the
environment ANNALS_URL and ANNALS_KEY (`make run` prints both), OPENAI_BASE_URL, OPENAI_API_KEY and
OPENAI_MODEL. Let NapCat connect to ws://<this machine>:8081/onebot/v11/ws.
"""

import os
from collections import defaultdict, deque
from typing import Any

import httpx
import nonebot
from nonebot.adapters.onebot.v11 import Adapter, MessageEvent
from nonebot.rule import to_me

nonebot.init(port=int(os.environ.get("PORT", "8081")))
nonebot.get_driver().register_adapter(Adapter)
nonebot.require("nonebot_plugin_annals")

from nonebot_plugin_annals import Memory, get_annals, group_of  # noqa: E402  only once it is loaded

CHARACTER = "You are a member of this group. Answer in one or two sentences."
TURNS = 6
"""Of the bot's own talk with a group; all that is older comes out of its memory."""
histories: dict[str, deque[dict[str, Any]]] = defaultdict(lambda: deque(maxlen=2 * TURNS))
talk = nonebot.on_message(rule=to_me())


async def ask_model(messages: list[dict[str, Any]]) -> str:
    async with httpx.AsyncClient(timeout=60) as model:
        answer = await model.post(
            f"{os.environ['OPENAI_BASE_URL'].rstrip('/')}/chat/completions",
            headers={"Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', 'none')}"},
            json={"model": os.environ.get("OPENAI_MODEL", "gpt-5-mini"), "messages": messages},
        )
    return str(answer.raise_for_status().json()["choices"][0]["message"]["content"])


@talk.handle()
async def answer(event: MessageEvent, memory: Memory) -> None:
    """The memory stands around the history in this request, and is not kept in it."""
    question = {"role": "user", "content": event.get_plaintext()}
    history = histories[group_of(event)]
    before, *now = memory.to_openai(system=CHARACTER)
    reply = await ask_model([before, *history, *now, question])
    history.extend([question, {"role": "assistant", "content": reply}])
    if (annals := get_annals()) is not None:
        await annals.feedback(memory, llm_response=reply)
    await talk.finish(reply)


if __name__ == "__main__":
    nonebot.run()
