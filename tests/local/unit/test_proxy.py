"""The one port of the local cloud, as far as it can be told without one."""

from gunicorn.config import Keepalive  # type: ignore[import-untyped]
from httpx import Limits

from infra.emulators.running import IDLE_S as KEPT_FOR_CALLERS
from infra.proxy import IDLE_S


def test_a_connection_is_given_up_before_the_functions_server_hangs_up() -> None:
    assert Keepalive.default > IDLE_S


def test_the_port_hangs_up_on_nobody_who_may_still_send() -> None:
    usual = Limits().keepalive_expiry

    assert usual is not None
    assert usual < KEPT_FOR_CALLERS
