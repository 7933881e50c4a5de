"""What a version takes over from the one it starts from: it tells of the whole topic, though it is
made from the last text and the new messages only. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from shared.domain.topics.bursts import Burst
from shared.domain.topics.extract import is_answer, says_the_same
from shared.domain.topics.summary import MAX_SPEAKERS, Digest
from shared.domain.topics.topic import Summary
from shared.language import terms

MOST_CARRIED = 10
"""Decisions of a topic, and questions; the older ones stand in the text if they still matter."""
TAKEN_UP = 0.5
WORDS_TAKEN_UP = 2
"""Of a question's words: who says so large a share of them, and so many if it has them, says
something to it."""


def carried_on(base: Summary | None, told: Digest, talk: Sequence[Burst]) -> Digest:
    """Everybody who took part, what was decided and nobody decided anew, and what was asked and
    nobody has answered in the new `talk`."""
    if base is None:
        return told
    questions = [one for one in base.open_questions if not _is_settled(one, told, talk)]
    return replace(
        told,
        people=tuple(dict.fromkeys((*base.people, *told.people)))[:MAX_SPEAKERS],
        decisions=_with_new(base.decisions, told.decisions),
        open_questions=_with_new(questions, told.open_questions),
    )


def _with_new(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """The newest last; of two on the same matter the newer."""
    words = [set(terms(one)) for one in new]
    kept = [one for one in old if not any(says_the_same(set(terms(one)), its) for its in words)]
    return tuple(dict.fromkeys((*kept, *new)))[-MOST_CARRIED:]


def _is_settled(question: str, told: Digest, talk: Sequence[Burst]) -> bool:
    words = terms(question.partition(": ")[2] or question)
    # One character is seldom cut the same way twice: 带 in the question, 我带 in its answer.
    asked = {one for one in words if len(one) > 1} or set(words)
    said = [one.terms for one in talk if one.message_type != "question" and is_answer(one.content)]
    return any(_takes_up(asked, one) for one in (*said, *map(terms, told.decisions)))


def _takes_up(asked: Collection[str], said: Collection[str]) -> bool:
    least = max(min(WORDS_TAKEN_UP, len(asked)), TAKEN_UP * len(asked))
    return bool(asked) and len(set(asked) & set(said)) >= least
