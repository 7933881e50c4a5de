"""The documents as tests read them: command blocks, links, headings."""

import re
from pathlib import Path

from tests.project import ROOT

READMES = ("README.md", "README.zh-CN.md")
PLACES = (".", "docs/**", "infra/**", "clients/**", "bench/**")


def documents() -> list[Path]:
    """Every page a reader may open."""
    return sorted(
        [path for place in PLACES for path in ROOT.glob(f"{place}/*.md")],
        key=lambda path: path.as_posix(),
    )


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def blocks(text: str, language: str) -> list[str]:
    """What stands in the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[str]:
    """The command lines of all `sh` blocks, without comments; a line that ends in a backslash goes
    on."""
    joined = "\n".join(blocks(text, "sh")).replace("\\\n", " ")
    lines = [re.sub(r"\s+#.*$", "", line).strip() for line in joined.splitlines()]
    return [line for line in lines if line]


def code(text: str) -> str:
    """Everything in fenced blocks and between backticks, a piece a line."""
    fenced = re.findall(r"^```[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return "\n".join([*fenced, *re.findall(r"`([^`\n]+)`", prose)])


def links(text: str) -> list[str]:
    """Targets of links and pictures, code left out."""
    prose = re.sub(r"^```.*?^```$|`[^`]*`", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"\]\(([^)\s]+)\)", prose) + re.findall(r'(?:src|href)="([^"]+)"', prose)


def headings(text: str) -> set[str]:
    """As GitHub names them in addresses."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    found = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}
