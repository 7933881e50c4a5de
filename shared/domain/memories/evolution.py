"""Evolution: the model's lines about a page of talk become new versions. Pure: lines in, plan out.

The model says which messages each line rests on, and which agree or deny; here it is checked that
they are messages of members that were shown, and voices are counted by them. Nothing here judges
language but the door's own checks.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from shared.domain.memories.conflict import Claim, Contradiction
from shared.domain.memories.door import Origin, admit, archived_first
from shared.domain.memories.evolution_plan import EvolutionPlan, EvolutionRules
from shared.domain.memories.memory import (
    KINDS,
    MAX_STATEMENT,
    HeldBack,
    Judged,
    Memory,
    MemoryStatus,
    Verdict,
    bare_words,
)
from shared.domain.memories.talk import (
    SAME_MATTER,
    ModelLine,
    NewTalk,
    is_refined,
    is_said_on,
    says_the_same,
)
from shared.domain.memories.upkeep import TOO_MANY
from shared.domain.memories.versions import Step, archived, created, deleted, updated
from shared.language import kind_of_statement, matching_units, why_unclear

MIN_FOR_DELETE_CAP = 4
"""Of fewer memories a run may delete all: half of three would keep what is plainly over."""
SUPPORT_STEP = 0.1
"""What one more support adds to a memory's strength: three make a new one core."""
NEW_STRENGTH = 0.5
"""A new memory is as far from being archived as from being core."""
ACTIONS = ("keep", "update", "delete", "create")


def decide_evolution(
    memories: Sequence[Memory],
    lines: Sequence[ModelLine],
    *,
    group_id: str,
    run_id: str,
    now: datetime,
    talk: NewTalk,
    rules: EvolutionRules,
) -> EvolutionPlan:
    """What the lines mean for the memories, active ones and candidates.

    What a line cannot change: an unknown memory, a memory another line already changed. A memory
    that no line mentions is kept. From four memories on, at most half may be deleted.
    """
    run = _Run(memories, group_id, run_id, now, talk, rules)
    # What comes of talk first: a deletion for silence then sees what was said of the same matter.
    for line in sorted(lines, key=lambda line: not (line.sources or line.agree or line.deny)):
        run.hear(line)
    return run.plan()


class _Run:
    """The lines' effects so far: each line sees what the earlier ones left."""

    def __init__(
        self,
        memories: Sequence[Memory],
        group_id: str,
        run_id: str,
        now: datetime,
        talk: NewTalk,
        rules: EvolutionRules,
    ) -> None:
        self.known = {memory.memory_id: memory for memory in memories}
        self.active = [memory for memory in memories if memory.status is MemoryStatus.ACTIVE]
        self.group_id, self.run_id, self.now = group_id, run_id, now
        self.talk, self.rules = talk, rules
        self.touched: set[str] = set()
        self.steps: list[Step] = []
        self.warnings: list[str] = []
        self.contradictions: list[Contradiction] = []
        self.supported: dict[str, datetime] = {}
        self.facts = self.masked = 0

    # ---- one line

    def hear(self, line: ModelLine) -> None:
        line, is_misled = self.talk.with_known_ids(line)
        line = self._as_update_of_same(line)
        old = self.known.get(line.old_id or "")
        problem = self._problem(line, old, is_misled=is_misled)
        if problem:
            self.warnings.append(problem)
        elif old is not None and line.action == "keep":
            self._keep(line, old)
        elif old is not None and line.action == "delete":
            self._delete(line, old)
        else:
            self._state(line, old)

    def _keep(self, line: ModelLine, old: Memory) -> None:
        fresh = self.talk.fresh(line, old)
        if old.status is MemoryStatus.CANDIDATE and fresh:
            self._state(replace(line, statement=old.statement, subject=old.subject), old)
        elif old.status is MemoryStatus.ACTIVE and line.deny and not fresh:
            self._contradict(line, old)
        elif fresh:
            self.supported[old.memory_id] = max(self.talk.moments(fresh))

    def _delete(self, line: ModelLine, old: Memory) -> None:
        basis = {*line.sources, *line.agree, *line.deny}
        if basis and old.status is MemoryStatus.ACTIVE and not self._may_replace(line, old):
            self._contradict(line, old)
            return
        self._take(deleted(old, line.reason, run_id=self.run_id, now=self.now))

    def _state(self, line: ModelLine, old: Memory | None) -> None:
        """A create, an update, or a candidate that is borne out."""
        memory = self._admitted(line, old)
        if memory is None:
            return
        if old is not None and old.status is MemoryStatus.ACTIVE:
            if bare_words(line.statement) == bare_words(old.statement):
                # Said again: what is active stays so, whoever wanted it.
                memory = replace(memory, status=MemoryStatus.ACTIVE, held_back="")
            elif memory.held_back:
                old = None  # It stands beside the memory, as a candidate.
            elif not self._may_replace(line, old):
                self._contradict(line, old)
                return
        if old is None:
            self.facts += bool(memory.subject)
            self._take(created(memory, run_id=self.run_id, now=self.now))
        elif not _adds_nothing(memory, old):
            self._take(updated(old, memory, run_id=self.run_id, now=self.now))
        elif memory.sources:
            self.supported[old.memory_id] = memory.supported_last

    def _admitted(self, line: ModelLine, old: Memory | None) -> Memory | None:
        """As the door lets it in; what follows an active memory is judged by `_may_replace`."""
        voices = self.talk.voices_for(line, old, self.now)
        said, door = self._version(line, old), self.rules.door
        moments = set(self.talk.moments({*line.sources, *line.agree}))
        if old is not None:
            moments |= {old.created_at, old.supported_last}
        others = [memory for memory in self.known.values() if memory is not old]
        counted = None if _is_active(old) else voices
        admitted = admit(said, Origin.EVOLUTION, counted, others, door, moments)
        if admitted.refusal:
            self.warnings.append(admitted.refusal)
            return None
        self.masked += bool(admitted.masked)
        memory = admitted.memory
        if memory.verdict == Verdict.NOT_SAID and door.holds_back and not memory.held_back:
            memory = replace(memory, status=MemoryStatus.CANDIDATE, held_back=HeldBack.NOT_SAID)
        return replace(memory, backed=memory.backed or voices.are_several)

    def _version(self, line: ModelLine, old: Memory | None) -> Memory:
        """What the line says, as a version before it has its place in the history."""
        own = tuple(dict.fromkeys((*line.sources, *line.agree)))
        moments, fresh = self.talk.moments(own), self.talk.fresh(line, old)
        strength = old.strength if old else NEW_STRENGTH
        if old and fresh:
            # Rounded: ten steps of a tenth must not stay just below a threshold.
            strength = min(1.0, round(strength + SUPPORT_STEP, 4))
        is_same = old is not None and bare_words(old.statement) == bare_words(line.statement)
        is_refined = old is not None and is_said_on(line, old)
        said_from = min(moments, default=self.now)
        return Memory(
            memory_id="",
            group_id=self.group_id,
            statement=line.statement,
            version=1,
            created_at=self.now,
            updated_at=self.now,
            kind=_kind(line, old),
            subject=line.subject or (old.subject if old else ""),
            change_summary=line.reason,
            strength=strength,
            tags=(line.tags if self.rules.auto_tag else ()) or (old.tags if old else ()),
            sources=own,
            source_users=tuple(sorted({self.talk.sources[one].user_id for one in own})),
            last_supported_at=max([*moments, *([old.supported_last] if old else [])], default=None),
            confidence=line.confidence,
            valid_from=line.valid_from or (old.valid_from if old and is_refined else said_from),
            valid_until=line.valid_until or (old.valid_until if old and is_refined else None),
            backed=bool(old and old.backed and is_refined),
            conflict=old.conflict if old and is_same else "",
            verdict=self.talk.verdict(line, old),
        )

    # ---- what may not be

    def _as_update_of_same(self, line: ModelLine) -> ModelLine:
        """A statement that another memory already makes is about that memory."""
        if line.action not in ("create", "update") or not line.statement:
            return line
        if line.action == "update" and line.old_id not in self.known:
            return line
        for memory in self.known.values():
            if memory.memory_id == line.old_id:
                continue
            if bare_words(memory.statement) == bare_words(line.statement) or (
                line.action == "create"
                and memory.subject == line.subject
                and says_the_same(line.statement, memory.statement)
            ):
                return replace(line, action="update", old_id=memory.memory_id)
        return line

    def _problem(self, line: ModelLine, old: Memory | None, *, is_misled: bool) -> str | None:
        """Why a line is left out, without its text; None if it stands."""
        if line.action not in ACTIONS:
            return "unknown action"
        if line.action != "create":
            if line.old_id in self.touched and line.action != "keep":
                return f"second change of one memory ({line.action})"
            if old is None:
                return f"{line.action} of an unknown memory"
        basis = {*line.sources, *line.agree, *line.deny}
        if line.action in ("create", "update"):
            if problem := self._unusable(line, old):
                return problem
            if not line.sources and not line.agree:
                if line.action == "create" and line.deny:
                    return "create of what was taken back in the same talk"
                if is_misled:
                    return f"{line.action} by sources that are not messages of members"
        if line.action == "delete" and old is not None:
            if is_misled and not basis:
                return "delete by sources that are not messages of members"
            if not basis and (reason := self._still_spoken_of(old)):
                return reason
            deleted_so_far = sum(step.change.action == "delete" for step in self.steps)
            count = len(self.active)
            if deleted_so_far >= (count // 2 if count >= MIN_FOR_DELETE_CAP else count):
                return "more deletes than a run may make"
        if line.action != "keep" and basis:
            return self._too_late(line, old, basis)
        return None

    def _unusable(self, line: ModelLine, old: Memory | None) -> str | None:
        if not line.statement:
            return f"{line.action} without a statement"
        if len(line.statement) > MAX_STATEMENT:
            return f"{line.action} with a statement over {MAX_STATEMENT} characters"
        if old is not None and bare_words(old.statement) == bare_words(line.statement):
            return None
        if unclear := why_unclear(line.statement):
            return f"{line.action} with a statement that cannot stand alone: {unclear}"
        if line.confidence < self.rules.min_confidence:
            return "less certain than the least confidence"
        subjects = {memory.subject for memory in self.known.values()}
        speakers = {source.user_id for source in self.talk.sources.values()}
        if line.subject and line.subject not in {*self.rules.door.members, *subjects, *speakers}:
            return "about somebody who is not in the group"
        if line.action == "create" and line.subject and self.facts >= self.rules.max_facts:
            return "more facts about members than one reading may have"
        return None

    def _too_late(self, line: ModelLine, old: Memory | None, basis: Collection[str]) -> str | None:
        """What was read before makes nothing twice, and older words replace no newer ones."""
        talk, names = self.talk, " ".join(self.rules.door.members.values())
        if line.statement and all(talk.was_used(line, old, one, names) for one in basis):
            return f"{line.action} by messages that a memory was made of before"
        if old is None or bare_words(line.statement) == bare_words(old.statement):
            return None
        # What a hand wrote rests on no messages: nothing was said before or after it.
        is_held = old.status is MemoryStatus.ACTIVE and bool(old.sources)
        if is_held and max(self.talk.moments(basis)) < old.supported_last:
            return f"{line.action} by messages older than what the memory rests on"
        return None

    def _still_spoken_of(self, old: Memory) -> str | None:
        """Why a memory does not go for being silent: no message of this page may touch on it."""
        if self.now - old.supported_last < timedelta(days=self.rules.unsupported_days):
            return "delete without a source of a memory that is not silent for long"
        units = matching_units(old.statement)
        for source in self.talk.sources.values():
            if len(units & matching_units(source.text)) >= SAME_MATTER * max(1, len(units)):
                return "delete for silence of a memory that this talk touches on"
        return None

    # ---- who stands behind what

    def _may_replace(self, line: ModelLine, old: Memory) -> bool:
        """Who may change what is remembered: those it is about, who said it, or several. What one
        other person says stands against it, and only adds detail to what concerns all."""
        rules = self.rules
        if not rules.door.holds_back:
            return True
        if line.confidence < old.confidence - rules.conflict_margin:
            return False
        claimants = {
            user
            for claim in self.talk.claims.get(old.memory_id, ())
            if claim.statement == line.statement or says_the_same(claim.statement, line.statement)
            for user in claim.source_users
        }
        basis = {*line.sources, *line.agree, *line.deny}
        speakers = self.talk.voices(basis, claimants, self.now)
        if not basis or speakers.are_several:
            return bool(basis)
        if old.subject:
            return old.subject in speakers.said and not speakers.is_new(old.subject)
        if speakers.are_all_new:
            return False
        is_own = bool(old.source_users) and set(speakers.said) <= set(old.source_users)
        return is_own or (line.action == "update" and is_refined(line, old))

    # ---- effects

    def _contradict(self, line: ModelLine, old: Memory) -> None:
        basis = tuple(dict.fromkeys((*line.sources, *line.deny, *line.agree)))
        if not basis:
            self.warnings.append(f"{line.action} without sources")
            return
        said = line.statement if line.statement and line.action != "keep" else line.reason
        text = said or self.talk.sources[basis[0]].text[:MAX_STATEMENT]
        users = tuple(sorted({self.talk.sources[one].user_id for one in basis}))
        claim = Claim(text, line.confidence, max(self.talk.moments(basis)), basis, users)
        self.contradictions.append(Contradiction(old, claim))
        self.touched.add(old.memory_id)

    def _take(self, step: Step) -> None:
        self.steps.append(step)
        self.touched.add(step.new.memory_id)
        if step.old:
            self.touched.add(step.old.memory_id)
            self.known.pop(step.old.memory_id, None)
        if step.change.action != "delete":
            self.known[step.new.memory_id] = step.new

    def plan(self) -> EvolutionPlan:
        would_be = [one for one in self.known.values() if one.status is MemoryStatus.ACTIVE]
        aside = [
            archived(memory, TOO_MANY, run_id=self.run_id, now=self.now)
            for memory in archived_first(self.rules.door.max_active, would_be)
        ]
        new = {step.new.memory_id: step.new for step in self.steps}
        changed = {step.old.memory_id: step.old for step in self.steps if step.old}
        for step in aside:
            memory = step.new
            (new if memory.memory_id in new else changed)[memory.memory_id] = memory
        # A version that a later line of the same run replaced is new and left behind at once.
        for memory_id in new.keys() & changed.keys():
            new[memory_id] = changed.pop(memory_id)
        was_active = {memory.memory_id for memory in self.active}
        gone = sum(step.old is not None and step.old.memory_id in was_active for step in self.steps)
        actions = Counter(step.change.action for step in self.steps)
        made = [step.new for step in self.steps if step.change.action == "create"]
        return EvolutionPlan(
            tuple(new.values()),
            tuple(changed.values()),
            tuple(step.change for step in (*self.steps, *aside)),
            kept=len(self.active) - gone,
            updated=actions["update"],
            created=sum(memory.status is MemoryStatus.ACTIVE for memory in made),
            deleted=actions["delete"],
            candidates=sum(memory.status is MemoryStatus.CANDIDATE for memory in new.values()),
            warnings=tuple(self.warnings),
            judged=Judged.counting([step.change.verdict for step in self.steps]),
            contradictions=tuple(
                one for one in self.contradictions if one.memory.memory_id not in changed
            ),
            supported={key: at for key, at in self.supported.items() if key not in changed},
            masked=self.masked,
        )


def _is_active(memory: Memory | None) -> bool:
    return memory is not None and memory.status is MemoryStatus.ACTIVE


def _adds_nothing(new: Memory, old: Memory) -> bool:
    """The same words, and no evidence that changes where it stands: no version is made of that."""
    is_same = bare_words(new.statement) == bare_words(old.statement) and new.status is old.status
    is_no_stronger = new.strength <= old.strength
    is_candidate = new.status is MemoryStatus.CANDIDATE
    return is_same and (not new.sources or is_candidate or is_no_stronger)


def _kind(line: ModelLine, old: Memory | None) -> str:
    if line.kind in KINDS:
        return line.kind
    return old.kind if old else kind_of_statement(line.statement)
