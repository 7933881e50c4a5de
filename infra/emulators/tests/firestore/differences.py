"""Where Google's emulator departs from Google's production service, or serves more than ours.

A test asserts what holds in production and on ours. Marked with `differs`, it must fail on
Google's emulator (strictly: the day it passes there, the mark has to go), and its reason stands
in the table of both. No operation the product uses may be marked, but for which of two rivals
for a document is aborted.
"""

import pytest


def differs(reason: str) -> pytest.MarkDecorator:
    return pytest.mark.differs(reason)


def runs_on(item: pytest.Item) -> str | None:
    """`ours` or `google`; None for a test that asks for no server."""
    callspec = getattr(item, "callspec", None)
    return None if callspec is None else callspec.params.get("server")


def expect_google_to_differ(item: pytest.Item) -> None:
    mark = item.get_closest_marker("differs")
    if mark is not None and runs_on(item) == "google":
        item.add_marker(pytest.mark.xfail(reason=mark.args[0], strict=True))
