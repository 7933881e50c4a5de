"""A profile: what is known of a user or of a group, overwritten as it grows; and as a file, YAML
front matter and Markdown.

The values are written as JSON, which every reader of YAML takes, so the same profile is always the
same bytes and no library is loaded for it.
"""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from shared.domain.audience import KnownAudience

EntityType = Literal["user", "group"]
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Characters that JSON leaves as they are and YAML takes for line breaks or refuses."""


@dataclass(frozen=True)
class Preference:
    """What somebody likes, wants or avoids: what kind of thing, and which."""

    key: str
    value: str
    confidence: float = 0.8


@dataclass(frozen=True)
class Trait:
    name: str
    confidence: float = 0.8


@dataclass(frozen=True)
class Profile:
    """Markdown (`body`) with its front matter as fields, of one entity as one group knows it.

    `audience` is that of the group it was learnt in, as far as that was known: a reader asks the
    group.
    `sources` and `source_users` list the messages behind it and who said them, of all versions.
    `merged_by` is the model, or the rules where no merge of the model's could be used.
    """

    entity_type: EntityType
    entity_id: str
    group_id: str
    body: str
    updated_at: datetime
    audience: KnownAudience = "unknown"
    name: str = ""
    tags: tuple[str, ...] = ()
    version: int = 1
    source_event_id: str = ""
    sources: tuple[str, ...] = ()
    source_users: tuple[str, ...] = ()
    preferences: tuple[Preference, ...] = ()
    traits: tuple[Trait, ...] = ()
    merged_by: str = "model"

    @property
    def profile_id(self) -> str:
        return f"{self.entity_type}:{self.entity_id}"


@dataclass(frozen=True)
class News:
    """What was learnt of one entity, in absolute words, and where from."""

    entity_type: EntityType
    entity_id: str
    name: str
    new_info: tuple[str, ...]
    source_event_id: str = ""
    sources: tuple[str, ...] = ()
    source_users: tuple[str, ...] = ()

    @property
    def profile_id(self) -> str:
        return f"{self.entity_type}:{self.entity_id}"


def markdown_of(profile: Profile) -> str:
    front: dict[str, Any] = {
        "entity_type": profile.entity_type,
        "entity_id": profile.entity_id,
        "name": profile.name,
        "tags": list(profile.tags),
        "preferences": [
            {"key": preference.key, "value": preference.value, "confidence": preference.confidence}
            for preference in profile.preferences
        ],
        "traits": [
            {"name": trait.name, "confidence": trait.confidence} for trait in profile.traits
        ],
        "updated_at": profile.updated_at.isoformat(),
        "source_event_id": profile.source_event_id,
    }
    lines = [f"{key}: {_as_yaml(value)}" for key, value in front.items()]
    return "\n".join(["---", *lines, "---", profile.body.strip(), ""])


def _as_yaml(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _NOT_IN_YAML.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
