"""Events, profiles and the knowledge graph, without what is forgotten."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.domain.forgetting.forgotten import Forgotten, is_still_told, texts_of
from shared.domain.forgetting.remaining_records import (
    entity_left,
    profile_left,
    profile_without,
    relation_left,
)
from shared.forgetting.traces import Provenance
from shared.stores.derived import Changes, Derived
from shared.stores.entities import ENTITIES, put_entity
from shared.stores.events import EVENTS, put_event
from shared.stores.memories import MEMORIES
from shared.stores.profiles import PROFILES, SNAPSHOTS, put_profile
from shared.stores.relations import RELATIONS, put_relation
from shared.stores.vectors import vector_id

MOST_EVIDENCE = 500
"""Events and memories that may tell a fact of a profile: the newest."""


@dataclass(frozen=True)
class KnowledgeRemoval:
    derived: Derived
    provenance: Provenance
    now: Callable[[], datetime]

    async def events(self, group_id: str, forgotten: Forgotten) -> Changes:
        named = [
            *await self.provenance.named(group_id, "events", forgotten, "message_ids"),
            *await self.provenance.about(group_id, "events", "user_id", forgotten),
        ]
        changes = Changes()
        for snapshot in {snapshot.path: snapshot for snapshot in named}.values():
            event = EVENTS.read(snapshot)
            sources = await self.provenance.said(group_id, event.message_ids)
            evidence = forgotten.evidence(sources.values())
            texts = texts_of(evidence)
            is_theirs = event.user_id in forgotten.user_ids
            if is_theirs or not is_still_told(event.canonical_text, texts):
                changes.remove(
                    "events",
                    snapshot,
                    vector_id("event", event.event_id),
                    f"event:{event.event_id}",
                )
                continue
            left = replace(
                event,
                message_ids=tuple(message.message_id for message in evidence),
                source_users=tuple(
                    source_user
                    for source_user in event.source_users
                    if source_user not in forgotten.user_ids
                ),
                new_info=event.new_info if is_still_told(event.new_info, texts) else "",
            )
            changes.rewrite("events", snapshot, put_event(left))
        return changes

    async def graph(self, group_id: str, forgotten: Forgotten) -> Changes:
        entities = [
            *await self.provenance.named(group_id, "entities", forgotten, "sources"),
            *await self.provenance.about(group_id, "entities", "user_id", forgotten),
        ]
        relations = await self.provenance.named(group_id, "relations", forgotten, "sources")
        changes, gone = Changes(), list[str]()
        for snapshot in {snapshot.path: snapshot for snapshot in entities}.values():
            entity = ENTITIES.read(snapshot)
            sources = await self.provenance.said(group_id, entity.sources)
            left = entity_left(entity, forgotten, list(sources.values()))
            if left is None:
                gone.append(entity.entity_id)
                changes.remove("entities", snapshot, vector_id("entity", entity.entity_id))
            else:
                # Its vector is of all its names; upkeep and the next mention make another.
                changes.vectors.append(vector_id("entity", entity.entity_id))
                changes.rewrite("entities", snapshot, put_entity(left))
        relations += await self.derived.made_of(group_id, "relations", "ends", gone)
        for snapshot in {snapshot.path: snapshot for snapshot in relations}.values():
            relation = RELATIONS.read(snapshot)
            sources = await self.provenance.said(group_id, relation.sources)
            stays = relation_left(relation, forgotten, list(sources.values()))
            if stays is None or not set(relation.ends).isdisjoint(gone):
                changes.remove("relations", snapshot)
            else:
                changes.rewrite("relations", snapshot, put_relation(stays))
        return changes

    async def profiles(self, group_id: str, forgotten: Forgotten) -> Changes:
        named = await self.provenance.named(group_id, "profiles", forgotten, "sources")
        for user_id in forgotten.user_ids:
            named += await self.derived.where(group_id, "profiles", "profile_id", f"user:{user_id}")
        changes = Changes()
        for snapshot in {snapshot.path: snapshot for snapshot in named}.values():
            profile = PROFILES.read(snapshot)
            for below in await self.derived.below(snapshot, "snapshots"):
                old = SNAPSHOTS.read(below).profile
                is_of_them = profile.entity_id in forgotten.user_ids
                if is_of_them or forgotten.touches(old.sources, old.source_users):
                    changes.remove("snapshots", below)
            told = await self._told_of(group_id, profile.entity_id, profile.sources, forgotten)
            left = profile_left(profile, forgotten, told, self.now())
            changes.vectors.append(vector_id("profile", profile.profile_id))
            changes.offered.append(f"profile:{profile.profile_id}")
            if left is None:
                changes.remove("profiles", snapshot)
            else:
                changes.rewrite("profiles", snapshot, put_profile(left))
        return changes

    async def told_by_memories(self, group_id: str, forgotten: Forgotten) -> Changes:
        """Profiles without what a forgotten memory says. While its versions are there it is known
        what that is: this comes first."""
        changes = Changes()
        for root_id in forgotten.root_ids:
            found = await self.derived.where(group_id, "memories", "root_id", root_id)
            versions = [MEMORIES.read(snapshot) for snapshot in found]
            statements = list(dict.fromkeys(version.statement for version in versions))
            ids = {
                f"group:{group_id}",
                *(f"user:{version.subject}" for version in versions if version.subject),
            }
            for profile_id in sorted(ids) if statements else ():
                await self._unsaid(group_id, profile_id, statements, changes)
        return changes

    async def _unsaid(
        self, group_id: str, profile_id: str, statements: Sequence[str], changes: Changes
    ) -> None:
        for snapshot in await self.derived.where(group_id, "profiles", "profile_id", profile_id):
            profile = PROFILES.read(snapshot)
            for below in await self.derived.below(snapshot, "snapshots"):
                old = SNAPSHOTS.read(below).profile
                if profile_without(old, statements, self.now()) != old:
                    changes.remove("snapshots", below)
            left = profile_without(profile, statements, self.now())
            if left == profile:
                continue
            changes.vectors.append(vector_id("profile", profile_id))
            changes.offered.append(f"profile:{profile_id}")
            if left is None:
                changes.remove("profiles", snapshot)
            else:
                changes.rewrite("profiles", snapshot, put_profile(left))

    async def _told_of(
        self, group_id: str, entity_id: str, sources: Sequence[str], forgotten: Forgotten
    ) -> list[str]:
        """All that is left and may tell a fact of somebody: messages, events, memories."""
        said = await self.provenance.said(group_id, sources)
        events = await self.derived.made_of(group_id, "events", "source_users", [entity_id])
        if entity_id == group_id:
            events = await self.derived.page(group_id, "events")
        memories = await self.derived.where(group_id, "memories", "subject", entity_id)
        read = [EVENTS.read(event) for event in events[-MOST_EVIDENCE:]]
        return [
            *texts_of(forgotten.evidence(said.values())),
            *(text for event in read for text in (event.canonical_text, event.new_info) if text),
            *(MEMORIES.read(memory).statement for memory in memories[-MOST_EVIDENCE:]),
        ]
