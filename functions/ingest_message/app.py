"""The routes of ingest_message."""

from shared.config import problems, settings
from shared.domain.key import StoredKey
from shared.runtime.app import create_app


async def find_key(_: str) -> StoredKey | None:
    return None


app = create_app("ingest_message", find_key=find_key, settings=settings(), problems=problems())
