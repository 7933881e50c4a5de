"""The folder that keeps everything of the local cloud: one owner at a time, and what it holds is
read with a word on what to do where it cannot be."""

import contextlib
import fcntl
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from infra.check.steps import CannotGoOn


class CannotStart(CannotGoOn):
    """The local cloud cannot start; the message says what to do."""


@contextlib.contextmanager
def owned(folder: Path) -> Iterator[Path]:
    """The folder, made if it is not there, for this process alone. A second one would be given
    other ports and write into the same log."""
    path = folder.resolve()
    try:
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o700)
        lock = (path / "lock").open("w")
    except OSError as error:
        raise CannotStart(
            f"{path} cannot keep the data ({error.strerror}); choose another folder: "
            "make run DATA=..."
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CannotStart(
                f"{path} is in use by Annals already; stop that one, or choose another folder: "
                "make run DATA=..."
            ) from error
        yield path


def kept(path: Path, like: dict[str, Any], if_deleted: str) -> dict[str, Any]:
    """What the file holds, nothing if it is not there. CannotStart unless it is of the form of
    `like`: it could not be told what was in it."""
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CannotStart(_damaged(path, str(error), if_deleted)) from error
    if not _is_like(found, like):
        raise CannotStart(_damaged(path, "not of the form that is kept", if_deleted))
    held: dict[str, Any] = found
    return held


def keep(path: Path, value: dict[str, Any]) -> None:
    """For the owner only, and in one step: whoever reads it never finds half of it."""
    draft = path.with_suffix(".draft")
    try:
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(value, indent=2), "utf-8")
        draft.replace(path)
    except OSError as error:
        raise CannotStart(f"{path} cannot be written: {error.strerror}") from error


def _damaged(path: Path, why: str, if_deleted: str) -> str:
    return f"{path} cannot be read ({why}); put a copy of it back, or delete it: then {if_deleted}"


def _is_like(found: Any, like: Any) -> bool:
    """Of the same type, as far down as both have the same names."""
    if type(found) is not type(like):
        return False
    if not isinstance(found, dict):
        return True
    return all(_is_like(found[name], like[name]) for name in found.keys() & like.keys())
