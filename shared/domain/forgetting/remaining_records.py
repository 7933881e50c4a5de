"""Topics, memories, profiles and the graph without what is forgotten: told again by what is left.
Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.domain.attribution.topic_updates import MAX_KEYWORDS, opening_title
from shared.domain.forgetting.forgotten import Forgotten, is_still_told, is_told_in_one, texts_of
from shared.domain.knowledge.graph import Entity, Relation, stands_in
from shared.domain.knowledge.profile import Profile
from shared.domain.knowledge.profile_merge import facts_of
from shared.domain.memories.conflict import ConflictStatus, MemoryConflict
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import pack, total, unpack_half
from shared.domain.topics.keywords import keywords_of
from shared.domain.topics.ranking import search_terms
from shared.domain.topics.topic import MAX_TOPIC_USERS, Summary, Topic
from shared.language import estimate_tokens

LINES_FOR_KEYWORDS = 400
"""The newest: as many as one run of a summary reads."""


@dataclass(frozen=True)
class LinesLeft:
    """What stays of a topic: the newest lines, the oldest of them first; of those before them only
    how many they are, what they cost and who said them, the oldest first."""

    newest: Sequence[StoredMessage] = ()
    older: int = 0
    older_tokens: int = 0
    older_users: Sequence[str] = ()

    def before(self, page: Sequence[StoredMessage], at_hand: int) -> "LinesLeft":
        """With a page of lines before these, the oldest first."""
        cut = max(0, len(page) - max(0, at_hand - len(self.newest)))
        counted, kept = page[:cut], page[cut:]
        users = [message.user_id for message in counted]
        return LinesLeft(
            [*kept, *self.newest],
            self.older + len(counted),
            self.older_tokens + sum(estimate_tokens(message.content) for message in counted),
            tuple(dict.fromkeys([*users, *self.older_users])),
        )


def topic_left(
    topic: Topic, left: LinesLeft, shown: Summary | None, model: str, now: datetime
) -> Topic | None:
    """`shown` is the summary that stays. None without lines. Its title may quote anybody: it is
    the first line that is left until a model gives another."""
    lines = left.newest
    if not lines:
        return None
    count = left.older + len(lines)
    users = tuple(dict.fromkeys([*left.older_users, *(line.user_id for line in lines)]))
    words = keywords_of([line.content for line in lines[-LINES_FOR_KEYWORDS:]], limit=MAX_KEYWORDS)
    title = opening_title(lines)
    vectors = [
        unpack_half(line.vector) for line in lines if line.vector and line.vector_model == model
    ]
    last = lines[-1]
    return replace(
        topic,
        title=title,
        description="",
        is_titled=False,
        title_tries=0,
        creator_id=users[0],
        keywords=words,
        vector_sum=pack(total(vectors)) if vectors else b"",
        vector_count=len(vectors),
        embedding_model=model if vectors else "",
        message_count=count,
        token_count=left.older_tokens + sum(estimate_tokens(line.content) for line in lines),
        user_ids=users[:MAX_TOPIC_USERS],
        last_message_at=last.create_time,
        last_message_id=last.message_id,
        summarized_count=min(topic.summarized_count, count) if shown else 0,
        summary_asked_count=min(topic.summary_asked_count, count),
        summary_asked_tokens=0,
        summary_due_at=topic.summary_due_at or (now if topic.summary_version else None),
        search_terms=search_terms(title, tuple(words), shown.content if shown else "")
        if topic.summary_version
        else (),
    )


def summaries_gone(versions: Sequence[Summary], forgotten: Forgotten) -> list[Summary]:
    """From the first that tells of something forgotten on: each tells what those before it do."""
    oldest_first = sorted(versions, key=lambda one: one.version)
    for place, summary in enumerate(oldest_first):
        if forgotten.touches(summary.message_ids, summary.source_users):
            return oldest_first[place:]
    return []


@dataclass(frozen=True)
class MemoryLeft:
    """`kept` are versions as they are to be stored, `gone` the ids of the others."""

    kept: tuple[Memory, ...]
    gone: tuple[str, ...]


def memory_left(
    versions: Sequence[Memory], forgotten: Forgotten, sources: Mapping[str, StoredMessage]
) -> MemoryLeft:
    """`versions` are all of one memory, the oldest first; `sources` the messages they name.

    A version says what those before it said: from the first that rests on something forgotten on,
    each must be told by what is left. What is about a forgotten member goes as a whole, and so does
    a memory that is forgotten itself.
    """
    is_meant = any(
        (memory.root_id or memory.memory_id) in forgotten.root_ids for memory in versions
    )
    if is_meant or any(
        memory.subject in forgotten.user_ids for memory in versions if memory.subject
    ):
        return MemoryLeft((), tuple(memory.memory_id for memory in versions))
    named = dict.fromkeys(each for memory in versions for each in memory.sources)
    evidence = forgotten.evidence(
        sources[message_id] for message_id in named if message_id in sources
    )
    texts, left = texts_of(evidence), {message.message_id: message.user_id for message in evidence}
    kept: list[Memory] = []
    is_tainted = False
    for version in versions:
        is_tainted = is_tainted or forgotten.touches(version.sources, version.source_users)
        if is_tainted and not is_still_told(version.statement, texts):
            continue
        own = tuple(each for each in version.sources if each in left)
        users = tuple(user for user in version.source_users if user not in forgotten.user_ids)
        kept.append(
            replace(
                version,
                sources=own,
                source_users=tuple(user for user in users if user in set(left.values())),
                # A reason is the model's own words about what was said.
                change_summary="" if is_tainted else version.change_summary,
            )
            if is_tainted
            else version
        )
    if not kept or not any(memory.memory_id == versions[-1].memory_id for memory in kept):
        kept = [] if not kept else _headed(kept, versions[-1])
    ids = {memory.memory_id for memory in kept}
    return MemoryLeft(
        _linked(kept), tuple(memory.memory_id for memory in versions if memory.memory_id not in ids)
    )


def _headed(kept: list[Memory], head: Memory) -> list[Memory]:
    """The last version that stays takes the place of the one that goes, if that was in force."""
    if head.status not in (MemoryStatus.ACTIVE, MemoryStatus.CANDIDATE):
        return kept
    last = replace(kept[-1], status=head.status, superseded_by=None, ended_at=None)
    return [*kept[:-1], last]


def _linked(kept: Sequence[Memory]) -> tuple[Memory, ...]:
    """Parents and successors among those that stay; the first of them stands for all. What was said
    against them quotes others, and goes."""
    linked: list[Memory] = []
    for place, memory in enumerate(kept):
        before = kept[place - 1].memory_id if place else None
        after = kept[place + 1].memory_id if place + 1 < len(kept) else None
        linked.append(replace(memory, parent_id=before, superseded_by=after, conflict=""))
    return tuple(linked)


def conflict_left(
    conflict: MemoryConflict, forgotten: Forgotten, memory_stays: bool
) -> MemoryConflict | None:
    """Without the forgotten claims; None where none is left, or the memory is gone."""
    claims = [
        claim
        for claim in conflict.claims
        if not forgotten.touches(claim.sources, claim.source_users)
    ]
    if not memory_stays or not claims or conflict.subject in forgotten.user_ids:
        return None
    # What somebody wrote when it was settled may repeat what was claimed.
    outcome = "" if conflict.status is ConflictStatus.OPEN else "settled"
    return replace(
        conflict,
        claims=tuple(claims),
        outcome=outcome,
        sources=tuple(dict.fromkeys(each for claim in claims for each in claim.sources)),
        source_users=tuple(sorted({each for claim in claims for each in claim.source_users})),
    )


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
        if not (facts := facts_of(line)) or all(is_told_in_one(fact, left) for fact in facts)
    ]
    preferences = tuple(
        preference
        for preference in profile.preferences
        if is_told_in_one(f"{preference.key} {preference.value}", left)
    )
    traits = tuple(trait for trait in profile.traits if is_told_in_one(trait.name, left))
    body = "\n".join(lines).strip()
    if not facts_of(body) and not preferences and not traits:
        return None
    return replace(
        profile,
        body=body,
        version=profile.version + 1,
        updated_at=now,
        tags=tuple(tag for tag in profile.tags if is_told_in_one(tag, left)),
        preferences=preferences,
        traits=traits,
        sources=forgotten.left_of(profile.sources),
        source_users=tuple(
            source_user
            for source_user in profile.source_users
            if source_user not in forgotten.user_ids
        ),
        merged_by="rules",
    )


def profile_without(profile: Profile, statements: Sequence[str], now: datetime) -> Profile | None:
    """The profile without the facts that one of the statements tells; None if nothing is left."""

    def stays(text: str) -> bool:
        return not is_told_in_one(text, statements)

    lines = [line for line in profile.body.splitlines() if all(map(stays, facts_of(line)))]
    body = "\n".join(lines).strip()
    preferences = tuple(
        preference
        for preference in profile.preferences
        if stays(f"{preference.key} {preference.value}")
    )
    traits = tuple(trait for trait in profile.traits if stays(trait.name))
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
    names = [name for name in entity.names if any(stands_in(name, text) for text in texts)]
    if not names:
        return None
    return replace(
        entity,
        name=names[0],
        aliases=tuple(names[1:]),
        description=entity.description if is_still_told(entity.description, texts) else "",
        metadata={},
        mentions=max(1, len(evidence)),
        sources=tuple(message.message_id for message in evidence),
        source_users=tuple(sorted({message.user_id for message in evidence})),
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
        sources=tuple(message.message_id for message in evidence),
        source_users=tuple(sorted({message.user_id for message in evidence})),
    )
