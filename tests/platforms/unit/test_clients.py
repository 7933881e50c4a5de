"""What public clients send becomes what a reader of the chat would say happened."""

from collections import Counter

import pytest

from tests.platforms.clients import CLIENTS, MODULES
from tests.platforms.clients.case import ClientCase
from tests.platforms.fixtures import as_json

ALL = [(platform, case) for platform, client in CLIENTS.items() for case in client.CASES]


@pytest.mark.parametrize(("platform", "case"), ALL, ids=str)
def test_a_clients_payload_becomes_what_was_meant(platform: str, case: ClientCase) -> None:
    known = getattr(CLIENTS[platform], "KNOWN", {})
    (arrival,) = MODULES[platform].normalise(case.payload, **known)

    told = as_json(arrival)

    assert {name: told.get(name) for name in case.becomes} == case.becomes


@pytest.mark.parametrize("platform", CLIENTS)
def test_each_platform_is_tried_in_the_forms_of_two_clients(platform: str) -> None:
    clients = Counter(case.client for case in CLIENTS[platform].CASES)

    assert len(clients) >= 2, "two clients, or two versions of the sender"
    assert clients.total() >= 25
