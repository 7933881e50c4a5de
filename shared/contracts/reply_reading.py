"""What every reply of a model has in common: how it is read, what is forgiven, and its schema.

Forgiven is what a model gets wrong harmlessly: extra fields, spaces, numbers as text, null for
nothing, one bad item among good ones. What is left out is reported by its place, never its text.
"""

import json
import math
import re
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Self, TypeVar

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ValidationError,
    ValidationInfo,
    WrapValidator,
)

from shared.contracts.parsing import FieldProblem, parse_object

T = TypeVar("T")

MAX_PROBLEMS_TOLD = 5
"""The model is told these when it is asked again; the first few usually have one cause."""
ECHOED = FieldProblem(0, "the reply repeats the shape instead of filling it")
_KEYWORDS_OF_STRICT_MODE = ("type", "enum", "description")


class Reply(BaseModel):
    """A reply, or a part of one."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, str_strip_whitespace=True, coerce_numbers_to_str=True
    )

    @classmethod
    def read(cls, text: str) -> tuple[Self | None, list[FieldProblem]]:
        """The reply in `text`, or None, and what could not be used of it. Never raises."""
        if cls.is_echoed(text):
            return None, [ECHOED]
        found, problems = parse_object(text)
        if found is None:
            return None, problems
        return cls.check(found)

    @classmethod
    def is_echoed(cls, text: str) -> bool:
        """Whether it ends with the prompt's own shape, which repairs into texts like "string"."""
        return "".join(text.rstrip("`\n ").split()).endswith("".join(shape_text(cls).split()))

    @classmethod
    def check(cls, found: dict[str, Any]) -> tuple[Self | None, list[FieldProblem]]:
        """An object without any of the fields is none of ours, even where every field may be left
        out: a schema that was echoed must not pass for a reply that has nothing to say."""
        problems: list[FieldProblem] = []
        if not _names(cls) & found.keys():
            found = next((value for value in found.values() if _is_reply(cls, value)), found)
        if not _names(cls) & found.keys():
            return None, [FieldProblem(0, f"the reply has none of: {', '.join(cls.model_fields)}")]
        try:
            return cls.model_validate(found, context=problems), problems
        except ValidationError as error:
            return None, [*problems, *_told(error)]


@cache
def _names(reply: type[BaseModel]) -> frozenset[str]:
    """Every name under which a field may come."""
    names: set[str] = set()
    for name, field in reply.model_fields.items():
        names.add(name)
        alias = field.validation_alias
        if isinstance(alias, AliasChoices):
            names.update(str(choice) for choice in alias.choices)
    return frozenset(names)


def _is_reply(reply: type[BaseModel], value: Any) -> bool:
    """Models also wrap their answer: `{"result": {...}}`. The properties of a schema are named
    as ours are, but each of them is a description, not a value."""
    if not isinstance(value, dict) or not _names(reply) & value.keys():
        return False
    return not all(isinstance(field, dict) and "type" in field for field in value.values())


def _told(error: ValidationError) -> list[FieldProblem]:
    """What is wrong by field and kind, without the values: those are chat text."""
    return [
        FieldProblem(0, f"{'.'.join(map(str, item['loc'])) or 'the reply'}: {item['msg']}")
        for item in error.errors(include_input=False, include_url=False, include_context=False)
    ][:MAX_PROBLEMS_TOLD]


class _LeftOut:
    def __init__(self, reason: str) -> None:
        self.reason = reason


def _or_left_out(value: Any, check: Callable[[Any], Any]) -> Any:
    try:
        return check(value)
    except ValidationError as error:
        return _LeftOut("; ".join(map(str, _told(error))))


def _listed(value: Any) -> Any:
    """Null is no items; one object without its brackets is one item."""
    if value is None:
        return []
    return [value] if isinstance(value, dict) else value


def _kept(items: list[Any], info: ValidationInfo) -> list[Any]:
    kept = [item for item in items if not isinstance(item, _LeftOut)]
    problems = [
        FieldProblem(place, item.reason)
        for place, item in enumerate(items, 1)
        if isinstance(item, _LeftOut)
    ]
    if problems and not kept:
        raise ValueError(f"no item of the list can be used, the first because of {problems[0]}")
    if isinstance(info.context, list):
        info.context.extend(problems)
    return kept


Kept = Annotated[
    list[Annotated[T, WrapValidator(_or_left_out)]],
    BeforeValidator(_listed),
    AfterValidator(_kept),
]
"""A list that leaves out what cannot be used; it is refused only if nothing is left of it."""


def _parted(value: Any, separators: str) -> Any:
    """A list, even if it came as one text; nothing empty and nothing twice."""
    if value is None:
        return []
    if isinstance(value, str):
        value = re.split(separators, value)
    if not isinstance(value, list):
        return value
    texts = [str(item).strip() for item in value if isinstance(item, str | int | float)]
    return list(dict.fromkeys(text for text in texts if text))


def _words(value: Any) -> Any:
    return _parted(value, r"[,，、;；\n]")


def _sentences(value: Any) -> Any:
    return _parted(value, r"\n")


Words = Annotated[list[str], BeforeValidator(_words)]
"""Names, ids, keywords."""
Sentences = Annotated[list[str], BeforeValidator(_sentences)]


def _text(value: Any) -> Any:
    return "" if value is None else value


Text = Annotated[str, BeforeValidator(_text)]
"""A text; null is the empty one."""


def _maybe(value: Any) -> Any:
    """Models write null in many ways."""
    if isinstance(value, str) and value.strip().lower() in ("", "null", "none", "n/a"):
        return None
    return value


Maybe = Annotated[str | None, BeforeValidator(_maybe)]
"""An id or a short text, or nothing."""


def _share(value: Any) -> Any:
    """0.8, "0.8", 80 and "80%" all mean 0.8; what lies outside 0..1 goes to its edge."""
    if isinstance(value, str):
        percent = value.strip().endswith("%")
        try:
            value = float(value.strip().rstrip("%"))
        except ValueError:
            return value
        value = value / 100 if percent else value
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return "not a number"
    if 2 <= value <= 100:
        value = value / 100
    return min(1.0, max(0.0, value))


Share = Annotated[float, BeforeValidator(_share)]
"""A number between 0 and 1."""


@cache
def strict_schema(reply: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema in the dialect of strict mode: every field required, none besides.

    References are resolved and everything else that a server may not know is left out.
    """
    schema = reply.model_json_schema()
    return _strict(schema, schema.get("$defs", {}))


def _strict(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        named = definitions[schema["$ref"].removeprefix("#/$defs/")]
        schema = {**named, **schema}
    strict = {key: schema[key] for key in _KEYWORDS_OF_STRICT_MODE if key in schema}
    if "const" in schema:
        strict["enum"] = [schema["const"]]
    if "anyOf" in schema:
        strict["anyOf"] = [_strict(option, definitions) for option in schema["anyOf"]]
    if "items" in schema:
        strict["items"] = _strict(schema["items"], definitions)
    if schema.get("type") == "object":
        strict.pop("description", None)  # the class's docstring, which is for its readers
        fields = schema.get("properties", {})
        strict["properties"] = {name: _strict(field, definitions) for name, field in fields.items()}
        strict["required"] = list(fields)
        strict["additionalProperties"] = False
    return strict


@cache
def shape_text(reply: type[BaseModel]) -> str:
    """The schema as a prompt shows it: an example with types for values, short enough to read."""
    return _shape(strict_schema(reply), "")


def _shape(schema: dict[str, Any], indent: str) -> str:
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(_shape(option, indent) for option in schema["anyOf"])
    if schema.get("type") == "array":
        return f"[{_shape(schema['items'], indent)}, ...]"
    if schema.get("type") != "object":
        return str(schema.get("type", "any"))
    inner = indent + "  "
    lines = []
    for name, field in schema["properties"].items():
        note = f"  // {field['description']}" if "description" in field else ""
        lines.append(f'{inner}"{name}": {_shape(field, inner)},{note}')
    return "\n".join(["{", *lines, indent + "}"])
