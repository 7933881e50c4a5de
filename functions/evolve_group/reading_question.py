"""The question that a reading puts to the model, and its answer in the product's words."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any

from shared import log
from shared.clients.model import Model
from shared.contracts.prompt_names import PromptNames
from shared.contracts.prompts import (
    MEMORY_COLUMNS,
    MESSAGE_COLUMNS,
    as_table,
    prompt_day,
    prompt_message,
    with_fewer_times,
)
from shared.contracts.replies import Evolution, EvolutionLine
from shared.domain.jobs.kinds import NO_COST, ModelCost
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.memories.reading import MAX_CHARACTERS, TalkPage, kept_reply
from shared.domain.memories.talk import ModelLine
from shared.domain.messages.stored_message import StoredMessage
from shared.errors import BadReply
from shared.jobs.worker import JobInHand

SILENT = timedelta(days=5)
"""A memory that was borne out since is not old: the day is not told."""


def question(
    memories: Sequence[Memory],
    messages: Sequence[StoredMessage],
    now: datetime,
    names: PromptNames,
    members: Mapping[str, str],
    remember: str = "",
) -> dict[str, Any]:
    said = [names.line(prompt_message(message, MAX_CHARACTERS)) for message in messages]
    known = [
        {
            "id": names.memories.short(memory.memory_id),
            "statement": memory.statement,
            "kind": memory.kind,
            "subject": names.member(memory.subject) if memory.subject else None,
            **_standing(memory, now),
        }
        for memory in memories
    ]
    speakers = {message.user_id for message in messages}
    others = [
        {"user_id": names.member(user_id), "name": name}
        for user_id, name in members.items()
        if user_id not in speakers
    ]
    return {
        "today": now.date().isoformat(),
        **({"remember": remember} if remember else {}),
        "existing_memories": as_table(known, MEMORY_COLUMNS),
        "new_discussions": as_table(with_fewer_times(said), MESSAGE_COLUMNS),
        **({"known_people": others} if others else {}),
    }


async def reply_to(
    asked: Mapping[str, Any],
    page: TalkPage,
    work: JobInHand,
    epoch: int,
    model: Model,
    budget_s: float,
) -> tuple[Evolution, ModelCost, bool]:
    """The model's answer, kept on the job with the page that it is about before anything is made of
    it. What was cut is asked for the rest, once; whether that was cut too is told."""
    if page.answer is not None:
        kept, _ = Evolution.read(page.answer)
        if kept is None:
            raise BadReply("the stored answer cannot be read")
        return kept, NO_COST, False
    group_id = work.job.group_id
    answer = await model.ask(
        "memory_evolve", Evolution, asked, group_id=group_id, budget_s=budget_s
    )
    reply, cost, is_cut = answer.reply, answer.cost, answer.is_cut
    if is_cut:
        arrived = [one for line in reply.lines if (one := line.old_id or line.statement)]
        try:
            rest = await model.ask(
                "memory_evolve",
                Evolution,
                {**asked, "given": arrived},
                group_id=group_id,
                budget_s=budget_s,
            )
            reply, is_cut, cost = _together(reply, rest.reply), rest.is_cut, cost + rest.cost
        except BadReply:
            log.warning("evolution_reply_cut", group_id=group_id, messages=len(page.spoken))
    await work.keep_reply(kept_reply(page, reply.model_dump_json(), epoch))
    return reply, cost, is_cut


def _together(first: Evolution, rest: Evolution) -> Evolution:
    return Evolution(
        lines=[*first.lines, *rest.lines],
        entities=[*first.entities, *rest.entities],
        relations=[*first.relations, *rest.relations],
    )


def model_line(line: EvolutionLine, names: PromptNames, zone: tzinfo) -> ModelLine:
    until = _day(line.valid_until)
    return ModelLine(
        action=line.action,
        old_id=names.memories.whole(line.old_id) if line.old_id else None,
        statement=line.statement or "",
        reason=line.change_reason or "",
        kind=line.kind or "",
        subject=names.user_id(line.subject or ""),
        tags=tuple(line.tags),
        sources=tuple(names.whole_messages(line.sources)),
        agree=tuple(names.whole_messages(line.agree)),
        deny=tuple(names.whole_messages(line.deny)),
        confidence=line.confidence,
        valid_from=_midnight(_day(line.valid_from), zone),
        # It holds to the end of that day.
        valid_until=_midnight(until + timedelta(days=1) if until else None, zone),
    )


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat((text or "")[:10])
    except ValueError:
        return None


def _midnight(day: date | None, zone: tzinfo) -> datetime | None:
    if day is None or not 1970 < day.year < 9000:
        return None
    return datetime.combine(day, time(), zone)


def _standing(memory: Memory, now: datetime) -> dict[str, str | None]:
    """What is out of the ordinary: silence of some days, and that it is only a candidate."""
    told: dict[str, str | None] = {}
    if memory.last_supported_at and now - memory.last_supported_at > SILENT:
        told["last_supported_at"] = prompt_day(memory.last_supported_at)
    if memory.status is not MemoryStatus.ACTIVE:
        told["status"] = memory.status.value
    return told
