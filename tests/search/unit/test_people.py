"""Who a question names, by the forms that people use of a name."""

import pytest

from shared.domain.recall.people import named_in


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("did Daniel's sister come", "dan"),
        ("dan's idea was better", "dan"),
        ("when's olus big race", "Olu"),
        ("默哥说了什么", "陈默"),
    ],
)
def test_a_member_is_known_by_forms_of_the_name(text: str, name: str) -> None:
    assert named_in(text, {"u1": name}).people == {"u1"}


@pytest.mark.parametrize("text", ["the dance was long", "dandelions everywhere", "an island"])
def test_a_word_that_only_holds_a_name_names_nobody(text: str) -> None:
    assert not named_in(text, {"u1": "dan"}).people
