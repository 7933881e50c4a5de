"""The settings as Markdown, for docs/settings.md."""

from shared.config.load import SECTIONS, declared
from shared.config.setting import Setting

BEGIN = "<!-- settings:begin -->"
END = "<!-- settings:end -->"


def render() -> str:
    """One table a section: name, value, default, help. A group may override those marked `*`."""
    lines: list[str] = []
    for section in SECTIONS:
        assert section.__doc__
        lines += ["", f"**{section.__doc__.strip().rstrip('.')}**", ""]
        lines += ["| setting | value | default | |", "|---|---|---|---|"]
        lines += [_row(setting) for _, setting in declared(section)]
    return "\n".join(lines).strip() + "\n"


def _row(setting: Setting) -> str:
    star = " *" if setting.per_group else ""
    return (
        f"| `{setting.env}`{star} | {setting.expects()} | {_default(setting)} | {setting.about} |"
    )


def _default(setting: Setting) -> str:
    match setting.default:
        case None:
            return "required" if setting.security and setting.needed else "unset"
        case dict():
            return "none"
        case bool(value):
            return f"`{str(value).lower()}`"
        case int(value) | float(value):
            return f"`{value:g}`" if abs(value) < 1e5 else f"`{value}`"
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
