"""Around the routes: who calls, how errors are answered, what is logged, when work ends."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def starting() -> Iterator[None]:
    """What is imported within is never looked through for garbage: it stays for as long as the
    process lives, and collecting among it while it grows took a tenth of a cold start and more."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()
