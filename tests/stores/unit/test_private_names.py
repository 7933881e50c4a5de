"""The product uses of a library what the library promises to keep, and nothing else.

ruff refuses `other._name` (SLF001). Here: that nobody switches it off, and what it cannot see.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted(
    path
    for folder in ("functions", "shared", "infra")
    for path in (ROOT / folder).rglob("*.py")
    if "tests" not in path.parts
)


def private_uses(source: str) -> Iterator[str]:
    for number, line in enumerate(source.splitlines(), 1):
        if "noqa" in line and "SLF001" in line:
            yield f"line {number}: SLF001 is switched off"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [*node.module.split("."), *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [part for alias in node.names for part in alias.name.split(".")]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("getattr", "setattr", "hasattr", "delattr")
            and len(node.args) > 1
            and isinstance(node.args[1], ast.Constant)
            and not (isinstance(node.args[0], ast.Name) and node.args[0].id == "self")
        ):
            names = [str(node.args[1].value)]
        else:
            continue
        for name in set(names) - {"_typeshed"}:
            if name.startswith("_") and not name.startswith("__"):
                yield f"line {node.lineno}: {name}"


def test_no_private_name_of_a_library_is_used() -> None:
    found = {
        str(path.relative_to(ROOT)): uses
        for path in SOURCES
        if (uses := list(private_uses(path.read_text())))
    }

    assert not found
    assert len(SOURCES) > 100


@pytest.mark.parametrize(
    "source",
    [
        "from google.cloud.firestore_v1 import _helpers",
        "from google.cloud.firestore_v1._helpers import decode_dict",
        "import google.cloud._helpers",
        "client._firestore_api.commit()  # noqa: SLF001 - it has no other",
        "getattr(client, '_firestore_api')",
    ],
)
def test_each_way_to_a_private_name_is_seen(source: str) -> None:
    assert list(private_uses(source))
