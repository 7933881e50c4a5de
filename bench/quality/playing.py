"""Chats through the product's own functions in this process, on the emulators.

The clock is that of the chat: a line is stored when it was said, and attributed as soon as nobody
has said anything for as long as a task waits. Questions are asked in between, and leave nothing.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from bench.quality.chats import Chat, Question
from functions.build_context.deps import context_deps
from functions.build_context.handle_context import build_context
from functions.build_context.tool_room import Bound
from functions.build_context.tool_search import search_messages
from functions.ingest_message import handle_attribute, handle_messages
from shared.contracts.context import ContextAnswer, ContextRequest
from shared.contracts.tools import SearchMessages
from shared.domain.messages.message import Message
from shared.wiring import Services
from tests.services import Clock, in_process
from tests.topics.attributing import attributing, ingesting

SLOT = timedelta(seconds=20)
"""About as long as a task waits for more in ordinary talk."""
STRETCH = timedelta(hours=3)
"""A longer silence parts two stretches of a dialogue."""
MOST_AT_ONCE = 100
"""One run of attribution takes so many."""
AMPLE_TOKENS = 100_000
"""What is found is measured, not what has room in an answer."""
ASKED_AFTER = timedelta(seconds=5)
PATIENT_MS = 30_000
"""Quality is measured without haste: a busy machine must not turn it into a fallback."""


class Player:
    def __init__(self, made: Services, clock: Clock) -> None:
        self.made = made
        self._clock = clock
        self._ingesting = ingesting(made)
        self._attributing = attributing(made)
        self._context = context_deps(made)

    async def say(self, messages: Sequence[Message]) -> None:
        """As live: what was said within one slot is attributed together."""
        slot: list[Message] = []
        for one in messages:
            if slot and one.create_time - slot[-1].create_time > SLOT:
                await self._heard(slot)
                slot = []
            slot.append(one)
        if slot:
            await self._heard(slot)

    async def load(self, messages: Sequence[Message]) -> None:
        """In bulk: whole stretches of talk at once, as an import would bring them."""
        stretch: list[Message] = []
        for one in messages:
            is_later = stretch and one.create_time - stretch[-1].create_time > STRETCH
            if is_later or len(stretch) == MOST_AT_ONCE:
                await self._heard(stretch)
                stretch = []
            stretch.append(one)
        if stretch:
            await self._heard(stretch)

    async def search(self, chat: Chat, text: str, limit: int) -> list[str]:
        """By the tool's own way over all that was said; the ids, the best first."""
        last = chat.messages[-1]
        self._clock.at = last.create_time + ASKED_AFTER
        found = await search_messages(
            SearchMessages.model_validate({"query": text, "limit": limit}),
            Bound(last.group_id, AMPLE_TOKENS),
            self.made.message_search,
            self.made.groups,
            self._clock(),
        )
        return [one.message_id for one in found.messages]

    async def _heard(self, slot: Sequence[Message]) -> None:
        group_id = slot[0].group_id
        self._clock.at = slot[-1].create_time + timedelta(seconds=1)
        await handle_messages.ingest(group_id, slot, self._ingesting)
        await handle_attribute.attribute(group_id, self._attributing)

    async def ask(self, chat: Chat, question: Question, **wish: Any) -> ContextAnswer:
        last = chat.messages[chat.place(question.after)]
        self._clock.at = last.create_time + ASKED_AFTER
        request = ContextRequest(
            group_id=last.group_id,
            message=question.text,
            user_id=question.asked_by,
            deadline_ms=PATIENT_MS,
            **wish,
        )
        return await build_context(request, self._context)

    async def play(self, chat: Chat) -> AsyncIterator[Question]:
        """Everything that was said, and after each line the questions that come then."""
        waiting = {question.after for question in chat.questions}
        said = 0
        for place, message in enumerate(chat.messages):
            if message.message_id in waiting or place == len(chat.messages) - 1:
                await self.say(chat.messages[said : place + 1])
                said = place + 1
                for question in chat.questions:
                    if question.after == message.message_id:
                        yield question


@asynccontextmanager
async def playing(told: dict[str, Any], **environment: str) -> AsyncIterator[Player]:
    clock = Clock()
    async with in_process(told, clock, **environment) as made:
        yield Player(made, clock)
