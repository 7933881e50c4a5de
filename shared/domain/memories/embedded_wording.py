"""In which words a memory is embedded: its statement, after the name of its kind.

To an encoder "most members are front-end developers" has little to do with "what is our technical
background"; with "background:" before it, it has. So the kind is a soft sign inside the meaning,
and no rule about the question's words is needed. In Chinese the words for the group itself go, here
and in the question: to the encoder "群组的背景" is near to whatever begins with "群里". Pure.
"""

from shared.domain.memories.memory import Memory
from shared.domain.similarity.vectors import unpack
from shared.language import Language, guess_language, without_group_words

RECIPE = 3
"""Raised when the text that is embedded changes. 1 was the bare statement, 2 put it as "we"."""

_KINDS = {
    "trait": ("背景", "background"),
    "preference": ("喜好", "likes"),
    "habit": ("习惯", "habit"),
    "taboo": ("规矩", "rule"),
    "view": ("看法", "opinion"),
    "culture": ("氛围", "culture"),
    "project": ("项目", "project"),
}
"""A plain fact has no name: one before it was measured and made nothing better."""


def memory_text(statement: str, kind: str) -> str:
    """What is embedded of a memory."""
    text, named = question_text(statement), _KINDS.get(kind)
    if named is None:
        return text
    chinese, english = named
    is_chinese = guess_language(statement) is Language.CHINESE
    return f"{chinese}：{text}" if is_chinese else f"{english}: {text}"


def question_text(question: str) -> str:
    """What is embedded of a question about memories."""
    if guess_language(question) is not Language.CHINESE:
        return question
    return without_group_words(question).lstrip("的") or question


def embedded_as(model: str) -> str:
    """Stands beside a memory's vector: upkeep makes anew those that say something else."""
    return f"{model}/{RECIPE}"


def vector_in(memory: Memory, model: str) -> list[float] | None:
    """Its vector if it lies in this model's space, in whichever words it was made."""
    made_by = memory.embedded_as.rpartition("/")[0]
    return unpack(memory.vector) if memory.vector and made_by == model else None
