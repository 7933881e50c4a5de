"""Records found by what they were made of."""

from collections.abc import Iterable
from dataclasses import dataclass

from shared.domain.forgetting.forgotten import Forgotten
from shared.domain.messages.stored_message import StoredMessage
from shared.stores.derived import Derived
from shared.stores.firestore import Snapshot
from shared.stores.messages import Messages


@dataclass(frozen=True)
class Provenance:
    derived: Derived
    messages: Messages

    async def named(
        self, group_id: str, kind: str, forgotten: Forgotten, sources: str
    ) -> list[Snapshot]:
        found = [
            *await self.derived.made_of(group_id, kind, sources, forgotten.message_ids),
            *await self.derived.made_of(group_id, kind, "source_users", forgotten.user_ids),
        ]
        return list({one.path: one for one in found}.values())

    async def about(
        self, group_id: str, kind: str, name: str, forgotten: Forgotten
    ) -> list[Snapshot]:
        found = [await self.derived.where(group_id, kind, name, one) for one in forgotten.user_ids]
        return [one for some in found for one in some]

    async def said(self, group_id: str, ids: Iterable[str]) -> dict[str, StoredMessage]:
        wanted = list(dict.fromkeys(ids))
        found = await self.messages.get_many(group_id, wanted) if wanted else {}
        return {key: one.message for key, one in found.items()}
