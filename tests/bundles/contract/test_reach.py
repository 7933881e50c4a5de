"""Whatever a function's code may import on any of its routes is among its pinned requirements.

Imports inside functions count too. Of the composition root, only those factories count whose
services the function names.
"""

import ast
import functools
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from infra.bundle_sources import imports
from infra.bundle_target import here
from infra.bundle_wheels import Wheelhouse, read_pins
from shared.config.deployment import FUNCTIONS
from tests.bundles.clean import WHEELHOUSE
from tests.project import ROOT

WIRING = "shared.wiring"
OTHER_DOOR = {"gcp": "lambda_main", "aws": "main"}
ONLY_BEHIND_THE_OTHER_DOOR = {"gcp": {"mangum"}, "aws": set[str]()}


class Code(NamedTuple):
    """A module, or one factory of the composition root."""

    tree: ast.AST
    package: str
    path: Path


@functools.cache
def code_of(name: str) -> Code | None:
    place = ROOT.joinpath(*name.split("."))
    package = name.rpartition(".")[0]
    for path, inside in ((place / "__init__.py", name), (place.with_suffix(".py"), package)):
        if path.is_file():
            tree = ast.parse(path.read_text())
            if inside == WIRING:
                tree.body = [node for node in tree.body if not isinstance(node, ast.ClassDef)]
            return Code(tree, inside, path)
    if package == WIRING and (factory := factories().get(name.rpartition(".")[2])):
        return Code(factory, WIRING, ROOT / "shared" / "wiring" / "__init__.py")
    return None


@functools.cache
def factories() -> dict[str, ast.AST]:
    return {
        node.name: node
        for path in (ROOT / "shared" / "wiring").glob("*.py")
        for part in ast.parse(path.read_text()).body
        if isinstance(part, ast.ClassDef)
        for node in part.body
        if isinstance(node, ast.FunctionDef)
    }


def needed_by(name: str, code: Code) -> set[str]:
    """What this code imports, and what it has the composition root make."""
    needed = set()
    for module, names in imports(code.tree, code.package, code.path):
        needed |= {module, *(f"{module}.{one}" for one in names if code_of(f"{module}.{one}"))}
    if name.startswith(("functions.", f"{WIRING}.")):
        mentioned = {node.attr for node in ast.walk(code.tree) if isinstance(node, ast.Attribute)}
        needed |= {f"{WIRING}.{service}" for service in mentioned & set(factories())}
    return needed


def imported_from_outside(function: str, cloud: str) -> set[str]:
    folder = ROOT / "functions" / function
    own = {path.stem for path in folder.glob("*.py")} - {OTHER_DOOR[cloud]}
    waiting = {f"functions.{function}.{name}" for name in own} | {f"{WIRING}.keys"}
    seen: set[str] = set()
    outside = set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        if code := code_of(name):
            waiting |= needed_by(name, code) - seen
        elif name.partition(".")[0] not in sys.stdlib_module_names:
            outside.add(name)
    return outside


@functools.cache
def importable(requirements: str) -> frozenset[str]:
    """The modules and packages, namespaces included, that the pins put on the path."""
    pins = read_pins(ROOT / "requirements" / f"{requirements}.txt")
    found = set()
    for wheel in Wheelhouse(WHEELHOUSE).all_of(pins, here()):
        for _, place in wheel.contents():
            found |= {".".join(parent.parts) for parent in place.parents}
            found.add(".".join((*place.parent.parts, place.name.partition(".")[0])))
    return frozenset(found)


@pytest.mark.parametrize("cloud", ["gcp", "aws"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_import_of_a_function_is_covered_by_its_pins(function: str, cloud: str) -> None:
    needed = imported_from_outside(function, cloud)
    assert {"fastapi", "google.cloud.firestore_v1.services.firestore"} <= needed
    missing = needed - ONLY_BEHIND_THE_OTHER_DOOR[cloud] - importable(f"{function}-{cloud}")
    assert sorted(missing) == [], "put it into the function's extra, then make lock UPGRADE="


def test_an_import_that_no_pin_covers_would_be_found() -> None:
    needed = imported_from_outside("evolve_group", "aws")
    assert {"openai", "pinecone"} <= {name.partition(".")[0] for name in needed}
    assert "mangum" in needed & importable("evolve_group-aws")
    assert "mangum" not in importable("evolve_group-gcp")
