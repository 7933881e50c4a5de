"""How the knowledge graph grows: new names join the entities they mean, relations join known ones.

Pure. Names are one entity if one is an alias of the other, or if they are spelt nearly alike;
entities of different types are never one. A member of the group is known by the user id.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.domain.ids import digest
from shared.domain.knowledge.graph import (
    ENTITY_TYPES,
    Entity,
    Relation,
    name_key,
    stands_in,
)
from shared.domain.messages.stored_message import StoredMessage

MAX_NAME = 100
"""A longer name is a sentence."""
MAX_ALIASES = 20
MAX_SOURCES = 200
"""The newest: an entity that everybody speaks of would outgrow its document."""
MAX_DESCRIPTION = 500
MAX_TYPE = 50
OTHER_RELATION = "related_to"
"""What the label says instead."""
LEAST_ALIKE = 4
"""Of a name in characters: shorter ones that differ at all are other names."""


@dataclass(frozen=True)
class ReadEntity:
    """As the model gave it."""

    name: str
    entity_type: str = "other"
    aliases: tuple[str, ...] = ()
    description: str = ""
    confidence: float = 0.8


@dataclass(frozen=True)
class ReadRelation:
    source: str
    target: str
    relation_type: str
    label: str = ""
    evidence: str = ""
    confidence: float = 0.8
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class GrowthRules:
    group_id: str
    same: float
    min_confidence: float
    now: datetime


@dataclass(frozen=True)
class GrownEntities:
    """`changed` are to be written; `by_name` finds every entity that a name of this talk means."""

    changed: tuple[Entity, ...]
    by_name: Mapping[str, Entity]
    refused: tuple[str, ...] = ()


def keys_of(read: Iterable[ReadEntity], names: Mapping[str, str]) -> list[str]:
    """By which entities that are known already can be looked up."""
    every = [name for entity in read for name in (entity.name, *entity.aliases)]
    return sorted({key for name in (*every, *names.values()) if (key := name_key(name))})


def grown_entities(
    read: Sequence[ReadEntity],
    said: Sequence[StoredMessage],
    names: Mapping[str, str],
    known: Sequence[Entity],
    rules: GrowthRules,
) -> GrownEntities:
    """`names` are the members that may be meant; `known` those with a name like one of these."""
    spoken = [message for message in said if message.role != "assistant"]
    entities = {entity.entity_id: entity for entity in known}
    changed: dict[str, Entity] = {}
    by_name: dict[str, Entity] = {}
    refused: list[str] = []
    for read_entity in read:
        name = read_entity.name.strip()
        sources = _naming(read_entity, spoken, names)
        if read_entity.confidence < rules.min_confidence:
            refused.append("an entity less certain than the least confidence")
        elif not name or len(name) > MAX_NAME or not name_key(name):
            refused.append("an entity without a usable name")
        elif not sources:
            refused.append("an entity that nobody named")
        else:
            found = _meant(read_entity, entities.values(), names, rules)
            grown = _grown(found, read_entity, sources, names, rules)
            entities[grown.entity_id] = changed[grown.entity_id] = grown
    for entity in entities.values():
        for alias in entity.names:
            by_name.setdefault(name_key(alias), entity)
    by_name |= {name_key(name): entity for entity in changed.values() for name in entity.names}
    return GrownEntities(tuple(changed.values()), by_name, tuple(refused))


def _naming(
    one: ReadEntity, spoken: Sequence[StoredMessage], names: Mapping[str, str]
) -> list[StoredMessage]:
    """The messages that name it, or whose writer or addressee it is."""
    member = _member(one, names)
    return [
        message
        for message in spoken
        if (member and member in (message.user_id, *(who.user_id for who in message.mentions)))
        or any(stands_in(name, message.content) for name in (one.name, *one.aliases))
    ]


def _member(one: ReadEntity, names: Mapping[str, str]) -> str:
    if _type(one) != "person":
        return ""
    keys = {name_key(name) for name in (one.name, *one.aliases)}
    meant = [user_id for user_id, name in names.items() if name_key(name) in keys]
    return meant[0] if len(meant) == 1 else ""


def _meant(
    one: ReadEntity, known: Iterable[Entity], names: Mapping[str, str], rules: GrowthRules
) -> Entity | None:
    """The entity of the same type that these names mean: by an exact name, else by the nearest."""
    member, kind = _member(one, names), _type(one)
    keys = {name_key(name) for name in (one.name, *one.aliases)}
    rivals = [
        other for other in known if other.entity_type == kind and other.user_id in ("", member)
    ]
    if member:
        own = [other for other in rivals if other.user_id == member]
        if own:
            return own[0]
    for other in rivals:
        if keys & {name_key(name) for name in other.names}:
            return other
    if kind == "person":
        return None  # 小明 and 小红 differ by one character
    scored = [
        (max(alike(key, name_key(name)) for key in keys for name in other.names), other)
        for other in rivals
    ]
    best = max(scored, key=lambda pair: (pair[0], pair[1].entity_id), default=None)
    return best[1] if best and best[0] >= rules.same else None


def alike(one: str, other: str) -> float:
    """How nearly two names are spelt alike, 0 to 1: the share of pairs of characters they have in
    common. Short names, and names with other digits, are alike only if they are the same."""
    if one == other:
        return 1.0
    if min(len(one), len(other)) < LEAST_ALIKE or _digits(one) != _digits(other):
        return 0.0
    left, right = _pairs(one), _pairs(other)
    return 2 * len(left & right) / (len(left) + len(right))


def _digits(text: str) -> str:
    return "".join(character for character in text if character.isdigit())


def _pairs(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1)}


def _grown(
    found: Entity | None,
    one: ReadEntity,
    sources: Sequence[StoredMessage],
    names: Mapping[str, str],
    rules: GrowthRules,
) -> Entity:
    ids = [message.message_id for message in sources]
    member, kind = _member(one, names), _type(one)
    if found is None:
        cause = f"user:{member}" if member else f"{kind}:{name_key(one.name)}"
        found = Entity(
            entity_id=digest("entity", rules.group_id, cause),
            group_id=rules.group_id,
            name=one.name.strip(),
            created_at=rules.now,
            updated_at=rules.now,
            entity_type=kind,
            confidence=one.confidence,
            mentions=0,
            user_id=member,
        )
    new = [each for each in ids if each not in found.sources]
    aliases = [
        each.strip() for each in (one.name, *one.aliases) if 0 < len(each.strip()) <= MAX_NAME
    ]
    own = {name_key(name) for name in found.names}
    fresh = {name_key(each): each for each in aliases if name_key(each) not in own}
    description = one.description.strip()[:MAX_DESCRIPTION]
    return replace(
        found,
        updated_at=rules.now,
        aliases=tuple([*found.aliases, *(fresh[key] for key in fresh if key)][:MAX_ALIASES]),
        description=description or found.description,
        confidence=max(found.confidence, one.confidence),
        mentions=found.mentions + len(new),
        sources=tuple([*found.sources, *new][-MAX_SOURCES:]),
        source_users=tuple(sorted({*found.source_users, *(each.user_id for each in sources)})),
    )


def _type(one: ReadEntity) -> str:
    return one.entity_type if one.entity_type in ENTITY_TYPES else "other"


def relation_id(
    group_id: str, source_id: str, relation_type: str, target_id: str, label: str = ""
) -> str:
    """Two are told apart by the label where the type says nothing."""
    kind = (
        f"{relation_type}:{name_key(label)}" if relation_type == OTHER_RELATION else relation_type
    )
    return digest("relation", group_id, source_id, kind, target_id)


@dataclass(frozen=True)
class NewRelations:
    """Between entities that are known; by the id under which each is kept."""

    by_id: Mapping[str, tuple[ReadRelation, Entity, Entity]]
    refused: tuple[str, ...] = ()


def settled_relations(
    read: Sequence[ReadRelation],
    said: Sequence[StoredMessage],
    entities: Mapping[str, Entity],
    rules: GrowthRules,
) -> NewRelations:
    """Those that join two known entities, are sure enough, and were said by people."""
    people = {message.message_id for message in said if message.role != "assistant"}
    found: dict[str, tuple[ReadRelation, Entity, Entity]] = {}
    refused: list[str] = []
    for relation in read:
        source, target = (
            entities.get(name_key(relation.source)),
            entities.get(name_key(relation.target)),
        )
        kind = "_".join(relation.relation_type.lower().split())[:MAX_TYPE]
        own = tuple(each for each in dict.fromkeys(relation.sources) if each in people)
        if relation.confidence < rules.min_confidence:
            refused.append("a relation less certain than the least confidence")
        elif source is None or target is None:
            refused.append("a relation of an unknown entity")
        elif source.entity_id == target.entity_id or not kind:
            refused.append("a relation of an entity to itself, or of no kind")
        elif not own:
            refused.append("a relation without a source")
        else:
            key = relation_id(
                rules.group_id, source.entity_id, kind, target.entity_id, relation.label
            )
            found[key] = (replace(relation, relation_type=kind, sources=own), source, target)
    return NewRelations(found, tuple(refused))


def grown_relations(
    new: NewRelations,
    known: Mapping[str, Relation],
    users: Mapping[str, str],
    rules: GrowthRules,
) -> list[Relation]:
    """Each as it is now: one that was known has more evidence. `users` wrote the messages."""
    grown = []
    for key, (read, source, target) in new.by_id.items():
        old = known.get(key) or Relation(
            relation_id=key,
            group_id=rules.group_id,
            source_id=source.entity_id,
            target_id=target.entity_id,
            relation_type=read.relation_type,
            created_at=rules.now,
            updated_at=rules.now,
            confidence=0.0,
        )
        fresh = [message_id for message_id in read.sources if message_id not in old.sources]
        writers = {users[message_id] for message_id in read.sources if message_id in users}
        grown.append(
            replace(
                old,
                updated_at=rules.now,
                label=read.label.strip()[:MAX_TYPE] or old.label,
                evidence=read.evidence.strip()[:MAX_DESCRIPTION] or old.evidence,
                confidence=max(old.confidence, read.confidence),
                sources=tuple([*old.sources, *fresh][-MAX_SOURCES:]),
                source_users=tuple(sorted({*old.source_users, *writers})),
            )
        )
    return grown
