"""What a merge may drop, how a profile is written as a file, and whom something new is about."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.knowledge.profile import News, Preference, Profile, Trait, markdown_of
from shared.domain.knowledge.profile_merge import (
    MAX_PROFILE_BYTES,
    Merge,
    expired_snapshots,
    facts_of,
    judge,
    lost_facts,
    next_version,
    set_under,
)
from shared.domain.knowledge.profile_sharing import read_as_one

NOW = datetime(2026, 11, 16, 15, 50, tzinfo=UTC)
FIVE = """# Ida
- Ida lives in Porto
- Ida plays chess
- Ida works as a baker
- Ida has a brother named Jon
- Ida is allergic to nuts"""


def profile(body: str = FIVE, **changes: Any) -> Profile:
    return replace(Profile("user", "u-ida", "lark:g", body, NOW, name="Ida"), **changes)


def news(*said: str) -> News:
    return News("user", "u-ida", "Ida", said)


def test_a_line_is_a_fact_with_or_without_a_bullet() -> None:
    body = "# Ida\n\n## Traits\n- bakes\n* runs\n1. sings\nplain"
    assert facts_of(body) == ["bakes", "runs", "sings", "plain"]


def test_a_fact_in_other_words_is_not_lost() -> None:
    assert lost_facts("- Ida lives in Porto", "- Ida is living in Porto since 2024") == []
    assert lost_facts("- 林晓住在青岛", "- 林晓在青岛住了三年") == []
    assert lost_facts("- Ida lives in Porto", "- Ida bakes bread") == ["Ida lives in Porto"]
    assert lost_facts("- 林晓喜欢划船", "- 林晓喜欢爬山", name="林晓") == ["林晓喜欢划船"]


def test_one_sentence_of_news_may_replace_one_fact() -> None:
    moved = Merge(FIVE.replace("lives in Porto", "moved to Rome in May"))
    assert judge(profile(), moved, news("Ida moved to Rome in May."), 0.2).is_kept


def test_a_merge_that_drops_more_is_held_back_and_names_what_is_gone() -> None:
    verdict = judge(profile(), Merge("- Ida moved to Rome"), news("Ida moved to Rome."), 0.2)
    assert not verdict.is_kept
    assert "Ida is allergic to nuts" in verdict.lost
    assert judge(profile(), Merge("- Ida moved to Rome"), news("Ida moved to Rome."), 1.0).is_kept


def test_a_fact_that_became_a_trait_is_not_lost() -> None:
    lines = FIVE.split("\n")
    merge = Merge("\n".join(lines[:3]), traits=tuple(Trait(line[2:]) for line in lines[3:]))
    assert judge(profile(), merge, news("Ida sings."), 0.0).is_kept


def test_news_set_under_a_profile_lose_nothing_and_stand_once() -> None:
    once = set_under(profile(), news("Ida moved to Rome. Ida sings."))
    assert facts_of(once.body) == [*facts_of(FIVE), "Ida moved to Rome", "Ida sings"]
    again = set_under(profile(once.body), news("Ida sings."))
    assert again.body == once.body


def test_a_profile_is_never_longer_than_its_bound() -> None:
    body = "\n".join(["# Ida", *(f"- fact {number} " + "长" * 300 for number in range(100))])
    made = next_version(
        None, Merge(body), news("x"), group_id="g", audience="group", merged_by="rules", now=NOW
    )
    assert len(markdown_of(made).encode()) <= MAX_PROFILE_BYTES
    assert facts_of(made.body)[-1].startswith("fact 99 "), "the newest stay"
    assert not judge(None, Merge(body), news("x"), 0.2).is_kept


def test_every_version_lists_what_is_behind_it() -> None:
    first = next_version(
        None,
        Merge("- a"),
        replace(news("a"), sources=("m1", "m2"), source_users=("u1",)),
        group_id="g", audience="group", merged_by="model", now=NOW,
    )  # fmt: skip
    second = next_version(
        first,
        Merge("- a\n- b"),
        replace(news("b"), sources=("m2", "m3"), source_users=("u2",)),
        group_id="g", audience="group", merged_by="model", now=NOW,
    )  # fmt: skip
    assert (second.version, second.sources) == (2, ("m1", "m2", "m3"))
    assert second.source_users == ("u1", "u2")


@pytest.mark.parametrize(("keep", "gone"), [(5, []), (2, [1]), (0, [3, 2, 1])])
def test_only_the_newest_snapshots_stay(keep: int, gone: list[int]) -> None:
    assert expired_snapshots([1, 3, 2], keep) == gone


def test_a_profile_is_a_file_with_front_matter() -> None:
    text = markdown_of(
        profile(
            tags=("Python", "机器人"),
            preferences=(Preference("likes", 'tea "oolong"', 0.9),),
            traits=(Trait("Ida lives in Porto", 0.8),),
            source_event_id="r:1",
        )
    )
    _, front, body = text.split("---\n", 2)
    assert yaml.safe_load(front) == {
        "entity_type": "user",
        "entity_id": "u-ida",
        "name": "Ida",
        "tags": ["Python", "机器人"],
        "preferences": [{"key": "likes", "value": 'tea "oolong"', "confidence": 0.9}],
        "traits": [{"name": "Ida lives in Porto", "confidence": 0.8}],
        "updated_at": "2026-11-16T15:50:00+00:00",
        "source_event_id": "r:1",
    }
    assert body == f"{FIVE}\n"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_name_comes_back_from_the_front_matter(name: str) -> None:
    _, front, _ = markdown_of(profile(body="x", name=name)).split("---\n", 2)
    assert yaml.safe_load(front)["name"] == name


def test_profiles_of_several_groups_read_as_one() -> None:
    here = profile("- Ida bakes", preferences=(Preference("likes", "tea", 0.6),))
    there = profile(
        "# Ida\n- Ida bakes\n- Ida sings",
        group_id="lark:other",
        preferences=(Preference("likes", "tea", 0.9),),
    )
    one = read_as_one([there, here], "lark:g")
    assert facts_of(one.body) == ["Ida bakes", "Ida sings"]
    assert one.preferences == (Preference("likes", "tea", 0.9),)
