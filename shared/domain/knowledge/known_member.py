"""What a group knows of one member, and how they are told. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.domain.knowledge.event import Event
from shared.domain.knowledge.profile import Profile
from shared.domain.memories.memory import Memory

MOST_TOLD = 8
"""Memories and events in a message that a person is to read; the routes have all."""
MOST_CHARACTERS = 160
"""Of each."""


@dataclass(frozen=True)
class KnownOfMember:
    """`memories` and `events` are the newest first."""

    is_opted_out: bool
    messages: int
    profile: Profile | None
    memories: Sequence[Memory]
    events: Sequence[Event]

    @property
    def is_nothing(self) -> bool:
        return not (self.messages or self.profile or self.memories or self.events)


def told(known: KnownOfMember, *, in_chinese: bool) -> str:
    """For the bot to send, as it is."""
    if known.is_nothing:
        nothing = "我没有记住任何关于你的内容。" if in_chinese else "I keep nothing about you."
        return "\n".join([nothing, *_out(known, in_chinese)])
    count = known.messages
    kept = f"我保存了你的 {count} 条消息。" if in_chinese else f"I keep {count} of your messages."
    lines = [kept]
    if known.profile and known.profile.body.strip():
        lines.append("关于你的简介：" if in_chinese else "Your profile here:")
        lines += [_line(line) for line in known.profile.body.splitlines() if line.strip()][
            :MOST_TOLD
        ]
    if known.memories:
        lines.append("我记住的：" if in_chinese else "What I remember of you:")
        lines += _listed([memory.statement for memory in known.memories], in_chinese)
    if known.events:
        lines.append("发生过的事：" if in_chinese else "What happened:")
        lines += _listed([event.canonical_text for event in known.events], in_chinese)
    return "\n".join([*lines, *_out(known, in_chinese)])


def _listed(texts: Sequence[str], in_chinese: bool) -> list[str]:
    lines = [_line(text) for text in texts[:MOST_TOLD]]
    if more := len(texts) - len(lines):
        lines.append(f"- 还有 {more} 条" if in_chinese else f"- and {more} more")
    return lines


def _line(text: str) -> str:
    plain = " ".join(text.split()).lstrip("-*# ")
    return f"- {plain if len(plain) <= MOST_CHARACTERS else plain[: MOST_CHARACTERS - 1] + '…'}"


def _out(known: KnownOfMember, in_chinese: bool) -> list[str]:
    if not known.is_opted_out:
        return []
    return ["你说的话我不会再记。" if in_chinese else "I do not remember what you say."]
