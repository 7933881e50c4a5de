"""The wheels that a bundle's pins name: found in the wheelhouse and checked, not resolved anew."""

import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from packaging.requirements import InvalidRequirement, Requirement
from packaging.tags import Tag
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import Version

from infra.bundle_refusal import CannotBundle
from infra.bundle_target import Target

RESERVED = frozenset({"functions", "shared", "infra"})
"""The project's own top-level names. Installed packages come first on Cloud Run's path and lie
beside the project's on Lambda, so one of the same name would hide it or mix with it."""


@dataclass(frozen=True)
class Pin:
    """One exact version of one package."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name}=={self.version}"


def read_pins(path: Path) -> list[Pin]:
    """The pins of a requirements file, which must hold nothing else; sorted."""
    if not path.is_file():
        raise CannotBundle(f"there is no {path.name} among the requirements; make lock writes it")
    pins = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        text = line.partition("#")[0].strip()
        if text:
            pins.append(_pin(text, f"{path.name}:{number}"))
    return sorted(pins, key=lambda pin: pin.name)


def _pin(text: str, where: str) -> Pin:
    try:
        asked = Requirement(text)
    except InvalidRequirement as error:
        raise CannotBundle(f"{where}: {text!r} is not name==version; make lock") from error
    exact = [one.version for one in asked.specifier if one.operator == "=="]
    if asked.url or asked.marker or len(exact) != 1 or len(asked.specifier) != 1:
        raise CannotBundle(f"{where}: {text!r} is not name==version; make lock")
    return Pin(canonicalize_name(asked.name), exact[0])


@dataclass(frozen=True)
class Wheel:
    """One wheel file and what its name says."""

    path: Path
    tags: frozenset[Tag]

    def loads_on(self, target: Target) -> bool:
        return not self.tags.isdisjoint(target.tags)

    def contents(self) -> Iterator[tuple[zipfile.ZipInfo, PurePosixPath]]:
        """What it puts on the path: its files, each with its place there. Scripts, headers and
        data of other folders are left out: neither cloud has a use for them."""
        with zipfile.ZipFile(self.path) as opened:
            for info in opened.infolist():
                place = PurePosixPath(info.filename)
                if place.parts[0].endswith(".data"):
                    if len(place.parts) < 3 or place.parts[1] not in ("purelib", "platlib"):
                        continue
                    place = PurePosixPath(*place.parts[2:])
                if not info.is_dir():
                    yield info, place

    def check(self) -> None:
        """Refuse a wheel that would hide or mix with the project's own packages."""
        for _, place in self.contents():
            top = place.parts[0].partition(".")[0]
            if top in RESERVED:
                raise CannotBundle(
                    f"{self.path.name} ships a top-level `{top}` ({place}), which the project's "
                    f"own `{top}` cannot live beside; take the package out of pyproject.toml, or "
                    f"require a version without it there, then make lock"
                )


class Wheelhouse:
    """A folder of wheels, which `make setup` fills."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._wheels: dict[tuple[str, Version], list[Wheel]] = {}
        self._look()

    def all_of(self, pins: Iterable[Pin], target: Target) -> list[Wheel]:
        """The best wheel of each pin, checked."""
        found = {pin: self._best(pin, target) for pin in pins}
        missing = [str(pin) for pin, wheel in found.items() if wheel is None]
        if missing:
            raise CannotBundle(
                f"{self.folder.name} has no wheel for {target.name} of {', '.join(missing)}; "
                f"make setup fills it"
            )
        wheels = [wheel for wheel in found.values() if wheel]
        for wheel in wheels:
            wheel.check()
        return wheels

    def fetch(self, pins: Iterable[Pin], target: Target) -> None:
        """Download what is missing for a target that is not this machine."""
        missing = [str(pin) for pin in pins if self._best(pin, target) is None]
        if not missing:
            return
        options = ["--no-deps", "--only-binary", ":all:", "--implementation", "cp"]
        options += ["--python-version", ".".join(map(str, target.python))]
        for abi in dict.fromkeys(tag.abi for tag in target.tags):
            options += ["--abi", abi]
        for platform in dict.fromkeys(tag.platform for tag in target.tags):
            options += ["--platform", platform]
        print(f"downloading {len(missing)} wheels for {target.name}", flush=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", *options]
        command += ["--dest", str(self.folder), *missing]
        if subprocess.run(command, check=False).returncode:  # noqa: S603
            raise CannotBundle(f"pip could not download the wheels for {target.name}: see above")
        self._look()

    def _look(self) -> None:
        self._wheels.clear()
        for path in sorted(self.folder.glob("*.whl")):
            try:
                name, version, _, tags = parse_wheel_filename(path.name)
            except InvalidWheelFilename as error:
                raise CannotBundle(f"{path.name} is no wheel's name; remove it") from error
            self._wheels.setdefault((name, version), []).append(Wheel(path, tags))

    def _best(self, pin: Pin, target: Target) -> Wheel | None:
        wheels = self._wheels.get((pin.name, Version(pin.version)), [])
        ranks = {tag: rank for rank, tag in enumerate(target.tags)}
        fitting = [wheel for wheel in wheels if wheel.loads_on(target)]
        return min(
            fitting,
            key=lambda wheel: min(ranks[tag] for tag in wheel.tags if tag in ranks),
            default=None,
        )
