"""How names become entities: which are one, which never are, and what joins them."""

from datetime import UTC, datetime
from typing import Any

from shared.domain.knowledge.graph import Entity
from shared.domain.knowledge.graph_growth import (
    GrownEntities,
    GrowthRules,
    ReadEntity,
    ReadRelation,
    alike,
    grown_entities,
    grown_relations,
    settled_relations,
)
from shared.domain.messages.stored_message import StoredMessage

NOW = datetime(2026, 5, 4, tzinfo=UTC)
RULES = GrowthRules("test:1", same=0.8, min_confidence=0.5, now=NOW)
NAMES = {"u1": "小满", "u2": "Ravi"}


def said(message_id: str, content: str, user: str = "u1", role: Any = "user") -> StoredMessage:
    return StoredMessage(
        group_id="test:1",
        message_id=message_id,
        user_id=user,
        user_name=NAMES.get(user, user),
        content=content,
        create_time=NOW,
        role=role,
    )


def grown(*read: ReadEntity, talk: str, known: tuple[Entity, ...] = ()) -> GrownEntities:
    return grown_entities(read, [said("m1", talk)], NAMES, known, RULES)


def test_an_alias_finds_the_entity_that_is_known() -> None:
    first = grown(
        ReadEntity("Blue Heron Café", "location", aliases=("the Heron",)),
        talk="meet at the Blue Heron Café",
    )
    (cafe,) = first.changed
    again = grown_entities(
        [ReadEntity("The heron", "location", description="open late")],
        [said("m2", "the heron is open late", "u2")],
        NAMES,
        [cafe],
        RULES,
    )

    (same,) = again.changed
    assert same.entity_id == cafe.entity_id
    assert (same.mentions, same.sources, same.source_users) == (2, ("m1", "m2"), ("u1", "u2"))
    assert same.description == "open late"


def test_a_slightly_other_spelling_is_one_and_another_type_never() -> None:
    (tram,) = grown(
        ReadEntity("Northwind Robotics", "organization"), talk="Northwind Robotics"
    ).changed
    misspelt = grown(
        ReadEntity("NorthWind Robotic", "organization"), talk="NorthWind Robotic", known=(tram,)
    )
    other = grown(
        ReadEntity("Northwind Robotics", "event"), talk="Northwind Robotics", known=(tram,)
    )

    assert misspelt.changed[0].entity_id == tram.entity_id
    assert "NorthWind Robotic" in misspelt.changed[0].aliases
    assert other.changed[0].entity_id != tram.entity_id


def test_people_are_one_only_by_name_and_members_by_their_id() -> None:
    (ming,) = grown(ReadEntity("欧阳小明同学", "person"), talk="欧阳小明同学来了").changed
    (hong,) = grown(
        ReadEntity("欧阳小红同学", "person"), talk="欧阳小红同学来了", known=(ming,)
    ).changed
    (member,) = grown(ReadEntity("小满", "person"), talk="我到了").changed

    assert ming.entity_id != hong.entity_id
    assert (member.user_id, member.sources) == ("u1", ("m1",))


def test_short_names_and_numbered_ones_are_not_alike() -> None:
    assert alike("bus12line", "bus13line") == 0
    assert alike("lyon", "lion") < 0.8
    assert alike("abc", "abd") == 0


def test_what_nobody_named_is_refused() -> None:
    found = grown(
        ReadEntity("Atlantis", "location"),
        ReadEntity("x" * 101),
        ReadEntity("tea", confidence=0.1),
        talk="tea",
    )
    bots = grown_entities(
        [ReadEntity("Lima", "location")], [said("m1", "Lima", role="assistant")], NAMES, (), RULES
    )

    assert (found.changed, len(found.refused)) == ((), 3)
    assert bots.changed == ()


def test_relations_join_known_entities_and_gather_evidence() -> None:
    talk = [said("m1", "我在蓝鲸书店上班"), said("m2", "蓝鲸书店", role="assistant")]
    entities = grown_entities(
        [ReadEntity("小满", "person"), ReadEntity("蓝鲸书店", "organization")],
        talk,
        NAMES,
        (),
        RULES,
    )
    read = [
        ReadRelation("小满", "蓝鲸书店", "Works At", "", "小满在蓝鲸书店上班", 0.7, ("m1",)),
        ReadRelation("小满", "火星", "lives_in", sources=("m1",)),
        ReadRelation("小满", "小满", "knows", sources=("m1",)),
        ReadRelation("小满", "蓝鲸书店", "owns", sources=("m2",)),
        ReadRelation("小满", "蓝鲸书店", "likes", confidence=0.1, sources=("m1",)),
    ]
    settled = settled_relations(read, talk, entities.by_name, RULES)
    (edge,) = grown_relations(settled, {}, {"m1": "u1"}, RULES)
    (more,) = grown_relations(settled, {edge.relation_id: edge}, {"m1": "u1"}, RULES)

    assert (edge.relation_type, edge.sources, edge.source_users) == ("works_at", ("m1",), ("u1",))
    assert len(settled.refused) == 4
    assert more == edge
