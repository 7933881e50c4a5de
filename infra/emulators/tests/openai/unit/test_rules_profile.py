"""Profiles merged in the plain cases: what is new goes in whole, nothing stands twice."""

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
    merged = merge("Ida lives in Porto.", "Ida loves jazz", "Ida is a nurse")
    assert bullets(merged) == ["Ida lives in Porto", "Ida loves jazz", "Ida is a nurse"]
    assert merged["body"].startswith("# Ida\n")


def test_merging_again_changes_nothing() -> None:
    once = merge("林晓住在青岛。", "林晓喜欢划船", "林晓2026-02-25去出差", name="林晓")
    again = merge("林晓2026-02-25去出差。", **once)
    assert bullets(again) == bullets(once)


def test_a_long_sentence_stays_whole() -> None:
    long = "大熊膝盖不好，" + "医生让大熊每周跑三次，每次不超过五公里，" * 3 + "别跑间歇"
    assert bullets(merge(f"{long}。", name="大熊")) == [long]


def test_where_somebody_lives_now_takes_the_place_of_where_they_lived() -> None:
    merged = merge("Ida moved to Rome", body="# Ida\n\n- Ida lives in Porto\n- Ida plays chess")
    assert bullets(merged) == ["Ida plays chess", "Ida moved to Rome"]
    others = merge("Ida's sister lives in Rome", body="# Ida\n\n- Ida lives in Porto")
    assert "Ida lives in Porto" in bullets(others)


def test_preferences_and_traits_stay_as_they_are() -> None:
    known = {
        "preferences": [{"key": "likes", "value": "划船", "confidence": 0.8}],
        "traits": [{"name": "nurse", "confidence": 0.8}],
    }
    merged = merge("林晓讨厌划船", name="林晓", **known)
    assert {name: merged[name] for name in known} == known
