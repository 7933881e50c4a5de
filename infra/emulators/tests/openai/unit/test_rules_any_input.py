"""No input breaks a rule: what is missing or of another shape is read as empty."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from infra.emulators.openai.rules import RULES, answer

TEXTS = st.sampled_from(
    [
        "", " ", "we sail every Friday", "我们每周五晚上划船", "moved to Sunday", "改到周日了",
        "I like tea", "?", "\x00",
    ]
)  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | TEXTS
KEYS = st.sampled_from(
    [
        "id", "content", "user_name", "user_id", "time", "create_time", "statement", "kind",
        "subject", "message", "candidates", "number", "last_messages", "keywords", "n", "messages",
        "name", "body", "preferences", "traits", "confidence", "key", "value", "mentions",
        "summary", "decisions",
    ]
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)
TOP = [
    "questions", "titles", "messages", "previous", "segments", "topic", "summary", "today",
    "existing_memories", "new_discussions", "action_summary", "new_info", "time", "timezone",
    "sender", "bot", "roster", "calendar", "location", "findings",
    "profile", "entity", "known_people",
    "existing_facts", "max_facts", "min_confidence",
]  # fmt: skip


@pytest.mark.parametrize("prompt", list(RULES))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(value=st.fixed_dictionaries({}, optional=dict.fromkeys(TOP, VALUES)))
def test_every_prompt_answers_whatever_it_is_given(prompt: str, value: dict[str, Any]) -> None:
    assert set(answer(prompt, value)) == set(answer(prompt, {}))
