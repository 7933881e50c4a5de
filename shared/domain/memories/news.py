"""Which messages one evolution run is about, and how far the group has been read after it. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.domain.group import Group, cursor_after
from shared.domain.jobs.job import KeptReply
from shared.domain.messages.stored_message import StoredMessage
from shared.language import estimate_tokens, is_small_talk

CURSOR = "evolve"
"""The name under which a group keeps how far evolution has read."""
MAX_MESSAGES = 200
"""Of one model call: about 10,000 tokens of ordinary chat, beside fifty memories."""
MAX_TOKENS = 16_000
"""Of one model call: with the memories and the answer it fits the smallest models of today."""
MAX_CHARACTERS = 4_000
"""Shown of one message: what stands beyond is a document, not talk."""


@dataclass(frozen=True)
class NewsPage:
    """The messages of one model call, oldest first. `answer` is what the model said of exactly
    these before a crash."""

    messages: Sequence[StoredMessage]
    is_more: bool
    answer: str | None = None

    @property
    def until(self) -> str | None:
        """The id of its last message."""
        return self.messages[-1].message_id if self.messages else None

    @property
    def spoken(self) -> list[StoredMessage]:
        """What may be read and learnt from."""
        return [one for one in self.messages if one.is_readable and one.content.strip()]

    @property
    def says_something(self) -> bool:
        """Whether a member says more than good night, thanks or "me too": else no model is paid."""
        said = (one.content for one in self.spoken if one.role != "assistant")
        return any(not is_small_talk(one[:MAX_CHARACTERS]) for one in said)


def news_page(found: Sequence[StoredMessage], reply: KeptReply | None, epoch: int) -> NewsPage:
    """What the model is asked about, or was: what came since it was asked is the next page.

    An answer from before something was forgotten may quote it, so it is not used.
    """
    if reply is not None and reply.epoch == epoch:
        places = {one.message_id: place for place, one in enumerate(found, 1)}
        end = 0 if reply.until is None else places.get(reply.until)
        if end is not None:
            return NewsPage(found[:end], len(found) > end, json.loads(reply.answer))
    end = min(MAX_MESSAGES, fitting(found))
    return NewsPage(found[:end], len(found) > end)


def fitting(found: Sequence[StoredMessage]) -> int:
    """How many of them one call takes, by their tokens: at least one."""
    tokens = 0
    for place, one in enumerate(found):
        tokens += estimate_tokens(one.content[:MAX_CHARACTERS])
        if tokens > MAX_TOKENS and place:
            return place
    return len(found)


def kept_reply(page: NewsPage, raw_answer: str, epoch: int) -> KeptReply:
    """What `news_page` needs to find the same page and answer again."""
    return KeptReply(json.dumps(raw_answer), epoch, page.until)


def due_with(group: Group, new: int, now: datetime, every: int, waits: timedelta) -> Group:
    """The group with so many new messages: due once there are `every`, or when the first of them
    has waited so long. What a group says first is looked at the same night."""
    news = group.news_messages + new
    is_first = CURSOR not in group.cursors
    due_at = now if is_first or news >= every else now + waits
    if group.evolve_due and group.evolve_due_at is not None:
        due_at = min(due_at, group.evolve_due_at)
    return replace(group, evolve_due=True, evolve_due_at=due_at, news_messages=news)


def is_rest_small(page: NewsPage, group: Group, every: int) -> bool:
    """Whether what comes after the page is too little to be worth another call by itself."""
    return page.is_more and 0 < group.news_messages - len(page.messages) < every


def read_until(page: NewsPage, group: Group, now: datetime) -> Group:
    """The cursor goes on, never back; the group stays due while there is more."""
    cursors = dict(group.cursors)
    moved = cursor_after(cursors.get(CURSOR), page.messages, now)
    if moved is not None:
        cursors[CURSOR] = moved
    due_at = group.evolve_due_at if page.is_more else None
    left = max(0, group.news_messages - len(page.messages)) if page.is_more else 0
    return replace(
        group,
        cursors=cursors,
        evolve_due=page.is_more,
        evolve_due_at=due_at,
        news_messages=left,
    )
