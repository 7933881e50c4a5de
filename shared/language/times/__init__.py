"""Words of time in a text, and the days they name; `docs/decisions/extraction.md` has why it is
our own, and what it will not learn."""

from datetime import datetime

from shared.language.times.days import LUNAR, NO_SUCH_DAY, NamedTime

__all__ = ["NamedTime", "times_in"]


def times_in(text: str, now: datetime) -> list[NamedTime]:
    """In the order of the text. Times count from `now`, in its zone."""
    from shared.language.times.reading import read  # its patterns take time to be made

    return [named for named in read(text, now) if named.grain not in (LUNAR, NO_SUCH_DAY)]
