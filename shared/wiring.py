"""The composition root: every client and store, made once, when first asked for.

Each SDK is imported inside its own factory, so a function pays only for what it uses.
"""

import functools
import json
from collections.abc import Callable
from dataclasses import MISSING, fields
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from shared.config import Settings, need
from shared.config import settings as process_settings
from shared.domain.key import StoredKey
from shared.errors import Misconfigured

if TYPE_CHECKING:
    from openai import AsyncOpenAI

    from shared.clients.embedder import Embedder
    from shared.clients.model import Model, ModelOf
    from shared.clients.spending import Spending
    from shared.clients.task_queue import TaskQueue
    from shared.forgetting.asking import Asking
    from shared.forgetting.removal import Removal
    from shared.jobs.dispatch import Dispatch
    from shared.jobs.worker import Worker
    from shared.search.entity_index import EntityIndex
    from shared.search.events import EventSearch
    from shared.search.graph import GraphSearch
    from shared.search.known_members import KnownMembers
    from shared.search.known_profiles import KnownProfiles
    from shared.search.memories import MemorySearch
    from shared.search.messages import MessageSearch
    from shared.search.profiles import ProfileSearch
    from shared.search.summaries import SummarySearch
    from shared.search.topics import TopicSearch
    from shared.stores.conflicts import Conflicts
    from shared.stores.contexts import Contexts
    from shared.stores.database import Database
    from shared.stores.derived import Derived
    from shared.stores.digests import Digests
    from shared.stores.entities import Entities
    from shared.stores.events import Events
    from shared.stores.expired import Expired
    from shared.stores.groups import Groups
    from shared.stores.jobs import Jobs
    from shared.stores.keys import Keys
    from shared.stores.leases import Leases
    from shared.stores.memories import Memories
    from shared.stores.messages import Messages
    from shared.stores.profiles import Profiles
    from shared.stores.prompts import Prompts
    from shared.stores.recent_messages import Recent
    from shared.stores.relations import Relations
    from shared.stores.tails import Tails
    from shared.stores.topics import Topics
    from shared.stores.transfer import Transfer
    from shared.stores.usage import Usage
    from shared.stores.vectors import Vectors
    from shared.stores.word_counts import CountedWords
    from shared.stores.word_index import WordIndex


class DepsOfAHandler(Protocol):
    """A dataclass that names what its handler uses."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


GOOGLE_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
D = TypeVar("D", bound=DepsOfAHandler)


def utc_now() -> datetime:
    return datetime.now(UTC)


class Services:
    """Everything a handler may depend on, for one set of settings and one event loop."""

    def __init__(self, settings: Settings, now: Callable[[], datetime] = utc_now) -> None:
        self.settings = settings
        self.now = now

    def deps(self, kind: type[D], **own: Any) -> D:
        """A handler's `Deps`: each field is the service of its name, but for those in `own` and
        those with a default."""
        names = [one.name for one in fields(kind) if one.name not in own and one.default is MISSING]
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

    @functools.cached_property
    def groups(self) -> "Groups":
        from shared.stores.groups import Groups

        return Groups(self.database)

    @functools.cached_property
    def messages(self) -> "Messages":
        from shared.stores.messages import Messages

        return Messages(self.database)

    @functools.cached_property
    def topics(self) -> "Topics":
        from shared.stores.topics import Topics

        return Topics(self.database)

    @functools.cached_property
    def digests(self) -> "Digests":
        from shared.stores.digests import Digests

        return Digests(self.database)

    @functools.cached_property
    def memories(self) -> "Memories":
        from shared.stores.memories import Memories

        return Memories(self.database)

    @functools.cached_property
    def events(self) -> "Events":
        from shared.stores.events import Events

        return Events(self.database)

    @functools.cached_property
    def profiles(self) -> "Profiles":
        from shared.stores.profiles import Profiles

        return Profiles(self.database)

    @functools.cached_property
    def recent(self) -> "Recent":
        from shared.stores.recent_messages import Recent

        return Recent(self.messages, self.tails, self.now)

    @functools.cached_property
    def tails(self) -> "Tails":
        from shared.stores.tails import Tails

        return Tails(self.database)

    @functools.cached_property
    def message_search(self) -> "MessageSearch":
        from shared.search.messages import MessageSearch

        return MessageSearch(
            self.messages, self.vectors, self.embedder, self.word_index, self.counted_words
        )

    @functools.cached_property
    def memory_search(self) -> "MemorySearch":
        from shared.search.memories import MemorySearch

        return MemorySearch(self.memories, self.vectors, self.embedder, now=self.now)

    @functools.cached_property
    def graph_search(self) -> "GraphSearch":
        from shared.search.graph import GraphSearch

        return GraphSearch(self.entities, self.relations, self.vectors, self.embedder)

    @functools.cached_property
    def entities(self) -> "Entities":
        from shared.stores.entities import Entities

        return Entities(self.database)

    @functools.cached_property
    def relations(self) -> "Relations":
        from shared.stores.relations import Relations

        return Relations(self.database)

    @functools.cached_property
    def conflicts(self) -> "Conflicts":
        from shared.stores.conflicts import Conflicts

        return Conflicts(self.database)

    @functools.cached_property
    def prompts(self) -> "Prompts":
        from shared.stores.prompts import Prompts

        return Prompts(self.database)

    @functools.cached_property
    def transfer(self) -> "Transfer":
        from shared.stores.transfer import Transfer

        return Transfer(self.database)

    @functools.cached_property
    def derived(self) -> "Derived":
        from shared.stores.database import Database
        from shared.stores.derived import Derived

        # Forgetting sees what readers do not.
        return Derived(Database(self.database.firestore))

    @functools.cached_property
    def removal(self) -> "Removal":
        from shared.forgetting.removal import Removal

        return self.deps(Removal)

    @functools.cached_property
    def expired(self) -> "Expired":
        from shared.stores.expired import Expired

        return Expired(self.database)

    @functools.cached_property
    def asking(self) -> "Asking":
        from shared.forgetting.asking import Asking

        return self.deps(Asking)

    @functools.cached_property
    def known_members(self) -> "KnownMembers":
        from shared.search.known_members import KnownMembers

        return self.deps(KnownMembers)

    @functools.cached_property
    def entity_index(self) -> "EntityIndex":
        from shared.search.entity_index import EntityIndex

        return EntityIndex(self.entities, self.vectors, self.embedder)

    @functools.cached_property
    def event_search(self) -> "EventSearch":
        from shared.search.events import EventSearch

        return EventSearch(self.events, self.vectors, self.settings.embedding_model)

    @functools.cached_property
    def profile_search(self) -> "ProfileSearch":
        from shared.search.profiles import ProfileSearch

        return ProfileSearch(self.profiles, self.vectors, self.embedder)

    @functools.cached_property
    def known_profiles(self) -> "KnownProfiles":
        from shared.search.known_profiles import KnownProfiles

        return KnownProfiles(self.profiles, self.settings.profile_sharing == "shared")

    @functools.cached_property
    def topic_search(self) -> "TopicSearch":
        from shared.search.topics import TopicSearch

        return TopicSearch(self.topics, self.vectors, self.embedder)

    @functools.cached_property
    def summary_search(self) -> "SummarySearch":
        from shared.search.summaries import SummarySearch

        return SummarySearch(self.topics, self.vectors, self.settings.embedding_model)

    @functools.cached_property
    def contexts(self) -> "Contexts":
        from shared.stores.contexts import Contexts

        return Contexts(self.database)

    @functools.cached_property
    def jobs(self) -> "Jobs":
        from shared.stores.jobs import Jobs

        return Jobs(self.database, timedelta(days=self.settings.job_retention_days))

    @functools.cached_property
    def leases(self) -> "Leases":
        from shared.stores.leases import Leases

        lasts = timedelta(seconds=self.settings.lease_seconds)
        return Leases(self.database, lasts=lasts, renew_every=lasts / 3)

    @functools.cached_property
    def keys(self) -> "Keys":
        from shared.stores.keys import Keys

        return Keys(self.database)

    @functools.cached_property
    def usage(self) -> "Usage":
        from shared.stores.usage import Usage

        kept = self.settings.usage_retention_days
        return Usage(self.database, self.now, timedelta(days=kept) if kept else None)

    @functools.cached_property
    def spending(self) -> "Spending":
        from shared.clients.spending import Spending
        from shared.config import settings_for
        from shared.domain.usage import Bounds, price_table

        own = self.settings

        async def of_group(group_id: str) -> Bounds:
            found = settings_for(await self.groups.find(group_id), own)
            return Bounds(
                found.group_budget_calls, found.group_budget_tokens, found.group_budget_dollars
            )

        return Spending(
            self.usage,
            everybody=Bounds(own.budget_calls, own.budget_tokens, own.budget_dollars),
            a_key=Bounds(own.key_budget_calls, own.key_budget_tokens, own.key_budget_dollars),
            bounds_of=of_group,
            prices=price_table(own.prices),
            now=self.now,
        )

    @functools.cached_property
    def vectors(self) -> "Vectors":
        from shared.stores.vectors import Index, Vectors

        settings = self.settings
        return Vectors(
            Index(
                api_key=need(settings.pinecone_api_key, "PINECONE_API_KEY"),
                host=settings.pinecone_controller_host,
                name=settings.pinecone_index,
                index_host=settings.pinecone_index_host,
            )
        )

    @functools.cached_property
    def word_index(self) -> "WordIndex":
        from shared.stores.vectors import Index
        from shared.stores.word_index import WordIndex

        settings = self.settings
        return WordIndex(
            Index(
                api_key=need(settings.pinecone_api_key, "PINECONE_API_KEY"),
                host=settings.pinecone_controller_host,
                name=settings.pinecone_words_index,
                index_host=settings.pinecone_words_index_host,
            )
        )

    @functools.cached_property
    def counted_words(self) -> "CountedWords":
        from shared.stores.word_counts import CountedWords

        return CountedWords(self.database)

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
    def dispatch(self) -> "Dispatch":
        from shared.domain.jobs.slots import Slots
        from shared.jobs.dispatch import Dispatch

        own = self.settings
        lengths = own.slot_asked_seconds, own.slot_ordinary_seconds, own.slot_late_seconds
        return Dispatch(
            self.task_queue, self.now, Slots(*(timedelta(seconds=one) for one in lengths))
        )

    @functools.cached_property
    def worker(self) -> "Worker":
        from shared.jobs.worker import Worker

        return Worker(self.jobs, self.leases, self.groups, self.dispatch, self.now)

    @functools.cached_property
    def openai(self) -> "AsyncOpenAI":
        from shared.clients.openai_calls import make_client

        return make_client(self.settings.openai_base_url, self.settings.openai_api_key)

    @functools.cached_property
    def embedding_service(self) -> "AsyncOpenAI":
        """Where embeddings come from: the models' own service unless another is named."""
        from shared.clients.openai_calls import make_client

        settings = self.settings
        if settings.embedding_base_url is None and settings.embedding_api_key is None:
            return self.openai
        return make_client(
            settings.embedding_base_url or settings.openai_base_url,
            settings.embedding_api_key or settings.openai_api_key,
        )

    @functools.cached_property
    def model(self) -> "Model":
        from shared.clients.model import Model
        from shared.clients.openai_calls import RetryingCaller
        from shared.prompts.library import PromptLibrary

        settings = self.settings
        return Model(
            self.openai,
            PromptLibrary(self.prompts.find),
            self.spending,
            caller=RetryingCaller(timeout_s=settings.model_timeout_seconds),
            model=settings.model,
            others=self.task_models,
        )

    @functools.cached_property
    def task_models(self) -> "dict[str, ModelOf]":
        """Of the prompts for which another model, service, key or time limit is set."""
        from shared.clients.model import ModelOf
        from shared.clients.openai_calls import RetryingCaller, make_client
        from shared.config.models import PROMPTS

        settings, found = self.settings, {}
        keys = dict(one.split("=", 1) for one in settings.task_api_keys)
        for name in PROMPTS:
            model, url, timeout_s = (
                getattr(settings, f"{what}_{name}") for what in ("model", "base_url", "timeout")
            )
            if not (model or url or timeout_s or name in keys):
                continue
            client = self.openai
            if url or name in keys:
                client = make_client(
                    url or settings.openai_base_url, keys.get(name) or settings.openai_api_key
                )
            caller = RetryingCaller(timeout_s=timeout_s or settings.model_timeout_seconds)
            found[name] = ModelOf(client, model or settings.model, caller)
        return found

    @functools.cached_property
    def embedder(self) -> "Embedder":
        from shared.clients.embedder import Embedder
        from shared.clients.openai_calls import RetryingCaller

        return Embedder(
            self.embedding_service,
            self.spending,
            model=self.settings.embedding_model,
            dimensions=self.settings.embedding_dimensions,
            caller=RetryingCaller(timeout_s=self.settings.embedding_timeout_seconds),
        )

    async def close(self) -> None:
        """End every connection that was opened. A function's process just ends; others tidy up."""
        if "database" in self.__dict__:
            await self.database.close()
        if "vectors" in self.__dict__:
            await self.vectors.close()
        if "word_index" in self.__dict__:
            await self.word_index.close()
        if "task_queue" in self.__dict__:
            await self.task_queue.close()
        for service in ("openai", "embedding_service"):
            if service in self.__dict__:
                await getattr(self, service).close()
        for one in self.__dict__.get("task_models", {}).values():
            await one.client.close()


@functools.cache
def services() -> Services:
    """The process's own."""
    return Services(process_settings())


async def find_key(key_id: str) -> StoredKey | None:
    return await services().keys.find(key_id)
