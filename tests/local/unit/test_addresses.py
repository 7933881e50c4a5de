"""Tasks go where they went before a restart."""

import socket
from pathlib import Path

from infra.addresses import kept_listening


def port_of(data: Path) -> int:
    with kept_listening(data) as listener:
        return int(listener.getsockname()[1])


def test_a_restart_listens_where_waiting_tasks_will_look(tmp_path: Path) -> None:
    assert port_of(tmp_path) == port_of(tmp_path)


def test_a_port_that_somebody_took_meanwhile_is_given_up(tmp_path: Path) -> None:
    before = port_of(tmp_path)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as stranger:
        stranger.bind(("127.0.0.1", before))
        stranger.listen()
        after = port_of(tmp_path)

    assert after != before
    assert port_of(tmp_path) == after


def test_a_number_that_is_no_port_is_given_up(tmp_path: Path) -> None:
    (tmp_path / "ports.json").write_text('{"tasks": 99999}')

    assert 0 < port_of(tmp_path) < 65_536
