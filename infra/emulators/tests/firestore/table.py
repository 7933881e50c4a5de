"""Runs the contract on both servers and writes what became of it as Markdown: counts, and each case
that does not hold on both.

`python -m infra.emulators.tests.firestore.table [FILE]`; FILE is docs/emulators/firestore.md. What
stands there outside the two marks is kept.
"""

import sys
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import pytest

from infra.emulators.testing import ROOT
from infra.emulators.tests.firestore.differences import runs_on
from infra.emulators.tests.firestore.servers import Absent, google_version

SUITE = "infra/emulators/tests/firestore/contract"
PAGE = ROOT / "docs/emulators/firestore.md"

BEGIN, END = "<!-- contract:begin -->", "<!-- contract:end -->"
EMPTY_PAGE = f"# Firestore, locally\n\n{BEGIN}\n{END}\n"

INTRODUCTION = """\
## Held to Google's emulator

Written by `python -m infra.emulators.tests.firestore.table` from one run of the contract suite
([cases]({suite})) on both servers: ours and Google's own ({referee}), both through
google-cloud-firestore {sdk}. {totals}

A case that differs fails on Google's emulator on purpose: there it departs from Google's production
service, or serves a call that the product never makes, or lets the other of two rivals win a
document. What the product sees is the same on both: of two rivals exactly one is told ABORTED, and
the SDK tries it again.
"""


@dataclass
class Case:
    """One case of the contract and its outcome on each server."""

    group: str
    title: str
    outcomes: dict[str, str] = field(default_factory=dict)


class Recorder:
    """A pytest plugin that keeps the outcome of every case that ran on a server."""

    def __init__(self) -> None:
        self.cases: dict[tuple[str, str], Case] = {}
        self._of: dict[str, tuple[Case, str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            server = runs_on(item)
            if server is not None:
                group, title = _group(item), _title(item)
                case = self.cases.setdefault((group, title), Case(group, title))
                self._of[item.nodeid] = case, server

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        case, server = self._of.get(report.nodeid, (None, ""))
        if case is not None and (report.when == "call" or not report.passed):
            case.outcomes[server] = _outcome(report)


def _group(item: pytest.Item) -> str:
    return item.path.stem.removeprefix("test_").replace("_", " ")


def _title(item: pytest.Item) -> str:
    """The test's name as the sentence it is, with the case it is about."""
    name, _, parameters = item.name.partition("[")
    sentence = name.removeprefix("test_").replace("_", " ")
    server = runs_on(item)
    rest = [part for part in parameters.rstrip("]").split("-") if part != server]
    return f"{sentence}: {' '.join(rest)}" if rest else sentence


def _outcome(report: pytest.TestReport) -> str:
    if report.skipped and hasattr(report, "wasxfail"):
        return f"differs: {report.wasxfail.removeprefix('reason: ')}"
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
        return f"not run: {reason.removeprefix('Skipped: ')}"
    return "holds" if report.passed else "**fails**"


def section(cases: list[Case]) -> str:
    introduction = INTRODUCTION.format(
        suite=f"../../{SUITE}",
        referee=_referee(),
        sdk=version("google-cloud-firestore"),
        totals=_totals(cases),
    )
    lines = [introduction, "| cases of | ours hold | Google's hold |", "|---|--:|--:|"]
    lines += [_group_row(group, cases) for group in dict.fromkeys(case.group for case in cases)]
    odd = [case for case in cases if {*case.outcomes.values()} != {"holds"}]
    lines += ["", "| case | ours | Google's |", "|---|---|---|", *map(_row, odd)]
    return "\n".join(lines) + "\n"


def _group_row(group: str, cases: list[Case]) -> str:
    own = [case for case in cases if case.group == group]
    held = [
        sum(case.outcomes.get(server) == "holds" for case in own) for server in ("ours", "google")
    ]
    return f"| {group} | {held[0]} of {len(own)} | {held[1]} of {len(own)} |"


def put_into(page: str, section: str) -> str:
    """The page with everything between the marks replaced."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{section}{END}{after}"


def _referee() -> str:
    try:
        return google_version()
    except Absent as absent:
        return f"not run: {absent}"


def _totals(cases: list[Case]) -> str:
    def count(server: str, beginning: str) -> int:
        return sum(case.outcomes.get(server, "").startswith(beginning) for case in cases)

    return (
        f"{len(cases)} cases. Ours: {count('ours', 'holds')} hold, "
        f"{count('ours', '**fails')} fail. Google's: {count('google', 'holds')} hold, "
        f"{count('google', 'differs')} differ, {count('google', '**fails')} fail."
    )


def _row(case: Case) -> str:
    cells = (case.title, case.outcomes.get("ours", "-"), case.outcomes.get("google", "-"))
    return "| " + " | ".join(_cell(text) for text in cells) + " |"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def main(arguments: list[str]) -> int:
    target = Path(arguments[0]) if arguments else PAGE
    page = target.read_text() if target.exists() else EMPTY_PAGE
    if BEGIN not in page or END not in page:
        raise SystemExit(f"{target} has no {BEGIN} and {END} to write between")
    recorder = Recorder()
    code = pytest.main(["-p", "no:cacheprovider", SUITE], plugins=[recorder])
    cases = sorted(recorder.cases.values(), key=lambda case: case.group)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(put_into(page, section(cases)))
    print(f"{target}: {len(cases)} cases")
    return int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
