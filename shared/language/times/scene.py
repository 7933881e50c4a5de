"""What a grammar of time is given: a text, the time it is, and which way a sentence looks."""

import re
from dataclasses import dataclass
from datetime import date, datetime

from shared.language.times import lean_en, lean_zh
from shared.language.times.calendar import LOOK_AHEAD, NO_LEAN
from shared.language.times.span import TimeSpan

_CLAUSE_END_ZH = re.compile(r"[，。！？；,.!?;\n]")
_CLAUSE_END = re.compile(r"[.!?;,\n]|:(?= )|\b(?:and|but|that|says?|because|when|if|so)\b")
_SENTENCE_END = re.compile(r"[。！？!?；;\n]|\.(?=\s)")


@dataclass(frozen=True)
class Scene:
    """The text in one script, the same text as it was written, and the time it was said."""

    text: str
    written: str
    now: datetime
    is_chinese: bool = False

    @property
    def today(self) -> date:
        return self.now.date()

    def lean(self, at: int) -> int:
        """Whether the sentence at this place looks back, ahead or neither. The clause itself says
        it best; behind one that looks back, a Chinese clause that says nothing begins anew."""
        own = self.clause_lean(at)
        if self.is_chinese:
            return (
                own or lean_zh.of_rest(self._from_clause(at)) or self._ahead_of(self.sentence(at))
            )
        said = lean_en.at_the_word(self.text[max(0, at - 12) : at])
        if said or own:
            return said or own
        if lean_en.is_planned(self.clause(at)):
            return LOOK_AHEAD
        start = self._clause_bounds(at)[0]
        if lean_en.begins_anew(self.text[max(0, start - 6) : start], self.text[start:at]):
            return NO_LEAN
        return self._lean_of(self.sentence(at))

    def clause_lean(self, at: int) -> int:
        """The same for the clause alone: had surgery and can walk in three days."""
        start, end = self._clause_bounds(at)
        of_clause = lean_zh.of_clause if self.is_chinese else lean_en.of_clause
        return of_clause(self.text[start:at], self.text[at:end], self.text[end : end + 40])

    def _lean_of(self, words: str) -> int:
        return lean_zh.of_words(words) if self.is_chinese else lean_en.of_words(words)

    def sentence(self, at: int) -> str:
        # 300 characters to each side: more than a sentence that says when, and a fixed cost.
        low, high = max(0, at - 300), at + 300
        before = [end.end() for end in _SENTENCE_END.finditer(self.text, low, at)]
        after = _SENTENCE_END.search(self.text, at, high)
        return self.text[before[-1] if before else low : after.start() if after else high]

    def _ahead_of(self, sentence: str) -> int:
        return max(NO_LEAN, self._lean_of(sentence))

    def _from_clause(self, at: int) -> str:
        """From the head of the clause to the end of the sentence."""
        sentence, clause = self.sentence(at), self.clause(at)
        return sentence[max(0, sentence.find(clause)) :]

    def clause(self, at: int) -> str:
        """The part of the sentence between the words that join two."""
        start, end = self._clause_bounds(at)
        return self.text[start:end]

    def _clause_bounds(self, at: int) -> tuple[int, int]:
        low, high = max(0, at - 300), at + 300
        ends = _CLAUSE_END_ZH if self.is_chinese else _CLAUSE_END
        before = [end.end() for end in ends.finditer(self.text, low, at)]
        after = ends.search(self.text, at, high)
        return before[-1] if before else low, after.start() if after else high

    def is_capital(self, at: int) -> bool:
        return self.written[at : at + 1].isupper()


@dataclass(frozen=True)
class Reading:
    """What stands at a place: a span of time, and where its words end."""

    span: TimeSpan
    end: int
    is_partial: bool = False
