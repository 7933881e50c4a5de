"""The five functions' own routes over one group's services, in this process."""

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from shared.wiring import Services
from tests.project import ROOT
from tests.runtime.serving import ENVIRON, Keys, client, make_app

FUNCTIONS = (
    "ingest_message",
    "build_context",
    "evolve_group",
    "summarize_topic",
    "historian_job",
)


@cache
def described(function: str) -> dict[str, Any]:
    """The paths of the function's own OpenAPI document, which is made once: it takes long, and no
    group's services change it."""
    paths: dict[str, Any] = import_module(f"functions.{function}.app").app.openapi()["paths"]
    return paths


@dataclass
class Doors:
    made: Services
    monkeypatch: pytest.MonkeyPatch
    keys: Keys = field(default_factory=Keys)
    apps: dict[str, FastAPI] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.key = self.keys.add("all", "ingest", "read", "manage")
        for name in FUNCTIONS:
            module = import_module(f"functions.{name}.app")
            for found in pkgutil.iter_modules([str(ROOT / "functions" / name)]):
                part = import_module(f"functions.{name}.{found.name}")
                if hasattr(part, "services"):
                    self.monkeypatch.setattr(part, "services", lambda: self.made)
            self.apps[name] = make_app(*module.app.parts, keys=self.keys, environ=ENVIRON)

    async def call(
        self, function: str, method: str, path: str, *, key: str = "", **how: Any
    ) -> httpx.Response:
        headers = {"Authorization": f"Bearer {key or self.key}", **how.pop("headers", {})}
        async with client(self.apps[function]) as at:
            return await at.request(method, path, headers=headers, **how)

    def read_routes(self) -> list[tuple[str, str]]:
        """Every GET route of every function: function and path as it is declared."""
        return [
            (name, path)
            for name in self.apps
            for path, operations in described(name).items()
            if "get" in operations and not path.startswith("/health")
        ]

    def filled(
        self, function: str, path: str, known: Mapping[str, str]
    ) -> tuple[str, dict[str, str]]:
        """The route with its parameters filled with what is known: path, query. An AssertionError
        names a parameter that nobody filled."""
        asked = described(function)[path]["get"].get("parameters", ())
        where = {one["name"]: one for one in asked if one["in"] in ("path", "query")}
        needed = {key for key, one in where.items() if one.get("required")}
        assert needed <= set(known), f"GET {path} needs {needed - set(known)}"
        inside = {key: known[key] for key in where if where[key]["in"] == "path"}
        query = {key: known[key] for key in where if key in known and key not in inside}
        return path.format(**inside), query

    def reads(self, known: Mapping[str, str]) -> Iterator[tuple[str, str, dict[str, str]]]:
        """Every GET route of every function, filled."""
        for name, path in self.read_routes():
            yield name, *self.filled(name, path, known)
