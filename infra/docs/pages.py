"""The generated parts as Markdown, and the pages that hold them between markers."""

import json
import re
import tomllib
from collections.abc import Callable, Iterable
from typing import Any

from functions.build_context.handle_tools import schema_of
from functions.build_context.tool_catalogue import END
from infra.capacity import capacity, derived, needs, talk
from infra.docs.routes import FUNCTIONS, ROOT, not_yet, routes
from infra.docs.uses import uses
from infra.tables import alerts
from shared.contracts.notes import END_RULES

RESULTS = ROOT / "bench" / "results"
OPERATIONS = ("/health/", "/tasks/", "/cron/")


class NoMarkers(ValueError):
    """A page without the markers of a generated part."""


def functions_table() -> str:
    lines = ["| function | trigger | reads | writes | enqueues |", "|---|---|---|---|---|"]
    for name in FUNCTIONS:
        used = uses(name)
        cells = [f"`{name}`", triggers(name)]
        cells += [code(sorted(one)) for one in (used.reads, used.writes, used.enqueues)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def triggers(function: str) -> str:
    """Only what is served: a schedule without its route triggers nothing."""
    paths = {route.path for route in routes(function)}
    found = []
    if any(path.startswith("/webhooks/") for path in paths):
        found.append("webhooks")
    if any(not path.startswith((*OPERATIONS, "/webhooks/")) for path in paths):
        found.append("HTTP")
    queues = [path.removeprefix("/tasks/") for path in sorted(paths) if path.startswith("/tasks/")]
    if queues:
        found.append("tasks " + code(queues))
    crons: dict[str, str] = FUNCTIONS[function]["cron"]
    found += [f"cron `{when}` (`{path}`)" for path, when in crons.items() if path in paths]
    return ", ".join(found)


def code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "–"


def routes_page() -> str:
    """Every route, and at the end what the design names and nobody serves yet."""
    lines = [
        "# Routes",
        "",
        "Made by `make docs` from the functions' own descriptions. A running function shows its",
        "description, with the shapes of requests and answers, at `/<function>/docs`.",
        "Every function also answers `GET /health/live` and `GET /health/ready`.",
        "",
    ]
    for name in FUNCTIONS:
        lines += [f"## {name}", "", "| route | |", "|---|---|"]
        own = [route for route in routes(name) if not route.path.startswith("/health/")]
        lines += [f"| `{one.method} {one.path}` | {one.does} |" for one in own]
        lines.append("")
    lines += ["## Designed, not served yet", ""]
    for name in FUNCTIONS:
        missing = [f"{route.method} {route.path}" for route in not_yet(name)]
        lines.append(f"- {name}: {code(missing)}")
    return "\n".join(lines) + "\n"


def alerts_table() -> str:
    rows = tomllib.loads((ROOT / "infra" / "alerts.toml").read_text("utf-8"))
    lines = ["| alert | means | what to do |", "|---|---|---|"]
    lines += [
        f"| `{name}` | {row['means']} | {rows[name]['do']} |" for name, row in alerts().items()
    ]
    return "\n".join(lines)


def end_tool() -> str:
    """As `GET /tools` serves it."""
    schema = schema_of(END.name, END).model_dump(mode="json")
    return f"```json\n{json.dumps(schema, ensure_ascii=False, indent=2)}\n```"


def end_rules(language: str) -> str:
    return f"> {END_RULES[language]}"


def counted_operations() -> str:
    """What a message took in the last quick run of `python -m bench.scale`, and its price."""
    page = (RESULTS / "scale.txt").read_text("utf-8")
    counted = re.findall(r"^([a-z][a-z ]*?) {2,}([\d.]+)(?: +([\d.]+))?$", page, re.MULTILINE)
    lines = ["| counted | a message | dollars a million messages |", "|---|--:|--:|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in counted)])


def counted_sizes() -> str:
    """The numbers of every run of `python -m bench.scale` that was kept, side by side."""
    pages = [one.read_text("utf-8") for one in sorted(RESULTS.glob("scale*.txt"))]
    runs = sorted(pages, key=lambda page: _counted(page)[0])
    heads = [page.partition("\n")[0].removeprefix("$ python -m ") for page in runs]
    found = [_counted(page)[1] for page in runs]
    names = dict.fromkeys(name for one in found for name in one)
    rows = [f"| {name} | {' | '.join(one.get(name, '') for one in found)} |" for name in names]
    return "\n".join(
        [f"| | {' | '.join(f'`{one}`' for one in heads)} |", "|---|" + "---|" * len(runs), *rows]
    )


def _counted(page: str) -> tuple[int, dict[str, str]]:
    """How many messages a run had, and its numbers by their names."""
    said = [int(one) for one in re.findall(r"(\d+) in (?:sparse|busy) groups", page)]
    numbers = re.findall(r"^(\S.*?) {2,}([\d.]+)  \(at most ([\d.]+)\)", page, re.MULTILINE)
    shown = {f"{name} (at most {most})": value for name, value, most in numbers}
    first = {"messages": " + ".join(f"{one:,}" for one in said)}
    return sum(said), first | shown


def capacity_table() -> str:
    """What follows from `infra/capacity.toml` for each size, as the deployments have it."""
    sizes = list(capacity()["sizes"])
    found = {size: derived(size) for size in sizes}
    said = {size: talk(capacity()["sizes"][size], capacity()) for size in sizes}
    rows = {
        "messages a second at the peak": [f"{said[one].messages:.0f}" for one in sizes],
        "runs of attribution a second": [f"{needs(one)['attribute'].rate:.0f}" for one in sizes],
    }
    for name in dict.fromkeys(row["row"] for row in found[sizes[0]]["queues"].values()):
        rows[f"queue `{name}`"] = [_queue(name, found[one]["queues"]) for one in sizes]
    for name in found[sizes[0]]["deployments"]:
        rows[f"`{name}`"] = [
            "{max_instances} instances of {concurrency}".format(**found[one]["deployments"][name])
            for one in sizes
        ]
    heads = [f"`size` {one}" for one in sizes]
    lines = [f"| | {' | '.join(heads)} |", "|---|" + "---|" * len(sizes)]
    return "\n".join([*lines, *(f"| {one} | {' | '.join(own)} |" for one, own in rows.items())])


def _queue(name: str, rows: dict[str, dict[str, Any]]) -> str:
    own = [row for row in rows.values() if row["row"] == name]
    text = "{rate_per_second} a second, {concurrency} at once".format(**own[0])
    return text if len(own) == 1 else f"{len(own)} queues of {text}"


def updated(page: str, parts: dict[str, Callable[[], str]]) -> str:
    """The page with each part between its markers made anew; the rest stays."""
    for name, make in parts.items():
        begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        if begin not in page or end not in page:
            raise NoMarkers(f"the page has no {begin} ... {end}")
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        made = f"{begin}\n{make()}\n{end}"
        page = pattern.sub(lambda _, made=made: made, page)  # type: ignore[misc]
    return page


def index_of(folder: str, link: str) -> str:
    """The pages of a folder, by title."""
    lines = []
    for page in sorted((ROOT / folder).glob("*.md")):
        if page.name == "README.md":
            continue
        text = page.read_text("utf-8")
        title = text.partition("\n")[0].removeprefix("# ").strip()
        lines.append(f"- [{title}]({link}{page.name})")
    return "\n".join(lines)


PAGES: dict[str, dict[str, Callable[[], str]]] = {
    "docs/architecture.md": {"functions": functions_table},
    "docs/bots.md": {
        "end-tool": end_tool,
        "end-rules-en": lambda: end_rules("en"),
        "end-rules-zh": lambda: end_rules("zh"),
    },
    "docs/bots.zh-CN.md": {"end-tool": end_tool, "end-rules-zh": lambda: end_rules("zh")},
    "docs/cost.md": {"counted": counted_operations, "sizes": counted_sizes},
    "docs/operations.md": {"alerts": alerts_table},
    "docs/scale.md": {"capacity": capacity_table},
    "docs/decisions/README.md": {"decisions": lambda: index_of("docs/decisions", "")},
    "docs/emulators.md": {"emulators": lambda: index_of("docs/emulators", "emulators/")},
}


def current(name: str) -> str:
    """A page as it should stand."""
    if name == "docs/routes.md":
        return routes_page()
    return updated((ROOT / name).read_text("utf-8"), PAGES[name])


ALL = (*PAGES, "docs/routes.md")
