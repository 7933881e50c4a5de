"""Relays what a Discord bot sees to Annals, in order; what Annals could not take waits on disk and
what it refuses is logged. Needs `pip install discord.py annals-client`, and in the environment
DISCORD_TOKEN, ANNALS_URL (ANNALS_URL_INGEST_MESSAGE where that function stands at an address of its
own, as in a cloud) and ANNALS_KEY (`ingest`)."""

import json
import logging
import os

import discord

from annals import Annals

WANTED = {"MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK"}
WANTED |= {"CHANNEL_UPDATE", "CHANNEL_DELETE", "THREAD_UPDATE", "THREAD_DELETE"}
INTENTS = discord.Intents(guilds=True, messages=True, message_content=True)


class Relay(discord.Client):
    def __init__(self, memory: Annals) -> None:
        super().__init__(intents=INTENTS, enable_debug_events=True)
        self.memory = memory

    async def on_socket_raw_receive(self, frame: str) -> None:
        event = json.loads(frame)
        if event.get("t") in WANTED:
            self.memory.relay("discord", {"t": event["t"], "d": event["d"]})


if __name__ == "__main__":
    logging.basicConfig()
    with Annals() as memory:
        Relay(memory).run(os.environ["DISCORD_TOKEN"], log_handler=None)
