"""The functions' own addresses on this machine, the same after a restart.

A task names the address it goes to. One that waited while everything was down would otherwise knock
at a closed door until its attempts ran out.
"""

import socket
from collections.abc import Sequence
from pathlib import Path

from infra.data_folder import keep, kept


def kept_ports(data: Path, names: Sequence[str]) -> dict[str, int]:
    """A port for each name: the one it had before, unless somebody else has taken it since."""
    path = data / "ports.json"
    like = dict.fromkeys(names, 0)
    before: dict[str, int] = kept(path, like, "the functions get new addresses")
    ports: dict[str, int] = {}
    for name in names:
        had = before.get(name)
        is_kept = had is not None and had not in ports.values() and _is_free(had)
        ports[name] = had if is_kept and had is not None else free_port()
    keep(path, ports)
    return ports


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _is_free(port: int) -> bool:
    """As a server would see it that is started now: closing connections do not count."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            return False
    return True
