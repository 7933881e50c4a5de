"""Works what was learnt of somebody into their profile: merged by the model, the version before it
kept, stored, indexed."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from shared import log
from shared.config import settings_for
from shared.contracts.replies import MergedProfile
from shared.domain.group import with_profile_written
from shared.domain.jobs.kinds import MergeProfile, ProfileReport
from shared.domain.knowledge.profile import News, Preference, Profile, Trait
from shared.domain.knowledge.profile_merge import (
    Merge,
    MergeVerdict,
    expired_snapshots,
    judge,
    next_version,
    set_under,
)
from shared.domain.secrets import mask_secrets
from shared.errors import BadReply, Transient
from shared.jobs.worker import JobInHand
from shared.search.vector_writes import put_as_stored
from shared.stores.firestore import Write
from shared.stores.groups import Plan
from shared.stores.profiles import delete_snapshot, put_profile, put_snapshot
from shared.stores.vectors import Vector, VectorPlan, vector_id
from shared.wiring import Services

MERGES = 2
"""Calls of the model: the second is told which facts the first one dropped."""
EMBEDDING_S = 20.0
"""For the profile's vector: a call of its own, after the commit."""


@dataclass(frozen=True)
class ProfileWording:
    """The merge, who made it (the model or rules), and how many were held back before it."""

    merge: Merge
    merged_by: str
    held_back: int = 0


async def run(work: JobInHand, made: Services) -> ProfileReport:
    """One new version for one piece of news, however often the job runs."""
    asked = work.payload(MergeProfile)

    async def effects(report: ProfileReport) -> None:
        if report.version:
            await index_profile(work.job.group_id, asked.news, made)

    return await work.run(ProfileReport, lambda now: _merged(asked, now, made), effects)


async def index_profile(group_id: str, of: News | Profile, made: Services) -> None:
    """The vector of the version that is stored now. Safe to repeat."""

    async def put(profile: Profile | None) -> None:
        if profile is None:
            plan = VectorPlan(deletes=[vector_id("profile", of.profile_id)])
            await made.vectors.apply(group_id, plan)
            return
        values = await made.embedder.embed_one(
            profile.body, group_id=group_id, budget_s=EMBEDDING_S
        )
        if values is not None:
            at = profile.updated_at
            vector = Vector("profile", profile.profile_id, values, profile.version, at)
            await made.vectors.apply(group_id, VectorPlan([vector]))

    await put_as_stored(lambda: made.profiles.get(group_id, of.entity_type, of.entity_id), put)


async def overwriting(profile: Profile, old: Profile | None, made: Services) -> list[Write]:
    """The writes that replace a profile: its snapshot first, and old snapshots go."""
    if old is None:
        return [put_profile(profile)]
    kept = await made.profiles.snapshots(old.group_id, old.entity_type, old.entity_id)
    versions = {old.version, *(snapshot.version for snapshot in kept)}
    gone = expired_snapshots(sorted(versions), made.settings.profile_revision_keep)
    writes = [] if old.version in gone else [put_snapshot(old, made.now())]
    writes += [delete_snapshot(old, version) for version in gone if version != old.version]
    return [*writes, put_profile(profile)]


async def _merged(asked: MergeProfile, work: JobInHand, made: Services) -> ProfileReport:
    news, group_id = asked.news, work.job.group_id
    group = await made.groups.get(group_id)
    is_out = news.entity_type == "user" and news.entity_id in group.opted_out
    if is_out or not news.new_info or not settings_for(group, made.settings).enable_cognitive:
        report = ProfileReport(news.profile_id, 0, "")
        await work.commit(Plan(group_id, group.epoch, [], report=report))
        return report
    old = await made.profiles.get(group_id, news.entity_type, news.entity_id)
    masked = [mask_secrets(info) for info in news.new_info]
    news = replace(news, new_info=tuple(info for info, _ in masked))
    worded = await _worded(old, news, work, made)
    profile = next_version(
        old,
        worded.merge,
        news,
        group_id=group_id,
        audience=group.audience,
        merged_by=worded.merged_by,
        now=made.now(),
    )
    writes = await overwriting(profile, old, made)
    report = ProfileReport(
        news.profile_id,
        profile.version,
        worded.merged_by,
        worded.held_back,
        masked=sum(bool(kinds) for _, kinds in masked),
    )
    plan = Plan(group_id, group.epoch, writes, change=with_profile_written, report=report)
    await work.commit(plan)
    return report


async def _worded(
    old: Profile | None, news: News, work: JobInHand, made: Services
) -> ProfileWording:
    """The model's merge if it can be used; else what was known with the news set under it. No
    answer at all leaves the job waiting."""
    group_id = work.job.group_id
    verdict = MergeVerdict()
    began = made.now()
    for held_back in range(MERGES):
        left = work.model_budget_s - (made.now() - began).total_seconds()
        try:
            answer = await made.model.ask(
                "profile_merge",
                MergedProfile,
                question(old, news, verdict),
                group_id=group_id,
                budget_s=max(left, 1.0),
            )
        except BadReply:
            continue
        except Transient as error:
            raise work.unanswered(error, made.now()) from error
        merge = merge_of(answer.reply)
        verdict = judge(old, merge, news, made.settings.profile_max_loss)
        if verdict.is_kept:
            return ProfileWording(merge, "model", held_back)
        log.warning(
            "profile_merge_held_back",
            group_id=group_id,
            lost=len(verdict.lost),
            is_too_long=verdict.is_too_long,
        )
    return ProfileWording(set_under(old, news), "rules", MERGES)


def question(old: Profile | None, news: News, last: MergeVerdict) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "entity": {"type": news.entity_type, "id": news.entity_id, "name": news.name},
        "profile": {},
        "new_info": list(news.new_info),
    }
    if old is not None:
        asked["profile"] = {
            "name": old.name,
            "tags": list(old.tags),
            "preferences": [asdict(preference) for preference in old.preferences],
            "traits": [asdict(trait) for trait in old.traits],
            "body": old.body,
        }
    if last.lost:
        asked["dropped"] = list(last.lost)
    if last.is_too_long:
        asked["too_long"] = True
    return asked


def merge_of(reply: MergedProfile) -> Merge:
    return Merge(
        body=reply.body,
        name=reply.name or "",
        tags=tuple(reply.tags),
        preferences=tuple(
            Preference(given.key, given.value, given.confidence) for given in reply.preferences
        ),
        traits=tuple(Trait(given.name, given.confidence) for given in reply.traits),
    )
