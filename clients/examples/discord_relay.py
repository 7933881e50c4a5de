"""Relays what a Discord bot sees to Annals. Needs `pip install discord.py httpx`, and in the
environment DISCORD_TOKEN, ANNALS_URL (the address of ingest_message) and ANNALS_KEY (`ingest`)."""

import asyncio
import json
import os

import discord
import httpx

WANTED = {"MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK"}
WANTED |= {"CHANNEL_UPDATE", "CHANNEL_DELETE", "THREAD_UPDATE", "THREAD_DELETE"}
INTENTS = discord.Intents(guilds=True, messages=True, message_content=True)


class Relay(discord.Client):
    def __init__(self) -> None:
        super().__init__(intents=INTENTS, enable_debug_events=True)
        self.waiting: asyncio.Queue[dict] = asyncio.Queue()

    async def setup_hook(self) -> None:
        self.sending = asyncio.create_task(self.send_all())

    async def on_socket_raw_receive(self, frame: str) -> None:
        event = json.loads(frame)
        if event.get("t") in WANTED:
            self.waiting.put_nowait({"t": event["t"], "d": event["d"]})

    async def send_all(self) -> None:
        """In order; what Annals could not take is sent again for some minutes."""
        headers = {"Authorization": f"Bearer {os.environ['ANNALS_KEY']}"}
        async with httpx.AsyncClient(headers=headers, timeout=10) as annals:
            while event := await self.waiting.get():
                for pause in (0, 1, 5, 30, 60, 300):
                    await asyncio.sleep(pause)
                    try:
                        url = f"{os.environ['ANNALS_URL']}/webhooks/discord"
                        answer = await annals.post(url, json=event)
                    except httpx.TransportError:
                        continue
                    if answer.status_code < 500:
                        break


if __name__ == "__main__":
    Relay().run(os.environ["DISCORD_TOKEN"])
