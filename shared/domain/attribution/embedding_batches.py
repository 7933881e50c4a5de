"""Lines that are embedded together: placed at once by structure and words, and once more, with
their vectors, when enough have gathered. Pure.

A call of the embedder costs the same for one text as for many, and a quiet group's lines come one
by one. What was made of a topic meanwhile (a summary, its closing) stays: then its lines stay too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from shared.domain.attribution.deciding import AttributionPlan
from shared.domain.attribution.lines import own_text
from shared.domain.attribution.topic_updates import ends_a_round, fewer, summed
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.topics.topic import Topic

FIRST_LINES = 30
"""Of a group: each run embeds them, as there is little else yet to place a line by."""


def bare_lines(lines: Sequence[StoredMessage]) -> list[StoredMessage]:
    """From the first that still lacks its vector on; `lines` are the last ones, oldest first."""
    placed = [
        message
        for message in lines
        if message.state is MessageState.ATTRIBUTED and message.topic_id
    ]
    for place, message in enumerate(placed):
        if not message.vector and message.is_readable and own_text(message):
            return placed[place:]
    return []


def is_time_to_embed(attributed: int, bare: int, waiting: int, every: int) -> bool:
    """`attributed` counts all lines of the group so far."""
    return attributed < FIRST_LINES or bare + waiting >= every


@dataclass(frozen=True)
class TakenBack:
    """`again` are to be placed anew, `topics` are theirs without them; `stays` keep their topics,
    which are among `topics` as they were."""

    again: Sequence[StoredMessage]
    stays: Sequence[StoredMessage]
    topics: Mapping[str, Topic]


def taken_back(
    bare: Sequence[StoredMessage],
    lines: Sequence[StoredMessage],
    topics: Mapping[str, Topic],
    idle: timedelta,
) -> TakenBack:
    """`lines` are all that are at hand, the bare ones among them; `topics` those of the bare."""
    again = [message for message in bare if _is_open(topics.get(message.topic_id or ""))]
    ids = {message.message_id for message in again}
    stays = [message for message in bare if message.message_id not in ids]
    left = [message for message in lines if message.message_id not in ids]
    undone = dict(topics)
    for topic_id in {message.topic_id for message in again if message.topic_id} & topics.keys():
        own = [message for message in again if message.topic_id == topic_id]
        rest = [message for message in left if message.topic_id == topic_id]
        undone[topic_id] = fewer(topics[topic_id], own, rest, idle)
    return TakenBack(
        [replace(message, topic_id=None, continues=None) for message in again], stays, undone
    )


def _is_open(topic: Topic | None) -> bool:
    """Nothing was made of it yet. A line whose topic is gone is placed anew as well."""
    if topic is None:
        return True
    is_told = topic.summary_version > 0 or topic.summary_asked_count > 0
    return topic.is_active and not is_told


def with_taken_back(
    plan: AttributionPlan,
    taken: TakenBack,
    vectors: Mapping[str, Sequence[float]],
    model: str,
    roles: Mapping[str, str],
) -> AttributionPlan:
    """The plan of a run that placed lines anew: nothing is counted twice, a topic that lost all its
    lines goes, and the vectors of lines that stayed are added to their topics."""
    ids = {message.message_id for message in taken.again}
    stayed = {message.topic_id for message in taken.stays}
    changed = {
        key: topic for key, topic in taken.topics.items() if key not in {*stayed, *plan.gone}
    }
    changed |= plan.growth.changed
    late = _late(taken.stays, vectors)
    for topic_id, own in late.items():
        if topic_id not in plan.gone:
            changed[topic_id] = summed(changed.get(topic_id) or taken.topics[topic_id], own, model)
    emptied = {key for key, topic in changed.items() if topic.message_count <= 0}
    growth = replace(
        plan.growth,
        changed={key: topic for key, topic in changed.items() if key not in emptied},
        opened=plan.growth.opened - emptied,
        closed=plan.growth.closed - emptied,
        due={key: why for key, why in plan.growth.due.items() if key not in emptied},
        rounds=sum(
            ends_a_round(assignment, roles)
            for assignment in plan.assignments
            if assignment.message.message_id not in ids
        ),
    )
    return replace(
        plan,
        growth=growth,
        gone=plan.gone | (emptied & taken.topics.keys()),
        again=frozenset(ids),
        late_topics=frozenset(late) - plan.gone,
    )


def _late(
    stays: Sequence[StoredMessage], vectors: Mapping[str, Sequence[float]]
) -> dict[str, list[Sequence[float]]]:
    found: dict[str, list[Sequence[float]]] = {}
    for message in stays:
        if message.topic_id and message.message_id in vectors and not message.vector:
            found.setdefault(message.topic_id, []).append(vectors[message.message_id])
    return found
