"""A group whose notes a test records."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from shared.wiring import Services
from tests.history.extracting import Extracting
from tests.history.noting import Noting
from tests.services import Clock


@pytest.fixture
def noting(made: Services, clock: Clock, told: dict[str, Any]) -> Iterator[Noting]:
    one = Noting(made, clock, told, f"test:{uuid4().hex[:12]}")
    yield one
    one.heal()


@pytest.fixture
def extracting(made: Services, clock: Clock, told: dict[str, Any]) -> Iterator[Extracting]:
    one = Extracting(made, clock, told, f"test:{uuid4().hex[:12]}")
    yield one
    one.heal()
