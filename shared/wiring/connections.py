"""Connections to the services of others, each made when first asked for."""

import asyncio
import functools
import json
from collections.abc import Awaitable, Callable
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from shared.config import Settings, need
from shared.errors import Misconfigured

if TYPE_CHECKING:
    from openai import AsyncOpenAI

    from shared.clients.task_queue import TaskQueue
    from shared.stores.firestore import Database
    from shared.stores.vectors import Index, Vectors
    from shared.stores.word_index import WordIndex


class DepsOfAHandler(Protocol):
    """A dataclass that names what its handler uses."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


GOOGLE_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
D = TypeVar("D", bound=DepsOfAHandler)


def utc_now() -> datetime:
    return datetime.now(UTC)


class Connections:
    """Those of one set of settings and one event loop."""

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], datetime] = utc_now,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`sleep` is between two tries of a model."""
        self.settings = settings
        self.now = now
        self.sleep = sleep

    def deps(self, kind: type[D], **own: Any) -> D:
        """A handler's `Deps`: each field is the service of its name, but for those in `own` and
        those with a default."""
        names = [
            field.name
            for field in fields(kind)
            if field.name not in own and field.default is MISSING
        ]
        return kind(**{name: getattr(self, name) for name in names}, **own)

    @functools.cached_property
    def google_credentials(self) -> Any:
        """Those of a federation of AWS with Google Cloud, if there is one; else the SDKs look for
        some in the environment."""
        told = self.settings.google_external_account
        if told is None:
            return None
        from google.auth import aws, exceptions

        try:
            told_as = json.loads(told)
            credentials = aws.Credentials.from_info(told_as, scopes=[GOOGLE_SCOPE])  # type: ignore[no-untyped-call]
        except (ValueError, TypeError, AttributeError, exceptions.GoogleAuthError) as error:
            raise Misconfigured(
                "ANNALS_GOOGLE_EXTERNAL_ACCOUNT is no federation of AWS with Google Cloud"
            ) from error
        return credentials

    @functools.cached_property
    def database(self) -> "Database":
        from shared.stores.firestore import connect
        from shared.stores.readers import DatabaseForReaders

        settings = self.settings
        return DatabaseForReaders(
            connect(
                settings.google_cloud_project,
                settings.firestore_database,
                settings.firestore_emulator_host,
                self.google_credentials,
            )
        )

    def _index(self, name: str, host: str | None) -> "Index":
        from shared.stores.vectors import Index

        settings = self.settings
        key = need(settings.pinecone_api_key, "PINECONE_API_KEY")
        return Index(
            api_key=key, host=settings.pinecone_controller_host, name=name, index_host=host
        )

    @functools.cached_property
    def vectors(self) -> "Vectors":
        from shared.stores.vectors import Vectors

        return Vectors(self._index(self.settings.pinecone_index, self.settings.pinecone_index_host))

    @functools.cached_property
    def word_index(self) -> "WordIndex":
        from shared.stores.word_index import WordIndex

        settings = self.settings
        return WordIndex(
            self._index(settings.pinecone_words_index, settings.pinecone_words_index_host)
        )

    @functools.cached_property
    def task_queue(self) -> "TaskQueue":
        from shared.clients.task_queue import TaskIdentity, TaskQueue, make_client
        from shared.config.deployment import FUNCTIONS
        from shared.contracts.queues import queues

        settings = self.settings
        account, audience = settings.task_service_account, settings.task_audience
        return TaskQueue(
            make_client(settings.cloud_tasks_endpoint, self.google_credentials),
            project=settings.google_cloud_project,
            location=settings.cloud_tasks_location,
            queues=queues(),
            urls={name: url for name in FUNCTIONS if (url := settings.url_of(name))},
            identity=TaskIdentity(account, audience) if account and audience else None,
            send_timeout_s=settings.send_task_seconds,
            shards={
                "attribute": settings.attribute_queues,
                "summarize": settings.summarize_queues,
            },
        )

    @functools.cached_property
    def openai(self) -> "AsyncOpenAI":
        from shared.clients.openai_calls import make_client

        return make_client(self.settings.openai_base_url, self.settings.openai_api_key)
