"""The one door to a group's memory: what becomes active, what waits, what is refused. Pure.

Whatever a statement comes by (evolution, a model's tool, an import, a hand), it passes `admit`:
secrets are masked; what is about the bot waits for a hand; what one person says of others or of all
waits for a second voice; what a member wants forgotten is refused; and no one source fills the
group's memory. A hand with a manage key may overrule all but the wish to be forgotten.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from shared.domain.knowledge.graph import name_position
from shared.domain.memories.memory import HeldBack, Memory, MemoryStatus
from shared.domain.memories.voices import Voices, is_backed, why_not
from shared.domain.secrets import MASK, mask_secrets
from shared.language import is_about_the_bot

SHARE = 3
"""One source may hold at most one in so many of a group's memories, unless it is the only one."""
OPTED_OUT = "it is about a member who wants nothing remembered"
NO_MEMBERS: Mapping[str, str] = {}


class Origin(StrEnum):
    EVOLUTION = "evolution"
    TOOL = "tool"
    IMPORT = "import"
    HAND = "by hand"


def nobody_is_out(_: str) -> bool:
    return False


@dataclass(frozen=True)
class DoorRules:
    """`holds_back` is the group's wish that one voice waits for a second. `is_out` tells who wants
    nothing remembered; `bots` are the names of the group's bots, `members` ids with names."""

    max_active: int = 30
    holds_back: bool = True
    is_out: Callable[[str], bool] = nobody_is_out
    bots: Collection[str] = ()
    members: Mapping[str, str] = field(default_factory=lambda: NO_MEMBERS)

    @property
    def share(self) -> int:
        return max(1, self.max_active // SHARE)


@dataclass(frozen=True)
class Admitted:
    """`memory` is active or a candidate; with a `refusal` nothing of it is kept. `overruled` is why
    it would wait if a hand had not wanted it; `masked` the kinds of secrets it had."""

    memory: Memory
    refusal: str = ""
    overruled: str = ""
    masked: tuple[str, ...] = ()


def admit(
    memory: Memory,
    origin: Origin,
    voices: Voices | None,
    known: Sequence[Memory],
    rules: DoorRules,
    moments: Collection[datetime] = (),
) -> Admitted:
    """`voices` are all who ever said it; None where those behind it need no counting, as it follows
    a memory of theirs. `known` are the group's other memories, `moments` when it was said."""
    statement, masked = (
        (memory.statement, ()) if origin is Origin.HAND else mask_secrets(memory.statement)
    )
    subject = about_whom(statement, memory.subject, rules.members)
    memory = replace(memory, statement=statement, subject=subject)
    named = {user for user, name in rules.members.items() if name_position(name, statement) >= 0}
    if any(map(rules.is_out, {*memory.source_users, *named, subject} - {""})):
        return Admitted(memory, refusal=OPTED_OUT)
    # What was masked before it came here, or at an earlier telling, is a secret still.
    is_secret = MASK in statement or bool(mask_secrets(statement)[1])
    reason: HeldBack | None = None
    if is_secret or is_about_the_bot(statement, rules.bots):
        reason = HeldBack.FOR_A_HAND
    elif origin is not Origin.HAND:
        reason = _unbacked(memory, voices, known, rules, moments)
    is_several = voices is not None and voices.are_several
    backed = memory.backed or origin is Origin.HAND or is_several
    if origin is Origin.HAND:
        return Admitted(replace(memory, backed=True), overruled=reason or "", masked=masked)
    status = MemoryStatus.CANDIDATE if reason else MemoryStatus.ACTIVE
    kept = replace(memory, status=status, held_back=reason or "", backed=backed)
    return Admitted(kept, masked=masked)


def _unbacked(
    memory: Memory,
    voices: Voices | None,
    known: Sequence[Memory],
    rules: DoorRules,
    moments: Collection[datetime],
) -> HeldBack | None:
    if voices is None:
        return None
    if rules.holds_back and not is_backed(voices, memory.subject, moments):
        return why_not(voices, memory.subject)
    source = sole_source(memory) if not voices.are_several else None
    if source is not None and len(voices.said) == 1:
        counts = Counter(map(sole_source, _active(known)))
        if counts[source] >= rules.share and len(counts) > 1:
            return HeldBack.SHARE
    return None


def about_whom(statement: str, subject: str, members: Mapping[str, str]) -> str:
    """A statement is about the member it names first, whoever it is said to be about: else "Ben is
    a thief" would be Ada's own word about herself. Of two with one name the given one is meant."""
    places = {user: name_position(name, statement) for user, name in members.items()}
    found = {user: place for user, place in places.items() if place >= 0}
    if not found:
        return subject
    first = min(found.values())
    if subject:
        return subject if found.get(subject) == first else min(found, key=lambda one: found[one])
    return min(found, key=lambda one: found[one]) if first == 0 else ""


def sole_source(memory: Memory) -> str | None:
    """The one person behind it, if there is only one and no hand."""
    is_of_one = len(memory.source_users) == 1 and not memory.backed
    return memory.source_users[0] if is_of_one else None


def _active(memories: Sequence[Memory]) -> list[Memory]:
    return [memory for memory in memories if memory.status is MemoryStatus.ACTIVE]


def archived_first(max_active: int, active: Collection[Memory]) -> list[Memory]:
    """What must go for the cap to hold: what a source has beyond its share, then what nobody else
    backs, then the weakest; of equals the newest."""
    share, had = max(1, max_active // SHARE), Counter[str]()
    beyond: set[str] = set()
    for memory in sorted(active, key=lambda one: (-one.strength, one.created_at, one.memory_id)):
        source = sole_source(memory)
        if source is not None:
            had[source] += 1
            if had[source] > share:
                beyond.add(memory.memory_id)

    def weight(memory: Memory) -> tuple[bool, bool, float, float, str]:
        is_fair = memory.memory_id not in beyond
        age = -memory.updated_at.timestamp()
        return is_fair, memory.backed, memory.strength, age, memory.memory_id

    return sorted(active, key=weight)[: max(0, len(active) - max_active)]
