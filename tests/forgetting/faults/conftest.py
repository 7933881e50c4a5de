"""A group of its own that all pipelines work on."""

from typing import Any
from uuid import uuid4

import pytest

from shared.wiring import Services
from tests.forgetting.whole_group import WholeGroup
from tests.services import Clock


@pytest.fixture
def whole(made: Services, clock: Clock, told: dict[str, Any]) -> WholeGroup:
    return WholeGroup(made, clock, told, f"test:{uuid4().hex[:12]}")
