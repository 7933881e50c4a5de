"""What finds things by words and meaning."""

import functools
from typing import TYPE_CHECKING

from shared.wiring.models import ModelServices

if TYPE_CHECKING:
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


class SearchServices(ModelServices):
    """One for each noun that can be searched."""

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
