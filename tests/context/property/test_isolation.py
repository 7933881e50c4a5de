"""Whatever the reads brought by mistake: of another group nothing is shown, and nothing private.

Ids, users and words are the same in every group; only the mark in each text tells them apart.
"""

from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.context.fitting import fit, offer_message
from shared.domain.context.rendering import names_of
from shared.domain.context.sections import (
    event_offers,
    graph_offers,
    relevant_memories,
    stable_offers,
    summary_offers,
)
from shared.domain.knowledge.event import Event
from shared.domain.knowledge.graph import Entity, Neighbourhood, Relation
from shared.domain.knowledge.profile import Profile
from shared.domain.memories.memory import Memory
from shared.domain.memories.ranking import ranked_memories
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.ranking.lines_at_hand import lines_at_hand
from shared.domain.topics.topic import Summary

AT = datetime(2026, 1, 1, 12, tzinfo=UTC)
HERE = "lark:here"
Messages = list[StoredMessage]
GROUPS = st.sampled_from([HERE, "lark:other", "lark:private", "onebot:here"])


def mark(group_id: str) -> str:
    return f"mark-of-{group_id}"


def message(group_id: str, number: int) -> StoredMessage:
    return StoredMessage(
        group_id=group_id,
        message_id=f"m{number}",
        user_id="u1",
        user_name="Ann",
        content=f"the plan {mark(group_id)}",
        create_time=AT - timedelta(minutes=number),
        terms=("plan",),
        topic_id="t1",
    )


def memory(group_id: str, number: int, core: bool) -> Memory:
    text = f"the plan {mark(group_id)}"
    return Memory(f"k{number}", group_id, text, 1, AT, AT, core=core)


def profile(group_id: str, kind: str) -> Profile:
    entity = "u1" if kind == "user" else group_id
    audience = "private" if group_id == "lark:private" else "group"
    return Profile(kind, entity, group_id, mark(group_id), AT, audience=audience)  # type: ignore[arg-type]


def event(group_id: str, number: int) -> tuple[Event, float]:
    text, local = f"the plan {mark(group_id)}", AT.isoformat()
    return Event(
        f"r{number}:1", group_id, text, f"r{number}", 1, AT, local, "UTC", "", "end", "u1", "u1",
        (), ("u1",), True,
    ), 1.0  # fmt: skip


def summary(group_id: str, number: int) -> tuple[Summary, float, str]:
    text = f"the plan {mark(group_id)}"
    return Summary(f"t{number}", group_id, 1, text, "model", AT, (), ("u1",)), 1.0, "why"


def entity(group_id: str, number: int) -> Entity:
    return Entity(f"n{number}", group_id, f"plan {mark(group_id)}", AT, AT)


def relation(group_id: str, number: int) -> Relation:
    return Relation(f"l{number}", group_id, "n1", "n2", mark(group_id), AT, AT)


EVENTS = st.lists(st.builds(event, GROUPS, st.integers(1, 9)), max_size=8)
SUMMARIES = st.lists(st.builds(summary, GROUPS, st.integers(1, 9)), max_size=8)
ENTITIES = st.lists(st.builds(entity, GROUPS, st.integers(1, 3)), max_size=8)
RELATIONS = st.lists(st.builds(relation, GROUPS, st.integers(1, 9)), max_size=8)
MESSAGES = st.lists(st.builds(message, GROUPS, st.integers(1, 9)), max_size=8)
MEMORIES = st.lists(st.builds(memory, GROUPS, st.integers(1, 9), st.booleans()), max_size=8)
PROFILES = st.lists(st.builds(profile, GROUPS, st.sampled_from(["user", "group"])), max_size=8)


@settings(deadline=None, max_examples=80)
@given(MESSAGES, MESSAGES, MESSAGES, MEMORIES, PROFILES, st.booleans(), st.integers(50, 3000))
def test_only_this_groups_records_and_nothing_private_is_ever_shown(
    some: list[StoredMessage],
    more: list[StoredMessage],
    near: list[StoredMessage],
    memories: list[Memory],
    profiles: list[Profile],
    shares: bool,
    budget: int,
) -> None:
    talk = lines_at_hand(HERE, [*some, *more, *near], model="usem3", anchors=None, until=AT)
    names = names_of(talk.messages.values())
    lines = [offer_message(line, names, 0.5, ("why",)) for line in talk.messages.values()]
    stable = stable_offers(HERE, profiles, memories, speaker_id="u1", shares_profiles=shares)
    dynamic = relevant_memories(
        HERE, ranked_memories(memories, "the plan", None, "usem3"), least=0.0, limit=9
    )
    context = fit(stable, dynamic, lines, names=names, max_tokens=budget)
    shown = f"{context.text} {context.messages}"

    assert mark("lark:private") not in shown
    assert mark("onebot:here") not in shown
    assert mark("lark:other") not in context.dynamic
    if not shares:
        assert mark("lark:other") not in shown


@given(PROFILES)
def test_where_profiles_are_shared_those_of_private_chats_and_other_platforms_are_not(
    profiles: list[Profile],
) -> None:
    offers = stable_offers(HERE, profiles, [], speaker_id="u1", shares_profiles=True)
    shown = " ".join(one.line for one in offers)
    of_user = {one.group_id for one in profiles if one.entity_type == "user"}

    assert mark("lark:private") not in shown
    assert mark("onebot:here") not in shown
    assert (mark("lark:other") in shown) == ("lark:other" in of_user)


@given(EVENTS, SUMMARIES, ENTITIES, ENTITIES, RELATIONS)
def test_no_event_summary_entity_or_relation_of_another_group_is_ever_shown(
    events: list[tuple[Event, float]],
    summaries: list[tuple[Summary, float, str]],
    named: list[Entity],
    others: list[Entity],
    relations: list[Relation],
) -> None:
    known = {one.entity_id: one for one in (*others, *named)}
    offers = [
        *event_offers(HERE, events),
        *summary_offers(HERE, summaries),
        *graph_offers(HERE, Neighbourhood(named, relations, known)),
    ]
    context = fit([], offers, [], names={}, max_tokens=9_000)
    shown = f"{context.text} {context.messages}"
    own = [one.group_id == HERE for one, _ in events]
    own += [one.group_id == HERE for one, *_ in summaries]

    assert shown.count("mark-of-") == shown.count(mark(HERE))
    assert any(own) <= (mark(HERE) in shown)


@given(MESSAGES, st.randoms(use_true_random=False))
def test_the_same_lines_are_prepared_alike_in_whatever_order_they_came(
    some: list[StoredMessage], dice: Random
) -> None:
    """An id stands for one text here."""
    lines = list({line.message_id: line for line in some if line.group_id == HERE}.values())
    mixed = dice.sample(lines, len(lines))
    first, second = (
        lines_at_hand(HERE, order, model="usem3", anchors=None, until=AT)
        for order in (lines, mixed)
    )

    assert first.lines.message_ids == second.lines.message_ids
    assert list(first.messages) == list(second.messages)


@given(PROFILES)
def test_in_private_what_was_learnt_there_is_shown(profiles: list[Profile]) -> None:
    offers = stable_offers("lark:private", profiles, [], speaker_id="u1", shares_profiles=False)
    own = any(one.group_id == "lark:private" for one in profiles)

    assert bool(offers) == own
