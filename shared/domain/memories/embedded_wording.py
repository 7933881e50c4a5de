"""In which words memories and questions are embedded: the group speaks of itself as "we".

A memory says "members ..." or names nobody at all, a question says "the group ..."; to an encoder
these frames weigh more than the matter. So both are put in the words of whoever belongs to the
group. A member's memory names that member already and is embedded as it stands. Pure.
"""

import re

from shared.domain.memories.memory import Memory
from shared.domain.similarity.vectors import unpack
from shared.domain.text.language import Language, guess_language

RECIPE = 2
"""Raised when the text that is embedded changes. 1 was the bare statement."""

_US_ZH = re.compile(
    r"(?<!人)(?:(?:我们|咱们|这个|本)?群(?:组|聊|里|内)(?:里|内)?|(?:我们|咱们|这个|本)群)"
    r"(?:的?(?:成员|人))?|"
    r"群(?:成员|友)们?|成员们?|大家|咱们|我们|所有人|每个人"
)
_US_EN = re.compile(
    r"\b(?:the|this|our) (?:group|team|club|chat|channel|community)(?:'s)?(?: members)?\b|"
    r"\b(?:(?:all|most) (?:of )?(?:the )?)?(?:(?:group )?members\b|"
    r"(?:everyone|everybody|people|they|we|us)\b(?: (?:here|in this group|in the group))?)",
    re.IGNORECASE,
)


def memory_text(statement: str, subject: str) -> str:
    """What is embedded of a memory; `subject` is the member it is about, none for the group."""
    if subject:
        return statement
    is_chinese = guess_language(statement) is Language.CHINESE
    named = (_US_ZH if is_chinese else _US_EN).match(statement)
    rest = statement[named.end() :] if named else statement
    if is_chinese:
        return f"我们{rest}"
    return f"we{rest}" if named else f"we: {rest}"


def embedded_as(model: str) -> str:
    """Stands beside a memory's vector: upkeep makes anew those that say something else."""
    return f"{model}/{RECIPE}"


def vector_in(memory: Memory, model: str) -> list[float] | None:
    """Its vector if it lies in this model's space, in whichever words it was made."""
    made_by = memory.embedded_as.rpartition("/")[0]
    return unpack(memory.vector) if memory.vector and made_by == model else None


def question_text(question: str) -> str:
    """What is embedded of a question about memories."""
    asked = question.strip().rstrip("?？ ") or question
    if guess_language(asked) is Language.CHINESE:
        return _US_ZH.sub("我们", asked, count=1)
    return _US_EN.sub("we", asked, count=1)
