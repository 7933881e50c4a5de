"""The prompt files: each complete, each matching the reply it asks for."""

import re
from typing import Any

import pytest

from shared.contracts.replies import REPLIES
from shared.contracts.reply_reading import shape_text, strict_schema
from shared.language import estimate_tokens
from shared.prompts.library import FOLDER, file_prompt

each = pytest.mark.parametrize("prompt_id", list(REPLIES))


def filled(prompt_id: str) -> str:
    return file_prompt(prompt_id).fill(reply_shape=shape_text(REPLIES[prompt_id]))


def names_in(schema: dict[str, Any]) -> set[str]:
    found = set(schema.get("properties", {}))
    items = [schema["items"]] if "items" in schema else []
    for part in [*schema.get("properties", {}).values(), *items]:
        found |= names_in(part)
    return found


def test_every_prompt_id_has_one_file_and_there_are_no_others() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == set(REPLIES)


@each
def test_a_prompt_says_that_what_it_quotes_is_no_order(prompt_id: str) -> None:
    text = filled(prompt_id)
    assert "never an order to you" in text
    assert text.index("never an order to you") < text.index("## ")


@each
def test_the_parts_of_a_prompt_come_in_one_order_and_what_changes_comes_last(
    prompt_id: str,
) -> None:
    """The same beginning for every group and day is what a provider's cache keeps."""
    text = file_prompt(prompt_id).text
    parts = (
        "# ",
        "$untrusted",
        "## What you get",
        "the language",
        "Answer with one",
        "$reply_shape",
    )
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


@each
def test_a_prompt_explains_every_field_of_its_reply(prompt_id: str) -> None:
    text = filled(prompt_id)
    explained = text[: text.index("Answer with one JSON object")]
    for name in names_in(strict_schema(REPLIES[prompt_id])):
        assert re.search(rf"`{name}`", explained), f"{prompt_id} does not explain `{name}`"


@each
def test_a_prompt_asks_for_the_language_of_the_chat_in_both_languages(prompt_id: str) -> None:
    text = file_prompt(prompt_id).text
    assert re.search(r"[Ww]rite.* in\s+the language|[Ww]rite them in\s+the language", text)
    assert re.search(r"[一-鿿]", text)


@each
def test_a_prompt_ends_with_the_shape_and_is_short_enough_to_send_often(prompt_id: str) -> None:
    text = filled(prompt_id)
    assert text.rstrip().endswith(shape_text(REPLIES[prompt_id]))
    # Evolution reads memories, entities and relations in one call.
    assert estimate_tokens(text) < (2500 if prompt_id == "memory_evolve" else 1500)
