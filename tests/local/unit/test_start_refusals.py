"""What keeps the local cloud from starting is said in a line, with what to do."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.data_folder import owned
from infra.local import main


@pytest.fixture(autouse=True)
def _own_umask() -> Iterator[None]:
    """The command sets it for its process, which is here that of the tests."""
    before = os.umask(0o077)
    yield
    os.umask(before)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["--port", "0", *words]) == 1
    told = capsys.readouterr().err
    assert told.startswith("annals: ")
    return told


@pytest.mark.parametrize("text", ["", "{", "[]", '{"key": 7}', '{"secrets": {"lark": ""}}'])
def test_secrets_that_are_not_whole_are_named_and_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = tmp_path / "secrets.json"
    path.write_text(text)

    told = refused(capsys, "--data", str(tmp_path))

    assert f"{path} cannot be read" in told
    assert "delete it" in told
    assert path.read_text() == text


def test_a_folder_that_is_a_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").touch()

    assert "cannot keep the data (File exists)" in refused(
        capsys, "--data", str(tmp_path / "data"), "--log-file", str(tmp_path / "data/logs/log")
    )


def test_a_folder_that_cannot_be_written_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "make run DATA=" in refused(capsys, "--data", "/proc/annals")


def test_a_log_that_cannot_be_written_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = refused(capsys, "--data", str(tmp_path), "--log-file", "/proc/annals/log")

    assert "the log /proc/annals/log cannot be written" in told


def test_a_ready_file_that_is_a_folder_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "--ready-file" in refused(capsys, "--data", str(tmp_path), "--ready-file", str(tmp_path))


def test_a_folder_has_one_owner_at_a_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with owned(tmp_path):
        assert f"{tmp_path} is in use" in refused(capsys, "--data", str(tmp_path))
    with owned(tmp_path) as again:
        assert again == tmp_path


@pytest.mark.parametrize("port", ["99999", "-1", "http", "１"])
def test_what_is_no_port_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], port: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([f"--port={port}", "--data", str(tmp_path)])

    assert ended.value.code == 2
    assert "is no port: 0 to 65535" in capsys.readouterr().err


def test_a_port_that_is_taken_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        port = str(stranger.getsockname()[1])
        assert f"port {port} is taken" in refused(capsys, "--data", str(tmp_path), "--port", port)
