"""What a question about memories calls things: as short as can be, as every word is paid for."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.contracts.prompts import ShortIds, with_fewer_times
from shared.domain.memories.memory import Memory
from shared.domain.messages.stored_message import StoredMessage


@dataclass(frozen=True)
class PromptNames:
    """What the question calls its memories, messages and members. A member goes by the name that
    nobody else there has, or by a short id."""

    memories: ShortIds
    messages: ShortIds
    users: ShortIds
    members: Mapping[str, str]

    @classmethod
    def of(cls, memories: Sequence[Memory], messages: Sequence[StoredMessage]) -> "PromptNames":
        people = {one.user_id: one.user_name or one.user_id for one in messages}
        called = Counter(people.values())
        subjects = (one.subject for one in memories if one.subject)
        return cls(
            ShortIds(one.memory_id for one in memories),
            ShortIds(one.message_id for one in messages),
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
        """One that was never given stays what it is: nobody knows it."""
        known = {name: user_id for user_id, name in self.members.items()}
        return known.get(member.strip()) or self.users.whole(member)

    def shortened(self, question: dict[str, Any]) -> dict[str, Any]:
        return {
            **question,
            "existing_memories": [
                {
                    **one,
                    "id": self.memories.short(one["id"]),
                    "subject": self.member(one["subject"]) if one["subject"] else None,
                }
                for one in question["existing_memories"]
            ],
            "new_discussions": with_fewer_times(
                [self._line(one) for one in question["new_discussions"]]
            ),
        }

    def _line(self, line: dict[str, Any]) -> dict[str, Any]:
        member = self.member(line["user_id"])
        short = {**line, "id": self.messages.short(line["id"]), "user_id": member}
        if member == line["user_name"]:
            del short["user_name"]
        return short
