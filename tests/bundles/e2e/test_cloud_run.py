"""The bundles for Cloud Run functions."""

import pytest

from tests.bundles.answers import Answers
from tests.bundles.contents import Contents

pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("bundles-gcp")]


@pytest.fixture(scope="module")
def cloud() -> str:
    return "gcp"


class TestContents(Contents):
    """What the bundles hold."""


class TestAnswers(Answers):
    """What the functions answer."""
