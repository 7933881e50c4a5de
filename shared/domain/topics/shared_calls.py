"""Small topics of a group that share a call of the model. Pure.

A topic that is worth the model's words but not a call of its own is told by its own lines at once;
a job waits for it until some more of the group have come together, or long enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.domain.topics.bursts import Burst
from shared.domain.topics.topic import Summary, Topic

TOGETHER = 10
"""Topics that make a call worth its prompt: so many wait, then all of them go."""
MOST_TOPICS = 10
MOST_TOKENS = 4_800
"""Of one call: twice what one part of a long talk may have, as each of these is short."""
_SHARED = "shared, after version "
_BY_CLOCK = ("closed", "due")
"""How the causes begin of a topic that was closed, and of one that the schedule found."""


def shared_cause(version: int) -> str:
    """Of the job that waits for others since the topic's own lines told it."""
    return f"{_SHARED}{version}"


def is_shared(cause: str) -> bool:
    return cause.startswith(_SHARED)


def may_wait(
    cause: str, topic: Topic, base: Summary | None, new: int, *, small: int, below: int
) -> bool:
    """Whether the model's words can wait for others: only the clock wants them, nothing the model
    wrote stands yet, and the topic is neither too small for them nor large. One that was put off
    because the model was away has waited already."""
    is_owed = topic.summary_tries > 0
    return cause.startswith(_BY_CLOCK) and not is_owed and base is None and small <= new < below


@dataclass(frozen=True)
class SharedTalk:
    """One topic of a shared call. `until` is the last message that the model sees of it."""

    job_id: str
    topic: Topic
    keywords: Sequence[str]
    bursts: Sequence[Burst]
    until: str

    @property
    def tokens(self) -> int:
        return sum(burst.tokens for burst in self.bursts)


def fitting(first: SharedTalk, others: Sequence[SharedTalk]) -> list[SharedTalk]:
    """Those that one call takes, the first always among them."""
    taken, tokens = [first], first.tokens
    for talk in others:
        if len(taken) == MOST_TOPICS:
            break
        if tokens + talk.tokens <= MOST_TOKENS:
            taken.append(talk)
            tokens += talk.tokens
    return taken
