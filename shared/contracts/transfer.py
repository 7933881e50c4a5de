"""What an export and an import tell."""

from typing import Any, Literal

from pydantic import BaseModel

from shared.contracts.api import Answer

ImportFormat = Literal["ndjson", "end_summaries", "memories", "profile"]
NDJSON = "application/x-ndjson"
NEXT_CURSOR = "X-Annals-Next-Cursor"
"""The header that names where the next page of an export begins; the last page has none."""

NDJSON_OR_ERROR: dict[int | str, dict[str, Any]] = {
    200: {"content": {NDJSON: {}}, "description": "A page of lines."},
    "default": {
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}},
        "description": "Refused, or failed.",
    },
}
"""How a route that answers lines describes itself: its errors are JSON like all others."""


class RefusedLine(BaseModel):
    """`line` counts from 1."""

    line: int
    reason: str


class ImportReport(Answer):
    """By kind: how many records were `taken`, and how many were there already and `kept` as they
    are. What was `refused` can be mended and sent again."""

    group_id: str
    taken: dict[str, int]
    kept: dict[str, int]
    refused: list[RefusedLine]
