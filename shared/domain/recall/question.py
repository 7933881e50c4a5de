"""What a question asks for: its words without the names in it, who it is about, when, what kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from shared.domain.recall.people import NOBODY, Named, named_in
from shared.domain.recall.signs import asks_about_speaker, asks_amount, asks_when
from shared.domain.text.pairs import character_pairs
from shared.domain.text.words import terms
from shared.domain.time.find import time_expressions
from shared.domain.time.span import NAMED_GRAINS

MOST_PEOPLE = 2
"""A question that names more asks for none of them in particular."""


@dataclass(frozen=True)
class RecallQuestion:
    """`days` are the stretches of days it names, first and last included."""

    words: tuple[str, ...]
    pairs: tuple[str, ...]
    named: Named = NOBODY
    asker: str | None = None
    asks_when: bool = False
    asks_amount: bool = False
    days: Sequence[tuple[date, date]] = ()

    @property
    def about(self) -> frozenset[str]:
        """Whose lines count more."""
        return self.named.people if len(self.named.people) <= MOST_PEOPLE else frozenset()


def recall_question(
    text: str,
    members: Mapping[str, str],
    *,
    now: datetime,
    asker: str | None = None,
) -> RecallQuestion:
    """`members` are the names of those who speak here, by user id."""
    named = named_in(text, members)

    def is_name(word: str) -> bool:
        return any(word in form or form in word for form in named.words)

    return RecallQuestion(
        words=tuple(word for word in terms(text) if not is_name(word)),
        pairs=tuple(pair for pair in character_pairs(text) if not is_name(pair)),
        named=named,
        asker=asker if asks_about_speaker(text) else None,
        asks_when=asks_when(text),
        asks_amount=asks_amount(text),
        days=_days(text, now),
    )


def _days(text: str, now: datetime) -> tuple[tuple[date, date], ...]:
    """The stretches of days that it names, but for those yet to come: nothing was said then."""
    spans = [one.span for one in time_expressions(text, now)]
    return tuple(
        (one.first, one.last)
        for one in spans
        if one.grain in NAMED_GRAINS and one.first <= now.date()
    )
