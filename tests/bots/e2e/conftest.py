"""A local cloud that a test may kill."""

from collections.abc import Iterator

import pytest

from tests.local_cloud import LocalCloud


@pytest.fixture
def own_cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCloud]:
    local = LocalCloud(tmp_path_factory.mktemp("bots") / "data").start()
    try:
        yield local
    finally:
        local.close()
