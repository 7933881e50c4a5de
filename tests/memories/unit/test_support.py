"""When memories were last spoken for, and when their silence is looked at."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.domain.group import Group
from shared.domain.memories.memory import Memory
from shared.domain.memories.upkeep import is_review_due

NOW = datetime(2026, 3, 1, tzinfo=UTC)
OLD = NOW - timedelta(days=30)
SILENT = Memory("a", "g:1", "we meet on Fridays", 1, created_at=OLD, updated_at=OLD)


@pytest.mark.parametrize(
    ("review_at", "is_due"),
    [(None, True), (NOW, True), (NOW + timedelta(seconds=1), False)],
)
def test_silence_is_looked_at_when_its_time_has_come(
    review_at: datetime | None, is_due: bool
) -> None:
    group = Group("g:1", "g", review_at=review_at)

    assert is_review_due(group, [SILENT], NOW, 21) is is_due
    assert not is_review_due(group, [replace(SILENT, last_supported_at=NOW)], NOW, 21)
