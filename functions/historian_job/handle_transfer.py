"""Export and import of a group: pages of lines out, pages of lines in, each record once.

An import takes what is not there yet and changes nothing that is: so a page that was interrupted,
or comes twice, is just sent again.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from shared.clients.embedder import Embedder
from shared.contracts.transfer import ImportFormat, ImportReport, RefusedLine
from shared.domain.group import BEGINNING, Group
from shared.domain.knowledge.event import Event
from shared.domain.knowledge.graph import Entity
from shared.domain.knowledge.profile import Profile
from shared.domain.memories.embedded_wording import vector_in
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import unpack_half
from shared.domain.topics.topic import Summary, Topic
from shared.domain.transfer.forgotten_since import (
    forgotten_lines,
    rests_on_memories,
    sources_of,
)
from shared.domain.transfer.lines import ExportLine, for_group, read_line
from shared.domain.transfer.older_formats import end_summaries, old_memories, profile_file
from shared.errors import InvalidInput
from shared.search.entity_index import entity_text
from shared.stores.groups import Groups
from shared.stores.memories import Memories
from shared.stores.messages import Messages
from shared.stores.transfer import Transfer, record_of
from shared.stores.vectors import Vector, VectorPlan, Vectors

A_COMMIT = 100
"""Documents of one commit: a page of messages with their vectors stays below its limit."""
MAX_LINES = 1000
"""Of one page, as many as an answer's refusals can be read."""
EMBEDDING_S = 60.0


@dataclass(frozen=True)
class Deps:
    groups: Groups
    messages: Messages
    memories: Memories
    transfer: Transfer
    vectors: Vectors
    embedder: Embedder
    now: Callable[[], datetime]


async def take(group_id: str, body: str, form: ImportFormat, deps: Deps) -> ImportReport:
    """One page. What cannot be read is refused by its number, the rest is taken."""
    group = await deps.groups.change(group_id, lambda found: found, deps.now())
    lines, refused = _lines(group, body, form, deps.now())
    lines, taken_back = await _without_forgotten(group, lines, deps)
    refused += taken_back
    taken, kept = await take_lines(group_id, lines, deps)
    return ImportReport(group_id=group_id, taken=taken, kept=kept, refused=refused)


async def take_lines(
    group_id: str, lines: "Sequence[ReadLine]", deps: Deps
) -> tuple[dict[str, int], dict[str, int]]:
    """By kind, how many records were taken, and how many were there and stayed as they are."""
    taken: Counter[str] = Counter()
    known: Counter[str] = Counter()
    records: list[Any] = []
    for at in range(0, len(lines), A_COMMIT):
        some = {one.line.kind + one.line.id: one.line for one in lines[at : at + A_COMMIT]}
        own = [one for one in some.values() if one.kind != "group"]
        new = await deps.transfer.missing(group_id, own)
        await deps.transfer.take(group_id, new)
        taken.update(one.kind for one in new)
        known.update(one.kind for one in own)
        records += [one.record for one in lines[at : at + A_COMMIT]]
    for one in records:
        if isinstance(one, Group):
            settled = await deps.groups.change(group_id, _like(one), deps.now())
            taken["group"] += int(settled.name == one.name)
    if any(isinstance(one, StoredMessage) for one in records):
        await deps.groups.change(
            group_id, lambda found: replace(found, unindexed_since=BEGINNING), deps.now()
        )
    await _index(group_id, records, deps)
    kept = {kind: count - taken[kind] for kind, count in known.items() if count > taken[kind]}
    return dict(taken), kept


@dataclass(frozen=True)
class ReadLine:
    line: ExportLine
    record: Any
    number: int = 0


async def _without_forgotten(
    group: Group, lines: Sequence[ReadLine], deps: Deps
) -> tuple[list[ReadLine], list[RefusedLine]]:
    """An old backup must not bring back what was made of something forgotten since: of that a
    blank message is left here, and of a later version no earlier one."""
    if not group.epoch:
        return list(lines), []
    group_id = group.group_id
    read = [one.line for one in lines]
    sources = {key for one in read for key in sources_of(one)}
    found = await deps.messages.get_many(group_id, sorted(sources))
    blank = {key for key, one in found.items() if not one.message.is_readable}
    rests_on = {key for one in read for key in rests_on_memories(one)}
    known = set(await deps.memories.get_many(group_id, sorted(rests_on)))
    why = forgotten_lines(read, blank, known)
    kept = [one for at, one in enumerate(lines) if at not in why]
    return kept, [RefusedLine(line=lines[at].number, reason=why[at]) for at in sorted(why)]


def _lines(
    group: Group, body: str, form: ImportFormat, now: datetime
) -> tuple[list[ReadLine], list[RefusedLine]]:
    group_id = group.group_id
    if form == "end_summaries":
        return [checked(one, group_id) for one in end_summaries(body, group_id, now)], []
    if form == "memories":
        return [checked(one, group_id) for one in old_memories(body, group_id, now)], []
    if form == "profile":
        line = profile_file(body, group_id, group.audience, now)
        return [checked(line, group_id)], []
    texts = [(number, text) for number, text in enumerate(body.split("\n"), 1) if text.strip()]
    if len(texts) > MAX_LINES:
        raise InvalidInput(f"a page has more than {MAX_LINES} lines")
    lines: list[ReadLine] = []
    refused: list[RefusedLine] = []
    for number, text in texts:
        try:
            line = for_group(read_line(text), group_id)
            lines.append(ReadLine(line, record_of(line, group_id), number))
        except InvalidInput as error:
            refused.append(RefusedLine(line=number, reason=error.message))
    return lines, refused


def checked(line: ExportLine, group_id: str) -> ReadLine:
    return ReadLine(line, record_of(line, group_id))


def _like(exported: Group) -> Callable[[Group], Group]:
    """A group that has done nothing yet takes over the name, settings and cursors."""

    def change(found: Group) -> Group:
        if found.cursors or found.attributed_messages:
            return found
        return replace(
            exported,
            group_id=found.group_id,
            platform=found.platform,
            audience=found.audience,
            epoch=found.epoch,
            forgetting=found.forgetting,
            unindexed_since=found.unindexed_since,
            created_at=found.created_at,
            deleted_at=None,
        )

    return change


async def _index(group_id: str, records: Sequence[Any], deps: Deps) -> None:
    """From what the records keep where they keep it; the rest is embedded anew, in one call."""
    model = deps.embedder.model
    known: list[Vector] = []
    texts: list[tuple[str, Vector]] = []
    shown = {one.topic_id: one.summary_version for one in records if isinstance(one, Topic)}
    for one in records:
        match one:
            case StoredMessage(vector=packed) if packed and one.vector_model == model:
                numbers = [float(number) for number in unpack_half(packed)]
                known.append(
                    Vector("message", one.message_id, numbers, one.version, one.create_time)
                )
            case Topic():
                if mean := one.mean_in(model):
                    version = max(1, one.summary_version)
                    known.append(Vector("topic", one.topic_id, mean, version, one.created_at))
            case Memory(status=MemoryStatus.ACTIVE):
                if vector := vector_in(one, model):
                    at = one.updated_at
                    known.append(Vector("memory", one.memory_id, vector, one.version, at))
            case Summary() if shown.get(one.topic_id) == one.version:
                text = f"{one.title}\n{one.content}"
                texts.append(
                    (text, Vector("summary", one.topic_id, (), one.version, one.created_at))
                )
            case Event():
                blank = Vector("event", one.event_id, (), time=one.timestamp_utc)
                texts.append((one.canonical_text, blank))
            case Profile():
                blank = Vector("profile", one.profile_id, (), one.version, one.updated_at)
                texts.append((one.body, blank))
            case Entity():
                blank = Vector("entity", one.entity_id, (), 1, one.updated_at)
                texts.append((entity_text(one), blank))
    embedded = await deps.embedder.embed(
        [text for text, _ in texts], group_id=group_id, budget_s=EMBEDDING_S
    )
    known += [
        replace(blank, values=values)
        for (_, blank), values in zip(texts, embedded, strict=True)
        if values is not None
    ]
    await deps.vectors.apply(group_id, VectorPlan(known))
