"""One statement followed through a run: an old memory or a new one, and what was said."""

import re
from dataclasses import dataclass, field
from datetime import date, datetime

from .kinds import FACT, GROUP, HABIT, LABELS, PREFERENCE, PROJECT, TABOO, TRAIT, VIEW, kind_of
from .prompt_input import Given, moment, objects, text
from .schedule import moved, same_time, says_more, slot_of
from .similarity import Likeness
from .statements import Statement, core_of
from .wordlist import words_in
from .words import is_han, marks, shared

SAME_WITH_WORDS = 0.71
SAME_WITHOUT_WORDS = 0.74
"""Least likeness of two cores that are one matter: with words in common, and without any."""
LIGHT_WORDS = frozenset(
    words_in(
        "play watch read practic practis club team night session meet game food stuff group hold "
        "join run start build work mak 讨论 聊天 活动 组织"
    )
)
"""Stems that say nothing of which matter it is: one plays chess, and one plays badminton."""
SAME_OF_TWO = 0.9
"""What two people tell of themselves is one matter only if they tell nearly the same."""
SAME_DAY_BONUS = 0.12
"""Two habits of the same day of the week are likelier to be one."""


@dataclass(frozen=True)
class Message:
    """One message of the discussion, from a person."""

    id: str
    user_id: str
    user_name: str
    content: str
    time: datetime | None
    place: int

    @property
    def day(self) -> date | None:
        return self.time.date() if self.time else None


def messages_of(given: Given) -> list[Message]:
    """One without a time was said when the one before it was."""
    found = []
    time: datetime | None = None
    for place, one in enumerate(objects(given, "new_discussions")):
        time = moment(one.get("time") or one.get("create_time")) or time
        if one.get("role") == "assistant" or not text(one, "content"):
            continue
        name, content = text(one, "user_name"), text(one, "content")
        if not name and not text(one, "user_id") and ": " in content[:40]:
            name, _, content = content.partition(": ")
        found.append(
            Message(
                id=text(one, "id", "message_id") or str(place),
                user_id=text(one, "user_id") or name,
                user_name=name or text(one, "user_id"),
                content=content,
                time=time,
                place=place,
            )
        )
    return found


@dataclass
class Thread:
    """`memory_id` is empty for what is new. A thread ends when the group says so."""

    statement: str
    kind: str | None
    subject: str
    core: str
    memory_id: str = ""
    supported_at: datetime | None = None
    own: list[Statement] = field(default_factory=list)
    sources: list[Message] = field(default_factory=list)
    restated: list[Message] = field(default_factory=list)
    me_too: set[str] = field(default_factory=set)
    is_firm: bool = False
    is_own: bool = False
    is_plain: bool = False
    is_of_another: bool = False
    is_candidate: bool = False
    ended_by: Message | None = None
    changed: str = ""

    def support(self, message: Message) -> None:
        if message not in self.sources:
            self.sources.append(message)

    def end(self, message: Message) -> None:
        self.ended_by = message
        self.support(message)

    def restate(self, statement: str, message: Message) -> None:
        """Say it differently from now on; the thread lives, even if it had ended."""
        self.support(message)
        self.ended_by = None
        if statement and statement != self.statement:
            self.statement = self.changed = statement
            self.core = core_of(statement)

    def hear(self, said: Statement, message: Message) -> None:
        """The matter was stated again: keep what is newer or says more."""
        self.ended_by = None
        self.own.append(said)
        self.is_firm = self.is_firm or said.is_plural
        if self.memory_id:
            # Somebody's word about themselves supports what is known of the group, no more.
            speaks_for_it = said.is_plural or self.subject in (message.user_id, said.about)
            if speaks_for_it:
                self.restated.append(message)
            better = said.text if _says_other_numbers(self, said) else improved(self, said)
            self.restate(better if speaks_for_it else "", message)
            return
        self.support(message)
        if said.is_plural or not self.is_firm:
            better = improved(self, said)
            if better:
                self.statement = better
            elif said.is_plural and self.is_own:
                self.statement = said.text
        self.is_own = self.is_own and said.is_own

    @property
    def users(self) -> set[str]:
        return {message.user_id for message in self.sources} | self.me_too

    @property
    def days(self) -> set[date | None]:
        return {message.day for message in self.sources}


def thread_of(memory: Given) -> Thread:
    statement, kind = text(memory, "statement"), text(memory, "kind")
    return Thread(
        statement=statement,
        kind=kind if kind in LABELS else kind_of(statement),
        subject=text(memory, "subject") or GROUP,
        core=core_of(statement),
        memory_id=text(memory, "id", "memory_id"),
        is_candidate=text(memory, "status") == "candidate",
        supported_at=moment(
            memory.get("last_supported_at") or memory.get("updated_at") or memory.get("created_at")
        ),
    )


def _says_other_numbers(thread: Thread, said: Statement) -> bool:
    """ "The 18th" after "about the 20th": of what one says of oneself the last word holds."""
    fresh, known = (set(re.findall(r"\d+", one)) for one in (said.text, thread.statement))
    return said.is_plain and said.is_own and bool(fresh) and bool(known) and not known <= fresh


def improved(thread: Thread, said: Statement) -> str:
    """The thread's statement with the news in what was said; empty if there is none."""
    old = slot_of(thread.statement)
    if thread.kind == HABIT and said.slot is not None:
        if old is not None and (not same_time(old, said.slot) or says_more(said.slot, old)):
            return moved(thread.statement, said.slot)
        if old is None and said.slot.is_recurring:
            return said.text
    least = 2 if is_han(said.text) else 1
    if thread.kind == HABIT:
        if said.detail and len(marks(said.detail) - marks(thread.statement)) >= least:
            return f"{thread.statement}{'，' if is_han(thread.statement) else ', '}{said.detail}"
        return ""
    known, fresh = marks(thread.core), marks(said.core)
    is_no_less = len(fresh) >= len(known) and len(said.core) >= len(thread.core)
    covers = shared(known, fresh) >= 0.5 and is_no_less
    return said.text if covers and len(fresh - known) >= least else ""


def closeness(core: str, thread: Thread, likeness: Likeness, bonus: float = 0.0) -> float:
    """How sure it is that a core is this thread's matter; 0 when it is not."""
    cosine = likeness.between(core, thread.core) + bonus
    together = overlap(core, thread.core)
    if together > 0 and cosine + 0.25 * together >= SAME_WITH_WORDS:
        return cosine + 0.25 * together
    return cosine if cosine >= SAME_WITHOUT_WORDS else 0.0


def overlap(left: str, right: str) -> float:
    """Words two cores share, those left out that go with any matter."""
    own, other = marks(left) - LIGHT_WORDS, marks(right) - LIGHT_WORDS
    return shared(own or marks(left), other or marks(right))


_OF_A_PERSON = {TRAIT, FACT, PROJECT, TABOO}
"""Kinds in which one matter of a person may be told: the line between them is thin."""


def same_matter(said: Statement, thread: Thread, message: Message, likeness: Likeness) -> float:
    kinds = {said.kind, thread.kind}
    is_near = kinds == {VIEW, PREFERENCE} or (thread.subject != GROUP and kinds <= _OF_A_PERSON)
    if thread.kind is not None and len(kinds) > 1 and not is_near:
        return 0.0
    if said.about and thread.subject != said.about:
        return 0.0
    if thread.subject not in (GROUP, said.about or message.user_id):
        return 0.0
    if said.is_plural and not said.about and thread.subject != GROUP:
        return 0.0
    slot = slot_of(thread.statement)
    is_same_day = bool(said.slot and slot and said.slot.days and said.slot.days == slot.days)
    found = closeness(said.core, thread, likeness, SAME_DAY_BONUS if is_same_day else 0.0)
    tells_of_self = said.is_own and (said.is_plain or said.kind == TRAIT)
    is_of_two = tells_of_self and message.user_id not in thread.users
    return found if not is_of_two or thread.memory_id or found >= SAME_OF_TWO else 0.0
