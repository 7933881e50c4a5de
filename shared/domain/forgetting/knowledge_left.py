"""Profiles, entities and relations without what is forgotten. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from shared.domain.forgetting.forgotten import Forgotten, is_still_told, is_told_in_one, texts_of
from shared.domain.knowledge.graph import Entity, Relation, stands_in
from shared.domain.knowledge.profile import Profile
from shared.domain.knowledge.profile_merge import facts_of
from shared.domain.messages.stored_message import StoredMessage


def profile_left(
    profile: Profile, forgotten: Forgotten, left: Sequence[str], now: datetime
) -> Profile | None:
    """The profile with the facts that what is `left` still tells: messages, events and memories,
    each a text. None if there are none, or if it is of a forgotten member."""
    if profile.entity_type == "user" and profile.entity_id in forgotten.user_ids:
        return None
    lines = [
        line
        for line in profile.body.splitlines()
        if not (facts := facts_of(line)) or all(is_told_in_one(one, left) for one in facts)
    ]
    preferences = tuple(
        one for one in profile.preferences if is_told_in_one(f"{one.key} {one.value}", left)
    )
    traits = tuple(one for one in profile.traits if is_told_in_one(one.name, left))
    body = "\n".join(lines).strip()
    if not facts_of(body) and not preferences and not traits:
        return None
    return replace(
        profile,
        body=body,
        version=profile.version + 1,
        updated_at=now,
        tags=tuple(one for one in profile.tags if is_told_in_one(one, left)),
        preferences=preferences,
        traits=traits,
        sources=forgotten.left_of(profile.sources),
        source_users=tuple(one for one in profile.source_users if one not in forgotten.user_ids),
        merged_by="rules",
    )


def profile_without(profile: Profile, statements: Sequence[str], now: datetime) -> Profile | None:
    """The profile without the facts that one of the statements tells; None if nothing is left."""

    def stays(text: str) -> bool:
        return not is_told_in_one(text, statements)

    lines = [line for line in profile.body.splitlines() if all(map(stays, facts_of(line)))]
    body = "\n".join(lines).strip()
    preferences = tuple(one for one in profile.preferences if stays(f"{one.key} {one.value}"))
    traits = tuple(one for one in profile.traits if stays(one.name))
    left = replace(profile, body=body, preferences=preferences, traits=traits)
    if left == replace(profile, body=profile.body.strip()):
        return profile
    if not facts_of(body) and not preferences and not traits:
        return None
    return replace(left, version=profile.version + 1, updated_at=now, merged_by="rules")


def entity_left(
    entity: Entity, forgotten: Forgotten, sources: Sequence[StoredMessage]
) -> Entity | None:
    """Named by what is left, or gone; what is said of it must be told there too."""
    if entity.user_id and entity.user_id in forgotten.user_ids:
        return None
    evidence = forgotten.evidence(sources)
    texts = texts_of(evidence)
    names = [one for one in entity.names if any(stands_in(one, text) for text in texts)]
    if not names:
        return None
    return replace(
        entity,
        name=names[0],
        aliases=tuple(names[1:]),
        description=entity.description if is_still_told(entity.description, texts) else "",
        metadata={},
        mentions=max(1, len(evidence)),
        sources=tuple(one.message_id for one in evidence),
        source_users=tuple(sorted({one.user_id for one in evidence})),
    )


def relation_left(
    relation: Relation, forgotten: Forgotten, sources: Sequence[StoredMessage]
) -> Relation | None:
    """Only if what is left tells it."""
    evidence = forgotten.evidence(sources)
    if not evidence or not is_still_told(relation.evidence, texts_of(evidence)):
        return None
    return replace(
        relation,
        metadata={},
        sources=tuple(one.message_id for one in evidence),
        source_users=tuple(sorted({one.user_id for one in evidence})),
    )
