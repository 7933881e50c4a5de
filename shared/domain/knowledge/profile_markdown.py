"""A profile as a file: YAML front matter and Markdown. Pure.

The values are written as JSON, which every reader of YAML takes, so the same profile is always the
same bytes and no library is loaded for it.
"""

import json
import re
from typing import Any

from shared.domain.knowledge.profile import Profile

_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Signs that JSON leaves as they are and YAML takes for breaks, or not at all."""


def markdown_of(profile: Profile) -> str:
    front: dict[str, Any] = {
        "entity_type": profile.entity_type,
        "entity_id": profile.entity_id,
        "name": profile.name,
        "tags": list(profile.tags),
        "preferences": [
            {"key": one.key, "value": one.value, "confidence": one.confidence}
            for one in profile.preferences
        ],
        "traits": [{"name": one.name, "confidence": one.confidence} for one in profile.traits],
        "updated_at": profile.updated_at.isoformat(),
        "source_event_id": profile.source_event_id,
    }
    lines = [f"{key}: {_as_yaml(value)}" for key, value in front.items()]
    return "\n".join(["---", *lines, "---", profile.body.strip(), ""])


def _as_yaml(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _NOT_IN_YAML.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
