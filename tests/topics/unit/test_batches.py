"""How many messages a run of attribution takes at once."""

from shared.domain.attribution.batches import BATCH, MAX_CHARACTERS, first_size, fitting
from tests.topics.unit.talk import said


def test_a_batch_is_half_as_large_after_each_death() -> None:
    assert [first_size(died) for died in (0, 1, 2, 7, 30)] == [BATCH, 50, 25, 1, 1]


def test_a_batch_has_no_more_text_than_a_run_can_read() -> None:
    long = "x" * 64_000
    talk = said(*[("Ann", long)] * 10)

    assert fitting(talk) == MAX_CHARACTERS // 64_000
    assert fitting(talk[:1]) == 1
    assert fitting(said(*[("Ann", "ok")] * BATCH)) == BATCH
