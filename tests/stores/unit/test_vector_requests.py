"""Upserts are cut to what the service takes in one request."""

import json

import pytest

from shared.stores.vectors import Vector, _record, _requests

MOST_BYTES = 2_000_000


@pytest.mark.parametrize("dimensions", [512, 1536, 3072])
def test_no_request_is_larger_than_the_service_takes(dimensions: int) -> None:
    vectors = [
        Vector("message", "m" * 400 + str(n), [-0.1234567891] * dimensions) for n in range(250)
    ]
    requests = [[_record(one) for one in some] for some in _requests(vectors)]

    assert sum(map(len, requests)) == 250
    assert max(len(json.dumps(one)) for one in requests) < MOST_BYTES
