"""Ports on this machine, and the one that tasks go to, the same after a restart.

A task names the address it goes to. One that waited while everything was down would otherwise knock
at a closed port until its attempts ran out.
"""

import errno
import socket
from pathlib import Path

from infra.data_folder import CannotStart, keep, kept


def listening(port: int) -> socket.socket:
    """A socket that connections wait in; port 0 takes a free one."""
    # Named as TCP, or asyncio leaves Nagle on and every small answer waits 40 ms.
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        door.close()
        is_taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        why = "taken" if is_taken else f"not to be had ({error})"
        raise CannotStart(f"port {port} is {why}; choose another: make run PORT=8081") from error
    door.listen(1024)
    return door


def kept_listening(data: Path) -> socket.socket:
    """On the port that was listened on before, unless somebody else has taken it since."""
    path = data / "ports.json"
    before: dict[str, int] = kept(path, {"tasks": 0}, "tasks get a new address")
    try:
        door = listening(before.get("tasks", 0))
    except CannotStart:
        door = listening(0)
    keep(path, {"tasks": door.getsockname()[1]})
    return door


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
