"""Children that die with their parent, even a killed one: its end of a pipe closes."""

import contextlib
import os
import threading

VARIABLE = "CLOUD_EMULATORS_LIFELINE"
"""Number of the inherited read end of the pipe."""


def follow_parent() -> None:
    """In a child: end at once when the parent is gone. What it forks ends with it."""
    number = os.environ.get(VARIABLE)
    if number is None:
        return
    _watch(int(number))
    os.register_at_fork(after_in_child=lambda: _watch(int(number)))


def _watch(number: int) -> None:
    def wait() -> None:
        with contextlib.suppress(OSError):
            os.read(number, 1)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
