"""What each platform's clients send, and how the platform signs it: a module a platform.

A module has `CASES` (payloads written by hand after the clients' own serialisers, each naming the
client and its version, with what it must become), `SECRETS` and `signed` (the headers and the body
as the platform sends them, written from its documents), `SIGNED_HEADERS`, and `KNOWN` if
`normalise` is told more for its cases.
"""

import importlib
from types import ModuleType

from shared.platforms.registry import PLATFORMS

CLIENTS: dict[str, ModuleType] = {
    name: importlib.import_module(f"{__name__}.{name}") for name in PLATFORMS
}
MODULES: dict[str, ModuleType] = {
    name: importlib.import_module(f"shared.platforms.{name}") for name in PLATFORMS
}
