"""Turns of phrase: how a list of them is written down, and the form of text they are held against.

They are habits of speech, not grammar. A pattern a line, comments after `#`; to add one, add a
line and a sentence to `tests/unit/analysis/sentences.jsonl`.
"""

import re
import unicodedata
from dataclasses import dataclass
from re import Pattern

_MAX_CHARACTERS = 2_000
_THING = "￼"
"""Stands for code or an address: it is there, but its words are not the speaker's."""

_CODE_OR_ADDRESS = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]+`|(?:https?|ftp)://[^\s<>一-鿿]+", re.DOTALL
)
_SENTENCE_END = re.compile(r"[\n;!?。…~]+|\.(?=\s|$)|\.{2,}|(?<=[^\d\s]):(?=\s)|\s-\s")
_CLAUSE_END = re.compile(r"[,、](?!\d)|,(?=\s)")
_HAN = re.compile(r"[㐀-鿿]")
_WORD = re.compile(r"[a-z][a-z']*")
_EMOJI = re.compile(r"[\u2600-\u27bf\U0001f300-\U0001faff]")


def any_of(lines: str) -> Pattern[str]:
    """One pattern out of many lines."""
    patterns = (line.partition("  #")[0].strip() for line in lines.splitlines())
    return re.compile("|".join(pattern for pattern in patterns if pattern))


_REASONING = any_of(
    r"""
    觉得|感觉|认为|可能|应该|如果|要是|的话|建议|考虑|倾向|估计|听说|其实|反正|主要|但是?|不过|反而|否则|因为|所以|毕竟|关键
    同意.{2,}|赞成.{2,}|得[再先砍改换]|要不|比[上之以]?[次前]|最好|比较|够了|不够|不行|来看|看来
    \b(?:think|thought|maybe|if|should|could|would|but|probably|seems?|looks like|imo|guess|rather)\b
    \b(?:might|than|because(?! of)|since|though|although|however|instead|unless|convinced|prefer|agree)\b
    """
)
_SPEAKER = any_of(
    r"""
    我(?!们)|俺|本人
    \b(?:i|i'm|im|i'd|i've|i'll|my|me|mine)\b
    """
)
_HEARSAY = any_of(
    r"""
    [他她咱]|[说讲]|昨|刚|上[周个次]|以前|之前|去年|最近|一直|感觉
    \b(?:he|she|they|he's|she's|they're|him|his|them|said|says|told|yesterday|ago|since|been)\b|\b[a-z]{3,}ed\b
    \blast (?:week|night|month|year|time)\b|\b(?:mom|dad|wife|husband|kids?|son|daughter)(?:'s)?\b
    """
)
_TIME = any_of(
    r"""
    [今明后当][天早晚日]|[周星]期?[一二三四五六日天末]|[本下]个?[周月]|上午|下午|中午|早上|晚上|凌晨|月底|年底
    (?:\d+|[一二三四五六七八九十]*[二三四五六七八九十])(?:[点号日月时]|分钟[后内])|\d:\d\d
    \b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:today|tonight|tomorrow|noon|midnight|eod)\b
    \b(?:this|next) (?:week|weekend|month|morning|afternoon|evening)\b|\b\d{1,2} ?[ap]m\b
    \b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)\w* \d|\b\d+(?:st|nd|rd|th)\b
    \bat \d+\b|\bfrom \d+ to \d+|\bin \w+ (?:minutes?|mins?|hours?)\b
    """
)


@dataclass(frozen=True)
class Said:
    """A text made ready to be held against patterns: lower case, half-width, no code."""

    line: str
    sentences: tuple[str, ...]
    clauses: tuple[str, ...]

    @property
    def is_question_marked(self) -> bool:
        return "?" in self.line

    @property
    def length(self) -> int:
        """In words; a Chinese character counts as half a word."""
        return len(_WORD.findall(self.line)) + (len(_HAN.findall(self.line)) + 1) // 2

    @property
    def has_things(self) -> bool:
        """True where it speaks of something definite: a number, code, an address, a foreign name."""
        if _THING in self.line or any(character.isdigit() for character in self.line):
            return True
        return bool(_HAN.search(self.line) and _WORD.search(self.line))

    @property
    def has_emoji(self) -> bool:
        return bool(_EMOJI.search(self.line))

    @property
    def is_reasoning(self) -> bool:
        """True where somebody weighs something: a thought, a condition, a contrast, a proposal."""
        return bool(_REASONING.search(self.line))

    @property
    def is_personal(self) -> bool:
        """True where it tells of the speaker, of somebody, or of what was."""
        return bool(_SPEAKER.search(self.line) or _HEARSAY.search(self.line))

    @property
    def has_time(self) -> bool:
        """True where a day or an hour is named."""
        return bool(_TIME.search(self.line))


def read(text: str) -> Said:
    """`text` comes without mentions and placeholders."""
    text = _CODE_OR_ADDRESS.sub(_THING, text[:_MAX_CHARACTERS])
    line = unicodedata.normalize("NFKC", text).replace("’", "'").lower().strip()
    sentences = _parts(_SENTENCE_END, line)
    clauses = tuple(clause for each in sentences for clause in _parts(_CLAUSE_END, each))
    return Said(line, sentences, clauses)


def _parts(end: Pattern[str], text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in end.split(text) if part.strip())
