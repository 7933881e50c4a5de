"""Words of time in a text, and the days they name."""

from shared.language.times.named import NamedTime, times_in

__all__ = ["NamedTime", "times_in"]
