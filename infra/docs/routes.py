"""The routes that the functions serve, from their own descriptions."""

import functools
import importlib
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shared.contracts.jobs import KINDS, JobKind, kinds_of

ROOT = Path(__file__).parents[2]
TASKS = "/tasks/{kind}"
"""One route for all jobs of a function: each kind is shown."""
DESIGNED = Path(__file__).with_name("designed.txt")
FUNCTIONS: dict[str, dict[str, Any]] = tomllib.loads(
    (ROOT / "infra" / "functions.toml").read_text("utf-8")
)


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    does: str = ""

    @property
    def shape(self) -> tuple[str, str]:
        """Two names of one parameter are one route."""
        return self.method, re.sub(r"\{[^}]*\}", "{}", self.path)


@functools.cache
def routes(function: str) -> list[Route]:
    app = importlib.import_module(f"functions.{function}.app").app
    found = []
    for path, methods in app.openapi()["paths"].items():
        for method, told in methods.items():
            if path == TASKS:
                found += [
                    Route("POST", f"/tasks/{kind}", _does(KINDS[kind]))
                    for kind in kinds_of(function)
                ]
                continue
            text = " ".join(told.get("description", "").split())
            sentence = re.split(r"(?<=\.)\s", text)[0]
            found.append(Route(method.upper(), path, sentence.rstrip(".")))
    return found


def _does(kind: JobKind) -> str:
    """The first sentence of what is asked for."""
    return (kind.payloads[0].__doc__ or "").partition(".")[0]


def not_yet(function: str) -> list[Route]:
    """What the design names and the function does not serve today."""
    served = {route.shape for route in routes(function)}
    return [route for route in designed()[function] if route.shape not in served]


@functools.cache
def designed() -> dict[str, list[Route]]:
    """`designed.txt`: a function's name, then its routes, one a line."""
    found: dict[str, list[Route]] = {}
    for line in DESIGNED.read_text("utf-8").splitlines():
        method, _, path = line.strip().partition(" ")
        if path:
            next(reversed(found.values())).append(Route(method, path))
        elif method:
            found[method] = []
    return found
