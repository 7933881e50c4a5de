"""Words that Firestore takes for no name of a field may be said: keywords are such names."""

import pytest

from shared.domain.topics.keywords import keywords_of
from tests.topics.attributing import Attributing


@pytest.mark.parametrize(
    "word", ["__init__", "__", "a.b`c", "`", "한" + "a" * 4_000, "a#" + "a" * 3_000]
)
async def test_a_topic_may_be_about_any_word(group: Attributing, word: str) -> None:
    await group.say(
        group.message(1, "Ann", f"{word} is called by {word}"),
        group.message(2, "Bob", word, reply_message_id="m1"),
        group.message(3, "Bob", f"{word}, the harbour", reply_message_id="m1"),
    )
    await group.attribute()

    assert sum(one.message_count for one in await group.topics()) == 3
    for one in await group.topics():
        assert max((len(each.encode()) for each in one.keywords), default=0) < 1_500


def test_what_cannot_name_a_field_is_no_keyword() -> None:
    long = "harbour" + "x" * 2_000

    found = keywords_of([f"the {long} and the harbour master", "harbour master", "__init__"] * 2)

    assert "harbour" in found
    assert not {long, "__init__"} & set(found)
