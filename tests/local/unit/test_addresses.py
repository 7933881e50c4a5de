"""Functions come back where their waiting tasks will look for them."""

import socket
from pathlib import Path

from infra.addresses import kept_ports

NAMES = ["ingest_message", "ingest_message-tasks", "historian_job"]


def test_a_restart_finds_every_function_at_its_old_address(tmp_path: Path) -> None:
    before = kept_ports(tmp_path, NAMES)

    assert kept_ports(tmp_path, NAMES) == before
    assert len(set(before.values())) == len(NAMES)


def test_a_port_that_somebody_took_meanwhile_is_given_up_alone(tmp_path: Path) -> None:
    before = kept_ports(tmp_path, NAMES)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as stranger:
        stranger.bind(("127.0.0.1", before["historian_job"]))
        stranger.listen()
        after = kept_ports(tmp_path, NAMES)

    assert after["historian_job"] != before["historian_job"]
    assert {name: after[name] for name in NAMES[:2]} == {name: before[name] for name in NAMES[:2]}


def test_a_function_that_is_new_gets_a_port_and_one_that_left_none(tmp_path: Path) -> None:
    before = kept_ports(tmp_path, NAMES)
    after = kept_ports(tmp_path, ["build_context", NAMES[0]])

    assert list(after) == ["build_context", NAMES[0]]
    assert after[NAMES[0]] == before[NAMES[0]]
