"""A worse summary is worse in numbers."""

import pytest

from shared.domain.topics.bursts import Burst
from shared.domain.topics.quality import Quality, changed_sentences, measure
from tests.topics.unit.talk import talk

ZH = talk(
    ("阿澜", "周六露营早上八点地铁口集合"),
    ("小鹿", "我对芒果过敏 水果别买芒果"),
    ("老魏", "帐篷用我那顶四人的"),
    ("大头", "烧烤的炭我来买 十五块一箱"),
    ("阿澜", "我要看牙医 十一点半到营地"),
)
ZH_GOOD = (
    "露营定在周六早上八点地铁口集合。小鹿对芒果过敏，水果别买芒果。帐篷用老魏那顶四人的。"
    "烧烤的炭大头买。阿澜看牙医，十一点半到营地。"
)
EN = talk(
    ("Rosa", "film night is thursday, who brings the projector"),
    ("Keiko", "I can borrow the projector from work"),
    ("Rosa", "the vote says Paddington, starts 7:15 sharp"),
    ("Keiko", "come to my flat 14b, third floor, no lift"),
    ("Finn", "I am vegetarian now, no chorizo in the chili"),
)
EN_GOOD = (
    "Film night is on thursday and Keiko borrows the projector from work. The vote went to "
    "Paddington, which starts 7:15 sharp. They meet at her flat 14b on the third floor without a "
    "lift. Finn is vegetarian, so no chorizo in the chili."
)


@pytest.mark.parametrize(
    ("lines", "good", "partial", "unrelated"),
    [
        (ZH, ZH_GOOD, "烧烤的炭大头买。", "股票今天大跌，基金经理辞职了。"),
        (EN, EN_GOOD, "Finn is vegetarian.", "The stock market fell and a fund manager resigned."),
    ],
)
def test_good_beats_partial_beats_unrelated(
    lines: list[Burst], good: str, partial: str, unrelated: str
) -> None:
    best, less, none = (measure(one, lines) for one in (good, partial, unrelated))
    assert best.coverage > less.coverage > none.coverage
    assert best.relevance > none.relevance
    assert less.relevance > none.relevance
    assert best.coherence > none.coherence
    assert best.total > less.total > none.total


@pytest.mark.parametrize(("lines", "good"), [(ZH, ZH_GOOD), (EN, EN_GOOD)])
def test_shuffled_sentences_are_less_coherent(lines: list[Burst], good: str) -> None:
    mark = "。" if "。" in good else ". "
    shuffled = mark.join(reversed([part for part in good.rstrip("。.").split(mark) if part])) + mark
    right, wrong = measure(good, lines), measure(shuffled, lines)
    assert right.coherence == 1.0
    assert wrong.coherence < right.coherence
    assert wrong.total < right.total


def test_an_empty_summary_is_worth_nothing() -> None:
    assert measure("", ZH).total == 0.0


def test_what_stood_in_the_last_version_needs_no_new_source() -> None:
    told = "Last year they went to the lake. " + EN_GOOD
    without = measure(told, EN)
    assert (
        measure(told, EN, previous="Last year they went to the lake.").relevance > without.relevance
    )


def test_the_model_weighs_three_tenths_where_it_was_asked() -> None:
    plain = Quality(0.5, 0.5, 0.5)
    assert plain.total == 0.5
    assert Quality(0.5, 0.5, 0.5, judged=1.0).total == pytest.approx(0.65)
    assert plain.as_fields()["is_sampled"] is False


def test_versions_differ_by_sentences() -> None:
    added, removed = changed_sentences("One. Two. Three.", "One. 2! Three.\nFour.")
    assert (added, removed) == (["2!", "Four."], ["Two."])
