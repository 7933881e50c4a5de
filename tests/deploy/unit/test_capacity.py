"""The capacity table: what follows from it, and that everything else reads it."""

import copy
import json
from typing import Any

import pytest

from infra.capacity import SPREAD, capacity, complaints, derived, needs
from infra.tables import TABLES
from shared.config import Settings
from shared.config.settings import CATALOGUE
from shared.contracts.queues import queues
from tests.project import ROOT

SIZES = list(capacity()["sizes"])


def changed(path: str, value: Any) -> dict[str, Any]:
    made: Any = copy.deepcopy(capacity())
    *parents, last = path.split(".")
    at = made
    for one in parents:
        at = at[one]
    at[last] = value
    return made  # type: ignore[no-any-return]


@pytest.mark.parametrize("size", SIZES)
def test_the_deployments_have_what_follows_from_the_table(size: str) -> None:
    assert json.loads(TABLES.read_text("utf-8"))["sizes"][size] == derived(size), "run `make docs`"


@pytest.mark.parametrize("size", SIZES)
def test_queues_and_instances_take_the_peak_and_room_to_catch_up(size: str) -> None:
    numbers, headroom = derived(size), capacity()["rules"]["headroom"]
    for kind, row in capacity()["work"].items():
        need = needs(size)[kind]
        if "queue" in row:
            own = [one for one in numbers["queues"].values() if one["row"] == row["queue"]]
            assert sum(one["rate_per_second"] for one in own) >= headroom * need.rate
            assert sum(one["concurrency"] for one in own) >= headroom * need.at_once
        room = numbers["deployments"][row["deployment"]]
        assert room["max_instances"] * room["concurrency"] >= headroom * need.at_once


@pytest.mark.parametrize("size", SIZES)
def test_no_instance_is_given_more_than_its_processor_does(size: str) -> None:
    rules = capacity()["rules"]
    for name, room in derived(size)["deployments"].items():
        own = [
            needs(size)[kind]
            for kind, row in capacity()["work"].items()
            if row["deployment"] == name
        ]
        busy = sum(one.rate * one.cpu_s for one in own) / sum(one.at_once for one in own)
        is_least = room["concurrency"] == rules["least_at_once"]
        assert is_least or room["concurrency"] * busy <= rules["processor"] + 1e-9


def test_every_queue_has_its_work_and_nothing_else() -> None:
    worked = {row["queue"] for row in capacity()["work"].values() if "queue" in row}
    assert worked == set(queues())


def test_the_sizes_have_room_in_queues_and_indexes() -> None:
    assert complaints() == []
    assert complaints(changed("sizes.100000.messages_a_day", 10**12))
    assert complaints(changed("work.historian.a_message", 1.0)), "two kinds have more queues"


def test_more_than_one_queue_sends_is_spread_and_the_functions_are_told() -> None:
    numbers = derived("100000")
    assert all(row["rate_per_second"] <= 500 for row in numbers["queues"].values())
    assert numbers["settings"].keys() == set(SPREAD.values())
    for queue, setting in SPREAD.items():
        own = [name for name, row in numbers["queues"].items() if row["row"] == queue]
        assert len(own) > 1
        assert numbers["settings"][setting] == str(len(own))
        assert CATALOGUE[f"{queue}_queues"].env == setting


def test_other_slots_change_the_rates() -> None:
    assert Settings().slot_ordinary_seconds >= 15, "the table counts runs by these"
    assert needs("10000")["attribute"].rate < 0.3 * needs("10000")["ingest"].rate


def test_the_page_shows_these_numbers() -> None:
    page = (ROOT / "docs" / "scale.md").read_text("utf-8")
    for size in SIZES:
        row = derived(size)["queues"]["attribute"]
        assert f"{row['rate_per_second']} a second, {row['concurrency']} at once" in page
