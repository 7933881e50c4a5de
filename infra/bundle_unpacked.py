"""Wheels unpacked once, with bytecode, and linked into every bundle that ships them."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from infra.bundle_refusal import CannotBundle
from infra.bundle_wheels import Wheel

TASK_ROOT = "/var/task"
"""Where Lambda puts a bundle: bytecode names its sources there, not in this machine's folders."""


class Unpacked:
    """A folder that keeps each wheel's files, read-only. It may be deleted at any time."""

    def __init__(self, folder: Path, *, with_bytecode: bool) -> None:
        self._folder = folder / (sys.implementation.cache_tag if with_bytecode else "sources")
        self._with_bytecode = with_bytecode

    def of(self, wheel: Wheel) -> Path:
        """The folder of the wheel's files. Two processes may ask at once: the first one wins."""
        digest = hashlib.sha256(wheel.path.read_bytes()).hexdigest()[:16]
        place = self._folder / f"{wheel.path.stem}-{digest}"
        if place.is_dir():
            return place
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._folder, prefix=".unpacking-") as scratch:
            draft = Path(scratch) / "files"
            _unpack(wheel, draft)
            if self._with_bytecode:
                compile_below(draft)
            try:
                draft.rename(place)
            except OSError:
                if not place.is_dir():
                    raise
        return place

    def link_into(self, folder: Path, wheels: list[Wheel]) -> None:
        """Put the files of these wheels into the folder, as pip's --target would."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            sources = list(pool.map(self.of, wheels))
        owner: dict[Path, Wheel] = {}
        for wheel, source in zip(wheels, sources, strict=True):
            for path in sorted(source.rglob("*")):
                place = folder / path.relative_to(source)
                if path.is_dir():
                    place.mkdir(parents=True, exist_ok=True)
                elif place in owner:
                    if place.read_bytes() != path.read_bytes():
                        raise CannotBundle(
                            f"{wheel.path.name} and {owner[place].path.name} both ship "
                            f"{place.relative_to(folder)}, and differ"
                        )
                else:
                    owner[place] = wheel
                    _link(path, place)


def compile_below(folder: Path) -> None:
    """Bytecode for everything below: it halves a cold start, and Lambda could not keep its own.

    The same sources always give the same bytes: no times in them, no paths of this machine, and a
    process of its own with a fixed hash seed. What does not compile is left to be found as source.
    """
    options = ["-qq", "--invalidation-mode", "unchecked-hash", "-s", str(folder), "-p", TASK_ROOT]
    command = [sys.executable, "-S", "-s", "-B", "-m", "compileall", *options, str(folder)]
    subprocess.run(  # noqa: S603
        command, env={"PYTHONHASHSEED": "0"}, check=False, stdin=subprocess.DEVNULL
    )


def _unpack(wheel: Wheel, folder: Path) -> None:
    folder.mkdir()
    with zipfile.ZipFile(wheel.path) as opened:
        for info, place in wheel.contents():
            if place.is_absolute() or ".." in place.parts:
                raise CannotBundle(f"{wheel.path.name} would write outside its folder: {place}")
            target = folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            with opened.open(info) as content, target.open("xb") as file:
                shutil.copyfileobj(content, file)
            target.chmod(0o444)


def _link(source: Path, place: Path) -> None:
    try:
        os.link(source, place)
    except OSError:  # another file system, or one without links
        shutil.copyfile(source, place)
