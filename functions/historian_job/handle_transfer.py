"""Export and import of a group: pages of lines out, pages of lines in, each record once.

An import takes what is not there yet and changes nothing that is: so a page that was interrupted,
or comes twice, is just sent again.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from shared.config import effective, settings_for
from shared.contracts.jobs import historian_job
from shared.contracts.transfer import ImportFormat, ImportReport, RefusedLine
from shared.domain.audience import combined_audience
from shared.domain.forgetting.forgotten import is_opted_out
from shared.domain.group import BEGINNING, Group, new_group
from shared.domain.knowledge.event import Event, Note
from shared.domain.knowledge.graph import Entity
from shared.domain.knowledge.profile import Profile
from shared.domain.memories.door import DoorRules, Origin, admit
from shared.domain.memories.embedded_wording import vector_in
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.memories.voices import Voices
from shared.domain.messages.delivery import opted_out_message
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import unpack_half
from shared.domain.storable import check_storable
from shared.domain.topics.topic import Summary, Topic
from shared.domain.transfer.admission import RecordBounds, check_record
from shared.domain.transfer.imported_records import (
    OPTED_OUT,
    audience_for,
    audience_of,
    forgotten_lines,
    is_members_own,
    rests_on_memories,
    settled_group,
    sources_of,
)
from shared.domain.transfer.lines import (
    ExportLine,
    comes_from,
    for_group,
    is_group_line,
    read_line,
)
from shared.domain.transfer.older_formats import end_summaries, old_memories, profile_file
from shared.errors import InvalidInput, NotFound
from shared.search.entity_index import entity_text
from shared.search.topic_index import topic_vector
from shared.stores.transfer import as_stored, blank_line, record_of
from shared.stores.vectors import Vector, VectorPlan
from shared.wiring import Services

A_COMMIT = 100
"""Documents of one commit: a page of messages with their vectors stays below its limit."""
MAX_LINES = 1000
"""Of one page."""
TOLD = 20
"""Refused lines that an error lists, where nothing of the page could be taken."""
EMBEDDING_S = 60.0
AT_ONCE = 20
"""Jobs that are made side by side."""


async def take(group_id: str, body: str, form: ImportFormat, made: Services) -> ImportReport:
    """One page. What cannot be read is refused by its number, the rest is taken; InvalidInput if
    there is no rest. Until all of it is checked nothing is stored, not even the group."""
    found = await made.groups.find(group_id)
    if found is not None and found.is_deleted:
        raise NotFound(f"there is no group {group_id}")
    group = found or new_group(group_id, made.now())
    lines, refused = _lines(group, body, form, made)
    if refused and not lines:
        raise _nothing_left(refused)
    said = {audience_of(entry.record) for entry in lines if found is None or not entry.is_own}
    audience = audience_for(group.audience, {heard for heard in said if heard})
    lines, taken_back = await _without_forgotten(group, lines, made)
    refused += taken_back
    if not lines:
        return ImportReport(group_id=group_id, taken={}, kept={}, refused=refused)
    exported = [entry for entry in lines if isinstance(entry.record, Group)]

    def settle(known: Group) -> Group:
        known = replace(known, audience=combined_audience(known.audience, [audience]))
        for entry in exported:
            known = settled_group(known, entry.record, is_own=entry.is_own)
        return known

    settled = await made.groups.change(group_id, settle, made.now())
    lines, unwanted = _without_opted_out(settled, lines, made)
    notes = await _new_notes(group_id, lines, made)
    for at in range(0, len(notes), AT_ONCE):
        # Before the events: who imports the file again after a crash finds no new note.
        jobs = [historian_job(note, made.now()) for note in notes[at : at + AT_ONCE]]
        await asyncio.gather(*(made.jobs.ensure(job) for job in jobs))
    taken, kept = await take_lines(group_id, lines, made)
    if exported:
        taken["group"] = sum(settled.name == entry.record.name for entry in exported)
    return ImportReport(group_id=group_id, taken=taken, kept=kept, refused=refused + unwanted)


async def _new_notes(group_id: str, lines: "Sequence[ReadLine]", made: Services) -> list[Note]:
    """Old notes that were not there yet: a job rewrites each from its own time. The sweep sends
    these jobs, as there may be thousands."""
    notes: list[Note] = []
    dated = {line.line.id: line for line in lines if line.note}
    ids = list(dated)
    for at in range(0, len(ids), A_COMMIT):
        some = [dated[key].line for key in ids[at : at + A_COMMIT]]
        new = await made.transfer.missing(group_id, some)
        notes += [note for line in new if (note := dated[line.id].note)]
    return notes


def _nothing_left(refused: Sequence[RefusedLine]) -> InvalidInput:
    first = refused[0]
    more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
    told = [line.model_dump() for line in refused[:TOLD]]
    return InvalidInput(f"line {first.line}: {first.reason}{more}", refused=told)


async def take_lines(
    group_id: str, lines: "Sequence[ReadLine]", made: Services
) -> tuple[dict[str, int], dict[str, int]]:
    """How many records of each kind were taken, and how many existed and stayed as they were."""
    taken: Counter[str] = Counter()
    known: Counter[str] = Counter()
    records: list[Any] = []
    for at in range(0, len(lines), A_COMMIT):
        some = {entry.line.kind + entry.line.id: entry.line for entry in lines[at : at + A_COMMIT]}
        own = [line for line in some.values() if line.kind != "group"]
        new = await made.transfer.missing(group_id, own)
        await made.transfer.take(group_id, new)
        taken.update(line.kind for line in new)
        known.update(line.kind for line in own)
        records += [entry.record for entry in lines[at : at + A_COMMIT]]
    if any(isinstance(record, StoredMessage) for record in records):
        await made.groups.change(
            group_id,
            lambda found: replace(found, unindexed_since=BEGINNING, unpaged_since=BEGINNING),
            made.now(),
        )
    await _index(group_id, records, made)
    kept = {kind: count - taken[kind] for kind, count in known.items() if count > taken[kind]}
    return dict(taken), kept


@dataclass(frozen=True)
class ReadLine:
    line: ExportLine
    record: Any
    number: int = 0
    is_own: bool = True
    """Whether it comes from the group that it goes into."""
    note: Note | None = None
    """What an event of another system is rewritten from."""


async def _without_forgotten(
    group: Group, lines: Sequence[ReadLine], made: Services
) -> tuple[list[ReadLine], list[RefusedLine]]:
    """An old backup must not bring back what was made of something forgotten since: of that a
    blank message is left here, and of a later version no earlier one."""
    if not group.epoch:
        return list(lines), []
    group_id = group.group_id
    read = [entry.line for entry in lines]
    sources = {key for line in read for key in sources_of(line)}
    found = await made.messages.get_many(group_id, sorted(sources))
    blank = {key for key, stored in found.items() if not stored.message.is_readable}
    rests_on = {key for line in read for key in rests_on_memories(line)}
    known = set(await made.memories.get_many(group_id, sorted(rests_on)))
    why = forgotten_lines(read, blank, known)
    kept = [line for at, line in enumerate(lines) if at not in why]
    return kept, [RefusedLine(line=lines[at].number, reason=why[at]) for at in sorted(why)]


def _without_opted_out(
    group: Group, lines: Sequence[ReadLine], made: Services
) -> tuple[list[ReadLine], list[RefusedLine]]:
    """Members who opted out: their messages become blank, as new ones do; the rest is refused."""

    def is_out(user_id: str) -> bool:
        return is_opted_out(group.opted_out, user_id, made.settings.hash_key)

    kept: list[ReadLine] = []
    refused: list[RefusedLine] = []
    for entry in lines:
        record = entry.record
        if isinstance(record, StoredMessage) and record.is_readable and is_out(record.user_id):
            blank = opted_out_message(record)
            kept.append(replace(entry, line=blank_line(entry.line, blank), record=blank))
        elif is_members_own(record, is_out):
            refused.append(RefusedLine(line=entry.number, reason=OPTED_OUT))
        else:
            kept.append(entry)
    return kept, refused


def _lines(
    group: Group, body: str, form: ImportFormat, made: Services
) -> tuple[list[ReadLine], list[RefusedLine]]:
    group_id, now = group.group_id, made.now()
    holds_back = settings_for(group, made.settings).hold_back_memories
    bounds = RecordBounds(now, made.embedder.model, made.embedder.dimensions, holds_back)
    if form != "ndjson":
        return _older(group, body, form, bounds), []
    texts = [(number, text) for number, text in enumerate(body.split("\n"), 1) if text.strip()]
    if len(texts) > MAX_LINES:
        raise InvalidInput(f"a page has more than {MAX_LINES} lines")
    lines: list[ReadLine] = []
    refused: list[RefusedLine] = []
    for number, text in texts:
        try:
            line = read_line(text)
            is_own = comes_from(line) in (None, group_id)
            admitted = _admitted(for_group(line, group_id), group_id, bounds)
            if isinstance(admitted.record, Group):
                effective(made.settings, admitted.record.settings)
            lines.append(replace(admitted, number=number, is_own=is_own))
        except InvalidInput as error:
            if is_group_line(text):
                # With it would go who opted out and that it is private: then nothing is taken.
                raise InvalidInput(f"line {number}: {error.message}", line=number) from error
            refused.append(RefusedLine(line=number, reason=error.message))
    return lines, refused


def _older(group: Group, body: str, form: ImportFormat, bounds: RecordBounds) -> list[ReadLine]:
    """A file of another system: all of it, or the first record that cannot be taken is told."""
    group_id, now = group.group_id, bounds.now
    lines: Sequence[tuple[ExportLine, Note | None]]
    match form:
        case "end_summaries":
            lines = end_summaries(body, group_id, now)
        case "memories":
            lines = [(line, None) for line in old_memories(body, group_id, now)]
        case _:
            lines = [(profile_file(body, group_id, group.audience, now), None)]
    read: list[ReadLine] = []
    for number, (line, note) in enumerate(lines, 1):
        try:
            check_storable(line.data, "data")
            read.append(replace(_admitted(line, group_id, bounds), number=number, note=note))
        except InvalidInput as error:
            raise InvalidInput(f"record {number}: {error.message}") from error
    return read


def _admitted(line: ExportLine, group_id: str, bounds: RecordBounds) -> ReadLine:
    record = record_of(line, group_id)
    check_record(record, bounds)
    if isinstance(record, Memory) and record.status is MemoryStatus.ACTIVE:
        record = _through_the_door(record, bounds)
        admitted = ("statement", "subject", "status", "held_back", "backed")
        line = replace(line, data={**line.data, **{key: getattr(record, key) for key in admitted}})
    return ReadLine(as_stored(line, record), record)


def _through_the_door(memory: Memory, bounds: RecordBounds) -> Memory:
    """As whatever comes into a group: secrets are masked, what is about the bot waits for a hand.
    Of a first version that names who said it one voice is one; opt-outs are looked at apart."""
    voices = None
    if memory.source_users and memory.version == 1 and not memory.backed:
        voices = Voices(dict.fromkeys(memory.source_users, 1), bounds.now)
    rules = DoorRules(holds_back=bounds.holds_back)
    return admit(memory, Origin.IMPORT, voices, (), rules, {memory.created_at}).memory


def checked(line: ExportLine, group_id: str) -> ReadLine:
    """A line of our own store, which nobody could have made up."""
    return ReadLine(line, record_of(line, group_id))


async def _index(group_id: str, records: Sequence[Any], made: Services) -> None:
    """Vectors that the records bring are used; the other texts are embedded in one call."""
    model = made.embedder.model
    known: list[Vector] = []
    texts: list[tuple[str, Vector]] = []
    topics = [record for record in records if isinstance(record, Topic)]
    shown = {topic.topic_id: topic.summary_version for topic in topics}
    for record in records:
        match record:
            case StoredMessage(vector=packed) if packed and record.vector_model == model:
                numbers = [float(number) for number in unpack_half(packed)]
                known.append(
                    Vector(
                        "message", record.message_id, numbers, record.version, record.create_time
                    )
                )
            case Topic():
                if mean := topic_vector(record, model):
                    known.append(mean)
            case Memory(status=MemoryStatus.ACTIVE):
                if vector := vector_in(record, model):
                    at = record.updated_at
                    known.append(Vector("memory", record.memory_id, vector, record.version, at))
            case Summary() if shown.get(record.topic_id) == record.version:
                text = f"{record.title}\n{record.content}"
                at, version = record.created_at, record.version
                texts.append((text, Vector("summary", record.topic_id, (), version, at)))
            case Event():
                blank = Vector("event", record.event_id, (), time=record.timestamp_utc)
                texts.append((record.canonical_text, blank))
            case Profile():
                blank = Vector("profile", record.profile_id, (), record.version, record.updated_at)
                texts.append((record.body, blank))
            case Entity():
                blank = Vector("entity", record.entity_id, (), 1, record.updated_at)
                texts.append((entity_text(record), blank))
    embedded = await made.embedder.embed(
        [text for text, _ in texts], group_id=group_id, budget_s=EMBEDDING_S
    )
    known += [
        replace(blank, values=values)
        for (_, blank), values in zip(texts, embedded, strict=True)
        if values is not None
    ]
    await made.vectors.apply(group_id, VectorPlan(known))
