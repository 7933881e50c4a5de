"""A topic without what is forgotten: told again by the lines that are left. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.domain.attribution.topic_updates import MAX_KEYWORDS, opening_title
from shared.domain.forgetting.forgotten import Forgotten
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import pack, total, unpack_half
from shared.domain.topics.keywords import keywords_of
from shared.domain.topics.ranking import search_terms
from shared.domain.topics.topic import MAX_TOPIC_USERS, Summary, Topic
from shared.language import estimate_tokens

LINES_FOR_KEYWORDS = 400
"""The newest: as many as one run of a summary reads."""


@dataclass(frozen=True)
class LinesLeft:
    """What stays of a topic: the newest lines, the oldest of them first; of those before them only
    how many they are, what they cost and who said them, the oldest first."""

    newest: Sequence[StoredMessage] = ()
    older: int = 0
    older_tokens: int = 0
    older_users: Sequence[str] = ()

    def before(self, page: Sequence[StoredMessage], at_hand: int) -> "LinesLeft":
        """With a page of lines before these, the oldest first."""
        cut = max(0, len(page) - max(0, at_hand - len(self.newest)))
        counted, kept = page[:cut], page[cut:]
        users = [one.user_id for one in counted]
        return LinesLeft(
            [*kept, *self.newest],
            self.older + len(counted),
            self.older_tokens + sum(estimate_tokens(one.content) for one in counted),
            tuple(dict.fromkeys([*users, *self.older_users])),
        )


def topic_left(
    topic: Topic, left: LinesLeft, shown: Summary | None, model: str, now: datetime
) -> Topic | None:
    """`shown` is the summary that stays. None without lines. Its title may quote anybody: it is
    the first line that is left until a model gives another."""
    lines = left.newest
    if not lines:
        return None
    count = left.older + len(lines)
    users = tuple(dict.fromkeys([*left.older_users, *(one.user_id for one in lines)]))
    words = keywords_of([one.content for one in lines[-LINES_FOR_KEYWORDS:]], limit=MAX_KEYWORDS)
    title = opening_title(lines)
    vectors = [unpack_half(one.vector) for one in lines if one.vector and one.vector_model == model]
    last = lines[-1]
    return replace(
        topic,
        title=title,
        description="",
        is_titled=False,
        title_tries=0,
        creator_id=users[0],
        keywords=words,
        vector_sum=pack(total(vectors)) if vectors else b"",
        vector_count=len(vectors),
        embedding_model=model if vectors else "",
        message_count=count,
        token_count=left.older_tokens + sum(estimate_tokens(one.content) for one in lines),
        user_ids=users[:MAX_TOPIC_USERS],
        last_message_at=last.create_time,
        last_message_id=last.message_id,
        summarized_count=min(topic.summarized_count, count) if shown else 0,
        summary_asked_count=min(topic.summary_asked_count, count),
        summary_asked_tokens=0,
        summary_due_at=topic.summary_due_at or (now if topic.summary_version else None),
        search_terms=search_terms(title, tuple(words), shown.content if shown else "")
        if topic.summary_version
        else (),
    )


def summaries_gone(versions: Sequence[Summary], forgotten: Forgotten) -> list[Summary]:
    """From the first that tells of something forgotten on: each tells what those before it do."""
    oldest_first = sorted(versions, key=lambda one: one.version)
    for place, one in enumerate(oldest_first):
        if forgotten.touches(one.message_ids, one.source_users):
            return oldest_first[place:]
    return []
