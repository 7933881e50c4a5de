"""Evolution: old memories and new discussion become new versions. Pure: lines in, plan out."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from shared.domain.memories.backing import (
    NOBODY_KNOWN,
    Standing,
    Voices,
    bare_words,
    is_backed,
    why_not,
)
from shared.domain.memories.guessed_kind import guessed_kind
from shared.domain.memories.held_back import HeldBack
from shared.domain.memories.memory import KINDS, MAX_STATEMENT, Change, Memory, MemoryStatus
from shared.domain.memories.orders_to_the_bot import is_for_hand_only
from shared.domain.memories.source_check import judged
from shared.domain.memories.support import supported_last
from shared.domain.memories.upkeep import TOO_MANY, weakest_beyond
from shared.domain.memories.verdict import NONE_JUDGED, Judged, Verdict
from shared.domain.memories.versions import Step, archived, created, deleted, updated
from shared.domain.messages.stored_message import StoredMessage
from shared.language import Language, guess_language

MIN_FOR_DELETE_CAP = 4
"""Of fewer memories a run may delete all: half of three would keep what is plainly over."""
SUPPORT_STEP = 0.1
"""What one more support adds to a memory's strength: three make a new one core."""
NEW_STRENGTH = 0.5
"""A new memory is as far from being archived as from being core."""

IsSame = Callable[[str, Memory], bool]
"""Whether a new statement says what a memory already says, by meaning."""


@dataclass(frozen=True)
class ModelLine:
    """One line of the model's answer, parsed."""

    action: str
    old_id: str | None = None
    statement: str = ""
    reason: str = ""
    kind: str = ""
    subject: str = ""
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    confidence: float = 0.8
    expires_at: datetime | None = None


@dataclass(frozen=True)
class Source:
    """Which person said what, and when. The bot is no source: it cannot vouch for anybody."""

    user_id: str
    at: datetime
    text: str = ""
    user_name: str = ""


@dataclass(frozen=True)
class EvolutionRules:
    """What a group allows. `holds_back` keeps what nobody else bears out as a candidate; from
    `core_threshold` on a memory is core."""

    max_active: int = 30
    holds_back: bool = True
    core_threshold: float = 0.8


def bot_names(messages: Iterable[StoredMessage]) -> frozenset[str]:
    """What the group's bots are called, by their own lines and by whoever mentions them."""
    said = list(messages)
    bots = {one.user_id for one in said if one.role == "assistant"}
    own = {one.user_name for one in said if one.role == "assistant"}
    mentioned = {each.name for one in said for each in one.mentions if each.user_id in bots}
    return frozenset(name for name in own | mentioned if name)


@dataclass(frozen=True)
class Speakers:
    """Who said what, when: the messages that lines may rest on, what is known of those who speak,
    since when there is a group, and what its bots are called."""

    sources: Mapping[str, Source]
    standings: Mapping[str, Standing] = field(default_factory=lambda: NOBODY_KNOWN)
    group_since: datetime | None = None
    bots: frozenset[str] = frozenset()

    def sources_of(self, line: ModelLine) -> tuple[str, ...]:
        """The line's sources that are messages of people."""
        return tuple(one for one in dict.fromkeys(line.sources) if one in self.sources)

    def fresh(self, line: ModelLine, old: Memory | None) -> tuple[str, ...]:
        """Of these, the ones that the memory does not rest on already."""
        return tuple(one for one in self.sources_of(line) if old is None or one not in old.sources)

    def verdict(self, line: ModelLine, old: Memory | None) -> str:
        """Whether the line's sources say it; what was said before need not be said again."""
        own = [self.sources[one] for one in self.sources_of(line)]
        names = [name for one in own for name in (one.user_name, one.user_id)]
        before = [old.statement] if old and old.verdict != Verdict.NOT_SAID else []
        texts = [one.text for one in own if one.text]
        return judged(line.statement, texts, [*names, *before]) if texts else ""

    def behind(self, line: ModelLine, old: Memory | None, now: datetime) -> Voices:
        """Those who say it now, and those who said it before."""
        said = Counter(self.sources[one].user_id for one in self.fresh(line, old))
        said.update(old.source_users if old else ())
        return Voices(said, now, self.standings, self.group_since)


@dataclass(frozen=True)
class EvolutionPlan:
    """`new` are documents to create; `changed` the ones they leave behind, and the archived.
    `created` are active; the `candidates` of this run are counted apart."""

    new: tuple[Memory, ...]
    changed: tuple[Memory, ...]
    changes: tuple[Change, ...]
    kept: int
    updated: int = 0
    created: int = 0
    deleted: int = 0
    candidates: int = 0
    warnings: tuple[str, ...] = ()
    judged: Judged = NONE_JUDGED

    @classmethod
    def unchanged(cls, memories: Sequence[Memory]) -> "EvolutionPlan":
        """Nothing was said and nothing has to be looked at."""
        return cls((), (), (), kept=sum(one.status is MemoryStatus.ACTIVE for one in memories))


class _Run:
    """The lines' effects so far: each line sees what the earlier ones left."""

    def __init__(self, memories: Sequence[Memory], is_same: IsSame) -> None:
        self.known = {memory.memory_id: memory for memory in memories}
        self.is_same = is_same
        self.touched: set[str] = set()
        self.steps: list[Step] = []
        self.warnings: list[str] = []

    def count(self, action: str) -> int:
        return sum(step.change.action == action for step in self.steps)

    def same_as(self, line: ModelLine) -> Memory | None:
        """Another memory that already says this: by its words, or by its meaning."""
        wanted = bare_words(line.statement)
        others = [one for one in self.known.values() if one.memory_id != line.old_id]
        for memory in others:
            if bare_words(memory.statement) == wanted:
                return memory
        subject = line.subject
        for memory in others:
            if memory.subject == subject and self.is_same(line.statement, memory):
                return memory
        return None

    def take(self, step: Step) -> None:
        self.steps.append(step)
        self.touched.add(step.new.memory_id)
        if step.old:
            self.touched.add(step.old.memory_id)
            self.known.pop(step.old.memory_id, None)
        if step.change.action != "delete":
            self.known[step.new.memory_id] = step.new


def decide_evolution(
    memories: Sequence[Memory],
    lines: Sequence[ModelLine],
    *,
    group_id: str,
    run_id: str,
    now: datetime,
    speakers: Speakers,
    rules: EvolutionRules,
    is_same: IsSame,
) -> EvolutionPlan:
    """What the lines mean for the memories, active ones and candidates.

    What a line cannot change: an unknown memory, a memory another line already changed. A memory
    that no line mentions is kept. From four memories on, at most half may be deleted.
    """
    active = [memory for memory in memories if memory.status is MemoryStatus.ACTIVE]
    deletable = len(active) // 2 if len(active) >= MIN_FOR_DELETE_CAP else len(active)
    run = _Run(memories, is_same)
    for line in lines:
        line = _as_update_of_same(_as_support(line, run, speakers), run)
        if rules.holds_back:
            line = _beside_what_stands(line, run, speakers, now)
        problem = _problem(line, run, deletable)
        if problem:
            run.warnings.append(problem)
        elif line.action == "delete":
            old = run.known[line.old_id or ""]
            run.take(deleted(old, line.reason, run_id=run_id, now=now))
        elif line.action != "keep":
            old_or_none = run.known.get(line.old_id or "")
            memory = _said(line, old_or_none, group_id, now, speakers, rules)
            if old_or_none is None:
                run.take(created(memory, run_id=run_id, now=now))
            elif not _adds_nothing(memory, old_or_none):
                run.take(updated(old_or_none, memory, run_id=run_id, now=now))
    would_be = [one for one in run.known.values() if one.status is MemoryStatus.ACTIVE]
    aside = [
        archived(one, TOO_MANY, run_id=run_id, now=now)
        for one in weakest_beyond(rules.max_active, would_be)
    ]
    return _plan(run, active, aside)


def _plan(run: _Run, active: Sequence[Memory], aside: Sequence[Step]) -> EvolutionPlan:
    new = {step.new.memory_id: step.new for step in run.steps}
    changed = {step.old.memory_id: step.old for step in run.steps if step.old}
    for step in aside:
        memory = step.new
        (new if memory.memory_id in new else changed)[memory.memory_id] = memory
    # A version that a later line of the same run replaced is new and left behind at once.
    for memory_id in new.keys() & changed.keys():
        new[memory_id] = changed.pop(memory_id)
    was_active = {memory.memory_id for memory in active}
    gone = sum(1 for step in run.steps if step.old is not None and step.old.memory_id in was_active)
    return EvolutionPlan(
        tuple(new.values()),
        tuple(changed.values()),
        tuple(step.change for step in (*run.steps, *aside)),
        kept=len(active) - gone,
        updated=run.count("update"),
        created=sum(
            step.change.action == "create" and step.new.status is MemoryStatus.ACTIVE
            for step in run.steps
        ),
        deleted=run.count("delete"),
        candidates=sum(one.status is MemoryStatus.CANDIDATE for one in new.values()),
        warnings=tuple(run.warnings),
        judged=Judged.counting([step.change.verdict for step in run.steps]),
    )


def _as_support(line: ModelLine, run: _Run, speakers: Speakers) -> ModelLine:
    """A candidate that is borne out may become a memory: the same words, as a version."""
    old = run.known.get(line.old_id or "")
    is_held_back = old is not None and old.status is MemoryStatus.CANDIDATE
    if old is None or not is_held_back or line.action != "keep":
        return line
    if not speakers.fresh(line, old):
        return line
    is_chinese = guess_language(old.statement) is Language.CHINESE
    reason = "有别人也这样说" if is_chinese else "borne out by somebody else"
    return replace(
        line, action="update", statement=old.statement, subject=old.subject, reason=reason
    )


def _adds_nothing(new: Memory, old: Memory) -> bool:
    """The same words, and no evidence that changes where it stands: no version is made of that."""
    is_same = bare_words(new.statement) == bare_words(old.statement) and new.status is old.status
    is_no_stronger = new.strength <= old.strength
    is_candidate = new.status is MemoryStatus.CANDIDATE
    return is_same and (not new.sources or is_candidate or is_no_stronger)


def _as_update_of_same(line: ModelLine, run: _Run) -> ModelLine:
    """A statement that another memory already makes is about that memory."""
    if line.action not in ("create", "update") or not line.statement:
        return line
    if line.action == "update" and line.old_id not in run.known:
        return line
    same = run.same_as(line)
    return replace(line, action="update", old_id=same.memory_id) if same else line


def _beside_what_stands(line: ModelLine, run: _Run, speakers: Speakers, now: datetime) -> ModelLine:
    """Who has only just come changes and ends no memory of a group, and no memory becomes an order,
    a secret or what its sources do not say: that stands beside it, as a candidate."""
    old = run.known.get(line.old_id or "")
    if old is None or old.status is not MemoryStatus.ACTIVE:
        return line
    are_all_new = speakers.behind(line, None, now).are_all_new and old.subject not in {
        speakers.sources[one].user_id for one in speakers.sources_of(line)
    }
    if line.action == "delete" and are_all_new:
        return replace(line, action="keep")
    if line.action != "update" or bare_words(line.statement) == bare_words(old.statement):
        return line
    is_not_said = speakers.verdict(line, old) == Verdict.NOT_SAID
    if are_all_new or is_not_said or is_for_hand_only(line.statement, speakers.bots):
        return replace(line, action="create", old_id=None)
    return line


def _problem(line: ModelLine, run: _Run, deletable: int) -> str | None:
    """Why a line is left out, without its text; None if it stands."""
    if line.action not in ("keep", "update", "delete", "create"):
        return "unknown action"
    if line.action != "create":
        if line.old_id in run.touched and line.action != "keep":
            return f"second change of one memory ({line.action})"
        if line.old_id not in run.known:
            return f"{line.action} of an unknown memory"
    if line.action in ("update", "create"):
        if not line.statement:
            return f"{line.action} without a statement"
        if len(line.statement) > MAX_STATEMENT:
            return f"{line.action} with a statement over {MAX_STATEMENT} characters"
    if line.action == "delete" and run.count("delete") >= deletable:
        return "more deletes than a run may make"
    return None


def _said(
    line: ModelLine,
    old: Memory | None,
    group_id: str,
    now: datetime,
    speakers: Speakers,
    rules: EvolutionRules,
) -> Memory:
    """What the line says, as a version before it has its place in the history."""
    own = speakers.sources_of(line)
    users = {speakers.sources[one].user_id for one in own}
    moments = {speakers.sources[one].at for one in own}
    subject = line.subject or (old.subject if old else "")
    line = replace(line, subject=subject)
    strength = old.strength if old else NEW_STRENGTH
    if old and speakers.fresh(line, old):
        # Rounded: ten steps of a tenth must not stay just below a threshold.
        strength = min(1.0, round(strength + SUPPORT_STEP, 4))
    verdict = speakers.verdict(line, old)
    voices = speakers.behind(line, old, now)
    held_back = _held_back(line, old, voices, moments, rules, speakers.bots)
    if verdict == Verdict.NOT_SAID and rules.holds_back:
        held_back = held_back or HeldBack.NOT_SAID
    return Memory(
        memory_id="",
        group_id=group_id,
        statement=line.statement,
        version=1,
        created_at=now,
        updated_at=now,
        status=MemoryStatus.CANDIDATE if held_back else MemoryStatus.ACTIVE,
        held_back=held_back or "",
        kind=_kind(line, old),
        subject=subject,
        change_summary=line.reason,
        strength=strength,
        tags=line.tags or (old.tags if old else ()),
        sources=own,
        source_users=tuple(sorted(users)),
        last_supported_at=max(moments, default=now),
        confidence=line.confidence,
        expires_at=line.expires_at or (old.expires_at if old else None),
        verdict=verdict,
    )


def _kind(line: ModelLine, old: Memory | None) -> str:
    if line.kind in KINDS:
        return line.kind
    return old.kind if old else guessed_kind(line.statement)


def _held_back(
    line: ModelLine,
    old: Memory | None,
    voices: Voices,
    moments: Collection[datetime],
    rules: EvolutionRules,
    bots: Collection[str],
) -> HeldBack | None:
    """What has no backing waits for it; an order to the bot or a secret waits for a hand."""
    if (old and old.status is MemoryStatus.ACTIVE) or not rules.holds_back:
        return None
    if is_for_hand_only(line.statement, bots):
        return HeldBack.FOR_A_HAND
    seen_at = {*moments, old.created_at, supported_last(old)} if old else set(moments)
    return None if is_backed(voices, line.subject, seen_at) else why_not(voices, line.subject)
