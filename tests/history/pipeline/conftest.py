"""A group whose notes a test records."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from shared.wiring import Services
from tests.history.noting import Noting
from tests.memories.reading import Reading
from tests.services import Clock


@pytest.fixture
def noting(made: Services, clock: Clock, told: dict[str, Any]) -> Iterator[Noting]:
    one = Noting(made, clock, told, f"test:{uuid4().hex[:12]}")
    yield one
    one.heal()


@pytest.fixture
def reading(made: Services, clock: Clock, told: dict[str, Any]) -> Iterator[Reading]:
    one = Reading(made, clock, told, f"test:{uuid4().hex[:12]}")
    yield one
    one.heal()
