"""A deployment's own texts in place of the prompts' files, every version of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.domain.ids import safe_id
from shared.stores.firestore import Database, collection, create, delete, put
from shared.stores.records import Codec

MAX_VERSIONS = 100
"""Shown of one prompt, the newest."""


@dataclass(frozen=True)
class PromptText:
    """One version, with who made it and why."""

    prompt_id: str
    version: int
    text: str
    made_at: datetime
    made_by: str = ""
    reason: str = ""


TEXTS = Codec(PromptText)


def _path(prompt_id: str) -> str:
    return f"prompts/{safe_id(prompt_id)}"


class Prompts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, prompt_id: str) -> Mapping[str, Any] | None:
        """The text that is used instead of the file, if there is one."""
        found = await self._database.get(_path(prompt_id))
        return found.data if found else None

    async def versions(self, prompt_id: str) -> list[PromptText]:
        """The newest first."""
        query = (
            collection(f"{_path(prompt_id)}/versions").largest_first("version").limit(MAX_VERSIONS)
        )
        return [TEXTS.read(found) for found in await self._database.find(query)]

    async def put(self, text: PromptText) -> None:
        """A new version, used from now on; Conflict if another one was made meanwhile."""
        path = f"{_path(text.prompt_id)}/versions/{text.version:06d}"
        fields = TEXTS.fields(text)
        await self._database.commit([create(path, fields), put(_path(text.prompt_id), fields)])

    async def drop(self, prompt_id: str) -> None:
        """The file is used again; the versions stay."""
        await self._database.commit([delete(_path(prompt_id))])
