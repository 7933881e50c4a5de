"""What the documents say of the functions is what the code does."""

import pytest

from infra.docs.pages import (
    ALL,
    NoMarkers,
    current,
    functions_table,
    index_of,
    routes_page,
    updated,
)
from infra.docs.routes import FUNCTIONS, designed, not_yet, routes
from infra.docs.uses import job_queues, stores, uses
from tests.docs.pages import text_of
from tests.project import ROOT


@pytest.mark.parametrize("name", ALL)
def test_the_generated_parts_are_current(name: str) -> None:
    assert text_of(name) == current(name), "run: make docs"


def test_a_store_tells_its_reads_from_its_writes() -> None:
    messages = stores()["messages"]

    assert {"recent", "said_between", "of_topic"} <= messages.reading
    assert {"apply", "attributed_message", "delete_many"} <= messages.writing
    assert "keep_reply" in stores()["jobs"].writing, "it writes through another method"
    assert "search" in stores()["vectors"].reading
    assert "apply" in stores()["vectors"].writing


def test_what_a_function_touches_is_found_in_its_code() -> None:
    ingest = uses("ingest_message")

    assert {"messages", "groups", "jobs", "vectors"} <= ingest.writes
    assert {"attribute", "historian", "forget"} <= ingest.enqueues
    assert "memories" not in ingest.reads | ingest.writes
    assert "messages" in uses("build_context").reads
    assert "contexts" in uses("build_context").writes
    assert "memories" in uses("evolve_group").writes
    assert "events" in uses("historian_job").writes
    assert "leases" in uses("summarize_topic").writes, "through the worker it runs its jobs with"


def test_every_kind_of_job_has_a_queue_of_the_table() -> None:
    from shared.contracts.queues import queues

    assert job_queues()
    assert set(job_queues().values()) <= set(queues())


def test_the_table_has_a_row_for_each_function_and_only_served_triggers() -> None:
    rows = functions_table().splitlines()[2:]

    assert [row.split("`")[1] for row in rows] == list(FUNCTIONS)
    for name, row in zip(FUNCTIONS, rows, strict=True):
        served = {route.path for route in routes(name)}
        for cron in FUNCTIONS[name]["cron"]:
            assert (f"`{cron}`" in row) == (cron in served)


def test_the_page_of_routes_has_every_route_and_what_is_missing() -> None:
    page = routes_page()

    for name in FUNCTIONS:
        for route in routes(name):
            if not route.path.startswith("/health/"):
                assert f"`{route.method} {route.path}`" in page
        for route in not_yet(name):
            assert route.shape not in {one.shape for one in routes(name)}
    assert list(designed()) == list(FUNCTIONS)


def test_only_what_stands_between_the_markers_is_made_anew() -> None:
    page = "before\n<!-- part:begin -->\nold\n<!-- part:end -->\nafter\n"

    assert updated(page, {"part": lambda: r"new \1"}) == page.replace("old", r"new \1")
    with pytest.raises(NoMarkers, match="other:begin"):
        updated(page, {"other": lambda: ""})


def test_an_index_lists_every_page_of_its_folder() -> None:
    pages = {page.name for page in (ROOT / "docs" / "decisions").glob("*.md")} - {"README.md"}

    assert all(f"({name})" in index_of("docs/decisions", "") for name in pages)
