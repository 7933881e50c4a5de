"""Children that die with their parent, even a killed one: its end of a pipe closes."""

import contextlib
import os
import threading

VARIABLE = "ANNALS_LIFELINE"
"""Number of the inherited read end of the pipe."""


def follow_parent() -> None:
    """In a child: end at once when the parent is gone."""
    number = os.environ.get(VARIABLE)
    if number is None:
        return

    def watch() -> None:
        with contextlib.suppress(OSError):
            os.read(int(number), 1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
