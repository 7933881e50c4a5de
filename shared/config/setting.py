"""One setting: its name, what it may be, and how its text is read.

The functions `switch`, `whole`, `number`, ... declare a setting as a class attribute with the type
of its value, so that the classes of this package are the catalogue itself.
"""

import math
import re
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

Number = Literal["whole", "number"]
Text = Literal["text", "choice", "words", "url", "address", "zone"]
Kind = Literal["switch", "weights", "overrides"] | Number | Text

_ON = {"true", "1", "yes", "on"}
_OFF = {"false", "0", "no", "off"}


@dataclass(frozen=True)
class Setting:
    """What is known of one setting.

    `low` and `high` bound a number's value, or a text's length. A group may override it where
    `per_group`. A `security` setting has no fallback: bad is as good as unset. `form` says what one
    word of several is. `if_bad` holds instead of the default where that would be the unsafe side.
    """

    env: str
    kind: Kind
    about: str
    default: Any = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    pattern: str = ""
    per_group: bool = False
    security: bool = False
    needed: bool = False
    secret: bool = False
    form: str = "words"
    if_bad: Any = None

    def expects(self) -> str:
        """What a valid value is, in words."""
        match self.kind:
            case "switch":
                return "true or false"
            case "whole":
                return f"a whole number{self._between()}"
            case "number":
                return f"a number{self._between()}"
            case "choice":
                return "one of " + ", ".join(self.choices)
            case "words":
                return f"{self.form}, separated by commas"
            case "url":
                return "an http or https URL"
            case "address":
                return "host:port"
            case "zone":
                return "a time zone like Asia/Shanghai"
            case "weights":
                return f"`name=number`, separated by commas, each{self._between()}"
            case "overrides":
                return "`setting=value` of settings marked `*`, separated by semicolons"
            case "text":
                return self._text_expects()

    def _between(self) -> str:
        if self.low is None or self.high is None:
            return ""
        return f" from {self.low:g} to {self.high:g}"

    def _text_expects(self) -> str:
        if self.pattern == HEX_64:
            return "64 hex digits"
        if self.pattern == EMAIL:
            return "an e-mail address"
        if self.pattern == ASSIGNMENTS:
            return "`name=value`, separated by commas"
        return f"at least {self.low:g} characters" if self.low else "text"


HEX_64 = r"[0-9a-f]{64}"
EMAIL = r"[^@\s]+@[^@\s]+"
ASSIGNMENTS = r"[^=,\s]+=[^,]+(,\s*[^=,\s]+=[^,]+)*"


def read(setting: Setting, text: str) -> Any:
    """The value that an environment variable's text stands for, or ValueError."""
    match setting.kind:
        case "switch":
            lowered = text.lower()
            if lowered in _ON | _OFF:
                return lowered in _ON
        case "whole":
            if re.fullmatch(r"[+-]?[0-9]+", text):
                return check(setting, int(text))
        case "number":
            try:
                return check(setting, float(text))
            except ValueError:
                pass
        case "words":
            return check(setting, [word.strip() for word in re.split("[,，、]", text)])
        case "weights":
            try:
                named = {name: float(value) for name, value in assignments(text, ",").items()}
            except ValueError:
                named = {"": 0.0}
            return check(setting, named)
        case _:
            return check(setting, text)
    raise ValueError(f"expected {setting.expects()}")


def given(setting: Setting, value: Any) -> Any:
    """A value that came as JSON, or ValueError. A text is read as the environment's would be: one
    page tells both how to write a setting."""
    return read(setting, value.strip()) if isinstance(value, str) else check(setting, value)


def check(setting: Setting, value: Any) -> Any:
    """`value` as the setting keeps it if it may have it, or ValueError saying what it may be."""
    valid: Any = None
    match setting.kind:
        case "switch":
            valid = value if isinstance(value, bool) else None
        case "whole":
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            valid = value if is_whole and _within(setting, value) else None
        case "number":
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            valid = float(value) if is_number and _within(setting, value) else None
        case "words":
            if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
                valid = tuple(word for word in value if word)
                if setting.pattern and not all(re.fullmatch(setting.pattern, one) for one in valid):
                    valid = None
        case "weights":
            valid = _weights(setting, value)
        case _:
            valid = value if isinstance(value, str) and _is_text(setting, value) else None
    if valid is None:
        raise ValueError(f"expected {setting.expects()}")
    return valid


def assignments(text: str, separator: str) -> dict[str, str]:
    """`a=1, b=2`; ValueError for anything else."""
    found: dict[str, str] = {}
    for part in filter(None, map(str.strip, text.split(separator))):
        name, sign, value = part.partition("=")
        if not sign or not value.strip():
            raise ValueError(f"{part[:80]!r} is no name=value")
        found[name.strip()] = value.strip()
    return found


def _weights(setting: Setting, value: Any) -> dict[str, float] | None:
    """By name; names that are not `choices`, and numbers out of bounds, spoil all of it."""
    if not isinstance(value, dict) or not set(value) <= set(setting.choices):
        return None
    numbers = value.values()
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in numbers):
        return None
    if not all(_within(setting, one) for one in numbers):
        return None
    return {name: float(one) for name, one in value.items()}


def _within(setting: Setting, value: float) -> bool:
    if not math.isfinite(value):
        return False
    low = -math.inf if setting.low is None else setting.low
    high = math.inf if setting.high is None else setting.high
    return low <= value <= high


def _is_text(setting: Setting, text: str) -> bool:
    match setting.kind:
        case "choice":
            return text in setting.choices
        case "url":
            try:
                parts = urlsplit(text)
            except ValueError:
                return False
            return parts.scheme in ("http", "https") and bool(parts.hostname)
        case "address":
            return re.fullmatch(r"[^\s/]+:[0-9]{1,5}", text) is not None
        case "zone":
            return is_zone(text)
        case _:
            if setting.pattern and not re.fullmatch(setting.pattern, text):
                return False
            return len(text) >= (setting.low or 1)


def is_zone(name: str) -> bool:
    """Whether the zone is known; its table is read only where somebody names one."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False  # OSError: `Asia` is a folder of zones
    return True


def switch(env: str, default: bool, about: str, *, per_group: bool = False) -> Any:
    return Setting(env, "switch", about, default, per_group=per_group)


def whole(
    env: str,
    default: int | None,
    low: int,
    high: int,
    about: str,
    *,
    per_group: bool = False,
) -> Any:
    return Setting(env, "whole", about, default, low, high, per_group=per_group)


def number(
    env: str,
    default: float | None,
    low: float,
    high: float,
    about: str,
    *,
    per_group: bool = False,
) -> Any:
    return Setting(env, "number", about, default, low, high, per_group=per_group)


def choice(
    env: str,
    default: str,
    choices: tuple[str, ...],
    about: str,
    *,
    per_group: bool = False,
) -> Any:
    return Setting(env, "choice", about, default, choices=choices, per_group=per_group)


def words(
    env: str,
    default: tuple[str, ...],
    about: str,
    *,
    per_group: bool = False,
    pattern: str = "",
    form: str = "words",
    secret: bool = False,
) -> Any:
    return Setting(
        env,
        "words",
        about,
        default,
        per_group=per_group,
        pattern=pattern,
        form=form,
        secret=secret,
    )


def text(env: str, default: str | None, about: str, *, secret: bool = False) -> Any:
    return Setting(env, "text", about, default, secret=secret)


def assigned(env: str, about: str) -> Any:
    """Texts by name; a secret."""
    return Setting(env, "text", about, pattern=ASSIGNMENTS, secret=True)


USED_UP = -1
"""A budget that any day has used up."""


def budget(env: str, kind: Number, high: float, about: str, *, per_group: bool = False) -> Any:
    """0 is no bound. What cannot be read was meant as one: it counts as used up, not as none."""
    return Setting(env, kind, about, 0, 0, high, per_group=per_group, if_bad=USED_UP)


def zone(env: str, about: str, *, per_group: bool = False) -> Any:
    return Setting(env, "zone", about, per_group=per_group)


def url(env: str, about: str, default: str | None = None) -> Any:
    return Setting(env, "url", about, default)


def address(env: str, about: str) -> Any:
    return Setting(env, "address", about)


def weights(
    env: str, names: tuple[str, ...], high: float, about: str, *, per_group: bool = False
) -> Any:
    return Setting(env, "weights", about, {}, 0, high, choices=names, per_group=per_group)


def overrides(env: str, about: str) -> Any:
    return Setting(env, "overrides", about, {})


def security(
    env: str,
    about: str,
    *,
    kind: Kind = "text",
    default: str | None = None,
    choices: tuple[str, ...] = (),
    pattern: str = "",
    low: int = 1,
    needed: bool = True,
    secret: bool = False,
) -> Any:
    """A setting without which a route answers 503; `needed` = being unset is a problem too."""
    return Setting(
        env,
        kind,
        about,
        default,
        low=low,
        choices=choices,
        pattern=pattern,
        security=True,
        needed=needed,
        secret=secret,
    )
