"""What a setting may be: how it is declared, and how its value is written.

A section is a pydantic model; each of its fields is a setting, declared with `setting`.
"""

import re
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.fields import FieldInfo


class Section(BaseModel):
    """Settings that belong together; its docstring is their heading in docs/settings.md."""

    prefix: ClassVar[str] = "MEMORY_"
    """So begin their variables, but for those that are named otherwise."""
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        allow_inf_nan=False,
        defer_build=True,  # only `Settings`, which joins all sections, is ever validated
    )


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A field as the catalogue has it.

    A group may override it where `per_group`. A `security` setting has no fallback: bad is as good
    as unset, and unset is a problem where it is `needed`. `if_bad` holds instead of the default
    where that would be the unsafe side.
    """

    env: str
    about: str
    default: Any
    expects: str
    per_group: bool = False
    security: bool = False
    needed: bool = False
    secret: bool = False
    if_bad: Any = None


def setting(
    default: Any,
    about: str,
    *,
    env: str | None = None,
    within: tuple[float | None, float | None] = (None, None),
    pattern: str | None = None,
    min_length: int | None = None,
    **marks: Any,
) -> Any:
    """A field; `env` is its variable if that is not the section's prefix and the field's name.
    `within` are the lowest and the highest number that it may be; `marks` go into its `Setting`."""
    low, high = within
    return Field(
        default,
        description=about,
        validation_alias=env,
        ge=low,
        le=high,
        pattern=pattern,
        min_length=min_length,
        json_schema_extra=marks or None,
    )


def group_setting(default: Any, about: str, **options: Any) -> Any:
    """A setting that a group may have otherwise than the deployment."""
    return setting(default, about, per_group=True, **options)


USED_UP = -1
"""A budget that any day has used up."""


def budget(about: str, most: float, **marks: Any) -> Any:
    """0 is no bound. What cannot be read was meant as one: it counts as used up, not as none."""
    return setting(0, about, within=(0, most), if_bad=USED_UP, **marks)


def security(about: str, *, default: Any = None, needed: bool = True, **options: Any) -> Any:
    """A setting without which a route answers 503."""
    return setting(default, about, security=True, needed=needed, **options)


def described(section: type[Section]) -> dict[str, Setting]:
    """The section's own settings by their names."""
    found = {}
    for name, field in section.model_fields.items():
        marks: Any = field.json_schema_extra or {}
        found[name] = Setting(
            env=str(field.validation_alias or section.prefix + name.upper()),
            about=field.description or "",
            default=field.default,
            expects=_expects(field),
            **marks,
        )
    return found


def _expects(field: FieldInfo) -> str:
    """What a valid value is, in words."""
    rules: dict[str, Any] = {}
    for rule in field.metadata:
        if isinstance(rule, Form):
            return rule.text
        for key in ("ge", "le", "min_length"):
            rules |= {key: getattr(rule, key)} if hasattr(rule, key) else {}
    if get_origin(field.annotation) is Literal:
        return "one of " + ", ".join(get_args(field.annotation))
    kinds = get_args(field.annotation) or (field.annotation,)
    if bool in kinds:
        return "true or false"
    if int in kinds or float in kinds:
        kind = "a whole number" if int in kinds else "a number"
        return f"{kind} from {rules['ge']:g} to {rules['le']:g}"
    return f"at least {rules['min_length']} characters" if "min_length" in rules else "text"


@dataclass(frozen=True)
class Form:
    """How a value is written, where its type does not say it."""

    text: str


def is_zone(name: str) -> bool:
    """Whether the zone is known; its table is read only where somebody names one."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False  # OSError: `Asia` is a folder of zones
    return True


def _zone(name: str) -> str:
    if not is_zone(name):
        raise ValueError("not a zone")
    return name


def _url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("not a URL")
    return text


def _words(value: Any) -> Any:
    if isinstance(value, str):
        value = re.split("[,，、]", value)
    if not isinstance(value, list | tuple) or not all(isinstance(word, str) for word in value):
        raise ValueError("not words")
    return tuple(stripped for word in value if (stripped := word.strip()))


def assignments(text: str, separator: str) -> dict[str, str]:
    """`a=1, b=2`; ValueError for anything else."""
    found: dict[str, str] = {}
    for part in filter(None, map(str.strip, text.split(separator))):
        name, sign, value = part.partition("=")
        if not sign or not value.strip():
            raise ValueError(f"{part[:80]!r} is no name=value")
        found[name.strip()] = value.strip()
    return found


RANKING_PARTS = (
    *("words", "nearby_words", "near", "rare", "number", "speaker", "around", "answer", "reply"),
    *("talk", "fresh", "asks", "to_bot"),
)
"""What speaks for a line; `shared/domain/ranking/ranker.py` has what each is."""


def _of_known_parts(weights: dict[str, float]) -> dict[str, float]:
    if not weights.keys() <= set(RANKING_PARTS):
        raise ValueError("not a part of the ranking")
    return weights


def _weights(value: Any) -> Any:
    """The numbers of a text; those of JSON must be numbers already."""
    if not isinstance(value, str):
        return value
    return {name: float(number) for name, number in assignments(value, ",").items()}


def _experiment(value: Any) -> Any:
    return assignments(value, ";") if isinstance(value, str) else value


Share = Annotated[float, Field(ge=0, le=1)]
Zone = Annotated[str | None, AfterValidator(_zone), Form("a time zone like Asia/Shanghai")]
Url = Annotated[str | None, AfterValidator(_url), Form("an http or https URL")]
Address = Annotated[str | None, Field(pattern=r"^[^\s/]+:[0-9]{1,5}$"), Form("host:port")]
Email = Annotated[str | None, Field(pattern=r"^[^@\s]+@[^@\s]+$"), Form("an e-mail address")]
Hash = Annotated[str | None, Field(pattern=r"^[0-9a-f]{64}$"), Form("64 hex digits")]
Words = Annotated[tuple[str, ...], BeforeValidator(_words), Form("words, separated by commas")]
TaskKeys = Annotated[
    tuple[Annotated[str, Field(pattern=r"^[a-z_]+=\S+$")], ...],
    BeforeValidator(_words),
    Form("`task=key`, separated by commas"),
]
_PRICE = r"[0-9]+(\.[0-9]+)?"
Prices = Annotated[
    tuple[Annotated[str, Field(pattern=rf"^[^=\s]+={_PRICE}(/{_PRICE})?$")], ...],
    BeforeValidator(_words),
    Form("`model=prompt/completion` with numbers, separated by commas"),
]
Weights = Annotated[
    dict[str, Annotated[float, Field(ge=0, le=4)]],
    BeforeValidator(_weights),
    AfterValidator(_of_known_parts),
    Form("`name=number`, separated by commas, each from 0 to 4"),
]
Experiment = Annotated[
    dict[str, Any],
    BeforeValidator(_experiment),
    Form("`setting=value` of settings marked `*`, separated by semicolons"),
]
