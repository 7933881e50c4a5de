"""What a message follows, and how much of the talk before it is of its conversation.

For whoever chooses what to show beside a message: `masses` is what tells most (a line may be far
from what the message follows, and still be of the same conversation).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.domain.attribution.order import answered_by, said_at
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import unpack_half

LAST = 100
"""Lines that are looked at: the engine sees no further."""


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


def follow(
    message: StoredMessage,
    vector: Sequence[float] | None,
    before: Sequence[StoredMessage],
    *,
    model: str,
) -> Following:
    """`before` are lines with what is stored of them, in any order; the message itself and what
    was said later may be among them and are passed over. `vector` is of the message's own text,
    of embedding `model`; None tells nothing of its meaning. A native reply follows what it replies
    to, whatever else is likely."""
    earlier = [
        one
        for one in sorted(before, key=said_at)
        if one.message_id != message.message_id and one.create_time <= message.create_time
    ][-LAST:]
    if not earlier:
        return Following({}, {}, {}, opens=1.0)  # then the engine and its numpy are not loaded
    from shared.domain.attribution.talk import Talk

    vectors = {
        one.message_id: unpack_half(one.vector)
        for one in earlier
        if one.vector and one.vector_model == model
    }
    dimensions = len(vector) if vector is not None else max(map(len, vectors.values()), default=0)
    talk = Talk(model, dimensions)
    for one in earlier:
        talk.names.learn(one)
    topics: dict[str, str] = {}
    for one in earlier:
        own = vectors.get(one.message_id)
        topic_id, continues = one.topic_id, one.continues
        if topic_id is None:
            weighed = talk.weigh(one, own)
            best = next(iter(talk.candidates(weighed)), None)
            answered = answered_by(one)
            if answered in topics:
                topic_id, continues = topics[answered], answered
            elif best is not None and best.chance >= 0.5:
                topic_id, continues = best.topic_id, best.continues
        topic_id = topic_id or f"opened by {one.message_id}"
        talk.hear(one, own, topic_id, continues)
        topics[one.message_id] = topic_id
    weighed = talk.weigh(message, vector)
    lines = talk.window.lines[weighed.sight.start : weighed.place]
    chances = {
        line.message_id: float(chance)
        for line, chance in zip(lines, weighed.chances[:-1], strict=True)
    }
    opens = float(weighed.chances[-1])
    answered = answered_by(message)
    if answered in chances:
        chances = {key: float(key == answered) for key in chances}
        opens = 0.0
    of_topic: dict[str, float] = {}
    for key, chance in chances.items():
        of_topic[topics[key]] = of_topic.get(topics[key], 0.0) + chance
    masses = {key: of_topic[topics[key]] for key in chances}
    return Following(chances, masses, topics, opens)
