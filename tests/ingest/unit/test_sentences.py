"""The analyser against labelled sentences in both languages."""

from collections.abc import Callable

import pytest

from shared.domain.messages.addressing import find_mentions
from shared.domain.messages.analyser import analyse
from shared.domain.messages.features import Features
from tests.ingest.unit.sentences import Sentence, sentences

ALL = [(each, analyse(each.message, each.replied)) for each in sentences()]
HELD_OUT = [(each, features) for each, features in ALL if each.held_out]


def _wrong(
    among: list[tuple[Sentence, Features]], told: Callable[[Features], object], label: str
) -> list[str]:
    return [
        f"{sentence.text} is {getattr(sentence, label)}, not {told(features)}"
        for sentence, features in among
        if told(features) != getattr(sentence, label)
    ]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_more_than_nine_in_ten_message_types_are_right(language: str) -> None:
    among = [(each, found) for each, found in ALL if each.language == language]

    wrong = _wrong(among, lambda features: features.message_type, "type")

    assert len(among) > 300
    assert len(wrong) < 0.1 * len(among), wrong


def test_more_than_nine_in_ten_are_right_where_no_rule_was_fitted() -> None:
    wrong = _wrong(HELD_OUT, lambda features: features.message_type, "type")

    assert len(HELD_OUT) > 90
    assert len(wrong) < 0.1 * len(HELD_OUT), wrong


@pytest.mark.parametrize("kind", ["question", "answer", "discussion", "notification", "casual"])
def test_no_kind_is_bought_with_another(kind: str) -> None:
    among = [(each, found) for each, found in ALL if each.type == kind]

    assert len(_wrong(among, lambda features: features.message_type, "type")) < 0.1 * len(among)


def test_every_mention_is_found_and_nothing_else() -> None:
    found = [
        (sentence.text, [mention.name for mention in find_mentions(sentence.message)])
        for sentence, _ in ALL
    ]
    assert found == [(sentence.text, list(sentence.mentions)) for sentence, _ in ALL]


def test_every_reply_is_found_with_its_type() -> None:
    def reply_type(features: Features) -> str | None:
        return features.reply.reply_type if features.reply else None

    assert _wrong(ALL, reply_type, "reply_type") == []


def test_the_language_is_told_but_for_a_stray_smiley() -> None:
    wrong = _wrong(ALL, lambda features: features.language, "language")

    assert len(wrong) <= 2, wrong
