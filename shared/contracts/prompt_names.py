"""What a question calls memories, messages and members: as short as can be, as every word is paid
for."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.contracts.prompts import ShortIds
from shared.domain.memories.memory import Memory
from shared.domain.messages.stored_message import StoredMessage

NOBODY: Mapping[str, str] = {}


@dataclass(frozen=True)
class PromptNames:
    """A member is shown by name where the name is unique among those shown, else by a short id."""

    memories: ShortIds
    messages: ShortIds
    users: ShortIds
    members: Mapping[str, str]

    @classmethod
    def naming(
        cls,
        memories: Sequence[Memory],
        messages: Sequence[StoredMessage],
        others: Mapping[str, str] = NOBODY,
    ) -> "PromptNames":
        """`others` may be spoken of without speaking: ids to names."""
        people = {
            **others,
            **{message.user_id: message.user_name or message.user_id for message in messages},
        }
        called = Counter(people.values())
        subjects = (memory.subject for memory in memories if memory.subject)
        return cls(
            ShortIds(memory.memory_id for memory in memories),
            ShortIds(message.message_id for message in messages),
            ShortIds([*people, *subjects]),
            {
                user_id: name
                for user_id, name in people.items()
                if called[name] == 1 and (name == user_id or name not in people)
            },
        )

    def member(self, user_id: str) -> str:
        return self.members.get(user_id) or self.users.short(user_id)

    def user_id(self, member: str) -> str:
        """The id of a name or short id; an unknown one is returned unchanged."""
        known = {name: user_id for user_id, name in self.members.items()}
        return known.get(member.strip()) or self.users.whole(member)

    def whole_messages(self, ids: Iterable[str]) -> list[str]:
        return [self.messages.whole(message_id) for message_id in ids]

    def line(self, shown: dict[str, Any]) -> dict[str, Any]:
        """A message as `prompt_message` shows it."""
        member = self.member(shown["user_id"])
        short = {**shown, "id": self.messages.short(shown["id"]), "user_id": member}
        if member == shown["user_name"]:
            del short["user_name"]
        return short
