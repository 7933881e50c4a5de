"""A topic that a message may continue."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """`chance` is that the message continues the topic rather than opening one; `continues` is the
    line it would follow."""

    topic_id: str
    chance: float
    continues: str | None
