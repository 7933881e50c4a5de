"""Apps for the runtime's tests: the real factory with a few routes, called over ASGI."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx
from fastapi import APIRouter

from shared.config import load
from shared.config.deployment import FUNCTIONS
from shared.domain.key import KeyText, Scope, StoredKey, hash_secret
from shared.runtime.app import DescribedApp, RoutesOf, create_app

HASH_KEY = "the hash key of the tests"
SECRET = "the-secret-of-a-key-0001"
ROOT_KEY = str(KeyText("root", SECRET))
ENVIRON = {
    "ANNALS_HASH_KEY": HASH_KEY,
    "ANNALS_ROOT_KEY_HASH": hash_secret(HASH_KEY, SECRET),
    "ANNALS_TASK_AUTH": "oidc",
    "ANNALS_TASK_AUDIENCE": "annals",
    "ANNALS_TASK_SERVICE_ACCOUNT": "annals@project.iam.gserviceaccount.com",
    "PINECONE_API_KEY": "p",
    "OPENAI_API_KEY": "o",
    **{f"ANNALS_URL_{name.upper()}": f"https://{name}.example" for name in FUNCTIONS},
}
AS_ROOT = {"Authorization": f"Bearer {ROOT_KEY}"}


class Keys:
    """A store of keys that counts how often it is asked."""

    def __init__(self) -> None:
        self.stored: dict[str, StoredKey] = {}
        self.asked: list[str] = []

    async def find(self, key_id: str) -> StoredKey | None:
        self.asked.append(key_id)
        return self.stored.get(key_id)

    def add(
        self, key_id: str, *scopes: Scope, groups: tuple[str, ...] = ("*",), revoked: bool = False
    ) -> str:
        """Store a key; its text."""
        now = datetime(2026, 1, 1, tzinfo=UTC)
        hashed = hash_secret(HASH_KEY, SECRET)
        self.stored[key_id] = StoredKey(
            key_id, "a bot", hashed, frozenset(scopes), groups, now, now if revoked else None
        )
        return str(KeyText(key_id, SECRET))


def make_app(
    *routes: APIRouter | RoutesOf,
    keys: Keys | None = None,
    environ: dict[str, str] | None = None,
    **more: Any,
) -> DescribedApp:
    settings, problems = load(ENVIRON if environ is None else environ)
    find_key = (keys or Keys()).find
    return create_app(
        "ingest_message", *routes, find_key=find_key, settings=settings, problems=problems, **more
    )


def client(app: Callable[..., Any], **options: Any) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=app)
    return httpx.AsyncClient(transport=transport, base_url="http://annals", **options)
