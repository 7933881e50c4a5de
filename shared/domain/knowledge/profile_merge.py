"""What becomes of a profile when something new is learnt: the model's wording if it keeps what was
known, else the old one with the news set under it. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.domain.audience import KnownAudience
from shared.domain.knowledge.profile import News, Preference, Profile, Trait, markdown_of
from shared.language import sentences_of, terms

MAX_PROFILE_BYTES = 64 * 1024
MAX_SOURCES = 1000
"""The newest messages behind one profile that are listed: a document has a largest size."""
MAX_TAGS = 16
MAX_LISTED = 100
"""Preferences, and traits, of one profile: all of them are in the prompt of each merge."""
MAX_NAME = 200
SAME_FACT = 0.6
"""A fact is kept if this share of its words stands in one line: models reword what they keep."""
_HAN = re.compile("[\u3400-\u9fff]")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")


@dataclass(frozen=True)
class Merge:
    """The new content of a profile, by the model or by rules."""

    body: str
    name: str = ""
    tags: tuple[str, ...] = ()
    preferences: tuple[Preference, ...] = ()
    traits: tuple[Trait, ...] = ()


@dataclass(frozen=True)
class MergeVerdict:
    """Why a merge is held back: facts that it drops beyond what is allowed, or its size."""

    lost: tuple[str, ...] = ()
    is_too_long: bool = False

    @property
    def is_kept(self) -> bool:
        return not self.lost and not self.is_too_long


def judge(old: Profile | None, merge: Merge, news: News, max_loss: float) -> MergeVerdict:
    """A sentence of the news may take the place of one fact; beyond that at most `max_loss` of the
    old facts may go."""
    too_long = len(merge.body.encode()) > MAX_PROFILE_BYTES
    if old is None:
        return MergeVerdict(is_too_long=too_long)
    also = [
        *(trait.name for trait in merge.traits),
        *(f"{preference.value}" for preference in merge.preferences),
    ]
    lost = lost_facts(old.body, merge.body, also, old.name)
    said = sum(len(sentences_of(info)) for info in news.new_info)
    allowed = max(said, int(max_loss * len(facts_of(old.body))))
    return MergeVerdict(tuple(lost) if len(lost) > allowed else (), too_long)


def set_under(old: Profile | None, news: News) -> Merge:
    """The fallback: the old profile with the news added below, nothing replaced."""
    body = old.body.strip() if old else ""
    body = body or f"# {news.name or news.entity_id}\n"
    known = set(facts_of(body))
    said = [sentence.rstrip("。. ") for info in news.new_info for sentence in sentences_of(info)]
    fresh = [f"- {sentence}" for sentence in dict.fromkeys(said) if sentence not in known]
    return Merge(
        body="\n".join([body, *fresh]),
        name=old.name if old else news.name,
        tags=old.tags if old else (),
        preferences=old.preferences if old else (),
        traits=old.traits if old else (),
    )


def next_version(
    old: Profile | None,
    merge: Merge,
    news: News,
    *,
    group_id: str,
    audience: KnownAudience,
    merged_by: str,
    now: datetime,
) -> Profile:
    """The profile after a merge; it is never longer than its bound."""
    profile = Profile(
        entity_type=news.entity_type,
        entity_id=news.entity_id,
        group_id=group_id,
        body=merge.body.strip(),
        updated_at=now,
        audience=audience,
        name=(merge.name or news.name or (old.name if old else ""))[:MAX_NAME],
        tags=tuple(dict.fromkeys(merge.tags))[:MAX_TAGS],
        version=old.version + 1 if old else 1,
        source_event_id=news.source_event_id or (old.source_event_id if old else ""),
        sources=_joined(old.sources if old else (), news.sources)[-MAX_SOURCES:],
        source_users=_joined(old.source_users if old else (), news.source_users),
        preferences=merge.preferences[-MAX_LISTED:],
        traits=merge.traits[-MAX_LISTED:],
        merged_by=merged_by,
    )
    return _bounded(profile)


def rolled_back(current: Profile, to: Profile) -> Profile:
    """The same bytes as `to` had, as a version of its own: a version's number is never reused."""
    return replace(to, version=current.version + 1)


def expired_snapshots(versions: Sequence[int], keep: int) -> list[int]:
    """Those that go when `keep` are kept, the newest."""
    newest_first = sorted(versions, reverse=True)
    return newest_first[keep:]


def _bounded(profile: Profile) -> Profile:
    """The oldest lines go first, headings stay; at last the end is cut off."""
    lines = profile.body.split("\n")
    over = len(markdown_of(profile).encode()) - MAX_PROFILE_BYTES
    kept: list[str] = []
    for line in lines:
        if over > 0 and line.strip() and not line.startswith("#"):
            over -= len(line.encode()) + 1
        else:
            kept.append(line)
    if over > 0:
        return replace(profile, body="", tags=(), preferences=(), traits=())
    return profile if len(kept) == len(lines) else replace(profile, body="\n".join(kept).strip())


def _joined(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    """What is said again counts as new: the oldest come first."""
    return (*(source for source in old if source not in new), *dict.fromkeys(new))


def facts_of(body: str) -> list[str]:
    """One a line, without its bullet. Headings tell nothing of anybody."""
    lines = [_BULLET.sub("", line).strip() for line in body.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def lost_facts(old: str, new: str, also: Iterable[str] = (), name: str = "") -> list[str]:
    """The facts of the old body that the new one has no longer, in any words; `also` are places
    besides the body where a fact may have gone. `name` is in every fact and tells none apart."""
    everywhere = _signs(name)
    places = [_signs(place) for place in (*facts_of(new), *also)]
    lost: list[str] = []
    for fact in facts_of(old):
        signs = _signs(fact) - everywhere
        if signs and not any(len(signs & place) >= SAME_FACT * len(signs) for place in places):
            lost.append(fact)
    return lost


def _signs(text: str) -> set[str]:
    """Words by their stems, Chinese by its characters: 住在青岛 and 在青岛住 say the same."""
    han = set(_HAN.findall(text))
    return han | {term for term in terms(text) if not _HAN.search(term)}
