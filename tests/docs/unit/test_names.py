"""One name, one thing: who searches for a class finds one."""

import ast
from collections import defaultdict
from functools import cache

from tests.project import ROOT


@cache
def _defined() -> dict[str, list[str]]:
    """Where each class and each function is defined, by its name."""
    found = defaultdict(list)
    for top in ("functions", "shared"):
        for path in sorted((ROOT / top).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                    found[node.name].append(f"{type(node).__name__} {path.relative_to(ROOT)}")
    return found


def test_no_two_classes_have_one_name() -> None:
    classes = {
        name: [place for place in places if place.startswith("ClassDef")]
        for name, places in _defined().items()
    }
    doubled = {name: places for name, places in classes.items() if len(places) > 1}

    assert sum(map(len, classes.values())) > 300
    assert doubled == {}


def test_no_function_is_called_by_a_preposition() -> None:
    """Nobody can search for it."""
    assert {"of", "to", "on", "by"} & _defined().keys() == set()
