"""The gate's verdict on four hundred sentences, and on every word that was listed."""

import pytest

from shared.domain.historian.gate import PLACE, PRONOUN, TIME, Violation, violations
from tests.history.unit.gate_sentences import ABSOLUTE, RELATIVE

_PRONOUN_WORDS = "我 你 他 她 它 他们 她们 它们 这位 那位 咱们 俺"
_TIME_WORDS = "今天 昨天 明天 刚才 刚刚 稍后 上周 下周 最近 前天 后天 上个月 下个月 这周五 tonight"
PRONOUNS = _PRONOUN_WORDS.split()
TIMES = [*_TIME_WORDS.split(), "last Friday", "in two weeks"]
PLACES = ["这里", "那边", "本地", "当地", "这儿", "那儿", "over there"]


@pytest.mark.parametrize("sentence", RELATIVE)
def test_a_relative_sentence_is_refused(sentence: str) -> None:
    assert violations(sentence)


def test_fewer_than_one_absolute_sentence_in_a_hundred_is_refused() -> None:
    refused = {sentence: violations(sentence) for sentence in ABSOLUTE if violations(sentence)}
    assert len(refused) < len(ABSOLUTE) / 100, refused


def test_there_are_two_hundred_of_each() -> None:
    assert len(set(RELATIVE)) >= 200
    assert len(set(ABSOLUTE)) >= 200


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        *((PRONOUN, word) for word in PRONOUNS),
        *((TIME, word) for word in TIMES),
        *((PLACE, word) for word in PLACES),
    ],
)
def test_every_listed_word_is_named_with_its_kind(kind: str, word: str) -> None:
    text = f"小林在{word}" if not word.isascii() else f"Ida leaves {word}"
    assert Violation(kind, word) in violations(text)


def test_names_that_look_like_pronouns_or_days_are_no_violation() -> None:
    assert violations("他山见了周日和明天", ("他山", "明天")) == []
