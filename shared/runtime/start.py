"""A start without garbage collections.

What a process imports stays for as long as it lives. Collecting among it while it grows took a
tenth of a cold start and more, and every full collection after it would look through it again.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def starting() -> Iterator[None]:
    """What is imported within is never looked through for garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()
