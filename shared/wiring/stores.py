"""The stores, each made when first asked for."""

import functools
from datetime import timedelta
from typing import TYPE_CHECKING

from shared.wiring.connections import Connections

if TYPE_CHECKING:
    from shared.stores.conflicts import Conflicts
    from shared.stores.contexts import Contexts
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
    from shared.stores.pages import Pages
    from shared.stores.profiles import Profiles
    from shared.stores.prompts import Prompts
    from shared.stores.recent_messages import Recent
    from shared.stores.relations import Relations
    from shared.stores.tails import Tails
    from shared.stores.topics import Topics
    from shared.stores.transfer import Transfer
    from shared.stores.usage import UsageCounts


class StoreServices(Connections):
    """What is kept, by its noun."""

    @functools.cached_property
    def groups(self) -> "Groups":
        from shared.stores.groups import Groups

        return Groups(self.database)

    @functools.cached_property
    def messages(self) -> "Messages":
        from shared.stores.messages import Messages

        return Messages(self.database)

    @functools.cached_property
    def recent(self) -> "Recent":
        from shared.stores.recent_messages import Recent

        return Recent(self.messages, self.tails, self.now)

    @functools.cached_property
    def tails(self) -> "Tails":
        from shared.stores.tails import Tails

        return Tails(self.database)

    @functools.cached_property
    def pages(self) -> "Pages":
        from shared.stores.pages import Pages

        return Pages(self.database)

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
    def contexts(self) -> "Contexts":
        from shared.stores.contexts import Contexts

        return Contexts(self.database)

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
        from shared.stores.derived import Derived
        from shared.stores.firestore import Database

        # Forgetting sees what readers do not.
        return Derived(Database(self.database.firestore))

    @functools.cached_property
    def expired(self) -> "Expired":
        from shared.stores.expired import Expired

        return Expired(self.database)

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
    def usage(self) -> "UsageCounts":
        from shared.stores.usage import UsageCounts

        kept = self.settings.usage_retention_days
        return UsageCounts(self.database, self.now, timedelta(days=kept) if kept else None)
