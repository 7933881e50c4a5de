"""Long-term memory for group-chat bots, from Python.

from annals import Annals

memory = Annals("http://127.0.0.1:8080", key="...")
memory.ingest({"group_id": "demo:1", "user_id": "u1", "user_name": "Ada", "content": "Friday?"})
context = memory.context("demo:1", "When do we ship?")
"""

from annals.async_client import AsyncAnnals
from annals.client import Annals
from annals.context import Context, ContextItem
from annals.errors import AnnalsError, Broken, Missing, NotAllowed, Refused, Unreachable

__all__ = [
    "Annals",
    "AnnalsError",
    "AsyncAnnals",
    "Broken",
    "Context",
    "ContextItem",
    "Missing",
    "NotAllowed",
    "Refused",
    "Unreachable",
]
