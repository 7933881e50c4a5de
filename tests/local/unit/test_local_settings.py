"""What the local cloud sets, and how many processes it takes."""

import pytest

from infra.local import front_processes, own_defaults


@pytest.mark.parametrize(("cores", "processes"), [(1, 1), (2, 1), (4, 2), (64, 4)])
def test_cores_decide_how_many_processes_answer(cores: int, processes: int) -> None:
    assert front_processes(cores) == processes


def test_what_somebody_has_set_is_not_overruled() -> None:
    slot = "ANNALS_SLOT_ORDINARY_SECONDS"

    assert own_defaults({})[slot] == "2"
    assert own_defaults({slot: "20"})[slot] == "20"
    assert set(own_defaults({"HOME": "/"})) == set(own_defaults({}))
