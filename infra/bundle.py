"""`python -m infra.bundle [function ...] [--cloud gcp|aws]`: what each function ships.

A bundle is `dist/<function>-<cloud>/` and the same as a zip: the function's folder, what it reaches
of `shared/`, its door and, for gcp, pinned requirements, for aws, the requirements themselves. The
wheels come from a folder, so no network is needed, and the same commit gives the same bytes.
"""

import argparse
import hashlib
import shutil
import sys
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

from infra.bundle_refusal import CannotBundle
from infra.bundle_sources import sources
from infra.bundle_target import Target, here, lambda_like_here, lambda_runtime
from infra.bundle_unpacked import Unpacked, compile_below
from infra.bundle_wheels import Pin, Wheelhouse, read_pins

ROOT = Path(__file__).parent.parent
CLOUDS = ("gcp", "aws")
MB = 1024 * 1024
LIMIT_MB = 250
"""What Lambda takes of an unzipped bundle."""

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every file in a zip: the earliest that a zip can tell."""

COMPRESSION = 4
"""Half the time of zlib's own choice, for 3 % more bytes."""


@dataclass(frozen=True)
class Places:
    """Folders that a run reads and writes."""

    root: Path
    requirements: Path
    wheelhouse: Path
    unpacked: Path
    out: Path


@dataclass(frozen=True)
class Bundle:
    """One that was made."""

    name: str
    folder: Path
    archive: Path
    files: int
    size: int

    def __str__(self) -> str:
        zipped = self.archive.stat().st_size
        digest = hashlib.sha256(self.archive.read_bytes()).hexdigest()
        return (
            f"{self.name:<20} {self.files:>5} files {self.size / MB:>6.1f} MB, "
            f"zipped {zipped / MB:>5.1f} MB, sha256 {digest[:16]}"
        )


def main(argv: list[str] | None = None) -> int:
    args = _parse(argv)
    places = Places(
        root=args.root,
        requirements=args.requirements or args.root / "requirements",
        wheelhouse=args.wheelhouse,
        unpacked=args.unpacked or args.wheelhouse / ".unpacked",
        out=args.out,
    )
    try:
        functions = _functions(places.root, args.functions)
        target = lambda_runtime(args.lambda_runtime) if args.lambda_runtime else here()
        for function in functions:
            for cloud in args.cloud or CLOUDS:
                print(make(function, cloud, places, target), flush=True)
        if "aws" in (args.cloud or CLOUDS) and not args.lambda_runtime:
            _tell_what_lambda_cannot_load(functions, places)
    except CannotBundle as refused:
        print(f"bundle: {refused}", file=sys.stderr)
        return 1
    return 0


def make(function: str, cloud: str, places: Places, target: Target) -> Bundle:
    """Make one bundle, in place of a former one. A bundle that would not work is not made."""
    name = f"{function}-{cloud}"
    own = sources(places.root, function, cloud)
    pins = read_pins(places.requirements / f"{name}.txt")
    wheelhouse = Wheelhouse(places.wheelhouse)
    places.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=places.out, prefix=f".{name}-") as scratch:
        draft = Path(scratch) / name
        draft.mkdir()
        if cloud == "gcp":
            # Cloud Run's build takes wheels for its own Python: these are only looked into.
            wheelhouse.all_of(pins, here())
            own["requirements.txt"] = _requirements(function, pins)
            _write(own, draft)
        else:
            if target != here():
                wheelhouse.fetch(pins, target)
            _write(own, draft)
            if target.is_running_python:
                compile_below(draft)
            unpacked = Unpacked(places.unpacked, with_bytecode=target.is_running_python)
            unpacked.link_into(draft, wheelhouse.all_of(pins, target))
        files = sorted(path for path in draft.rglob("*") if path.is_file())
        size = sum(path.stat().st_size for path in files)
        _check_size(name, size)
        _zip(files, draft, draft.with_suffix(".zip"))
        folder, archive = places.out / name, places.out / f"{name}.zip"
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)
        draft.with_suffix(".zip").replace(archive)
    return Bundle(name, folder, archive, len(files), size)


def _requirements(function: str, pins: list[Pin]) -> bytes:
    lines = [f"# What {function} needs on Cloud Run, and nothing else.", *map(str, pins)]
    return ("\n".join(lines) + "\n").encode()


def _write(own: dict[str, bytes], folder: Path) -> None:
    for name, content in own.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _check_size(name: str, size: int) -> None:
    if size > LIMIT_MB * MB:
        raise CannotBundle(
            f"{name} would have {size / MB:.1f} MB unzipped, and Lambda takes {LIMIT_MB}; "
            f"see which of its requirements is so large, and whether the function needs it"
        )


def _zip(files: list[Path], folder: Path, archive: Path) -> None:
    """Sorted, with one time and one mode for all: only names and contents make the bytes."""
    with zipfile.ZipFile(archive, "w") as opened:
        for path in files:
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix(), EPOCH)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            opened.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED, COMPRESSION)


def _tell_what_lambda_cannot_load(functions: list[str], places: Places) -> None:
    runtime = lambda_like_here()
    wheelhouse = Wheelhouse(places.wheelhouse)
    refused: dict[str, None] = {}
    for function in functions:
        pins = read_pins(places.requirements / f"{function}-aws.txt")
        for wheel in wheelhouse.all_of(pins, here()):
            if not wheel.loads_on(runtime):
                refused[wheel.path.name] = None
    if refused:
        print(
            f"note: the aws bundles run on this machine, but Lambda's {runtime.name} cannot load "
            f"{', '.join(refused)}; for another runtime: make bundles LAMBDA=python3.13"
        )


def _functions(root: Path, asked: list[str]) -> list[str]:
    known = list(tomllib.loads((root / "infra" / "functions.toml").read_text("utf-8")))
    for name in asked:
        if name not in known:
            raise CannotBundle(f"there is no function {name!r}; there are {', '.join(known)}")
    return asked or known


def _parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m infra.bundle", description=__doc__)
    parser.add_argument("functions", nargs="*", metavar="function", help="default: all five")
    parser.add_argument("--cloud", choices=CLOUDS, action="append", help="default: both")
    parser.add_argument(
        "--lambda-runtime",
        metavar="python3.N[-arm64]",
        help="ship the wheels of this runtime instead of this machine's; downloads what is missing",
    )
    parser.add_argument("--out", type=Path, default=Path("dist"), help="receives the bundles")
    parser.add_argument("--wheelhouse", type=Path, default=Path("wheelhouse"))
    parser.add_argument("--unpacked", type=Path, help="keeps unpacked wheels between runs")
    parser.add_argument("--root", type=Path, default=ROOT, help="the project's folder")
    parser.add_argument("--requirements", type=Path, help="the folder of the pins")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
