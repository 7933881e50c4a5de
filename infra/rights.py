"""Which queues and secrets each function needs, found in its code: what the deployments allow it.

A queue it needs for jobs and tasks that it makes, for jobs that wait for a lease it holds (the
worker sends the next one, whoever runs it), and, where it sends stored jobs again, every queue of
jobs. A secret it needs if it asks the wiring for something that is made with it.
"""

import ast
import functools
from typing import TypeGuard

from infra.docs.uses import ROOT, job_queues, modules_of, nodes, parsed, uses
from shared.config.settings import CATALOGUE, CHAT_PLATFORM_SETTINGS
from shared.contracts.jobs import KINDS
from shared.contracts.queues import queues

OF_PLATFORMS = frozenset(
    CATALOGUE[name].env for name in CHAT_PLATFORM_SETTINGS if CATALOGUE[name].secret
)
"""Secrets that only the door for webhooks needs."""


@functools.cache
def queues_of(function: str) -> frozenset[str]:
    found = uses(function).enqueues | _named_in_tasks(function)
    if _sends_again(function):
        return frozenset(found | {row.queue for row in KINDS.values()})
    own = {name for name, row in queues().items() if row.function == function}
    for together in _sharing_a_lease():
        if together & own:
            found |= together
    return frozenset(found)


@functools.cache
def secrets_of(function: str) -> frozenset[str]:
    """By the names of their settings."""
    read = set[str]()
    for path in sorted((ROOT / "shared" / "runtime").glob("*.py")):
        read |= _settings_read(parsed(path))
    asked = set[str]()
    for path in modules_of(function):
        tree = parsed(path)
        asked |= {one.attr for one in nodes(tree) if isinstance(one, ast.Attribute)}
        asked |= {
            one.target.id
            for one in nodes(tree)
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        }
        imports = {one.module or "" for one in nodes(tree) if isinstance(one, ast.ImportFrom)}
        if any(name.startswith("shared.platforms") for name in imports):
            read |= set(CHAT_PLATFORM_SETTINGS)
    for name in asked & set(made_with()):
        read |= made_with()[name]
    known = (CATALOGUE[name] for name in read if name in CATALOGUE)
    return frozenset(one.env for one in known if one.secret)


@functools.cache
def made_with() -> dict[str, set[str]]:
    """Each service of the wiring, and the settings that it and what it is made of are made with."""
    methods = {
        one.name: one
        for path in sorted((ROOT / "shared" / "wiring").glob("*.py"))
        for part in parsed(path).body
        if isinstance(part, ast.ClassDef)
        for one in part.body
        if isinstance(one, ast.FunctionDef)
    }
    found = {name: _settings_read(one) for name, one in methods.items()}
    parts = {
        name: {one.attr for one in nodes(node) if _is_of(one, "self")} & set(methods)
        for name, node in methods.items()
    }
    while any(found[part] - found[name] for name in found for part in parts[name]):
        for name, own in parts.items():
            found[name] |= {setting for part in own for setting in found[part]}
    return found


def _settings_read(tree: ast.AST) -> set[str]:
    """`settings.x`, `self.settings.x`, `self._settings.x`."""
    return {
        one.attr
        for one in nodes(tree)
        if isinstance(one, ast.Attribute)
        and (
            _is_of(one, "settings")
            or (
                isinstance(one.value, ast.Attribute) and one.value.attr in ("settings", "_settings")
            )
        )
    }


def _is_of(node: ast.AST, name: str) -> TypeGuard[ast.Attribute]:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
    )


def _sends_again(function: str) -> bool:
    """Whether a module of its own moves stored jobs and sends them."""
    for path in sorted((ROOT / "functions" / function).glob("*.py")):
        called = {
            (one.value.attr, one.attr)
            for one in nodes(parsed(path))
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Attribute)
        }
        if {("jobs", "move"), ("dispatch", "job")} <= called:
            return True
    return False


def _named_in_tasks(function: str) -> set[str]:
    """Queues of tasks without a job: `dispatch.next_page("evolve", ...)`."""
    return {
        one.args[0].value
        for path in modules_of(function)
        for one in nodes(parsed(path))
        if isinstance(one, ast.Call)
        and isinstance(one.func, ast.Attribute)
        and one.func.attr == "next_page"
        and one.args
        and isinstance(one.args[0], ast.Constant)
        and isinstance(one.args[0].value, str)
    }


@functools.cache
def _sharing_a_lease() -> list[set[str]]:
    """Queues whose jobs hold the same kind of lease."""
    by_lease: dict[str, set[str]] = {}
    for node in parsed(ROOT / "shared" / "contracts" / "jobs.py").body:
        if isinstance(node, ast.FunctionDef) and node.name in job_queues():
            for one in nodes(node):
                if (
                    isinstance(one, ast.Call)
                    and isinstance(one.func, ast.Name)
                    and one.func.id.endswith("_of")
                ):
                    by_lease.setdefault(one.func.id, set()).add(job_queues()[node.name])
    return list(by_lease.values())
