"""Which instances of the functions the local cloud starts, and with what."""

import tomllib

from infra.local import Instance, instances, own_defaults
from infra.processes import ROOT


def test_tasks_that_are_apart_have_an_instance_of_their_own_that_gives_way() -> None:
    table = {
        "front": {"min_instances": 1, "tasks_apart": True},
        "answers": {"min_instances": 1},
        "works": {"min_instances": 0},
    }

    assert instances(table) == [
        Instance("front", "front", gives_way=False),
        Instance("front-tasks", "front", gives_way=True),
        Instance("answers", "answers", gives_way=False),
        Instance("works", "works", gives_way=True),
    ]


def test_who_is_waited_for_gives_way_to_nobody() -> None:
    table = tomllib.loads((ROOT / "infra" / "functions.toml").read_text())

    first = [one.name for one in instances(table) if not one.gives_way]

    assert first == ["ingest_message", "build_context", "build_context-spare"]


def test_what_somebody_has_set_is_not_overruled() -> None:
    slot = "ANNALS_SLOT_ORDINARY_SECONDS"

    assert own_defaults({})[slot] == "2"
    assert own_defaults({slot: "20"})[slot] == "20"
    assert set(own_defaults({"HOME": "/"})) == set(own_defaults({}))
