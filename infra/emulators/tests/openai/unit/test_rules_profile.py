"""Profiles merged: what is new goes in, what it contradicts goes, nothing stands twice."""

from typing import Any

from infra.emulators.openai.rules import answer


def merge(*news: str, name: str = "Ida", **profile: Any) -> dict[str, Any]:
    given = {
        "profile": profile,
        "new_info": list(news),
        "entity": {"type": "user", "id": "u-1", "name": name},
    }
    return answer("profile_merge", given)


def bullets(merged: dict[str, Any]) -> list[str]:
    return [line[2:] for line in merged["body"].splitlines() if line.startswith("- ")]


def test_a_first_profile_is_made_of_the_news() -> None:
    merged = merge("Ida lives in Porto.", "Ida loves jazz")
    assert merged["name"] == "Ida"
    assert bullets(merged) == ["Ida lives in Porto", "Ida loves jazz"]
    assert merged["body"].startswith("# Ida\n")
    assert merged["preferences"] == [{"key": "likes", "value": "jazz", "confidence": 0.8}]
    assert merged["traits"] == [{"name": "Ida lives in Porto", "confidence": 0.8}]
    assert "jazz" in merged["tags"]


def test_merging_again_changes_nothing() -> None:
    once = merge("林晓住在青岛。", "林晓喜欢划船", "林晓2026-02-25去出差", name="林晓")
    again = merge("林晓住在青岛。", name="林晓", **{k: v for k, v in once.items() if k != "name"})
    assert bullets(again) == bullets(once)
    assert again["traits"] == once["traits"]


def test_what_is_newer_replaces_what_it_contradicts() -> None:
    merged = merge(
        "Ida moved to Rome",
        "Ida doesn't like tea any more",
        body="# Ida\n\n- Ida lives in Porto\n- Ida likes tea\n- Ida plays chess",
        preferences=[{"key": "likes", "value": "tea", "confidence": 0.9}],
        traits=[{"name": "Ida lives in Porto", "confidence": 0.9}],
    )
    assert sorted(bullets(merged)) == [
        "Ida doesn't like tea any more",
        "Ida moved to Rome",
        "Ida plays chess",
    ]
    assert [(one["key"], one["value"]) for one in merged["preferences"]] == [("dislikes", "tea")]
    assert [one["name"] for one in merged["traits"]] == ["Ida plays chess", "Ida moved to Rome"]


def test_a_preference_said_again_is_surer() -> None:
    known = [{"key": "likes", "value": "划船", "confidence": 0.8}]
    merged = merge("林晓喜欢划船", name="林晓", preferences=known)
    assert merged["preferences"] == [{"key": "likes", "value": "划船", "confidence": 0.85}]


def test_events_are_kept_as_recent_and_only_the_newest() -> None:
    news = [f"Ida met Jon at pier{number}" for number in range(230)]
    merged = merge(*news)
    assert bullets(merged) == news[-200:]
    assert "## Recent" in merged["body"]


def test_tags_are_few_and_the_newest() -> None:
    merged = merge("Ida loves rowing", tags=[f"tag{number}" for number in range(8)])
    assert len(merged["tags"]) == 8
    assert "rowing" in merged["tags"]


def test_a_groups_profile_is_merged_too() -> None:
    given = {
        "profile": {},
        "new_info": "读书会每周日见面。",
        "entity": {"type": "group", "id": "g-1", "name": "读书会"},
    }
    merged = answer("profile_merge", given)
    assert bullets(merged) == ["读书会每周日见面"]
    assert "## 近期" in merged["body"]
