"""The composition root: every client and store, made once, when first asked for.

Each SDK is imported inside its own factory, so a function pays only for what it uses.
"""

import functools
from datetime import timedelta
from typing import TYPE_CHECKING

from shared.config import settings as process_settings
from shared.domain.key import StoredKey
from shared.wiring.connections import utc_now
from shared.wiring.models import ModelServices

if TYPE_CHECKING:
    from shared.forgetting.member_requests import MemberRequests
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


__all__ = ["Services", "find_key", "services", "utc_now"]


CLOSED = ("database", "vectors", "word_index", "task_queue", "openai", "embedding_service")
"""Services that hold connections."""


class Services(ModelServices):
    """Everything a handler may depend on, for one set of settings and one event loop."""

    @functools.cached_property
    def message_search(self) -> "MessageSearch":
        from shared.search.messages import MessageSearch

        return MessageSearch(
            self.messages,
            self.recent,
            self.pages,
            self.vectors,
            self.embedder,
            self.word_index,
        )

    @functools.cached_property
    def memory_search(self) -> "MemorySearch":
        from shared.search.memories import MemorySearch

        return MemorySearch(self.memories, self.vectors, self.embedder, now=self.now)

    @functools.cached_property
    def topic_search(self) -> "TopicSearch":
        from shared.search.topics import TopicSearch

        return TopicSearch(self.topics, self.vectors, self.embedder)

    @functools.cached_property
    def summary_search(self) -> "SummarySearch":
        from shared.search.summaries import SummarySearch

        return SummarySearch(self.topics, self.vectors)

    @functools.cached_property
    def event_search(self) -> "EventSearch":
        from shared.search.events import EventSearch

        return EventSearch(self.events, self.vectors)

    @functools.cached_property
    def profile_search(self) -> "ProfileSearch":
        from shared.search.profiles import ProfileSearch

        return ProfileSearch(self.profiles, self.vectors, self.embedder)

    @functools.cached_property
    def known_profiles(self) -> "KnownProfiles":
        from shared.search.known_profiles import KnownProfiles

        return KnownProfiles(self.profiles, self.settings.profile_sharing == "shared")

    @functools.cached_property
    def known_members(self) -> "KnownMembers":
        from shared.search.known_members import KnownMembers

        return self.deps(KnownMembers)

    @functools.cached_property
    def entity_index(self) -> "EntityIndex":
        from shared.search.entity_index import EntityIndex

        return EntityIndex(self.entities, self.vectors, self.embedder)

    @functools.cached_property
    def graph_search(self) -> "GraphSearch":
        from shared.search.graph import GraphSearch

        return GraphSearch(self.entities, self.relations, self.vectors, self.embedder)

    @functools.cached_property
    def dispatch(self) -> "Dispatch":
        from shared.domain.jobs.attribution_tasks import Slots
        from shared.jobs.dispatch import Dispatch

        own = self.settings
        lengths = own.slot_asked_seconds, own.slot_ordinary_seconds, own.slot_late_seconds
        return Dispatch(
            self.task_queue, self.now, Slots(*(timedelta(seconds=length) for length in lengths))
        )

    @functools.cached_property
    def worker(self) -> "Worker":
        from shared.jobs.worker import Worker

        return Worker(self.jobs, self.leases, self.groups, self.dispatch, self.now)

    @functools.cached_property
    def removal(self) -> "Removal":
        from shared.forgetting.removal import Removal

        return self.deps(Removal)

    @functools.cached_property
    def member_requests(self) -> "MemberRequests":
        from shared.forgetting.member_requests import MemberRequests

        return self.deps(MemberRequests)

    async def close(self) -> None:
        """End every connection that was opened. A function's process just ends; others tidy up."""
        made = self.__dict__
        opened = [made[name] for name in CLOSED if name in made]
        for client in [*opened, *(task.client for task in made.get("task_models", {}).values())]:
            await client.close()


@functools.cache
def services() -> Services:
    """The process's own."""
    return Services(process_settings())


async def find_key(key_id: str) -> StoredKey | None:
    return await services().keys.find(key_id)
