"""A page of talk, and what the model's lines about it rest on: who said what, who agrees. Pure."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from shared.domain.memories.conflict import Claim
from shared.domain.memories.memory import Memory, Verdict, bare_words
from shared.domain.memories.voices import NOBODY_KNOWN, Standing, Voices
from shared.language import matching_units

SAME_MATTER = 1 / 3
"""A message with so many of a memory's words is about the same matter."""
KEPT_WORDS = 2 / 3
"""A version that keeps so many of the words, and all numbers, adds detail; another one replaces."""
LEAST_SAME = 3
"""Units in common, at least, for two statements to be one by their words alone."""
SAME_OF_BOTH = 0.85


@dataclass(frozen=True)
class ModelLine:
    """One line of the model's answer, parsed. `sources` say it, `agree` accept it, `deny` speak
    against it or against what the memory said before."""

    action: str
    old_id: str | None = None
    statement: str = ""
    reason: str = ""
    kind: str = ""
    subject: str = ""
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    agree: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    confidence: float = 0.8
    valid_from: datetime | None = None
    valid_until: datetime | None = None


@dataclass(frozen=True)
class Source:
    """Which person said what, and when. The bot is no source: it cannot vouch for anybody."""

    user_id: str
    at: datetime
    text: str = ""
    user_name: str = ""


@dataclass(frozen=True)
class NewTalk:
    """The page of messages that lines may rest on, and what is known of those who speak.

    `used` are memories of whatever status that rest on messages of it already: read again, these
    make nothing twice. `claims` are what is said against memories already, by their ids.
    """

    sources: Mapping[str, Source]
    standings: Mapping[str, Standing] = field(default_factory=lambda: NOBODY_KNOWN)
    group_since: datetime | None = None
    used: Sequence[Memory] = ()
    claims: Mapping[str, Sequence[Claim]] = field(default_factory=dict)

    def voices(self, ids: Collection[str], also: Collection[str], now: datetime) -> Voices:
        said = Counter(self.sources[message].user_id for message in ids)
        said.update(also)
        return Voices(said, now, self.standings, self.group_since)

    def with_known_ids(self, line: ModelLine) -> tuple[ModelLine, bool]:
        """Only messages of members that were shown, and whether the model named others."""
        known = self.sources
        named = (line.sources, line.agree, line.deny)
        left = [tuple(one for one in dict.fromkeys(ids) if one in known) for ids in named]
        is_misled = any(one not in known for ids in named for one in ids)
        line = replace(line, sources=left[0], agree=left[1], deny=left[2])
        if line.action == "create" and line.deny:
            # Who took it back stands no longer behind it.
            against = {known[one].user_id for one in line.deny}
            line = replace(
                line,
                sources=tuple(one for one in line.sources if known[one].user_id not in against),
                agree=tuple(one for one in line.agree if known[one].user_id not in against),
            )
        return line, is_misled

    def fresh(self, line: ModelLine, old: Memory | None) -> list[str]:
        """The messages for it that the memory does not rest on already."""
        own = dict.fromkeys((*line.sources, *line.agree))
        return [one for one in own if old is None or one not in old.sources]

    def voices_for(self, line: ModelLine, old: Memory | None, now: datetime) -> Voices:
        """Who says it now, and who said it before: of other words nobody did."""
        before = old.source_users if old and is_said_on(line, old) else ()
        return self.voices(self.fresh(line, old), before, now)

    def verdict(self, line: ModelLine, old: Memory | None) -> str:
        """Whether the words of the line are in its sources; what was said before need not be said
        again. Where the two are in different scripts words cannot tell."""
        if line.action == "create" and line.deny:
            return Verdict.CONTRADICTED
        own = [self.sources[one] for one in (*line.sources, *line.agree)]
        texts = " ".join(source.text for source in own)
        if not texts.strip():
            return ""
        names = " ".join(f"{source.user_name} {source.user_id}" for source in own)
        before = old.statement if old and old.verdict != Verdict.NOT_SAID else ""
        told = matching_units(line.statement) - matching_units(f"{names} {before}")
        heard = matching_units(texts)
        if not told or not heard or told & heard or _is_latin(told) != _is_latin(heard):
            return Verdict.SUPPORTED
        return Verdict.NOT_SAID

    def moments(self, ids: Collection[str]) -> list[datetime]:
        return [self.sources[one].at for one in ids]

    def was_used(self, line: ModelLine, old: Memory | None, message_id: str, names: str) -> bool:
        """Whether this memory, or one that says much the same, rests on the message already."""
        root = (old.root_id or old.memory_id) if old else ""
        told = matching_units(line.statement) - matching_units(names)
        for memory in self.used:
            if message_id not in memory.sources:
                continue
            units = matching_units(memory.statement) - matching_units(names)
            is_alike = len(told & units) >= SAME_MATTER * max(1, min(len(told), len(units)))
            if is_alike or (root and root == (memory.root_id or memory.memory_id)):
                return True
        return False


def is_said_on(line: ModelLine, old: Memory) -> bool:
    """In the same words, or with more of them."""
    return bare_words(old.statement) == bare_words(line.statement) or is_refined(line, old)


def is_refined(line: ModelLine, old: Memory) -> bool:
    """It says what the memory said, and more."""
    if line.deny:
        return False
    before, after = matching_units(old.statement), matching_units(line.statement)
    numbers = {unit for unit in before if any(map(str.isdigit, unit))}
    return numbers <= after and len(before & after) >= KEPT_WORDS * len(before)


def says_the_same(statement: str, other: str) -> bool:
    """By the words that both have: nearly all, or all of the shorter one."""
    left, right = matching_units(statement), matching_units(other)
    shared, fewer = len(left & right), min(len(left), len(right))
    if shared < LEAST_SAME:
        return False
    return shared == fewer or shared >= SAME_OF_BOTH * len(left | right)


def _is_latin(units: Collection[str]) -> bool:
    return any(unit.isascii() for unit in units)
