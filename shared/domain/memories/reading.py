"""A reading of new talk: which messages it is about, when it is due, how far it came. Pure."""

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
class TalkPage:
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
        return [
            message for message in self.messages if message.is_readable and message.content.strip()
        ]

    @property
    def says_something(self) -> bool:
        """Whether a member says more than good night, thanks or "me too": else no model is paid."""
        said = (message.content for message in self.spoken if message.role != "assistant")
        return any(not is_small_talk(text[:MAX_CHARACTERS]) for text in said)

    @property
    def asked_the_bot(self) -> frozenset[str]:
        """Members whom the bot answered: what they say of themselves goes into their profiles."""
        pairs = zip(self.messages, self.messages[1:], strict=False)
        return frozenset(
            before.user_id
            for before, after in pairs
            if after.role == "assistant" and before.role != "assistant"
        )


def members_in(messages: Sequence[StoredMessage]) -> dict[str, str]:
    """Those who speak and those who are mentioned, but the bots: ids to names."""
    names: dict[str, str] = {}
    for message in messages:
        names |= {who.user_id: who.name for who in message.mentions if who.user_id and who.name}
    people = [message for message in messages if message.role != "assistant"]
    names |= {message.user_id: message.user_name or message.user_id for message in people}
    bots = {message.user_id for message in messages if message.role == "assistant"}
    return {user_id: name for user_id, name in names.items() if user_id not in bots}


def talk_page(found: Sequence[StoredMessage], reply: KeptReply | None, epoch: int) -> TalkPage:
    """What the model is asked about, or was: what came since it was asked is the next page.

    An answer from before something was forgotten may quote it, so it is not used.
    """
    if reply is not None and reply.epoch == epoch:
        places = {message.message_id: place for place, message in enumerate(found, 1)}
        end = 0 if reply.until is None else places.get(reply.until)
        if end is not None:
            return TalkPage(found[:end], len(found) > end, json.loads(reply.answer))
    end = min(MAX_MESSAGES, fitting(found))
    return TalkPage(found[:end], len(found) > end)


def fitting(found: Sequence[StoredMessage]) -> int:
    """How many of them one call takes, by their tokens: at least one."""
    tokens = 0
    for place, message in enumerate(found):
        tokens += estimate_tokens(message.content[:MAX_CHARACTERS])
        if tokens > MAX_TOKENS and place:
            return place
    return len(found)


def kept_reply(page: TalkPage, raw_answer: str, epoch: int) -> KeptReply:
    """What `talk_page` needs to find the same page and answer again."""
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


def reading_due(group: Group, new: int, rounds: int, batch: int) -> str:
    """The cause of a reading at once, empty if none is due: every so many rounds with the bot, or a
    full page of new lines. Named after how far was read: while that stands still, each further
    batch tries again."""
    read = group.cursors.get(CURSOR)
    since = read.message_id if read else ""
    rounds_before, lines_before = group.rounds_since_reading, group.news_messages
    if batch > 0 and (rounds_before + rounds) // batch > rounds_before // batch:
        return f"rounds {since}:{(rounds_before + rounds) // batch}"
    if (lines_before + new) // MAX_MESSAGES > lines_before // MAX_MESSAGES:
        return f"lines {since}:{(lines_before + new) // MAX_MESSAGES}"
    return ""


def is_rest_small(page: TalkPage, group: Group, every: int) -> bool:
    """Whether what comes after the page is too little to be worth another call by itself."""
    return page.is_more and 0 < group.news_messages - len(page.messages) < every


def read_until(page: TalkPage, group: Group, now: datetime) -> Group:
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
        rounds_since_reading=group.rounds_since_reading if page.is_more else 0,
    )
