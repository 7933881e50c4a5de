"""What a question asks for: its words without the names in it, who it is about, when, what kind."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from shared.domain.recall.people import NOBODY, Named, named_in
from shared.language import (
    asks_about_speaker,
    asks_amount,
    asks_when,
    character_pairs,
    terms,
    times_in,
)

MOST_PEOPLE = 2
"""A question that names more asks for none of them in particular."""

OF_ITS_DAY = frozenset(
    (
        *("today", "tonight", "tomorrow", "yesterday"),
        *("今天", "今日", "今晚", "今早", "明天", "明日", "明晚", "明早"),
        *("昨天", "昨日", "昨晚", "后天", "前天"),
    )
)
"""Words that mean another day whenever they are said: that a line has them too tells nothing. What
day they mean is asked of its date."""


@dataclass(frozen=True)
class RecallQuestion:
    """`days` are the stretches of days it names, first and last included. `is_of_the_talk` if it
    was asked in the chat: then what was said lately is a little likelier to be meant, and a line
    that has the question's words rather asks the same. Who searches wants the words searched for.
    """

    words: tuple[str, ...]
    pairs: tuple[str, ...]
    named: Named = NOBODY
    asker: str | None = None
    asks_when: bool = False
    asks_amount: bool = False
    days: Sequence[tuple[date, date]] = ()
    is_of_the_talk: bool = True
    asked_at: datetime | None = None

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
    is_of_the_talk: bool = True,
    bots: Collection[str] = (),
) -> RecallQuestion:
    """`members` are the names of those who speak here, by user id; `bots` are the ids among them
    that are spoken to, not asked about."""
    named = named_in(text, members)

    def tells(word: str) -> bool:
        is_name = any(word in form or form in word for form in named.words)
        return not is_name and word not in OF_ITS_DAY

    return RecallQuestion(
        words=tuple(word for word in terms(text) if tells(word)),
        pairs=tuple(pair for pair in character_pairs(text) if tells(pair)),
        named=Named(named.people - frozenset(bots), named.words),
        asker=asker if asks_about_speaker(text) else None,
        asks_when=asks_when(text),
        asks_amount=asks_amount(text),
        days=_days(text, now),
        is_of_the_talk=is_of_the_talk,
        asked_at=now,
    )


def _days(text: str, now: datetime) -> tuple[tuple[date, date], ...]:
    """The stretches of days that it names, but for those yet to come: nothing was said then."""
    return tuple(
        (named.first, named.last) for named in times_in(text, now) if named.first <= now.date()
    )
