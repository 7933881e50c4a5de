"""Which files of the project one function ships: its folder, and what that reaches by imports.

Imports are read, not run, at any depth of the code: what is imported lazily ships too, what is
imported for type checkers only does not.
"""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

from infra.bundle_refusal import CannotBundle

OWN = ("functions", "shared")
"""The packages that are looked into."""

DOORS = {"gcp": "main", "aws": "lambda_main"}
"""The module of a function's folder through which the cloud comes in."""

ALWAYS = ("infra/queues.toml",)
"""Read at run time by shared.contracts.queues, from the place it has in the repository."""

GCP_DOOR = '''\
"""functions-framework looks here for its target, {name}."""

from functions.{name}.main import {name}

__all__ = ["{name}"]
'''


def sources(root: Path, function: str, cloud: str) -> dict[str, bytes]:
    """The content of every file of the project in the bundle, by its path there."""
    modules = _reached(root, list(_entries(root, function, cloud)))
    strangers = sorted(m for m in modules if _is_of_another(m, function))
    if strangers:
        raise CannotBundle(f"{function} imports {strangers[0]}: functions never import each other")
    files = {module.relative_to(root).as_posix(): module for module in modules.values()}
    for folder in {module.parent for module in modules.values() if module.name == "__init__.py"}:
        files |= {data.relative_to(root).as_posix(): data for data in _data(folder)}
    files |= {name: root / name for name in ALWAYS}
    content = {name: path.read_bytes() for name, path in files.items()}
    if cloud == "gcp":
        content["main.py"] = GCP_DOOR.format(name=function).encode()
    return content


def _entries(root: Path, function: str, cloud: str) -> Iterator[str]:
    """Every module of the function's folder but the other cloud's door."""
    folder = root / "functions" / function
    if not (folder / f"{DOORS[cloud]}.py").is_file():
        raise CannotBundle(f"there is no functions/{function}/{DOORS[cloud]}.py")
    other_doors = {folder / f"{door}.py" for key, door in DOORS.items() if key != cloud}
    for path in sorted(folder.rglob("*.py")):
        if path not in other_doors:
            yield ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def _is_of_another(module: str, function: str) -> bool:
    own = f"functions.{function}"
    is_own = module in ("functions", own) or module.startswith(f"{own}.")
    return module.startswith("functions") and not is_own


def _reached(root: Path, entries: list[str]) -> dict[str, Path]:
    """Every module that importing the entries may need, packages on the way included."""
    found: dict[str, Path] = {}
    waiting = list(entries)
    while waiting:
        module = waiting.pop()
        if module in found:
            continue
        path = _file_of(root, module)
        if path is None:
            raise CannotBundle(f"{module} is imported, but there is no such module")
        found[module] = path
        if "." in module:
            waiting.append(module.rpartition(".")[0])
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        for needed, names in _imported(path.read_bytes(), package, path):
            if needed.partition(".")[0] in OWN:
                waiting.append(needed)
                below = (f"{needed}.{name}" for name in names)
                waiting.extend(name for name in below if _file_of(root, name))
    return found


def _file_of(root: Path, module: str) -> Path | None:
    place = root.joinpath(*module.split("."))
    for path in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
        if path.is_file():
            return path
    return None


@functools.cache
def _imported(source: bytes, package: str, path: Path) -> tuple[tuple[str, list[str]], ...]:
    """Read once: five functions, each for two clouds, ship the same modules."""
    return tuple(imports(ast.parse(source), package, path))


def imports(tree: ast.AST, package: str, path: Path) -> Iterator[tuple[str, list[str]]]:
    """The modules imported, each with the names taken from it, which may be modules too."""
    if isinstance(tree, ast.If) and _is_type_checking(tree.test):
        for otherwise in tree.orelse:
            yield from imports(otherwise, package, path)
        return
    if isinstance(tree, ast.Import):
        yield from ((alias.name, []) for alias in tree.names)
    elif isinstance(tree, ast.ImportFrom):
        above = package.split(".")[: -(tree.level - 1) or None] if tree.level else []
        module = ".".join([*above, *([tree.module] if tree.module else [])])
        yield module, [alias.name for alias in tree.names]
    elif isinstance(tree, ast.Call) and _called(tree.func) in ("import_module", "__import__"):
        raise CannotBundle(
            f"{path.name}:{tree.lineno} imports by a computed name, so the bundler cannot tell "
            f"what must ship; write an import statement (inside a function, if it must be lazy)"
        )
    for node in ast.iter_child_nodes(tree):
        yield from imports(node, package, path)


def _is_type_checking(test: ast.expr) -> bool:
    return _called(test) == "TYPE_CHECKING"


def _called(node: ast.expr) -> str | None:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def _data(folder: Path) -> Iterator[Path]:
    """Files beside a package's code that it may read: prompts, tables."""
    for path in folder.iterdir():
        is_left = path.name.startswith(".") or path.name.endswith(("~", ".py", ".pyc"))
        if path.is_file() and not is_left:
            yield path
