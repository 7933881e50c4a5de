"""What each function reads, writes and enqueues, found in its code.

A function's code is its folder and every module of `shared/clients`, `shared/jobs` and
`shared/search` that it uses. A read or a write is a call of a store's method; a write is also the
making of a `Write`.
"""

import ast
import functools
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOT_NOUNS = {"__init__", "records"}
PARTS = {"message_records": "messages"}
"""Modules that hold a part of another's noun."""
CHANGES_THE_STORE = {"commit", "transact", "upsert", "delete", "delete_namespace"}


@dataclass(frozen=True)
class Store:
    """A noun of `shared/stores`: its methods and functions, apart by whether they write."""

    noun: str
    reading: Set[str]
    writing: Set[str]


@dataclass
class Uses:
    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    enqueues: set[str] = field(default_factory=set)


@functools.cache
def stores() -> dict[str, Store]:
    paths = sorted((ROOT / "shared" / "stores").glob("*.py"))
    found: dict[str, Store] = {}
    for path in paths:
        noun = PARTS.get(path.stem, path.stem)
        if noun not in NOT_NOUNS:
            own, other = _store(path), found.get(noun, Store(noun, set(), set()))
            found[noun] = Store(noun, own.reading | other.reading, own.writing | other.writing)
    return found


@functools.cache
def uses(function: str) -> Uses:
    found = Uses()
    for path in modules_of(function):
        _collect(parsed(path), found)
    return found


@functools.cache
def modules_of(function: str) -> tuple[Path, ...]:
    """A function's own, and those of the shared layers above the stores that it uses."""
    seen: set[Path] = set()
    waiting = sorted((ROOT / "functions" / function).glob("*.py"))
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += _used_modules(parsed(path))
    return tuple(sorted(seen))


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@functools.cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All below it. A module is asked a dozen questions, for five functions, and walked once."""
    return tuple(ast.walk(tree))


def _store(path: Path) -> Store:
    """A method that calls another of its own that writes, writes too."""
    defined = {
        node.name: node
        for node in nodes(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    writing = {name for name, node in defined.items() if _makes_a_write(node)}
    while more := {
        name for name, node in defined.items() if name not in writing and _calls(node) & writing
    }:
        writing |= more
    return Store(path.stem, set(defined) - writing, writing)


def _makes_a_write(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    returned = ast.unparse(node.returns) if node.returns else ""
    return "Write" in returned or bool(_calls(node) & CHANGES_THE_STORE)


def _calls(node: ast.AST) -> set[str]:
    return {
        one.func.attr if isinstance(one.func, ast.Attribute) else one.func.id
        for one in nodes(node)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute | ast.Name)
    }


def _collect(tree: ast.Module, found: Uses) -> None:
    for noun, method in _method_calls(tree):
        store = stores().get(noun)
        if store and method in store.writing:
            found.writes.add(noun)
        elif store and method in store.reading:
            found.reads.add(noun)
        if (noun, method) == ("dispatch", "attribution"):
            found.enqueues.add("attribute")
    for module, name in _imports(tree):
        noun = module.removeprefix("shared.stores.")
        noun = PARTS.get(noun, noun)
        if noun in stores() and name in stores()[noun].writing:
            found.writes.add(noun)
        if module == "shared.contracts.jobs" and name in job_queues():
            found.enqueues.add(job_queues()[name])
    if any(isinstance(node, ast.keyword) and node.arg == "is_history" for node in nodes(tree)):
        found.enqueues.add("import")


def _method_calls(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """`deps.messages.recent(...)`, and the same after `messages = services().messages`."""
    named = {
        target.id: node.value.attr
        for node in nodes(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in nodes(tree):
        if not isinstance(node, ast.Attribute):
            continue
        if isinstance(node.value, ast.Attribute):
            yield node.value.attr.lstrip("_"), node.attr
        elif isinstance(node.value, ast.Name) and node.value.id in named:
            yield named[node.value.id].lstrip("_"), node.attr


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)


def _used_modules(tree: ast.Module) -> list[Path]:
    """Modules of the shared layers above the stores that this one imports, or asks `services()`
    for."""
    modules = {module for module, _ in _imports(tree)}
    modules |= {f"{module}.{name}" for module, name in _imports(tree)}
    asked = {node.attr for node in nodes(tree) if isinstance(node, ast.Attribute)}
    modules |= {f"shared.{layer}.{name}" for layer in ("clients", "jobs") for name in asked}
    paths = [
        ROOT / f"{module.replace('.', '/')}.py"
        for module in modules
        if module.startswith(("shared.clients.", "shared.jobs.", "shared.search."))
    ]
    return [path for path in paths if path.exists()]


@functools.cache
def job_queues() -> dict[str, str]:
    """Which queue the jobs made by each function of `shared/contracts/jobs.py` go through."""
    from shared.contracts.jobs import KINDS

    queues = {payload.__name__: row.queue for row in KINDS.values() for payload in row.payloads}

    tree = parsed(ROOT / "shared" / "contracts" / "jobs.py")
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            for called in _calls(node) & set(queues):
                found[node.name] = queues[called]
    return found
