"""Do its sources say what a memory states? A plain check of words, for every change. Pure.

A model may state what nobody said, or the opposite of it. Words show the plain cases: nothing of
the statement is in its sources, or they deny what it affirms. A good paraphrase passes; where the
two are in different scripts words cannot tell, and it passes too.
"""

import re
from collections.abc import Sequence

from shared.domain.memories.same_matter import has_in_common, telling
from shared.domain.memories.verdict import Verdict

LEAST_SAID = 0.15
"""The share of a statement's telling words that its sources have. Of 142 hand-written labels of
natural talk 134 are so supported (88 of 88 written beside it, 46 of 54 by somebody else); of 710
times that one was held against other lines of its talk 634 are not said."""
_DENIES = (
    r"(?:不(?!过|仅|但|同|错|得不|只)|没(?!问题|事)|别(?!人|的)|勿|戒|"
    r"\b(?:no|not|never|none|nobody|nothing|without|neither|nor|cannot|stopped|quit|"
    r"gave up|given up)\b|n't\b|\bcant\b|\bdont\b)"
)
_DENIAL = re.compile(rf"{_DENIES}(?:[\u3400-\u9fff]{{1,5}}|(?:\s+[a-z'-]+){{1,3}})", re.IGNORECASE)
"""With what it reaches: a few characters, or three words."""
_WORD = re.compile(_DENIES, re.IGNORECASE)


def judged(statement: str, said: Sequence[str], known: Sequence[str] = ()) -> Verdict:
    """`said` are its sources; `known` what it may say without them: names, its words before."""
    told = telling(statement) - telling(" ".join(known))
    heard = telling(" ".join(said))
    if not told or not heard:
        return Verdict.SUPPORTED
    shared = len(told & heard) / len(told)
    if not has_in_common(told, heard) or 0 < shared < LEAST_SAID:
        return Verdict.NOT_SAID
    return Verdict.CONTRADICTED if _is_denied(statement, " ".join(said)) else Verdict.SUPPORTED


def _is_denied(statement: str, said: str) -> bool:
    """One of them denies what both speak of, and the other denies nothing at all."""
    for one, other in ((statement, said), (said, statement)):
        if not _WORD.search(other) and _denied(one) & telling(other):
            return True
    return False


def _denied(text: str) -> frozenset[str]:
    """The telling words that stand right behind a denial, and nowhere else."""
    behind = [_WORD.sub(" ", found[0]) for found in _DENIAL.finditer(text)]
    return telling(" ".join(behind)) - telling(_DENIAL.sub(" ", text))
