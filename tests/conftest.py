"""Rules for every test: no network beyond this machine."""

import ipaddress
import socket
from typing import Any

import pytest

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
