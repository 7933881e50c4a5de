"""The group's knowledge graph: entities it speaks of, and relations between them. Pure."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

MAX_EDGES = 100
"""Of one node; a hub is known by its surest relations."""
ENTITY_TYPES = ("person", "location", "organization", "product", "event", "other")
LEAST_CHARACTERS = 2
"""A shorter name stands in too many texts that do not mean it."""

_LETTER = r"[^\W\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
"""Written without spaces, a Chinese name ends where another word begins; a Latin one does not."""


@dataclass(frozen=True)
class Entity:
    """Somebody or something the group speaks of. `sources` are messages, `source_users` who
    wrote them; a member of the group has a `user_id`."""

    entity_id: str
    group_id: str
    name: str
    created_at: datetime
    updated_at: datetime
    entity_type: str = "other"
    aliases: tuple[str, ...] = ()
    description: str = ""
    confidence: float = 0.8
    mentions: int = 1
    sources: tuple[str, ...] = ()
    source_users: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    user_id: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


@dataclass(frozen=True)
class Relation:
    """An edge from one entity to another; `evidence` is the sentence that says so. `relation_type`
    is one of few; `label` is what the group calls it, where the type says too little."""

    relation_id: str
    group_id: str
    source_id: str
    target_id: str
    relation_type: str
    created_at: datetime
    updated_at: datetime
    label: str = ""
    evidence: str = ""
    confidence: float = 0.8
    sources: tuple[str, ...] = ()
    source_users: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ends(self) -> tuple[str, str]:
        return self.source_id, self.target_id


@dataclass(frozen=True)
class Neighbourhood:
    """The entities a text names, the relations they have, and every entity these lead to."""

    named: Sequence[Entity] = ()
    relations: Sequence[Relation] = ()
    entities: Mapping[str, Entity] = field(default_factory=dict)


def named_in(entities: Sequence[Entity], text: str) -> list[Entity]:
    """Those the text names, by name or alias; the most spoken of first."""
    found = [entity for entity in entities if any(stands_in(name, text) for name in entity.names)]
    return sorted(found, key=lambda entity: (-entity.mentions, entity.entity_id))


def stands_in(name: str, text: str) -> bool:
    """Whether the text names it, as a whole word where the script has words."""
    return name_position(_plain(name), _plain(text)) >= 0


def name_position(name: str, text: str) -> int:
    """Where the text names it first, written just so ("Will" is not "will"); -1 if nowhere."""
    if len(name) < LEAST_CHARACTERS:
        return -1
    before = f"(?<!{_LETTER})" if re.match(_LETTER, name[0]) else ""
    after = f"(?!{_LETTER})" if re.match(_LETTER, name[-1]) else ""
    found = re.search(f"{before}{re.escape(name)}{after}", text)
    return found.start() if found else -1


def name_key(name: str) -> str:
    """By which two spellings of one name are found to be one."""
    return re.sub(r"[\W_]+", "", _plain(name))


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
