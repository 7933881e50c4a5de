"""What a delivery changes: stored, duplicate, edited, recalled. In any order, twice is once.

Deliveries may come twice, out of order, an edit before its original, a recall before its message:
the state they leave is the same.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta

from shared.domain.group import TOMBSTONES_KEPT
from shared.domain.messages.features import Features
from shared.domain.messages.message import Mention, Message, Recall
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.secrets import mask_secrets

UNKNOWN_USER = "unknown"
HISTORY_AGE = timedelta(hours=24)
"""A list of messages that are all older was not just said."""
CLOCK_IS_BEHIND = timedelta(days=1)
"""Of a bot's host against the platform: more is no clock. Ids of 31 bits hardly meet within it."""
EARLY_RECALL = "recalled:"
"""How the id of such a tombstone begins; nobody else's does."""

Analyse = Callable[[Message], tuple[Features | None, tuple[str, ...]]]
"""A message -> its features and terms. Of the message alone: what it answers may come later."""


@dataclass(frozen=True)
class Receipt:
    """What became of one delivery. `command` is what the member asks about their own words."""

    message_id: str
    outcome: str
    reason: str | None = None
    command: str | None = None


@dataclass(frozen=True)
class IngestPlan:
    """`messages` are the documents to write; `recalled` those whose traces must go; `unshown` those
    that could be read until now and cannot any more."""

    messages: Mapping[str, StoredMessage]
    recalled: tuple[str, ...]
    receipts: tuple[Receipt, ...]
    unshown: tuple[str, ...] = ()

    @property
    def has_pending(self) -> bool:
        return any(message.state is MessageState.PENDING for message in self.messages.values())


def is_history(plan: IngestPlan, now: datetime) -> bool:
    """An import of old talk: it takes the slow lane, so that nobody who talks now waits for it."""
    times = [message.create_time for message in plan.messages.values()]
    return len(times) > 1 and max(times) < now - HISTORY_AGE


def early_recall(native_id: str) -> str:
    """The id of the tombstone of a recall that came before its message, where ids repeat."""
    return f"{EARLY_RECALL}{native_id}"


def with_early_recall(
    arrival: Message | Recall, known: Mapping[str, StoredMessage]
) -> Message | Recall:
    """A message whose recall came first counts as recalled, also if the recall was stamped by a
    clock that is behind; one of the same id that is said long after does not."""
    if isinstance(arrival, Recall) or arrival.native_id is None:
        return arrival
    tombstone = known.get(early_recall(arrival.native_id))
    if tombstone is None or arrival.create_time > tombstone.create_time + CLOCK_IS_BEHIND:
        return arrival
    return replace(arrival, recalled=True)


def decide_ingest(
    arrivals: Sequence[Message | Recall],
    stored: Mapping[str, StoredMessage],
    *,
    opted_out: Collection[str],
    analyse: Analyse,
    now: datetime,
    masks_secrets: bool = False,
) -> IngestPlan:
    """`stored` holds what is known of the arrivals so far. With `masks_secrets` the secrets in
    them are not stored."""
    known = dict(stored)
    changed: dict[str, StoredMessage] = {}
    recalled: list[str] = []
    receipts: list[Receipt] = []
    for arrival in arrivals:
        message_id = arrival.message_id
        assert message_id is not None, "a recall by native id is resolved before"
        before = known.get(message_id)
        is_masked = False
        if masks_secrets and isinstance(arrival, Message):
            content, kinds = mask_secrets(arrival.content)
            arrival, is_masked = replace(arrival, content=content), bool(kinds)
        after, outcome = _after(arrival, before, opted_out, analyse, now)
        receipts.append(Receipt(message_id, outcome))
        if after is None:
            continue
        if is_masked and after.is_readable:
            after = replace(after, masked_at=now)
        known[message_id] = changed[message_id] = after
        if outcome == "recalled" and before and before.is_readable:
            recalled.append(message_id)
    unshown = [
        key
        for key, after in changed.items()
        if key in stored and stored[key].is_readable and not after.is_readable
    ]
    return IngestPlan(changed, tuple(recalled), tuple(receipts), tuple(unshown))


def _after(
    arrival: Message | Recall,
    before: StoredMessage | None,
    opted_out: Collection[str],
    analyse: Analyse,
    now: datetime,
) -> tuple[StoredMessage | None, str]:
    """The document after the arrival (None: as it was), and what to call that."""
    if isinstance(arrival, Recall):
        if before is None:
            return _expiring(blanked(_unseen(arrival, now)), now), "recalled"
        if before.state is MessageState.RECALLED:
            return None, "duplicate"
        return _expiring(blanked(before), now), "recalled"
    if arrival.recalled:
        if before and before.state is MessageState.RECALLED:
            return _filled(before, arrival), "recalled"
        return _expiring(blanked(before or _stored(arrival)), now), "recalled"
    if before is None:
        return _fresh(arrival, opted_out, analyse), "stored"
    if before.state is MessageState.RECALLED:
        return _filled(before, arrival), "recalled"
    if _is_newer(arrival, before):
        edited = _fresh(arrival, opted_out, analyse)
        return replace(
            edited,
            create_time=before.create_time,
            topic_id=before.topic_id,
            continues=before.continues,
            received_at=before.received_at,
        ), "edited"
    return None, "duplicate"


def _is_newer(arrival: Message, before: StoredMessage) -> bool:
    """An edit counts if it is later than the last one known."""
    if arrival.edited_at is None:
        return False
    return before.edited_at is None or arrival.edited_at > before.edited_at


def _fresh(message: Message, opted_out: Collection[str], analyse: Analyse) -> StoredMessage:
    if message.user_id in opted_out:
        return opted_out_message(_stored(message))
    features, terms = analyse(message)
    return replace(_stored(message), features=features, terms=terms)


def _stored(message: Message) -> StoredMessage:
    kept = {field.name: getattr(message, field.name) for field in fields(Message)}
    return StoredMessage(**kept)


def _unseen(recall: Recall, now: datetime) -> StoredMessage:
    """A recall that came first: only the id is known."""
    return StoredMessage(
        group_id=recall.group_id,
        message_id=recall.message_id or "",
        user_id=UNKNOWN_USER,
        content="",
        create_time=recall.recalled_at or now,
    )


def _expiring(tombstone: StoredMessage, now: datetime) -> StoredMessage:
    """It is there for what may still come of the message, and then goes by itself."""
    return replace(tombstone, expires_at=now + TOMBSTONES_KEPT)


def blanked(message: StoredMessage) -> StoredMessage:
    """Who and when and the place in the chain stay; everything said is gone."""
    return replace(_blank(message, MessageState.RECALLED), recalled=True)


def opted_out_message(message: StoredMessage) -> StoredMessage:
    """What is kept of who does not want to be remembered: that something was said, and when."""
    return _blank(message, MessageState.OPTED_OUT)


def forgotten_message(message: StoredMessage, hashed: str) -> StoredMessage:
    """Blank, and nobody's: `hashed` stands for who said it."""
    return replace(blanked(message), user_id=hashed, user_name="")


def without_mentions(message: StoredMessage, user_id: str, hashed: str) -> StoredMessage:
    """The same words, addressed to nobody in particular where they were to this member."""
    features, reply = message.features, message.features.reply if message.features else None
    is_answered = reply is not None and reply.reply_to_user_id == user_id
    if not is_answered and user_id not in (mention.user_id for mention in message.mentions):
        return message
    if features is not None and reply is not None and is_answered:
        features = replace(features, reply=replace(reply, reply_to_user_id=hashed))
    mentions = tuple(
        Mention(hashed) if mention.user_id == user_id else mention for mention in message.mentions
    )
    return replace(message, mentions=mentions, features=features)


def _blank(message: StoredMessage, state: MessageState) -> StoredMessage:
    return replace(
        message,
        state=state,
        content="",
        features=None,
        terms=(),
        mentions=(),
        attachments=(),
        edited_at=None,
        topic_id=None,
        continues=None,
        vector=b"",
        vector_model="",
        state_reason=None,
        pending_since=None,
    )


def _filled(tombstone: StoredMessage, message: Message) -> StoredMessage | None:
    """A message that came after its own recall fills in who and when, nothing more."""
    if tombstone.user_id != UNKNOWN_USER:
        return None
    filled = blanked(_stored(message))
    return replace(filled, received_at=tombstone.received_at, expires_at=tombstone.expires_at)
