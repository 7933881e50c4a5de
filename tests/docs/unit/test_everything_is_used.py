"""Pages that are true: every setting, prompt and public function has a reader in the product.

What nobody reads promises what nothing does. Names are compared, not meanings: a method that shares
its name with another one in use is taken for used.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from shared.config.models import PROMPTS
from shared.config.settings import CATALOGUE, SECTIONS
from tests.project import ROOT

COMES_WITH: dict[str, str] = {
    "spend": "contexts that spend their budget on ranked lines",
    "prepare": "contexts that spend their budget on ranked lines",
    "cut_around": "contexts that spend their budget on ranked lines",
}
"""Work that is under way, and the names it will read. To be empty when it is done."""

FOR_TOOLS = {
    "watched": "tests see through it what was cancelled",
    "dumped": "the fit of the tables writes them with it",
    "pack_half": "the fit of the tables writes them with it",
    "openapi": "FastAPI asks for its own description by this name",
}


@cache
def _trees() -> dict[Path, ast.Module]:
    paths = [path for top in ("functions", "shared") for path in sorted((ROOT / top).rglob("*.py"))]
    return {path: ast.parse(path.read_text("utf-8")) for path in paths}


def _named(tree: ast.AST) -> Iterator[str]:
    """Every name that code reads: attributes, variables, keywords, and words in quotes."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) | ast.Name(id=name):
                yield name
            case ast.Constant(value=str(name)):
                yield name
            case ast.keyword(arg=str(name)):
                yield name


@cache
def _uses(*left_out: str) -> Counter[str]:
    """How often each name is read in the product, but for the files left out."""
    shown = [tree for path, tree in _trees().items() if not _is_in(path, left_out)]
    return Counter(name for tree in shown for name in _named(tree))


def _is_in(path: Path, places: tuple[str, ...]) -> bool:
    return path.relative_to(ROOT).as_posix().startswith(places)


def _settings() -> list[str]:
    """Those of the models and addresses are read by a computed name: see the wiring."""
    kinds = ("model", "base_url")
    computed = {f"{kind}_{prompt}" for kind in kinds for prompt in PROMPTS}
    return [name for name in CATALOGUE if name not in computed and not name.startswith("url_")]


def _functions() -> list[tuple[str, int]]:
    """Public functions and methods of `shared`, and how often each names itself."""
    found: list[tuple[str, int]] = []

    def visit(body: list[ast.stmt]) -> None:
        for node in body:
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    if not name.startswith("_"):
                        found.append((name, sum(one == name for one in _named(node))))
                case ast.ClassDef(name=name, body=inside) if not name.startswith("_"):
                    visit(inside)

    for path, tree in _trees().items():
        if _is_in(path, ("shared/",)):
            visit(tree.body)
    return found


DECLARING = (
    *sorted({f"{section.__module__.replace('.', '/')}.py" for section in SECTIONS}),
    "shared/config/setting.py",
    "shared/config/settings.py",
)
"""What declares settings makes nothing of them; `overrides` says which hold for a group."""


@pytest.mark.parametrize("name", _settings())
def test_every_setting_is_read(name: str) -> None:
    assert name in COMES_WITH or _uses(*DECLARING)[name], f"nothing reads {name}"


@pytest.mark.parametrize(
    "path", sorted((ROOT / "shared" / "prompts").glob("*.md")), ids=lambda p: p.stem
)
def test_every_prompt_is_asked(path: Path) -> None:
    quoted = {
        node.value
        for where, tree in _trees().items()
        if _is_in(where, ("functions/",))
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
    }

    assert path.stem in PROMPTS
    assert path.stem in COMES_WITH or path.stem in quoted, f"nobody asks {path.stem}"


def test_every_public_function_is_called() -> None:
    known = {*COMES_WITH, *FOR_TOOLS}
    unused = {name for name, own in _functions() if _uses()[name] <= own and name not in known}

    assert len(_functions()) > 300
    assert unused == set(), "nobody calls them"
