"""`memory_evolve`: what recurs in the same words is kept, what is plainly changed is changed.

Nothing is understood here: a memory is met again where its words come back.
"""

import re
from dataclasses import dataclass, field
from datetime import date, timedelta

from .change_words import (
    asked_to_keep,
    is_agreement,
    is_change,
    is_end,
    is_passing,
    moved,
    without_times,
)
from .chat_text import clauses, content_marks, is_han, is_question, sentences, share_of
from .extract import extract_facts
from .prompt_input import Given, moment, objects, text
from .self_facts import contradicts, self_fact
from .wording import bare, is_of_self, statement

STALE_AFTER = timedelta(days=21)
SAME_WORDS = 0.8
"""Of the shorter sentence's words, how many stand in the other."""
ABOUT, ABOUT_HAN = 0.34, 0.25
"""Of a memory's words without its times, how many a line has that is about it; of Chinese, pairs of
characters, of which more stand across two words."""
FEWEST_WORDS = 3
"""A shorter line recurs by chance: good night, see you there."""
AGREED_WITHIN = 3
MOST_NEW = 5
_LIGHT = content_marks(
    "member group everyone everybody always usually every now 成员 群里 每周 每天 晚上 早上 以后"
)


@dataclass(frozen=True)
class Line:
    """One sentence of the discussion, said by a person."""

    message_id: str
    user_id: str
    user_name: str
    place: int
    day: date | None
    words: str

    @property
    def statement(self) -> str:
        return statement(self.words, self.user_name)

    @property
    def marks(self) -> frozenset[str]:
        """With the speaker's name, which stands in what is known of them."""
        return content_marks(f"{self.user_name} {self.words}")


@dataclass
class Known:
    """A memory there is, and what the discussion does to it."""

    id: str
    statement: str
    subject: str
    is_habit: bool
    supported_on: date | None
    action: str = "keep"
    reason: str = ""
    sources: list[str] = field(default_factory=list)
    deny: list[str] = field(default_factory=list)

    def overlap(self, line: Line) -> float:
        return share_of(_matter(self.statement), line.marks)

    def may_be_changed_by(self, line: Line) -> bool:
        """Of a member by their own word or by name; of the group by nobody's word of themselves."""
        if self.subject:
            return self.subject == line.user_id or line.user_name in self.statement
        return not is_of_self(line.words)

    def say_again(self, line: Line) -> None:
        self.action, self.reason = "update", "said again"
        self.sources.append(line.message_id)

    def replace(self, line: Line, new_statement: str) -> None:
        self.action, self.reason, self.statement = "update", "changed", new_statement
        self.sources.append(line.message_id)
        self.deny = [line.message_id]

    def end(self, line: Line) -> None:
        self.action, self.reason = "delete", "said to be over"
        self.sources.append(line.message_id)
        self.deny = [line.message_id]


def evolve_memories(given: Given) -> Given:
    lines, agreeing = _lines(given)
    memories = [_known(memory) for memory in objects(given, "existing_memories")]
    fresh = [line for line in lines if not _changes_one(line, memories)]
    today = moment(given.get("today"))
    if today is not None:
        _end_the_silent(memories, today.date())
    touched = [memory for memory in memories if memory.action != "keep" or memory.sources]
    operations = [
        *(_operation(memory, lines, agreeing) for memory in touched),
        *_new(fresh, agreeing),
    ]
    known = [{"id": memory.id, "content": memory.statement} for memory in memories]
    read = extract_facts({"messages": given.get("new_discussions"), "existing_facts": known})
    told = {source for operation in operations for source in operation["sources"]}
    own = [fact for fact in read["facts"] if not told.intersection(fact["sources"])]
    return {
        "lines": [*operations, *map(_of_a_member, own)],
        "entities": read["entities"],
        "relations": read["relations"],
    }


def _lines(given: Given) -> tuple[list[Line], list[Line]]:
    """What people state, and the bare agreements between."""
    stated, agreeing, day = [], [], None
    for place, message in enumerate(objects(given, "new_discussions")):
        time = moment(message.get("time"))
        day = time.date() if time else day
        if message.get("role") == "assistant":
            continue
        name, content = text(message, "user_name"), text(message, "content")
        user_id = text(message, "user_id") or name
        for sentence in sentences(content):
            line = Line(text(message, "id"), user_id, name or user_id, place, day, bare(sentence))
            if is_agreement(re.split(r"[，,]", sentence)[0]):
                agreeing.append(line)  # "Right, Thursday" says it and agrees.
            if is_agreement(sentence):
                continue
            if line.words and not is_question(sentence):
                stated.append(line)
    return stated, agreeing


def _known(memory: Given) -> Known:
    subject, supported = text(memory, "subject"), moment(memory.get("last_supported_at"))
    return Known(
        id=text(memory, "id"),
        statement=text(memory, "statement"),
        subject="" if subject == "group" else subject,
        is_habit=text(memory, "kind") == "habit",
        supported_on=supported.date() if supported else None,
    )


def _told(words: str) -> frozenset[str]:
    return content_marks(words) - _LIGHT


def _matter(words: str) -> frozenset[str]:
    return _told(without_times(words))


def _changes_one(line: Line, memories: list[Known]) -> bool:
    """Whether a memory there is has the line's words: it is changed, ended or met again."""
    if (outdated := _outdated_by(line, memories)) is not None:
        outdated.replace(line, line.statement)
        return True
    overlaps = [memory.overlap(line) for memory in memories]
    best = max(overlaps, default=0.0)
    if best < (ABOUT_HAN if is_han(line.words) else ABOUT) or overlaps.count(best) > 1:
        return False
    memory = memories[overlaps.index(best)]
    may_change = memory.may_be_changed_by(line) and not is_passing(line.words)
    newer = moved(memory.statement, line.words) if may_change else ""
    if newer and (is_change(line.words) or best >= SAME_WORDS):
        memory.replace(line, newer)
    elif may_change and is_end(line.words) and not is_end(memory.statement):
        memory.end(line)
    elif may_change and share_of(_told(memory.statement), line.marks) >= SAME_WORDS:
        memory.say_again(line)
    elif best >= SAME_WORDS:
        memory.sources.append(line.message_id)
    else:
        return False
    return True


def _outdated_by(line: Line, memories: list[Known]) -> Known | None:
    said = self_fact(line.statement, line.user_name)
    for memory in memories if said else []:
        known = self_fact(memory.statement, line.user_name)
        if said and known and memory.may_be_changed_by(line) and contradicts(said, known):
            return memory
    return None


def _end_the_silent(memories: list[Known], today: date) -> None:
    for memory in memories:
        is_silent = memory.action == "keep" and not memory.sources
        since = today - (memory.supported_on or today)
        if memory.is_habit and is_silent and since >= STALE_AFTER:
            memory.action = "delete"
            memory.reason = f"not heard of for {STALE_AFTER.days} days"


def _operation(memory: Known, lines: list[Line], agreeing: list[Line]) -> Given:
    is_restated = memory.action == "update"
    behind = [line for line in lines if line.message_id in memory.sources]
    return {
        "action": memory.action,
        "old_id": memory.id,
        "statement": memory.statement if is_restated else None,
        "change_reason": f"stand-in: {memory.reason}" if memory.reason else None,
        "subject": memory.subject or None,
        "sources": _ids(behind),
        "agree": _ids(_agreeing_with(behind, agreeing)),
        "deny": memory.deny,
    }


def _of_a_member(fact: Given) -> Given:
    """What somebody plainly says of themselves is believed at once."""
    return {
        "action": "create",
        "old_id": None,
        "statement": fact["content"],
        "kind": fact["type"],
        "change_reason": "stand-in: said of oneself",
        "subject": fact["subject"],
        "tags": fact["tags"],
        "confidence": fact["confidence"],
        "sources": fact["sources"],
        "agree": [],
        "deny": [],
    }


def _new(lines: list[Line], agreeing: list[Line]) -> list[Given]:
    """What somebody asks to remember, and what is said again in the same words by another member
    or on another day."""
    wished: list[Given] = []
    recurring: list[tuple[str, list[Line]]] = []
    for line in lines:
        if wish := asked_to_keep(line.words):
            wished.append(_creation(wish, [line], agreeing, "asked for"))
            continue
        for clause in clauses(line.words):
            if len(content_marks(clause)) < FEWEST_WORDS or is_passing(clause):
                continue
            same = next((by for words, by in recurring if _is_same(clause, words)), None)
            if same is None:
                recurring.append((clause, [line]))
            else:
                same.append(line)
    recurring.sort(key=lambda said: len(said[1]), reverse=True)
    said = [
        _creation(words, by, agreeing, "said repeatedly")
        for words, by in recurring
        if len({(line.user_id, line.day) for line in by}) > 1
    ]
    return [*wished, *said][:MOST_NEW]


def _is_same(clause: str, other: str) -> bool:
    shorter, longer = sorted((content_marks(clause), content_marks(other)), key=len)
    return share_of(shorter, longer) >= SAME_WORDS


def _agreeing_with(lines: list[Line], agreeing: list[Line]) -> list[Line]:
    """Whoever else says yes right after the last of them."""
    speakers = {line.user_id for line in lines}
    last = max((line.place for line in lines), default=0)
    after = range(last + 1, last + 1 + AGREED_WITHIN)
    matter = frozenset[str]().union(*(content_marks(line.words) for line in lines))
    return [
        line
        for line in agreeing
        if line.place in after
        and line.user_id not in speakers
        and (not line.words or is_agreement(line.words) or matter & content_marks(line.words))
    ]


def _ids(lines: list[Line]) -> list[str]:
    return list(dict.fromkeys(line.message_id for line in lines))


def _creation(words: str, lines: list[Line], agreeing: list[Line], reason: str) -> Given:
    first = lines[0]
    return {
        "action": "create",
        "old_id": None,
        "statement": statement(words, first.user_name),
        "change_reason": f"stand-in: {reason}",
        "subject": first.user_id if is_of_self(words) else None,
        "sources": _ids(lines),
        "agree": _ids(_agreeing_with(lines, agreeing)),
        "deny": [],
    }
