"""A OneBot v11 client, as NapCat is one: it connects to the bot and does what the bot calls."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

BOT = 10001
BOT_NAME = "Robin"


class OneBot:
    """`replies` are the texts that the bot sent; every message has an id of its own."""

    def __init__(self, socket: ClientConnection, group_id: int) -> None:
        self._socket = socket
        self._group_id = group_id
        self._next_id = 100_000
        self._started = int(time.time()) - 600
        self.replies: list[str] = []
        self.reply_ids: list[int] = []

    async def serve(self) -> None:
        async for frame in self._socket:
            call = json.loads(frame)
            data: dict[str, Any] = {}
            if call["action"] == "get_login_info":
                data = {"user_id": BOT, "nickname": BOT_NAME}
            if call["action"].startswith("send"):
                data = {"message_id": self._new_id()}
                segments = call["params"]["message"]
                self.replies.append("".join(one["data"].get("text", "") for one in segments))
                self.reply_ids.append(data["message_id"])
            answer = {"status": "ok", "retcode": 0, "data": data, "echo": call["echo"]}
            await self._socket.send(json.dumps(answer))

    async def say(self, text: str, *, to_bot: bool = False, user_id: int = 20002) -> int:
        message: list[dict[str, Any]] = [{"type": "text", "data": {"text": text}}]
        if to_bot:
            message.insert(0, {"type": "at", "data": {"qq": str(BOT)}})
        message_id = self._new_id()
        await self._send(
            post_type="message",
            message_type="group",
            sub_type="normal",
            message_id=message_id,
            group_id=self._group_id,
            user_id=user_id,
            message=message,
            raw_message=text,
            font=14,
            sender={"user_id": user_id, "nickname": f"n{user_id}", "card": "", "role": "member"},
        )
        return message_id

    async def recall(self, message_id: int, user_id: int = 20002) -> None:
        await self._send(
            post_type="notice",
            notice_type="group_recall",
            group_id=self._group_id,
            user_id=user_id,
            operator_id=user_id,
            message_id=message_id,
        )

    async def _send(self, **event: Any) -> None:
        """Each a second after the one before: QQ's times have no smaller part."""
        self._started += 1
        await self._socket.send(json.dumps({"time": self._started, "self_id": BOT, **event}))

    def _new_id(self) -> int:
        self._next_id += 1
        return self._next_id


@asynccontextmanager
async def onebot(url: str, group_id: int, seconds: float = 120.0) -> AsyncIterator[OneBot]:
    """Connects as soon as the bot listens."""
    headers = {"X-Self-ID": str(BOT), "X-Client-Role": "Universal"}
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket = await connect(url, additional_headers=headers, proxy=None, open_timeout=30)
            break
        except OSError:
            assert time.monotonic() < deadline, f"no bot at {url} within {seconds} s"
            await asyncio.sleep(0.1)
    client = OneBot(socket, group_id)
    serving = asyncio.create_task(client.serve())
    try:
        yield client
    finally:
        await socket.close()
        await serving
