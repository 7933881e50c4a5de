"""`python -m shared.config` prints the settings' tables; with files it brings them up to date."""

import sys
from pathlib import Path

from shared.config.setting import Setting, described
from shared.config.settings import SECTIONS

BEGIN = "<!-- settings:begin -->"
END = "<!-- settings:end -->"


def main(arguments: list[str]) -> None:
    if not arguments:
        sys.stdout.write(render())
    for argument in arguments:
        path = Path(argument)
        path.write_text(updated(path.read_text("utf-8")), "utf-8")


def render() -> str:
    """One table a section: name, value, default, help. A group may override those marked `*`."""
    lines: list[str] = []
    for section in SECTIONS:
        assert section.__doc__
        lines += ["", f"**{section.__doc__.strip().rstrip('.')}**", ""]
        lines += ["| setting | value | default | |", "|---|---|---|---|"]
        lines += [_row(setting) for setting in described(section).values()]
    return "\n".join(lines).strip() + "\n"


def _row(setting: Setting) -> str:
    star = " *" if setting.per_group else ""
    return f"| `{setting.env}`{star} | {setting.expects} | {_default(setting)} | {setting.about} |"


def _default(setting: Setting) -> str:
    match setting.default:
        case None:
            return "required" if setting.needed else "unset"
        case dict() | ():
            return "none"
        case bool(value):
            return f"`{str(value).lower()}`"
        case tuple(values):
            return f"`{', '.join(values)}`"
        case value:
            return f"`{value}`"


def updated(document: str) -> str:
    """The document with its table brought up to date; ValueError if it has no markers."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"no {BEGIN} ... {END} in the document")
    return f"{before}{BEGIN}\n{render()}{END}{after}"


if __name__ == "__main__":
    main(sys.argv[1:])
