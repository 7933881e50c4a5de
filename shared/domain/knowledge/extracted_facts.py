"""Facts that a model read in a talk: which may be believed, and what they change. Pure.

A fact is about somebody who is in its sources; the bot's lines, questions and quotations are no
source. What is believed goes through evolution's own guards as a line of its kind.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo

from shared.domain.knowledge.graph import stands_in
from shared.domain.memories.backing import bare_words
from shared.domain.memories.evolution import ModelLine
from shared.domain.memories.expiry import expiry_in
from shared.domain.memories.memory import MAX_STATEMENT, Memory
from shared.domain.memories.same_matter import has_in_common, telling
from shared.domain.messages.stored_message import StoredMessage
from shared.language import Language, guess_language, is_question

KIND_OF = {"preference": "preference", "project": "project"}
"""What else a model calls a fact is one."""

_SPEECH = re.compile(
    r"“[^”\n]{8,2000}”|「[^」\n]{8,2000}」|『[^』\n]{8,2000}』|\"[^\"\n]{8,2000}\"|^>[^\n]*",
    re.MULTILINE,
)
"""Somebody else's words between marks; what is shorter than that is mostly a name."""
_SENTENCE = re.compile(r"[^。！？!?\n;；]+[。！？!?\n;；]*")


@dataclass(frozen=True)
class ReadFact:
    """As the model gave it."""

    content: str
    type: str
    subject: str
    confidence: float
    tags: tuple[str, ...] = ()
    replaces: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class FactRules:
    max_facts: int
    min_confidence: float
    auto_tag: bool
    conflict_margin: float
    zone: tzinfo = UTC


@dataclass(frozen=True)
class Contradiction:
    """A fact that is too uncertain to replace the memory it speaks against."""

    memory: Memory
    statement: str
    confidence: float
    sources: tuple[str, ...]
    source_users: tuple[str, ...]


@dataclass(frozen=True)
class JudgedFacts:
    """`refused` are reasons without any text."""

    lines: tuple[ModelLine, ...]
    contradictions: tuple[Contradiction, ...]
    refused: tuple[str, ...]


def judged_facts(
    facts: Sequence[ReadFact],
    said: Sequence[StoredMessage],
    names: Mapping[str, str],
    memories: Sequence[Memory],
    rules: FactRules,
) -> JudgedFacts:
    """`names` are the ids of those who may be spoken of, with their names."""
    spoken = {one.message_id: one for one in said if one.role != "assistant"}
    known = {one.memory_id: one for one in memories}
    lines: list[ModelLine] = []
    against: list[Contradiction] = []
    refused: list[str] = []
    for fact in sorted(facts, key=lambda one: -one.confidence):
        sources = [spoken[one] for one in dict.fromkeys(fact.sources) if one in spoken]
        subject = _subject(fact.subject, names)
        problem = _problem(fact, sources, subject, names, rules)
        if not problem and len(lines) + len(against) >= rules.max_facts:
            problem = "more facts than one extraction may have"
        if problem:
            refused.append(problem)
            continue
        statement = _as_said_by(fact.content, subject, sources, names)
        old = known.get(fact.replaces)
        if old is not None and old.subject != subject:
            old = None
        if old is not None and fact.confidence < old.confidence - rules.conflict_margin:
            users = tuple(sorted({one.user_id for one in sources}))
            ids = tuple(one.message_id for one in sources)
            against.append(Contradiction(old, statement, fact.confidence, ids, users))
            continue
        lines.append(_line(fact, statement, subject, sources, old, rules))
    return JudgedFacts(tuple(lines), tuple(against), tuple(refused))


def _line(
    fact: ReadFact,
    statement: str,
    subject: str,
    sources: Sequence[StoredMessage],
    old: Memory | None,
    rules: FactRules,
) -> ModelLine:
    line = ModelLine(
        action="create",
        statement=statement,
        reason=_reason(statement, None),
        kind=KIND_OF.get(fact.type, ""),
        subject=subject,
        tags=fact.tags if rules.auto_tag else (),
        sources=tuple(one.message_id for one in sources),
        confidence=fact.confidence,
        expires_at=expiry_in([(one.content, one.create_time) for one in sources], rules.zone),
    )
    if old is None:
        return line
    return replace(line, action="update", old_id=old.memory_id, reason=_reason(statement, old))


def _problem(
    fact: ReadFact,
    sources: Sequence[StoredMessage],
    subject: str,
    names: Mapping[str, str],
    rules: FactRules,
) -> str | None:
    """Why a fact is refused; None if it stands."""
    if fact.confidence < rules.min_confidence:
        return "less certain than the least confidence"
    if not sources:
        return "no source among the messages of people"
    if not subject or not any(_is_in(subject, one, names) for one in sources):
        return "its subject is not in its source"
    if len(fact.content) > MAX_STATEMENT:
        return f"longer than {MAX_STATEMENT} characters"
    stated = " ".join(map(stated_part, (one.content for one in sources)))
    about = telling(fact.content) - telling(names.get(subject, ""))
    if not stated.strip() or (about and not has_in_common(about, telling(stated))):
        return "asked or quoted, not stated"
    return None


def stated_part(text: str) -> str:
    """What somebody says in their own words: without what is quoted, and without questions."""
    sentences = _SENTENCE.findall(_SPEECH.sub(" ", text))
    return " ".join(one for one in sentences if not is_question(one))


def _subject(given: str, names: Mapping[str, str]) -> str:
    """The id that a model means: it may have given the name instead."""
    if given in names:
        return given
    meant = [user_id for user_id, name in names.items() if bare_words(name) == bare_words(given)]
    return meant[0] if given and len(meant) == 1 else ""


def _is_in(user_id: str, message: StoredMessage, names: Mapping[str, str]) -> bool:
    """Whether the member speaks, is mentioned or is named in the message."""
    if message.user_id == user_id or any(one.user_id == user_id for one in message.mentions):
        return True
    return stands_in(names.get(user_id, ""), message.content)


def _as_said_by(
    content: str, subject: str, sources: Sequence[StoredMessage], names: Mapping[str, str]
) -> str:
    """What one member says of another is kept as said by them."""
    if any(one.user_id == subject for one in sources):
        return content
    speaker = names.get(sources[0].user_id) or sources[0].user_id
    if speaker in content:
        return content
    is_chinese = guess_language(content) is Language.CHINESE
    return f"据{speaker}说，{content}" if is_chinese else f"According to {speaker}, {content}"


def _reason(statement: str, old: Memory | None) -> str:
    is_chinese = guess_language(statement) is Language.CHINESE
    if old is None:
        return "对话中说到" if is_chinese else "said in the dialogue"
    if is_chinese:
        return f"更新的说法取代了「{old.statement}」"
    return f"the newer word replaces “{old.statement}”"
