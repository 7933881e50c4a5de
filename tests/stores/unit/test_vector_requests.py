"""Upserts are cut to what the service takes in one request."""

import json
import struct

import pytest

from shared.stores.vectors import Vector, _record, _requests

MOST_BYTES = 2_000_000
AS_A_MODEL_GIVES_IT = struct.unpack("f", struct.pack("f", -0.0123456789))[0]
"""Four bytes on the wire of a model, and twenty-one as JSON: -0.012345679104328156."""


@pytest.mark.parametrize("dimensions", [512, 1536, 3072])
def test_no_request_is_larger_than_the_service_takes(dimensions: int) -> None:
    vectors = [
        Vector("message", "m" * 400 + str(n), [AS_A_MODEL_GIVES_IT] * dimensions)
        for n in range(250)
    ]
    requests = [[_record(one) for one in some] for some in _requests(vectors)]

    assert sum(map(len, requests)) == 250
    assert max(len(json.dumps(one)) for one in requests) < MOST_BYTES
