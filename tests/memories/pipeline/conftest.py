"""A group whose talk is read by a scripted model."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from shared.wiring import Services
from tests.memories.reading import Reading
from tests.services import Clock


@pytest.fixture
def reading(made: Services, clock: Clock, told: dict[str, Any]) -> Iterator[Reading]:
    group = Reading(made, clock, told, f"test:{uuid4().hex[:12]}")
    yield group
    group.heal()
