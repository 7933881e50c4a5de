"""The one port of the local cloud, as far as it can be told without one."""

from gunicorn.config import Keepalive  # type: ignore[import-untyped]

from infra.proxy import IDLE_S


def test_a_connection_is_given_up_before_the_functions_server_hangs_up() -> None:
    assert Keepalive.default > IDLE_S
