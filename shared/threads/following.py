"""What a message follows, and how much of the talk before it is of its conversation.

For whoever chooses what to show beside a message: `masses` is what tells most (a line may be far
from what the message follows, and still be of the same conversation).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.threads.lines import Said
from shared.threads.talk import Talk


@dataclass(frozen=True)
class Following:
    """By message id, between 0 and 1, for each of the last hundred lines before the message.

    `chances`: that the message follows this very line; with `opens`, that it follows none of them,
    they are 1 together. `masses`: the chances of all lines of the same topic, so each line of a
    topic has the mass of the topic. `topics` is the topic each line is in, provisional ones made
    here included: lines that attribution has not seen yet are placed as it would place them.
    """

    chances: Mapping[str, float]
    masses: Mapping[str, float]
    topics: Mapping[str, str]
    opens: float


def follow(message: Said, before: Sequence[Said]) -> Following:
    """`before` is in the order it was said. A native reply follows what it replies to, whatever
    else is likely."""
    talk = Talk()
    for earlier in before:
        talk.names.learn(earlier)
    topics: dict[str, str] = {}
    for earlier in before:
        topic_id, continues = earlier.topic_id, earlier.continues
        if topic_id is None:
            weighed = talk.weigh(earlier)
            best = next(iter(talk.candidates(weighed)), None)
            if earlier.answers in topics:
                topic_id, continues = topics[earlier.answers], earlier.answers
            elif best is not None and best.chance >= 0.5:
                topic_id, continues = best.topic_id, best.continues
        topic_id = topic_id or f"opened by {earlier.message_id}"
        talk.hear(earlier, topic_id, continues)
        topics[earlier.message_id] = topic_id
    weighed = talk.weigh(message)
    lines = talk.window.lines[weighed.sight.start : weighed.place]
    chances = {
        line.message_id: float(chance)
        for line, chance in zip(lines, weighed.chances[:-1], strict=True)
    }
    opens = float(weighed.chances[-1])
    if message.answers in chances:
        chances = {key: float(key == message.answers) for key in chances}
        opens = 0.0
    of_topic: dict[str, float] = {}
    for key, chance in chances.items():
        of_topic[topics[key]] = of_topic.get(topics[key], 0.0) + chance
    masses = {key: of_topic[topics[key]] for key in chances}
    return Following(chances, masses, topics, opens)
