"""Makes `annals/answers.py` from the OpenAPI of the five functions, and `annals/client.py` from
`annals/async_client.py`: `python clients/python/generate.py`, from the root of the project.

A test runs it and compares, so neither can fall behind.
"""

import importlib
import keyword
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

sys.path.insert(0, str(ROOT))

HEAD = '''"""What Annals answers. Made from the functions' OpenAPI by `generate.py`: do not edit."""

from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """An answer; fields that a newer Annals adds are kept."""

    model_config = ConfigDict(extra="allow", protected_namespaces=())
'''

SYNC = (
    ("async_client.py", "client.py"),
    (
        "The client for bots that run on asyncio. `generate.py` makes `client.py` from this file.",
        "The client for plain threads. Made from `async_client.py` by `generate.py`: do not edit.",
    ),
    ("AsyncIterator", "Iterator"),
    ("AsyncAnnals", "Annals"),
    ("AsyncClient", "Client"),
    ("__aenter__", "__enter__"),
    ("__aexit__", "__exit__"),
    ("aclose", "close"),
    ("async_apart", "apart"),
    ("async_within", "within"),
    ("async def", "def"),
    ("await ", ""),
)


def documents() -> Iterator[dict[str, Any]]:
    for name in tomllib.loads((ROOT / "infra" / "functions.toml").read_text("utf-8")):
        yield importlib.import_module(f"functions.{name}.app").app.openapi()


def wanted() -> list[str]:
    """The answers that the client reads, by name."""
    source = (HERE / "annals" / "async_client.py").read_text("utf-8")
    return sorted(set(re.findall(r"\banswers\.(\w+)", source)))


def answers() -> str:
    schemas: dict[str, Any] = {}
    for document in documents():
        schemas.update(document["components"]["schemas"])
    order: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        for other in references(schemas[name]):
            if other != name:
                visit(other)
        order.append(name)

    for name in wanted():
        visit(name)
    return HEAD + "".join(f"\n\n{shape(name, schemas[name])}\n" for name in order)


def references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)


def shape(name: str, schema: Mapping[str, Any]) -> str:
    if "properties" not in schema:
        return f"{name} = {kind(schema)}"
    required = set(schema.get("required", ()))
    lines = [f"class {name}(Shape):"]
    if told := schema.get("description"):
        lines.append(f"    {quoted(told)}\n")
    for field, value in schema["properties"].items():
        assert not keyword.iskeyword(field), field
        told = kind(value)
        if field in required:
            lines.append(f"    {field}: {told}")
        else:
            optional = told if told.endswith("| None") or told == "Any" else f"{told} | None"
            lines.append(f"    {field}: {optional} = None")
    return "\n".join(lines)


def quoted(text: str) -> str:
    lines = text.strip().splitlines()
    if len(lines) == 1:
        return f'"""{lines[0]}"""'
    inner = "\n".join(f"    {line}".rstrip() for line in lines[1:])
    return f'"""{lines[0]}\n{inner}\n    """'


def kind(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "enum" in schema:
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    if options := schema.get("anyOf") or schema.get("oneOf"):
        found = [kind(one) for one in options]
        named = [one for one in dict.fromkeys(found) if one != "None"]
        return " | ".join(named + ["None"] * ("None" in found))
    match schema.get("type"):
        case "string":
            return {"date-time": "datetime", "date": "date"}.get(schema.get("format", ""), "str")
        case "integer":
            return "int"
        case "number":
            return "float"
        case "boolean":
            return "bool"
        case "null":
            return "None"
        case "array":
            return f"list[{kind(schema.get('items', {}))}]"
        case "object":
            values = schema.get("additionalProperties")
            return f"dict[str, {kind(values) if isinstance(values, dict) else 'Any'}]"
        case _:
            return "Any"


def sync_client() -> str:
    source = (HERE / "annals" / "async_client.py").read_text("utf-8")
    for old, new in SYNC:
        source = source.replace(old, new)
    return source


def formatted(source: str, path: Path) -> str:
    """As `make format` leaves it."""
    ruff = str(Path(sys.executable).with_name("ruff"))
    for step in (["check", "--fix-only", "--quiet"], ["format", "--quiet"]):
        source = subprocess.run(  # noqa: S603  our own linter on our own text
            [ruff, *step, "--stdin-filename", str(path), "-"],
            input=source,
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        ).stdout
    return source


def made() -> dict[Path, str]:
    """Every generated file and what belongs into it."""
    package = HERE / "annals"
    sources = {package / "answers.py": answers(), package / "client.py": sync_client()}
    return {path: formatted(source, path) for path, source in sources.items()}


if __name__ == "__main__":
    for path, source in made().items():
        path.write_text(source, "utf-8")
