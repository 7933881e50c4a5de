"""A memory's versions without what is forgotten: kept if the rest still tells it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from shared.domain.forgetting.forgotten import Forgotten, is_still_told, texts_of
from shared.domain.memories.conflict import ConflictStatus, MemoryConflict
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.messages.stored_message import StoredMessage


@dataclass(frozen=True)
class MemoryLeft:
    """`kept` are versions as they are to be stored, `gone` the ids of the others."""

    kept: tuple[Memory, ...]
    gone: tuple[str, ...]


def memory_left(
    versions: Sequence[Memory], forgotten: Forgotten, sources: Mapping[str, StoredMessage]
) -> MemoryLeft:
    """`versions` are all of one memory, the oldest first; `sources` the messages they name.

    A version says what those before it said: from the first that rests on something forgotten on,
    each must be told by what is left. What is about a forgotten member goes as a whole, and so does
    a memory that is forgotten itself.
    """
    is_meant = any((one.root_id or one.memory_id) in forgotten.root_ids for one in versions)
    if is_meant or any(one.subject in forgotten.user_ids for one in versions if one.subject):
        return MemoryLeft((), tuple(one.memory_id for one in versions))
    named = dict.fromkeys(each for one in versions for each in one.sources)
    evidence = forgotten.evidence(sources[one] for one in named if one in sources)
    texts, left = texts_of(evidence), {one.message_id: one.user_id for one in evidence}
    kept: list[Memory] = []
    is_tainted = False
    for one in versions:
        is_tainted = is_tainted or forgotten.touches(one.sources, one.source_users)
        if is_tainted and not is_still_told(one.statement, texts):
            continue
        own = tuple(each for each in one.sources if each in left)
        users = tuple(user for user in one.source_users if user not in forgotten.user_ids)
        kept.append(
            replace(
                one,
                sources=own,
                source_users=tuple(user for user in users if user in set(left.values())),
                # A reason is the model's own words about what was said.
                change_summary="" if is_tainted else one.change_summary,
            )
            if is_tainted
            else one
        )
    if not kept or not any(one.memory_id == versions[-1].memory_id for one in kept):
        kept = [] if not kept else _headed(kept, versions[-1])
    ids = {one.memory_id for one in kept}
    return MemoryLeft(
        _linked(kept), tuple(one.memory_id for one in versions if one.memory_id not in ids)
    )


def _headed(kept: list[Memory], head: Memory) -> list[Memory]:
    """The last version that stays takes the place of the one that goes, if that was in force."""
    if head.status not in (MemoryStatus.ACTIVE, MemoryStatus.CANDIDATE):
        return kept
    last = replace(kept[-1], status=head.status, superseded_by=None, ended_at=None)
    return [*kept[:-1], last]


def _linked(kept: Sequence[Memory]) -> tuple[Memory, ...]:
    """Parents and successors among those that stay; the first of them stands for all."""
    linked: list[Memory] = []
    for place, one in enumerate(kept):
        before = kept[place - 1].memory_id if place else None
        after = kept[place + 1].memory_id if place + 1 < len(kept) else None
        linked.append(replace(one, parent_id=before, superseded_by=after))
    return tuple(linked)


def conflict_left(
    conflict: MemoryConflict, forgotten: Forgotten, memory_stays: bool
) -> MemoryConflict | None:
    """Without the forgotten claims; None where none is left, or the memory is gone."""
    claims = [
        one for one in conflict.claims if not forgotten.touches(one.sources, one.source_users)
    ]
    if not memory_stays or not claims or conflict.subject in forgotten.user_ids:
        return None
    # What somebody wrote when it was settled may repeat what was claimed.
    outcome = "" if conflict.status is ConflictStatus.OPEN else "settled"
    return replace(
        conflict,
        claims=tuple(claims),
        outcome=outcome,
        sources=tuple(dict.fromkeys(each for one in claims for each in one.sources)),
        source_users=tuple(sorted({each for one in claims for each in one.source_users})),
    )
