"""What a grammar of time is given: a text, the time it is, and which way a sentence looks."""

import re
from dataclasses import dataclass
from datetime import date, datetime

from shared.domain.time.calendar import LOOK_AHEAD, LOOK_BACK, NO_LEAN
from shared.domain.time.span import TimeSpan

_AHEAD_EN = re.compile(
    r"\b(?:will|won't|going to|gonna|shall|let's|plan|planning|plans|tomorrow|see you|should|must|"
    r"need to|needs to|wants? to|available|free|remind|book|schedule|deadline|due|might|"
    r"supposed to|(?:asked|told|invited|reminded|wanted|agreed|promised|decided|offered|hoped|"
    r"planned|arranged|begged|meant) (?:[^.,;!?]{1,30} )?to)\b|'ll\b"
    r"|\b(?:moved|postponed|rescheduled|cancelled|canceled|booked) (?:the|our|his|her|my|their|a)\b"
    r"|'d (?!(?:been|seen|gone|had|got|done|met|left|lost|bought|made|taken|known|[a-z]{2,20}ed)\b)"
)
_BACK_EN = re.compile(
    r"\b(?:was|were|did|had|went|came|saw|met|bought|said|told|made|took|gave|left|broke|"
    r"(?<!'ve )(?<!'s )(?<!have )(?<!has )got|"
    r"ate|drove|flew|won|lost|found|wrote|sent|paid|ran|began|been|ago|already|forgot|knew|thought|"
    r"kept|slept|caught|brought|fell|felt|heard|held|spent|stood|sold|woke|wore|spoke|stole|chose|"
    r"built|fought|lent|became|tore|bit|blew|fed|froze|quit|rang|sang|shook|stuck|struck|swore|taught|threw|"
    r"[a-z]{3,20}ed)\b"
)
_AHEAD_ZH = re.compile(
    r"要|会|将|打算|准备|计划|记得|安排|提醒|一起去|想去|预计|约|约在|截止"
    r"|[订定买排抢报](?:好|到)?了|查了.{0,12}天气"
)
_BACK_ZH = re.compile(
    r"了(?!解)|(?<![不超通经难])过(?![生年节来去程几两会得于分敏期])|曾|已经|上次|是在"
)
_PRESENT_EN = re.compile(
    r"(?:\b(?:he|she)|[\ue000-\uf8ff]) {1,2}(?:[a-z]{2,20}ly {1,2})?"
    r"(?!was\b|is\b|has\b)[a-z]{2,20}s\b"
    r"|(?:\b(?:i|we|they|you)|[\ue000-\uf8ff]) {1,2}(?:can|can't|could|would|may)\b"
)
"""He leaves on Friday: a plan, whatever the rest of the sentence tells."""
_UNTIL_EN = re.compile(r"\b(?:until|till|by) {1,3}(?:the {1,3})?$")
_SINCE_EN = re.compile(r"\bsince {1,3}(?:the {1,3})?$")
_CLAUSE_END_ZH = re.compile(r"[，。！？；,.!?;\n]")
_CLAUSE_END = re.compile(r"[.!?;,\n]|\b(?:and|but|that|says?|because|when|if|so)\b")
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
        own = self._lean_of(self.clause(at))
        if self.is_chinese:
            return own or self._lean_of(self._from_clause(at)) or self._ahead_of(self.sentence(at))
        before = self.text[max(0, at - 12) : at]
        if _SINCE_EN.search(before) or _UNTIL_EN.search(before):
            return LOOK_BACK if _SINCE_EN.search(before) else LOOK_AHEAD
        if not own and _PRESENT_EN.search(self.clause(at)):
            return LOOK_AHEAD
        return own or self._lean_of(self.sentence(at))

    def clause_lean(self, at: int) -> int:
        """The same for the clause alone: had surgery and can walk in three days."""
        return self._lean_of(self.clause(at))

    def _lean_of(self, sentence: str) -> int:
        ahead, back = (_AHEAD_ZH, _BACK_ZH) if self.is_chinese else (_AHEAD_EN, _BACK_EN)
        if ahead.search(sentence):
            return LOOK_AHEAD
        return LOOK_BACK if back.search(sentence) else NO_LEAN

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
        low, high = max(0, at - 300), at + 300
        ends = _CLAUSE_END_ZH if self.is_chinese else _CLAUSE_END
        before = [end.end() for end in ends.finditer(self.text, low, at)]
        after = ends.search(self.text, at, high)
        return self.text[before[-1] if before else low : after.start() if after else high]

    def is_capital(self, at: int) -> bool:
        return self.written[at : at + 1].isupper()


@dataclass(frozen=True)
class Reading:
    """What stands at a place: a span of time, and where its words end."""

    span: TimeSpan
    end: int
    is_partial: bool = False
