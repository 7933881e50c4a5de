"""Which topics a question means."""

from dataclasses import replace
from datetime import timedelta

from shared.domain.topics.ranking import MAX_TERMS, ranked_topics, search_terms, telling_words
from shared.domain.topics.topic import Topic
from tests.topics.unit.talk import START


def topic(name: str, content: str, *users: str) -> Topic:
    plain = Topic(name, "generic:club", name, "u", START, START, user_ids=users)
    return replace(plain, search_terms=search_terms(name, [name], content))


BOAT = topic("boat", "the hull gets new paint before the regatta", "ann")
TAX = topic("tax", "forms are due in april, bring receipts", "bo")
CAMP = topic("露营", "周六八点地铁口集合 带帐篷", "ann", "bo")


def found(query: str, cosines: dict[str, float] | None = None, **options: str) -> list[str]:
    mode = options.pop("mode", "hybrid")
    ranked = ranked_topics([BOAT, TAX, CAMP], query, cosines or {}, mode=mode, **options)  # type: ignore[arg-type]
    return [one.topic.topic_id for one in ranked]


def test_words_find_their_topic_in_both_languages() -> None:
    assert found("when is the regatta") == ["boat"]
    assert found("帐篷谁带", mode="keyword") == ["露营"]
    assert found("nothing of the kind") == []


def test_meaning_finds_without_a_word_in_common() -> None:
    near = {"boat": 0.5, "tax": 0.2}
    assert found("ship varnish", near) == ["boat", "tax"]
    assert found("ship varnish", near, mode="keyword") == []


def test_both_together_weigh_four_to_six() -> None:
    near = {"boat": 0.9, "tax": 0.3}
    [first, second] = ranked_topics([BOAT, TAX], "receipts for zebras", near, mode="hybrid")
    assert (first.topic, first.score) == (TAX, 0.58)
    assert (second.topic, second.score) == (BOAT, 0.54)


def test_a_topic_that_says_every_word_of_the_question_is_meant() -> None:
    near = {"boat": 0.9, "tax": 0.3}
    [first, _] = ranked_topics([BOAT, TAX], "receipts", near, mode="hybrid")
    assert (first.topic, first.score) == (TAX, 1.0)


def test_only_topics_somebody_took_part_in() -> None:
    near = {"boat": 0.5, "tax": 0.4, "露营": 0.3}
    assert found("anything", near, user_id="bo") == ["tax", "露营"]


def test_the_later_of_two_alike_comes_first() -> None:
    later = replace(BOAT, topic_id="later", last_message_at=START + timedelta(days=1))
    ranked = ranked_topics([BOAT, later], "regatta", {}, mode="hybrid")
    assert [one.topic.topic_id for one in ranked] == ["later", "boat"]


def test_a_topic_is_found_by_a_bounded_number_of_words_its_title_first() -> None:
    words = search_terms("the boat", ["paint"], " ".join(f"word{n}" for n in range(200)))
    assert words[:2] == ("boat", "paint")
    assert len(words) == MAX_TERMS


def test_the_best_of_each_way_is_among_the_first_five() -> None:
    near = [topic(f"near {n}", "boat harbour") for n in range(8)]
    said = topic("said", "windlass")
    chances = {one.topic_id: 0.9 for one in near}

    both = ranked_topics([*near, said], "windlass harbour boat", chances, mode="hybrid")

    by_words = max(both, key=lambda one: one.keyword_score)
    assert by_words.topic.topic_id in [one.topic.topic_id for one in both[:5]]
    far = ranked_topics([*near, said], "boat harbour", {"said": 0.3}, mode="hybrid")
    assert "said" in [one.topic.topic_id for one in far[:5]]


def test_a_topic_is_found_by_a_word_that_its_summary_leaves_out() -> None:
    said = telling_words(["the windlass broke", "again? ok"])

    assert "windlass" in search_terms("Boat", ["boat"], "The boat was repaired.", said)
