"""A request to forget that stands on its group until it is done."""

from dataclasses import dataclass


@dataclass(frozen=True)
class BeingForgotten:
    """One request that is not done yet: messages, whose topics are known; members; memories, by
    the ids of their first versions."""

    message_ids: tuple[str, ...] = ()
    topic_ids: tuple[str, ...] = ()
    user_ids: tuple[str, ...] = ()
    root_ids: tuple[str, ...] = ()
