"""The payloads under `tests/fixtures/platforms`, each with what it must become."""

import json
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from shared.domain.messages.message import Arrival, GroupEvent, Ignored, Message, Recall

ROOT = Path(__file__).parents[1] / "fixtures" / "platforms"
_NAMES = {Message: "message", Recall: "recall", GroupEvent: "group_event", Ignored: "ignored"}


@dataclass(frozen=True)
class Case:
    platform: str
    name: str
    payload: dict[str, Any]
    arrivals: list[dict[str, Any]]

    def __str__(self) -> str:
        return f"{self.platform}-{self.name}"


def cases(platform: str = "*") -> list[Case]:
    found = []
    for path in sorted(ROOT.glob(f"{platform}/*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        found.append(Case(path.parent.name, path.stem, case["payload"], case["arrivals"]))
    return found


def as_json(arrival: Arrival) -> dict[str, Any]:
    """The arrival as a fixture writes it: its kind and every field that is not at its default."""
    return {"is": _NAMES[type(arrival)], **_told(arrival)}


def _told(record: Any) -> dict[str, Any]:
    told = {}
    for field in fields(record):
        value = getattr(record, field.name)
        if value == field.default:
            continue
        if isinstance(value, datetime):
            value = value.isoformat()
        elif isinstance(value, tuple):
            value = [_told(each) for each in value]
        told[field.name] = value
    return told
