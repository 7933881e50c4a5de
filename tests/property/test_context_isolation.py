"""Whatever the reads brought by mistake: of another group nothing is shown, and nothing private.

Ids, users and words are the same in every group; only the mark in each text tells them apart.
"""

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from functions.build_context.selection import Found, select
from shared.domain.context import fit
from shared.domain.memory import Memory
from shared.domain.profile import Profile
from shared.domain.relevance import FiveFactors, asked_of
from shared.domain.sections import relevant_memories, stable_offers
from shared.domain.stored_message import StoredMessage
from shared.search.talk import Near

AT = datetime(2026, 1, 1, 12, tzinfo=UTC)
HERE = "lark:here"
GROUPS = st.sampled_from([HERE, "lark:other", "lark:private", "onebot:here"])


def mark(group_id: str) -> str:
    return f"mark-of-{group_id}"


def message(group_id: str, number: int) -> StoredMessage:
    return StoredMessage(
        group_id=group_id,
        message_id=f"m{number}",
        user_id="u1",
        user_name="Ann",
        content=f"the plan {mark(group_id)}",
        create_time=AT - timedelta(minutes=number),
        terms=("plan",),
        topic_id="t1",
    )


def memory(group_id: str, number: int, strength: float) -> Memory:
    text = f"the plan {mark(group_id)}"
    return Memory(f"k{number}", group_id, text, 1, AT, AT, strength=strength)


def profile(group_id: str, kind: str) -> Profile:
    entity = "u1" if kind == "user" else group_id
    audience = "private" if group_id == "lark:private" else "group"
    return Profile(kind, entity, group_id, mark(group_id), AT, audience=audience)  # type: ignore[arg-type]


MESSAGES = st.lists(st.builds(message, GROUPS, st.integers(1, 9)), max_size=8)
MEMORIES = st.lists(
    st.builds(memory, GROUPS, st.integers(1, 9), st.sampled_from([0.5, 0.9])), max_size=8
)
PROFILES = st.lists(st.builds(profile, GROUPS, st.sampled_from(["user", "group"])), max_size=8)


@settings(deadline=None, max_examples=80)
@given(MESSAGES, MESSAGES, MESSAGES, MEMORIES, PROFILES, st.booleans(), st.integers(50, 3000))
def test_only_this_groups_records_and_nothing_private_is_ever_shown(
    some: list[StoredMessage],
    more: list[StoredMessage],
    near: list[StoredMessage],
    memories: list[Memory],
    profiles: list[Profile],
    shares: bool,
    budget: int,
) -> None:
    asked = message(HERE, 0)
    found = Found(some, more, more, some, near, [Near(one, 1.0) for one in near])
    chosen = select(HERE, asked_of(asked), found, FiveFactors(), 0.0, AT)
    stable = stable_offers(
        HERE, profiles, memories, speaker_id="u1", shares_profiles=shares, core_threshold=0.8
    )
    dynamic = relevant_memories(
        HERE, memories, {}, "the plan", core_threshold=0.8, threshold=0.0, limit=9
    )
    context = fit(stable, [*chosen.offers, *dynamic], max_messages=20, max_tokens=budget)
    shown = f"{context.text} {context.messages}"

    assert mark("lark:private") not in shown
    assert mark("onebot:here") not in shown
    assert mark("lark:other") not in context.dynamic
    if not shares:
        assert mark("lark:other") not in shown


@given(PROFILES)
def test_in_private_what_was_learnt_there_is_shown(profiles: list[Profile]) -> None:
    offers = stable_offers(
        "lark:private", profiles, [], speaker_id="u1", shares_profiles=False, core_threshold=0.8
    )
    own = any(one.group_id == "lark:private" for one in profiles)

    assert bool(offers) == own
