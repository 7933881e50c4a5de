"""Context records: what was offered for a reply, with scores."""

from collections.abc import Mapping
from typing import Any

from shared.contracts.context import ContextAnswer, ContextRequest
from shared.domain.ids import safe_id
from shared.stores.database import Database, create, server_time
from shared.stores.groups import group_path


class Contexts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self, request: ContextRequest, answer: ContextAnswer, trace: Mapping[str, Any]
    ) -> None:
        """`trace` tells how the scores came about: factors by message, threshold, scorer."""
        path = f"{group_path(request.group_id)}/contexts/{safe_id(answer.context_id)}"
        fields = {
            "context_id": answer.context_id,
            "group_id": request.group_id,
            "user_id": request.user_id,
            "trigger_message_id": request.message_id,
            "mode": answer.mode,
            "reason": answer.reason,
            "items": [item.model_dump() for item in answer.items],
            "tokens": answer.tokens,
            "timings_ms": answer.timings_ms,
            "trace": dict(trace),
            "created_at": server_time(),
            "is_labelled": False,
        }
        await self._database.commit([create(path, fields)])
