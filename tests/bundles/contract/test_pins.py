"""The requirements of each function: exact, complete, nothing more, and the versions we test."""

import functools
import re
import tomllib
import zipfile
from email.parser import HeaderParser
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from infra.bundle_target import here
from infra.bundle_wheels import Pin, Wheelhouse, read_pins
from shared.config.deployment import FUNCTIONS
from tests.bundles.clean import WHEELHOUSE
from tests.project import ROOT

REQUIREMENTS = ROOT / "requirements"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NAMES = [f"{function}-{cloud}" for function in FUNCTIONS for cloud in ("gcp", "aws")]


TARGET = here()
wheelhouse = functools.cache(lambda: Wheelhouse(WHEELHOUSE))


def asked_by_the_project(name: str) -> list[Requirement]:
    function, cloud = name.rsplit("-", 1)
    extras = PROJECT["optional-dependencies"]
    return [Requirement(r) for r in (*PROJECT["dependencies"], *extras[function], *extras[cloud])]


def asked_by(pin: Pin, extras: set[str]) -> list[Requirement]:
    """What the wheel of this version asks for, on this machine, with these extras."""
    (wheel,) = wheelhouse().all_of([pin], TARGET)
    with zipfile.ZipFile(wheel.path) as opened:
        name = next(n for n in opened.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = HeaderParser().parsestr(opened.read(name).decode())
    asked = map(Requirement, metadata.get_all("Requires-Dist", []))
    return [
        one
        for one in asked
        if not one.marker or any(one.marker.evaluate({"extra": extra}) for extra in {"", *extras})
    ]


def test_there_is_a_file_for_each_function_and_cloud() -> None:
    assert {path.stem for path in REQUIREMENTS.glob("*.txt")} == {"dev", *NAMES}
    table = tomllib.loads((ROOT / "infra" / "functions.toml").read_text())
    assert [row["extra"] for row in table.values()] == list(table) == list(FUNCTIONS)


@pytest.mark.parametrize("name", NAMES)
def test_the_pins_are_all_that_the_extras_ask_for_and_no_more(name: str) -> None:
    pins = {pin.name: pin for pin in read_pins(REQUIREMENTS / f"{name}.txt")}
    waiting = asked_by_the_project(name)
    seen: dict[str, set[str]] = {}
    while waiting:
        one = waiting.pop()
        package = canonicalize_name(one.name)
        assert package in pins, f"{package} is asked for, but not pinned: make lock UPGRADE="
        assert one.specifier.contains(pins[package].version, prereleases=True)
        if package not in seen or not one.extras <= seen[package]:
            seen[package] = seen.get(package, set()) | one.extras
            waiting += asked_by(pins[package], seen[package])
    assert set(pins) == set(seen), "a pin that nothing asks for: make lock UPGRADE="


@pytest.mark.parametrize("name", NAMES)
def test_the_versions_are_those_that_the_tests_run_with(name: str) -> None:
    tested = set(read_pins(REQUIREMENTS / "dev.txt"))
    assert set(read_pins(REQUIREMENTS / f"{name}.txt")) <= tested


@pytest.mark.parametrize("name", ["dev", *NAMES])
def test_no_file_tells_an_index_or_a_place_on_a_machine(name: str) -> None:
    text = (REQUIREMENTS / f"{name}.txt").read_text()
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host|(?<!\w)/\w", text)
