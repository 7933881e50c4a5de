"""Where Annals answers and with which key: given, of the environment, or of a file."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FUNCTIONS = (
    "ingest_message",
    "build_context",
    "evolve_group",
    "summarize_topic",
    "historian_job",
)
LOCAL = "http://127.0.0.1:8080"
"""Where `make run` serves."""


CONTEXT_DEADLINE_S = 0.3
"""A bot's reply waits no longer for its memory, unless `ANNALS_CONTEXT_DEADLINE` says so."""


def context_deadline() -> float:
    """In seconds. A value that is no number is as good as none: a bot starts all the same."""
    try:
        return float(os.environ.get("ANNALS_CONTEXT_DEADLINE") or CONTEXT_DEADLINE_S)
    except ValueError:
        return CONTEXT_DEADLINE_S


@dataclass(frozen=True)
class Addresses:
    """`url` serves the five functions as folders, as `make run` does; `functions` are those that
    stand at an address of their own, as in a cloud."""

    url: str = LOCAL
    key: str = field(default="", repr=False)
    functions: Mapping[str, str] = field(default_factory=dict)

    def of(self, function: str) -> str:
        own = self.functions.get(function)
        return own.rstrip("/") if own else f"{self.url.rstrip('/')}/{function}"


def settings_file() -> Path:
    """`ANNALS_CONFIG`, or `annals/config.toml` in the folder for settings."""
    if named := os.environ.get("ANNALS_CONFIG"):
        return Path(named)
    folder = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(folder).expanduser() / "annals" / "config.toml"


def find_addresses(url: str | None = None, key: str | None = None) -> Addresses:
    """What is given wins over the environment (`ANNALS_URL`, `ANNALS_KEY`, and for one function
    `ANNALS_URL_BUILD_CONTEXT`), and that over the file (`url`, `key`, `[functions]`)."""
    kept = _read(settings_file())
    own = kept.get("functions")
    functions = {
        name: found
        for name in FUNCTIONS
        if (found := os.environ.get(f"ANNALS_URL_{name.upper()}") or _text(own, name))
    }
    return Addresses(
        url=url or os.environ.get("ANNALS_URL") or _text(kept, "url") or LOCAL,
        key=key or os.environ.get("ANNALS_KEY") or _text(kept, "key") or "",
        functions={} if url else functions,
    )


def _read(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}


def _text(table: object, name: str) -> str | None:
    found = table.get(name) if isinstance(table, dict) else None
    return found if isinstance(found, str) and found else None
