"""Which profiles a group may see, and several groups' profiles of one person read as one. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from shared.domain.audience import may_leave
from shared.domain.knowledge.profile import Preference, Profile, Trait
from shared.domain.knowledge.profile_merge import facts_of


def may_be_shown(profile: Profile, group_id: str, *, shares: bool) -> bool:
    """Whether a group may see it: its own always; another's only if profiles are shared, both are
    of one platform, and it is known that it was not learnt in private."""
    if profile.group_id == group_id:
        return True
    same_platform = profile.group_id.partition(":")[0] == group_id.partition(":")[0]
    return shares and same_platform and may_leave(profile.audience)


def read_as_one(profiles: Sequence[Profile], group_id: str) -> Profile:
    """One profile of what several groups know of a user, this group's first. Nothing is stored:
    each group keeps its own, and a fact that two know stands once."""
    ordered = sorted(profiles, key=lambda profile: (profile.group_id != group_id, profile.group_id))
    first, others = ordered[0], ordered[1:]
    if not others:
        return first
    known = {fact.casefold() for fact in facts_of(first.body)}
    body = first.body.strip()
    for other in others:
        news = [fact for fact in facts_of(other.body) if fact.casefold() not in known]
        known |= {fact.casefold() for fact in news}
        body = "\n".join([body, *(f"- {fact}" for fact in news)]).strip()
    return replace(
        first,
        body=body,
        group_id=group_id,
        tags=tuple(dict.fromkeys(tag for profile in ordered for tag in profile.tags)),
        preferences=_surest_preferences(
            preference for profile in ordered for preference in profile.preferences
        ),
        traits=_surest_traits(trait for profile in ordered for trait in profile.traits),
        updated_at=max(profile.updated_at for profile in ordered),
    )


def _surest_preferences(found: Iterable[Preference]) -> tuple[Preference, ...]:
    by_confidence = sorted(found, key=lambda preference: -preference.confidence)
    kept: dict[tuple[str, str], Preference] = {}
    for preference in by_confidence:
        kept.setdefault((preference.key, preference.value), preference)
    return tuple(kept.values())


def _surest_traits(found: Iterable[Trait]) -> tuple[Trait, ...]:
    kept: dict[str, Trait] = {}
    for trait in sorted(found, key=lambda trait: -trait.confidence):
        kept.setdefault(trait.name, trait)
    return tuple(kept.values())
