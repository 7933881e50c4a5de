"""The question of a context: what is asked, where, and under which settings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from functions.build_context.built_context import Built, Mode
from functions.build_context.deps import Deps
from functions.build_context.reads import OPENING, Reads
from shared.config import Settings, place_of, settings_for, variant_of
from shared.contracts.context import ContextRequest
from shared.domain.context.fitting import Context, Offer, fit
from shared.domain.context.rendering import Names
from shared.domain.context.shown_times import ShownTimes, zone_named
from shared.domain.group import Group, new_group
from shared.domain.messages.member_commands import MemberCommand, command_of
from shared.domain.messages.stored_message import StoredMessage
from shared.errors import NotFound
from shared.language import Language, estimate_tokens, guess_language, keywords
from shared.search.messages import asked_text

WINDOW_MESSAGES = 50
"""The last lines that are read for every reply; older ones are found by words and meaning."""
PLAIN_LINES = 20
"""A bot without selection sends so many of the last lines."""
AHEAD = timedelta(minutes=5)
"""How far a platform's clock may be ahead of ours."""
JUST_NOW = timedelta(minutes=2)
"""A bot asks within seconds of hearing; whoever says the same words later says them again."""
NOBODY = "-"
"""In place of the ids that words only just heard lack."""


@dataclass(frozen=True)
class Question:
    """What is asked, where, and under which settings."""

    request: ContextRequest
    group: Group
    settings: Settings
    message: StoredMessage
    """What is asked; words that the bot has only just heard are a message without a place."""
    is_stored: bool
    own_ids: frozenset[str] = frozenset()
    """The question's own lines: they are not offered as something said before."""

    @property
    def user_id(self) -> str | None:
        return self.message.user_id if self.message.user_id != NOBODY else None

    @property
    def until(self) -> datetime:
        """Nothing later is shown. Words only just heard follow all that was said."""
        return self.message.create_time + (timedelta(0) if self.is_stored else AHEAD)

    @property
    def since(self) -> datetime:
        hours = self.request.window_hours or self.settings.time_window_hours
        return self.message.create_time - timedelta(hours=hours)

    @property
    def max_tokens(self) -> int:
        return self.request.max_tokens or self.settings.max_context_tokens

    @property
    def times(self) -> ShownTimes:
        """All of one answer in the group's zone, weekdays in the language that is spoken."""
        zone = zone_named(self.settings.timezone, self.group.timezone)
        return ShownTimes(zone, guess_language(self.message.content) is Language.CHINESE)

    def fit(
        self,
        stable: Sequence[Offer],
        records: Sequence[Offer],
        lines: Iterable[Offer],
        names: Names,
        *,
        lines_share: float = 1.0,
    ) -> Context:
        """What of it has room in the messages and tokens asked for; `lines` come best first, and
        may take so much of the tokens."""
        return fit(
            stable,
            records,
            lines,
            names=names,
            lines_share=lines_share,
            max_tokens=self.max_tokens,
            max_messages=self.request.max_messages or self.settings.max_context_messages or None,
            words=list(keywords(self.message.content)),
        )

    @property
    def _command(self) -> MemberCommand | None:
        return command_of(self.message.content) if self.settings.member_commands else None

    def built(
        self, context: Context, mode: Mode, reason: str, trace: dict[str, Any], **told: Any
    ) -> Built:
        """A rung's result, with what the record of it needs."""
        return Built(
            context,
            mode,
            reason,
            trace,
            is_recorded=self.settings.enable_async_data_collection,
            question=self.message.content,
            retention_days=self.settings.context_retention_days,
            epoch=self.group.epoch,
            command=self._command,
            variant=variant_of(self.group, self.settings),
            **told,
        )


def plain_tokens(recent: Sequence[StoredMessage]) -> int:
    """What the last lines would have cost as they stand: what savings are measured against."""
    return sum(
        estimate_tokens(f"{line.user_name}: {line.content}") for line in recent[-PLAIN_LINES:]
    )


async def read_question(request: ContextRequest, deps: Deps, reads: Reads) -> Question:
    group_id = request.group_id
    reading = reads.start("group", deps.groups.find(group_id), until=OPENING)
    reads.start("ring", deps.recent.refresh(group_id), until=OPENING)
    message: StoredMessage | None = None
    if request.message_id is not None:
        asking = deps.messages.get(group_id, request.message_id)
        message = await reads.maybe(reads.start("message", asking, until=OPENING))
    group = await reads.maybe(reading)
    reads.need("group", "message")
    if group is not None and group.is_deleted:
        raise NotFound(f"there is no group {group_id}")
    if request.message is None and message is None:
        raise NotFound(f"there is no message {request.message_id} in this group")
    group = group or new_group(group_id, deps.now())
    settings = settings_for(group, deps.settings)
    if message is not None:
        asked = _in_words(message, request.message or asked_text(message))
        own = frozenset({message.message_id})
        return Question(request, group, settings, asked, is_stored=True, own_ids=own)
    said = StoredMessage(
        group_id=group_id,
        message_id=NOBODY,
        user_id=request.user_id or NOBODY,
        content=request.message or "",
        create_time=deps.now(),
    )
    own = frozenset({request.message_id} if request.message_id else ())
    return Question(request, group, settings, said, is_stored=False, own_ids=own)


def _in_words(message: StoredMessage, words: str) -> StoredMessage:
    """A stored line as the bot puts it: without the name by which it was called."""
    if words.strip() == message.content.strip():
        return message
    return replace(message, content=words, vector=b"", vector_model="")


def with_its_line(question: Question, recent: Sequence[StoredMessage]) -> Question:
    """Words that were stored a moment ago are not offered as something that was said before. Who
    asks with words only is known by what they said before."""
    if question.is_stored:
        return question
    asked = question.message
    words = asked.content.strip()
    own = [
        line.message_id
        for line in recent
        if words in (line.content.strip(), asked_text(line).strip())
        and question.user_id in (None, line.user_id)
        and abs(asked.create_time - line.create_time) <= JUST_NOW
    ]
    names = [line.user_name for line in recent if line.user_id == asked.user_id and line.user_name]
    named = replace(asked, user_name=names[-1]) if names else asked
    return replace(question, message=named, own_ids=question.own_ids | {*own[-1:]})


def why_not_intelligent(question: Question) -> str | None:
    settings, group_id = question.settings, question.group.group_id
    if not settings.enable_intelligent_memory:
        return "intelligent memory is switched off"
    if not is_released(group_id, settings.grey_share, settings.grey_groups):
        return "intelligent memory is not released for this group"
    return None


def is_released(group_id: str, share: float, groups: Sequence[str]) -> bool:
    """Always the same groups for the same share, and a larger share only adds some."""
    return group_id in groups or place_of(group_id) < share
