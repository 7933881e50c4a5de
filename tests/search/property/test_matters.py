"""Whatever lines there are: chances are chances, the same both ways; all company is 0 together."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.messages.stored_message import StoredMessage
from shared.domain.recall.same_subject import chances, company
from shared.domain.similarity.vectors import pack_half
from tests.context.chat import said

VECTORS = st.lists(st.floats(-1, 1, width=16), min_size=3, max_size=3).map(pack_half) | st.just(b"")
LINES = st.lists(
    st.builds(
        said,
        st.integers(0, 2000),
        st.sampled_from(["hello", "the rent is 400", "房租四百", "", "rent again?"]),
        topic_id=st.sampled_from([None, "t1", "t2"]),
        continues=st.sampled_from([None, "m1", "m2"]),
        vector=VECTORS,
        vector_model=st.sampled_from(["m", "n"]),
    ),
    max_size=10,
    unique_by=lambda one: one.message_id,
)


@settings(deadline=None)
@given(LINES, st.data())
def test_a_chance_is_between_0_and_1_and_the_same_both_ways(
    lines: list[StoredMessage], data: st.DataObject
) -> None:
    if len(lines) > 1:
        found = chances(lines, "m")
        assert ((found >= 0) & (found <= 1)).all()
        assert np.allclose(found, found.T, atol=1e-5)
    scores = data.draw(st.lists(st.floats(-5, 9), min_size=len(lines), max_size=len(lines)))
    sums = company(lines, scores, "m")
    assert len(sums) == len(lines)
    assert np.isfinite(sums).all()
    assert abs(sum(sums)) < 1e-3
