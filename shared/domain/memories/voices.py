"""Who stands behind a statement: one voice, however often, is one voice. Pure.

A group's memory is written by the group: what one person says of all, or of somebody else, waits
for a second person. An account made to confirm a statement does not count as one: who came to a
standing group today, or has never said anything but this, counts little.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.domain.memories.memory import HeldBack, bare_words

APART = timedelta(days=1)
"""Said again so much later it is meant; two minutes around midnight are one moment. Who is in a
group for so long is not new to it."""
LITTLE = 0.25
"""What an account counts that is new, or only says this: four of them are as good as one member."""
KNOWN_MESSAGES = 10
"""Of a member: so many are looked at to tell whether they are new, and say other things too."""


@dataclass(frozen=True)
class Standing:
    """What is known of a member: since when they speak here, and how many different things they
    were found to say, of `KNOWN_MESSAGES`."""

    since: datetime
    sayings: int


NOBODY_KNOWN: Mapping[str, Standing] = {}


@dataclass(frozen=True)
class Voices:
    """The people behind one statement. `said` counts, for each, the messages that say it."""

    said: Mapping[str, int]
    at: datetime
    standings: Mapping[str, Standing] = field(default_factory=lambda: NOBODY_KNOWN)
    group_since: datetime | None = None

    def is_new(self, user_id: str) -> bool:
        """Came less than a day ago to a group that is older. In a group's first day everyone counts
        as established."""
        found = self._known(user_id)
        if found is None or self.group_since is None:
            return False
        return found.since - self.group_since >= APART and self.at - found.since < APART

    def only_says_this(self, user_id: str) -> bool:
        found = self._known(user_id)
        return found is not None and found.sayings <= self.said.get(user_id, 0)

    def _known(self, user_id: str) -> Standing | None:
        if self.group_since is None or self.at - self.group_since < APART:
            return None
        return self.standings.get(user_id)

    def weight(self, user_id: str) -> float:
        is_slight = self.is_new(user_id) or self.only_says_this(user_id)
        return LITTLE if is_slight else 1.0

    @property
    def are_all_new(self) -> bool:
        return bool(self.said) and all(map(self.is_new, self.said))

    @property
    def are_several(self) -> bool:
        """Without the heaviest voice the rest still weigh 1: a member, or several new accounts."""
        weights = sorted(map(self.weight, self.said))
        return sum(weights[:-1]) >= 1.0


def standing_by(said: Collection[tuple[datetime, str]]) -> Standing | None:
    """By the messages that are known of a member: when, and what. The same again is no other."""
    if not said:
        return None
    sayings = {bare_words(text) for _, text in said}
    return Standing(min(at for at, _ in said), len(sayings))


def is_well_known(standing: Standing, now: datetime, says_it: int) -> bool:
    """Nothing further has to be looked up: neither new, nor saying only this."""
    return now - standing.since >= APART and standing.sayings > says_it


def is_backed(voices: Voices, subject: str, moments: Collection[datetime]) -> bool:
    """Whether a statement about `subject` (empty: the group) may be taken for so.

    Of oneself one may speak: at once, or a day later again if one has only just come. Of others and
    of all it takes several.
    """
    if subject and subject in voices.said:
        is_said_apart = bool(moments) and max(moments) - min(moments) >= APART
        return not voices.is_new(subject) or is_said_apart or voices.are_several
    return voices.are_several


def why_not(voices: Voices, subject: str) -> HeldBack:
    """What a statement without backing waits for."""
    are_slight = bool(voices.said) and all(voices.weight(user) < 1.0 for user in voices.said)
    if are_slight or len(voices.said) > 1:
        return HeldBack.NEW_VOICES
    return HeldBack.OF_ANOTHER if subject else HeldBack.ONE_VOICE
