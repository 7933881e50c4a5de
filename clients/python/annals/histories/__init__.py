"""Chat histories that people have, read as messages: `read_history(path)`."""

from annals.histories.history import History, Line, messages_of
from annals.histories.reading import FORMATS, UnknownFormat, read_history

__all__ = ["FORMATS", "History", "Line", "UnknownFormat", "messages_of", "read_history"]
