"""JSON schemas of replies: refuses what strict mode refuses, and fits an answer to a schema."""

from collections.abc import Callable
from typing import Any

from .refusal import Refusal, bad

Filler = Callable[[str], str]
"""Gives the text for a string property that the answer lacks, by the property's name."""


def check_strict(name: str, schema: dict[str, Any]) -> None:
    """Strict mode wants closed objects that require all of their properties."""
    if schema.get("type") != "object":
        raise _invalid(name, (), "schema must be a JSON Schema of 'type: \"object\"'")
    _check(name, (), schema)


def _check(name: str, path: tuple[str, ...], schema: Any) -> None:
    if not isinstance(schema, dict):
        return
    if "properties" in schema or schema.get("type") == "object":
        properties = schema.get("properties", {})
        if schema.get("additionalProperties") is not False:
            raise _invalid(
                name, path, "'additionalProperties' is required to be supplied and to be false"
            )
        missing = [key for key in properties if key not in schema.get("required", [])]
        if missing:
            raise _invalid(
                name,
                path,
                "'required' is required to be supplied and to be an array including every key "
                f"in properties. Missing '{missing[0]}'",
            )
    for key in ("properties", "$defs", "definitions"):
        for child, sub in schema.get(key, {}).items():
            _check(name, (*path, key, child), sub)
    if "items" in schema:
        _check(name, (*path, "items"), schema["items"])
    for place, sub in enumerate(schema.get("anyOf", [])):
        _check(name, (*path, "anyOf", str(place)), sub)


def _invalid(name: str, path: tuple[str, ...], what: str) -> Refusal:
    return bad(
        f"Invalid schema for response_format '{name}': In context={path}, {what}.",
        "response_format",
    )


def fit(value: Any, schema: dict[str, Any], fill: Filler) -> Any:
    """The value made to follow the schema: absent parts filled, foreign ones left out."""
    return _Fitting(schema, fill).fit(value, schema, "")


class _Fitting:
    def __init__(self, root: dict[str, Any], fill: Filler) -> None:
        self._root = root
        self._fill = fill

    def fit(self, value: Any, schema: Any, name: str) -> Any:
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return value if value in schema["enum"] else schema["enum"][0]
        options = schema.get("anyOf") or schema.get("oneOf")
        if options:
            return self.fit(value, self._option(value, options), name)
        kinds = schema.get("type", _kind_of(schema))
        if isinstance(kinds, list):
            matching = [kind for kind in kinds if _is(value, kind)]
            wanted = [kind for kind in kinds if kind != "null"]
            kinds = (matching or (["null"] if value is None and "null" in kinds else wanted))[0]
        if value is None and "default" in schema:
            return schema["default"]
        return self._of_kind(value, kinds, schema, name)

    def _of_kind(self, value: Any, kind: str | None, schema: dict[str, Any], name: str) -> Any:
        match kind:
            case "object":
                return self._object(value if isinstance(value, dict) else {}, schema)
            case "array":
                return self._array(value, schema, name)
            case "string":
                return self._string(value, name)
            case "integer" | "number":
                return _number(value, schema, whole=kind == "integer")
            case "boolean":
                return bool(value)
            case "null":
                return None
            case _:
                return value

    def _object(self, value: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
        properties = schema.get("properties", {})
        required = schema.get("required", [])
        fitted = {
            key: self.fit(value.get(key), sub, key)
            for key, sub in properties.items()
            if key in required or value.get(key) is not None
        }
        extra = schema.get("additionalProperties", True)
        if extra is not False:
            for key in [key for key in value if key not in properties]:
                fitted[key] = (
                    self.fit(value[key], extra, key) if isinstance(extra, dict) else value[key]
                )
        return fitted

    def _array(self, value: Any, schema: dict[str, Any], name: str) -> list[Any]:
        items = [] if value is None else value if isinstance(value, list) else [value]
        fitted = [self.fit(item, schema.get("items", {}), name) for item in items]
        while len(fitted) < schema.get("minItems", 0):
            fitted.append(self.fit(None, schema.get("items", {}), name))
        return fitted[: schema.get("maxItems", len(fitted))]

    def _string(self, value: Any, name: str) -> str:
        if isinstance(value, str):
            return value
        if value is None:
            return self._fill(name)
        if isinstance(value, dict):
            return next((text for text in value.values() if isinstance(text, str)), "")
        return str(value)

    def _resolved(self, schema: Any) -> dict[str, Any]:
        if not isinstance(schema, dict):
            return {}
        while "$ref" in schema:
            target: Any = self._root
            for step in schema["$ref"].removeprefix("#").strip("/").split("/"):
                target = target.get(step, {}) if step and isinstance(target, dict) else target
            schema = target
        parts = schema.get("allOf")
        if isinstance(parts, list) and len(parts) == 1:
            return {**schema, **self._resolved(parts[0]), "allOf": None}
        found: dict[str, Any] = schema
        return found

    def _option(self, value: Any, options: list[Any]) -> dict[str, Any]:
        resolved = [self._resolved(option) for option in options]
        for option in resolved:
            if self._accepts(value, option):
                return option
        return next((one for one in resolved if one.get("type") != "null"), resolved[0])

    def _accepts(self, value: Any, schema: dict[str, Any]) -> bool:
        if "const" in schema:
            return bool(value == schema["const"])
        if "enum" in schema:
            return value in schema["enum"]
        kinds = schema.get("type", _kind_of(schema))
        kinds = kinds if isinstance(kinds, list) else [kinds]
        if not any(_is(value, kind) for kind in kinds):
            return False
        if isinstance(value, dict):
            return all(key in value for key in schema.get("required", []))
        return True


def _kind_of(schema: dict[str, Any]) -> str | None:
    if "properties" in schema:
        return "object"
    return "array" if "items" in schema else None


def _is(value: Any, kind: str | None) -> bool:
    match kind:
        case "object":
            return isinstance(value, dict)
        case "array":
            return isinstance(value, list)
        case "string":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case _:
            return kind is None


def _number(value: Any, schema: dict[str, Any], *, whole: bool) -> float | int:
    number = value if _is(value, "number") else 0
    number = max(number, schema.get("minimum", number))
    number = min(number, schema.get("maximum", number))
    return int(number) if whole else number
