"""For which Python and machine a bundle's wheels are chosen."""

import platform
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from packaging import tags
from packaging.tags import Tag

from infra.bundle_refusal import CannotBundle

RUNTIME = re.compile(r"python3\.(\d{1,2})(?:-(x86_64|arm64))?")
MACHINES = {"x86_64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}
LEGACY = {17: "manylinux2014", 12: "manylinux2010", 5: "manylinux1"}


@dataclass(frozen=True)
class Target:
    """A Python on a machine; `tags` are those of the wheels it can load, the best first."""

    name: str
    python: tuple[int, int]
    tags: tuple[Tag, ...]

    @property
    def is_running_python(self) -> bool:
        """Then its bytecode can be made here."""
        return self.python == sys.version_info[:2] and sys.implementation.name == "cpython"


def here() -> Target:
    """This interpreter on this machine."""
    python = sys.version_info[:2]
    name = f"this machine's python{python[0]}.{python[1]}-{platform.machine()}"
    return Target(name, python, tuple(tags.sys_tags()))


def lambda_runtime(text: str) -> Target:
    """A runtime of AWS Lambda by its name, and its architecture: `python3.13-arm64`."""
    matched = RUNTIME.fullmatch(text)
    if matched is None:
        raise CannotBundle(f"{text!r} is no runtime of Lambda; python3.13 and python3.13-arm64 are")
    python, machine = (3, int(matched[1])), MACHINES[matched[2] or "x86_64"]
    interpreter, platforms = f"cp3{python[1]}", list(_platforms(python, machine))
    loadable = [
        *tags.cpython_tags(python, [interpreter], platforms),
        *tags.compatible_tags(python, interpreter, platforms),
    ]
    return Target(text, python, tuple(loadable))


def lambda_like_here() -> Target:
    """What Lambda has for this interpreter's version and machine."""
    machine = "arm64" if MACHINES.get(platform.machine()) == "aarch64" else "x86_64"
    return lambda_runtime(f"python3.{sys.version_info[1]}-{machine}")


def _platforms(python: tuple[int, int], machine: str) -> Iterator[str]:
    """From python3.12 on the runtimes are Amazon Linux 2023 (glibc 2.34), before it Amazon Linux 2
    (glibc 2.26)."""
    newest = 34 if python >= (3, 12) else 26
    oldest = 5 if machine == "x86_64" else 17
    for minor in range(newest, oldest - 1, -1):
        yield f"manylinux_2_{minor}_{machine}"
        if minor in LEGACY:
            yield f"{LEGACY[minor]}_{machine}"
    yield f"linux_{machine}"
