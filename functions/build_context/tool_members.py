"""Whom a model means: contexts show it names, and records have ids."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from shared.language import named_in
from shared.stores.messages import Messages
from shared.stores.profiles import Profiles
from shared.stores.recent_messages import Recent

PROFILES = 200
"""Of those changed last; who has none and has not spoken lately is known by id only."""
MOST_NAMED = 8
"""Ids told to a model that must choose."""


@dataclass(frozen=True)
class Meant:
    """`hint` is for the model, where the id is still what it said itself."""

    user_id: str
    hint: str = ""


@dataclass(frozen=True)
class Members:
    recent: Recent
    profiles: Profiles
    messages: Messages

    async def meant(self, group_id: str, said: str) -> Meant:
        """An id stays as it is; a name is the id of the one member who has it."""
        names = await self._names(group_id)
        if said in names:
            return Meant(said)
        found = sorted(called(said, names))
        if len(found) == 1:
            return Meant(found[0])
        if found:
            told = ", ".join(f"{one} ({names[one]})" for one in found[:MOST_NAMED])
            return Meant(said, f"{said!r} may be one of several members, say which id: {told}")
        if await self.messages.some_of(group_id, said, 1):
            return Meant(said)
        return Meant(said, f"nobody known in this group has the id or the name {said!r}")

    async def _names(self, group_id: str) -> dict[str, str]:
        _, profiles = await asyncio.gather(
            self.recent.refresh(group_id), self.profiles.latest(group_id, PROFILES)
        )
        known = {one.entity_id: one.name for one in profiles if one.entity_type == "user"}
        lines = self.recent.kept(group_id).values()
        return known | {one.user_id: one.user_name for one in lines if one.user_name}


def called(said: str, names: Mapping[str, str]) -> frozenset[str]:
    """Those whose name it is; nobody's whole name may still be a part of one, or short for it."""
    whole = said.strip().removeprefix("@").casefold()
    exact = {user_id for user_id, name in names.items() if name.strip().casefold() == whole}
    return frozenset(exact) or named_in(whole, names)
