"""Turns of phrase: how lists of them are written down, and the text they are held against.

They are habits of speech, not grammar. To teach the analyser one, add a line to the list it
belongs to and a sentence to `tests/ingest/unit/sentences.jsonl`.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from re import Match, Pattern

THING = "￼"
"""Stands for code or an address: it is there, but its words are not the speaker's."""

_MAX_CHARACTERS = 2_000
"""What a message is shows at its beginning; a longer one is a paste."""
CODE_OR_ADDRESS = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]+`|(?:https?|ftp)://[^\s<>一-鿿]+", re.DOTALL
)
_SENTENCE_END = re.compile(r"[\n;!?。…~]+|\.(?=\s|$)|\.{2,}|(?<=[^\d\s]):(?=\s)|\s-\s")
_CLAUSE_END = re.compile(r"[,、](?!\d)|,(?=\s)")
_HAN = re.compile(r"[㐀-鿿]")
_WORD = re.compile(r"[a-z][a-z']*")
_EMOJI = re.compile(r"[\u2600-\u27bf\U0001f300-\U0001faff]")

_PHRASES = re.compile(r"\{(?!\d*,?\d*\})([^{}]+)\}")  # not the {2,4} of a regular expression


class Phrases:
    """Turns of phrase as one pattern. It is made when a text is first held against it: most texts
    are known by the first few lists, and a new process answers sooner."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    @cached_property
    def _compiled(self) -> Pattern[str]:
        compiled = re.compile(self.pattern)
        if compiled.search(""):
            raise ValueError("a pattern that matches nothing would match everything")
        return compiled

    def search(self, text: str) -> Match[str] | None:
        return self._compiled.search(text)

    def match(self, text: str) -> Match[str] | None:
        return self._compiled.match(text)

    def findall(self, text: str) -> list[str]:
        return self._compiled.findall(text)

    def sub(self, by: str, text: str) -> str:
        return self._compiled.sub(by, text)


def any_of(lines: str, **parts: str) -> Phrases:
    """One pattern out of many: a regular expression a line, ` # ` begins a comment.

    `<NAME>` stands for the part of that name, `{a, b c}` for one of those whole English phrases.
    """
    patterns = []
    for line in lines.splitlines():
        pattern = line.partition(" # ")[0].strip()
        pattern = _PHRASES.sub(lambda found: _one_of(found[1]), pattern)
        for name, part in parts.items():
            pattern = pattern.replace(f"<{name}>", part)
        patterns.append(pattern)
    return Phrases("|".join(filter(None, patterns)))


def _one_of(listed: str) -> str:
    return rf"\b(?:{'|'.join(phrase.strip() for phrase in listed.split(','))})\b"


_REASONING = any_of(
    r"""
    觉得|感觉|认为|可能|应该|如果|要是|的话|建议|考虑|倾向|估计|听说|其实|反正|主要|但是?|不过|反而
    否则|因为|所以|毕竟|关键|要不|最好|比较|够了|不够|不行|来看|看来|越来越|居然|竟然|可以|就是
    同意.{2,}|赞成.{2,}|得[再先砍改换]|比[上之以]?[次前]
    {think, thought, maybe, if, should, could, would, might, but, probably, seems?, looks like, imo}
    {guess, rather, than, since, though, although}
    {however, instead, unless, convinced, prefer, agree}
    \bbecause(?! of)\b
    """
)
_SOMEBODY = any_of(
    r"""
    我(?!们)|俺|本人|[他她咱]|[说讲]
    {i, i'm, im, i'd, i've, i'll, my, me, mine, he, she, they, he's, she's, they're, him, his, them}
    {said, says, told, mom, dad, wife, husband, kids?, son, daughter}
    """
)
_PAST = any_of(
    r"""
    昨|刚|上[周个次]|以前|之前|去年|最近|一直
    {yesterday, ago, since, been, last (?:week|night|month|year|time)}
    (?<!\bis )(?<!\bare )(?<!\bbe )\b[a-z]+ed\b
    """
)
_TIME = any_of(
    r"""
    [今明后当][天早晚日]|[周星]期?[一二三四五六日天末]|[本下]个?[周月]|月底|年底
    上午|下午|中午|早上|晚上|凌晨|\d:\d\d
    # 一点 is left out: it also means a bit
    [\d二三四五六七八九十](?: ?[点号日月时]|分钟[后内])
    {mondays?, tuesdays?, wednesdays?, thursdays?, fridays?, saturdays?, sundays?, eod}
    {today, tonight, tomorrow, noon, midnight, (?:this|next) (?:week|weekend|month)}
    {this (?:morning|afternoon|evening), \d+ ?[ap]m, \d+(?:st|nd|rd|th), from \d+ to \d+}
    \bat \d+\b(?![.%])
    \b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)\w* \d|\bin \w+ (?:min|hour)
    """
)


@dataclass(frozen=True)
class PreparedText:
    """A text made ready to be held against patterns: lower case, half-width, no code."""

    line: str
    sentences: tuple[str, ...]
    clauses: tuple[str, ...]

    @property
    def length(self) -> int:
        """In words; a Chinese character counts as half a word."""
        return len(_WORD.findall(self.line)) + (len(_HAN.findall(self.line)) + 1) // 2

    @property
    def has_things(self) -> bool:
        """It names something definite: a number, code, an address, a foreign name in Chinese."""
        if THING in self.line or any(character.isdigit() for character in self.line):
            return True
        return bool(_HAN.search(self.line) and _WORD.search(self.line))

    @property
    def has_emoji(self) -> bool:
        return bool(_EMOJI.search(self.line))

    @property
    def has_time(self) -> bool:
        """It names a day or an hour, not one that is over."""
        return bool(_TIME.search(self.line)) and not _PAST.search(self.line)

    @property
    def is_reasoning(self) -> bool:
        """It weighs something: a thought, a condition, a contrast, a proposal."""
        return bool(_REASONING.search(self.line))

    @property
    def is_personal(self) -> bool:
        """It tells of the speaker or of somebody else."""
        return bool(_SOMEBODY.search(self.line))


def read(text: str) -> PreparedText:
    """`text` comes without mentions and placeholders."""
    text = CODE_OR_ADDRESS.sub(THING, text[:_MAX_CHARACTERS])
    line = unicodedata.normalize("NFKC", text).replace("’", "'").lower().strip()
    sentences = _parts(_SENTENCE_END, line)
    clauses = tuple(clause for each in sentences for clause in _parts(_CLAUSE_END, each))
    return PreparedText(line, sentences, clauses)


def _parts(end: Pattern[str], text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in end.split(text) if part.strip())
