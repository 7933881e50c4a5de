"""Rules for every test: no network beyond this machine."""

import functools
import gc
import ipaddress
import socket
import ssl
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# A busy machine is no fault of the code: nothing here fails for being slow.
settings.register_profile("annals", deadline=None)
settings.load_profile("annals")

# No test speaks TLS, and each client of the SDKs reads 140 authorities (20 ms): once is enough.
ssl.create_default_context = functools.cache(ssl.create_default_context)  # type: ignore[assignment]

# Ten thousand tests and all modules are looked through for garbage again and again, an eighth of
# a worker's time: seldomer, and what is there when the tests begin is garbage never.
gc.set_threshold(50_000, 20, 100)

_connect = socket.socket.connect


def _loopback_only(self: socket.socket, address: Any) -> None:
    if self.family in (socket.AF_INET, socket.AF_INET6):
        host = address[0]
        if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
            raise AssertionError(f"a test tried to reach {host}: tests stay on this machine")
    _connect(self, address)


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Any:
    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect", _loopback_only)
    yield
    patch.undo()


ONE_WORKER = {
    "e2e": "e2e",
    "topics/pipeline": "pipelines of talk",
    "memories/pipeline": "pipelines of talk",
    "pipeline": "pipelines",
    "jobs/contract": "jobs",
}
"""Tests that share costly processes run in one worker, so that those are started once; pipelines in
two, or the others would wait for them."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    root = Path(__file__).parent
    for item in items:
        place = f"/{item.path.relative_to(root).with_suffix('').as_posix()}/"
        for folder, shared in ONE_WORKER.items():
            if f"/{folder}/" in place and item.get_closest_marker("xdist_group") is None:
                item.add_marker(pytest.mark.xdist_group(shared))
                break
        group = item.get_closest_marker("xdist_group")
        if group is not None and getattr(config.option, "loadgroup", False):
            _name_group(item, str(group.args[0]))


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


def _name_group(item: Any, group: str) -> None:
    """What pytest-xdist 3.8 does by itself with older pytests: it finds groups in the test's id."""
    from _pytest.nodeid import coerce_node_id

    if "@" not in item.nodeid.rpartition("]")[2]:
        item._id = coerce_node_id(f"{item.nodeid}@{group}")
