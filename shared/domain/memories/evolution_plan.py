"""What a group allows an evolution to do, and what comes of one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.domain.memories.conflict import Contradiction
from shared.domain.memories.door import DoorRules
from shared.domain.memories.memory import NONE_JUDGED, Change, Judged, Memory, MemoryStatus


@dataclass(frozen=True)
class EvolutionRules:
    """What a group allows; from `core_threshold` on a memory is core."""

    door: DoorRules = field(default_factory=DoorRules)
    core_threshold: float = 0.8
    min_confidence: float = 0.0
    conflict_margin: float = 0.25
    max_facts: int = 10
    auto_tag: bool = True
    unsupported_days: int = 21


@dataclass(frozen=True)
class EvolutionPlan:
    """`new` are documents to create; `changed` the ones they leave behind, and the archived.
    `created` are active; the `candidates` of this run are counted apart. `supported` are memories
    that stay as they are, and when they were last borne out."""

    new: tuple[Memory, ...]
    changed: tuple[Memory, ...]
    changes: tuple[Change, ...]
    kept: int
    updated: int = 0
    created: int = 0
    deleted: int = 0
    candidates: int = 0
    warnings: tuple[str, ...] = ()
    judged: Judged = NONE_JUDGED
    contradictions: tuple[Contradiction, ...] = ()
    supported: Mapping[str, datetime] = field(default_factory=dict)
    masked: int = 0

    @classmethod
    def unchanged(cls, memories: Sequence[Memory]) -> "EvolutionPlan":
        """Nothing was said and nothing has to be looked at."""
        return cls((), (), (), kept=sum(one.status is MemoryStatus.ACTIVE for one in memories))
