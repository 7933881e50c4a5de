"""One local cloud for the tests that leave it running."""

from collections.abc import Iterator

import pytest

from tests.e2e.local import LocalCloud


@pytest.fixture(scope="package")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCloud]:
    local = LocalCloud(tmp_path_factory.mktemp("annals") / "data").start()
    try:
        yield local
    finally:
        local.close()
