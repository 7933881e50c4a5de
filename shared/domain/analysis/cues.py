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
_CLAUSE_END = re.compile(r"[\n;!。…、~]+|[.,](?=\s|$)|,(?!\d)|\.{2,}|\?+|(?<=[^\d\s]):(?=\s)|\s-\s")
_HAN = re.compile(r"[㐀-鿿]")
_WORD = re.compile(r"[a-z][a-z']*")


def any_of(lines: str) -> Pattern[str]:
    """One pattern out of many lines."""
    patterns = (line.partition("  #")[0].strip() for line in lines.splitlines())
    return re.compile("|".join(pattern for pattern in patterns if pattern))


@dataclass(frozen=True)
class Said:
    """A text made ready to be held against patterns: lower case, half-width, no code."""

    line: str
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
        """True where it speaks of something definite: a number, code, an address."""
        return _THING in self.line or any(character.isdigit() for character in self.line)


def read(text: str) -> Said:
    """`text` comes without mentions and placeholders."""
    text = _CODE_OR_ADDRESS.sub(_THING, text[:_MAX_CHARACTERS])
    line = unicodedata.normalize("NFKC", text).replace("’", "'").lower().strip()
    clauses = tuple(part.strip() for part in _CLAUSE_END.split(line) if part.strip())
    return Said(line, clauses)
