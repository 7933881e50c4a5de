"""Talk for tests of topics: stored messages with the features that ingest finds in them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from shared.domain.messages.analyser import analysed
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.bursts import Burst, bursts

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def said(
    *lines: tuple[str, str], every: timedelta = timedelta(minutes=5), start: datetime = START
) -> list[StoredMessage]:
    """`lines` are (who, what), one after another."""
    return [
        _stored(number, who, what, start + number * every)
        for number, (who, what) in enumerate(lines)
    ]


def _stored(number: int, who: str, what: str, at: datetime) -> StoredMessage:
    plain = StoredMessage(
        group_id="generic:club",
        message_id=f"m{number:04d}",
        user_id=f"u-{who}",
        user_name=who,
        content=what,
        role="assistant" if who == "bot" else "user",
        create_time=at,
        received_at=at,
    )
    features, terms = analysed(plain)
    return replace(plain, features=features, terms=terms)


def talk(*lines: tuple[str, str]) -> list[Burst]:
    return bursts(said(*lines))


def contents(parts: Sequence[Burst]) -> list[str]:
    return [one.content for one in parts]
