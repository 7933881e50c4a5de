"""Which way an English sentence looks: the week, the month or the year that a bare date is of."""

import re

from shared.language.times.calendar import LOOK_AHEAD, LOOK_BACK, NO_LEAN

_PAST = (
    r"was|were|wasn't|weren't|did|didn't|couldn't|had|went|came|saw|met|bought|said|told|made|took|gave|left|broke|ate|"
    r"drove|flew|won|lost|found|wrote|sent|paid|ran|began|been|ago|already|forgot|knew|thought|"
    r"kept|slept|caught|brought|fell|felt|heard|held|spent|stood|sold|woke|wore|spoke|stole|chose|"
    r"built|fought|lent|became|tore|bit|blew|fed|froze|quit|rang|sang|shook|stuck|struck|swore|"
    r"taught|threw|drank|swam|rode|dug|hung|laid|sank|dreamt|burnt|overslept|grew|drew|hid|led|"
    r"understood|wept|bent|dealt|fled|forgave|learnt|lit|rose|swept|shot|slid|crept|withdrew"
)
_AHEAD = re.compile(
    rf"\b(?:will(?! (?:{_PAST}|[a-z]{{2,20}}[^e]ed)\b)|won't|going to|gonna|shall|let's|planning|"
    r"tomorrow|see you|should|must|need to|needs to|wants? to|available|free|remind|"
    r"(?<!the )(?<!\ba )(?<!this )(?<!that )(?<!her )(?<!his )(?<!my )book|plans?|schedule|"
    r"deadline|due(?! to\b)|might|forecast|"
    r"(?:said|told|thought|texted|mentioned) (?:[^.,;!?]{1,20} )?(?:couldn't|wouldn't|would|could)|"
    r"supposed to|(?:asked|told|invited|reminded|wanted|agreed|promised|decided|offered|hoped|"
    r"planned|arranged|begged|meant) (?:[^.,;!?]{1,30} )?to)\b|'ll\b"
    r"|\b(?:moved|postponed|rescheduled|cancelled|canceled|booked) (?:the|our|his|her|my|their|a)\b"
    r"|'d (?!(?:been|seen|gone|had|got|done|met|left|lost|bought|made|taken|known|[a-z]{2,20}ed)\b)"
)
"""Will met Theo: a name, and no plan."""
_BACK = re.compile(
    r"(?<!\bgets )(?<!\bget )(?<!getting )(?<!\bbe )(?<!\bis )(?<!\bare )(?<!\bam )(?<!i'm )"
    r"(?<!'re )"
    rf"\b(?:{_PAST}|(?<!'ve )(?<!'s )(?<!have )(?<!has )got|"
    r"(?!hundred\b|indeed\b)[a-z]{3,20}ed)\b"
    r"|(?:\b(?:he|she|it)|[\ue000-\uf8ff]) "
    r"(?:hurt|cut|put|let|hit|set|beat|shut|cost|read|spread)\b"
)
"""What gets paid or is moved on a day is not told of as past; "she cut" without an s is."""
_MISSED = re.compile(
    r"\b(?:(?:should|could|would|must|might)(?:'ve| have)|"
    r"(?:was|were) (?:supposed|meant|going) to)\b"
)
"""Was supposed to call on Monday: that Monday is over."""
_PRESENT = re.compile(
    r"(?:\b(?:he|she)|[\ue000-\uf8ff]) {1,2}(?:[a-z]{2,20}ly {1,2})?"
    r"(?!was\b|is\b|has\b)[a-z]{2,20}s\b"
    r"|(?:\b(?:i|we|they|you)|[\ue000-\uf8ff]) {1,2}(?:can|can't|could|would|may)\b"
)
"""He leaves on Friday: a plan, whatever the rest of the sentence tells."""
_UNTIL = re.compile(r"\b(?:until|till|by) {1,3}(?:the {1,3})?$")
_SINCE = re.compile(r"\bsince {1,3}(?:the {1,3})?$")
_FOR = re.compile(r"\bfor {1,3}(?:the {1,3})?$")
_SETTLED = re.compile(
    r"\b(?:thank|paid|apologi[sz]|sorry|billed|charged|blamed|forg[ai]v|punished|refunded)"
)
"""Bought a cake for Saturday is ahead; was thanked for Saturday is not."""
_TO = re.compile(r"\b(?:to|till|until) {1,3}(?:the {1,3})?$")
_MOVED = re.compile(
    r"\b(?:moved|pushed|postponed|shifted|rescheduled|changed|delayed|extended|switched|bumped|"
    r"deferred|brought|put)\b"
)
_ABOUT = re.compile(
    r"\b(?:remind|ask|worri|nervous|excit|anxious|stress|warn|texted|messaged|check|concern)"
    r"[^.,;!?]{0,40} about {1,3}(?:the {1,3})?$"
)
_GETTING_READY = re.compile(
    r"\b(?:studied|prepared|prepped|practi[sc]ed|trained|packed|registered|signed up|applied|"
    r"tickets?) for [^.,;!?]{1,30} on {1,3}$"
    r"|\b(?:counting down|looking forward|tickets?) to {1,3}(?:the {1,3})?$"
)
_FELL_THROUGH = re.compile(
    r",? {0,2}but\b[^.;!?]{0,24}\b(?:was|were|wasn't|didn't|couldn't|never|got|had|fell)\b"
)
_INTENDED = re.compile(r"\b(?:wanted|planned|hoped|promised|agreed|offered|intended) to\b")
"""Wanted to come on Saturday but was ill: that Saturday is over."""
_ARRANGED = re.compile(
    r"\b(?:scheduled|rescheduled|booked|reserved|arranged|planned|invited|organi[sz]ed|signed)\b"
    r"(?! (?:it |them )?on {1,3}$)[^.,;!?]{1,60}$"
)
"""Scheduled a call on Thursday: the call is on Thursday, not the scheduling."""
_NOTED = re.compile(
    r"\b(?:added|confirmed|ordered|put|announced|reminded|set|checked|noted|marked|suggested|"
    r"proposed|recommended|cancelled|canceled|rescheduled|moved|postponed|requested|picked|chose|"
    r"swapped|traded|pencill?ed)\b(?![^.,;!?]{0,60}\b(?:on|from) {1,3}$)"
    r"[^.,;!?]{0,60}$"
)
"""Added Friday's exam: no "on", so the weekday belongs to the thing."""
_IS = re.compile(
    r"\b(?:is|are|isn't|aren't|can|can't|cannot|don't|doesn't|has to|have to|starts|begins|opens|"
    r"leaves|arrives|wants|needs)\b(?: [a-z]{2,20}ed\b| (?:done|made|sold|held)\b)?"
    r"|'s (?:closed|scheduled|booked|planned|called off|cancell?ed|postponed)\b"
    r"|'(?:s|re|m)(?= (?:not )?[a-z]{2,20}ing\b| (?:on|in|at|this) )"
)
_SUITS = re.compile(r"[a-z]{3,9}(?:'s [a-z]{2,20})? {1,2}(?:is|are|works?|suits?|can|isn't)\b")
_CALLED_OFF = re.compile(
    r"[a-z]{3,9}(?:'s)?[^.,;!?]{0,30}? (?:was|were|got|(?:has|have) been) "
    r"(?:called off|cancell?ed|postponed|moved|rescheduled|pushed|delayed)\b"
)
"""Saturday's match was called off: it lay ahead."""
_OPENS_ANEW = re.compile(r"(?:so|that|if|says?|:)$")
_GOES = re.compile(
    r" {0,2}(?:return|leave|come|start|go|fly|move|head|begin|arrive|drive|meet|have|get)s?\b"
)
_OF_ITS_OWN = re.compile(
    r" {0,2}(?!(?:on|in|at|by|then|also|all|both|just|only|and|last)\b)[a-z'\ue000-\uf8ff]"
)


def at_the_word(before: str) -> int:
    """What the word straight before the date says: since, until."""
    if _SINCE.search(before):
        return LOOK_BACK
    return LOOK_AHEAD if _UNTIL.search(before) else NO_LEAN


def of_clause(before: str, after: str, later: str) -> int:
    """The lean of a clause by what stands before the date in it, by the date and the rest, and by
    what follows the clause.

    A verb of telling or arranging is past while what it tells of is not: that is asked first.
    """
    clause = before + after
    if _MISSED.search(clause) or (_INTENDED.search(before) and _FELL_THROUGH.match(later)):
        return LOOK_BACK
    if _is_arranged(before) or _is_present(before, after):
        return LOOK_AHEAD
    return of_words(clause)


def of_words(words: str) -> int:
    if _AHEAD.search(words):
        return LOOK_AHEAD
    return LOOK_BACK if _BACK.search(words) else NO_LEAN


def is_planned(clause: str) -> bool:
    return bool(_PRESENT.search(clause))


def begins_anew(opening: str, before: str) -> bool:
    """Whether a clause without a verb is cut off from the tense before it: by the word that opens
    it (passed, so drinks on Friday), as a thing of its own (had a fall, X-ray on Friday), or by a
    verb that is not past (came and return on Friday)."""
    if _OPENS_ANEW.search(opening):
        return True
    if opening.endswith(",") and _OF_ITS_OWN.match(before):
        return True
    return bool(_GOES.match(before))


def _is_arranged(before: str) -> bool:
    if _FOR.search(before):
        return not _SETTLED.search(before)
    if _TO.search(before) and _MOVED.search(before):
        return True
    return any(one.search(before) for one in (_ABOUT, _GETTING_READY, _ARRANGED, _NOTED))


def _is_present(before: str, after: str) -> bool:
    """Told me the exam is on Friday: what stands nearest before the date is present."""
    nearest = max((found.end() for found in _IS.finditer(before)), default=None)
    if nearest is not None:
        return not _BACK.search(before, nearest)
    if _CALLED_OFF.match(after):
        return True
    return bool(_SUITS.match(after)) and not before.strip()
