"""What building a context depends on."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from shared.config import Settings
from shared.search.events import EventSearch
from shared.search.graph import GraphSearch
from shared.search.known_profiles import KnownProfiles
from shared.search.messages import MessageSearch
from shared.search.summaries import SummarySearch
from shared.stores.contexts import Contexts
from shared.stores.groups import Groups
from shared.stores.memories import Memories
from shared.stores.messages import Messages
from shared.stores.recent_messages import Recent
from shared.wiring import Services


@dataclass(frozen=True)
class Deps:
    groups: Groups
    messages: Messages
    recent: Recent
    talk: MessageSearch
    memories: Memories
    profiles: KnownProfiles
    events: EventSearch
    summaries: SummarySearch
    graph: GraphSearch
    contexts: Contexts
    settings: Settings
    now: Callable[[], datetime]


def context_deps(made: Services) -> Deps:
    """What the handler needs of a process's services."""
    return made.deps(
        Deps,
        talk=made.message_search,
        events=made.event_search,
        profiles=made.known_profiles,
        summaries=made.summary_search,
        graph=made.graph_search,
    )
