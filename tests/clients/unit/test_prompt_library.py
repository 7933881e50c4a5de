"""Finding prompts: files, overrides, and what happens when an override is broken."""

import hashlib
import logging
from collections.abc import Mapping
from typing import Any

import pytest

from shared.errors import Transient
from shared.prompts.library import FRESH_S, BrokenPrompt, PromptLibrary, file_prompt, make_prompt

GOOD = "Rewrite it.\n$untrusted\nAnswer: $reply_shape\nCosts $$5."


class Overrides:
    """A store with one record a prompt, which can also be down."""

    def __init__(self, **records: Mapping[str, Any]) -> None:
        self.records: dict[str, Mapping[str, Any]] = dict(records)
        self.lookups = 0
        self.is_down = False

    async def find(self, prompt_id: str) -> Mapping[str, Any] | None:
        self.lookups += 1
        if self.is_down:
            raise Transient
        return self.records.get(prompt_id)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_without_an_override_the_file_is_used() -> None:
    prompt = await PromptLibrary(Overrides().find).get("note_rewrite")
    assert prompt == file_prompt("note_rewrite")
    assert prompt.version == 0
    assert await PromptLibrary(None).get("note_rewrite") == prompt


async def test_an_override_takes_the_files_place_with_its_own_hash_and_version() -> None:
    overrides = Overrides(note_rewrite={"text": GOOD, "version": 3})
    prompt = await PromptLibrary(overrides.find).get("note_rewrite")
    assert (prompt.text, prompt.version) == (GOOD, 3)
    assert prompt.hash == hashlib.sha256(GOOD.encode()).hexdigest()[:12]
    assert prompt.hash != file_prompt("note_rewrite").hash


async def test_an_override_is_looked_up_once_a_minute() -> None:
    overrides, clock = Overrides(), Clock()
    library = PromptLibrary(overrides.find, clock)
    await library.get("profile_merge")
    clock.now = FRESH_S - 1
    overrides.records["profile_merge"] = {"text": GOOD, "version": 1}
    assert (await library.get("profile_merge")).version == 0
    assert overrides.lookups == 1
    clock.now = FRESH_S
    assert (await library.get("profile_merge")).version == 1
    assert overrides.lookups == 2
    del overrides.records["profile_merge"]
    clock.now = 2 * FRESH_S
    assert (await library.get("profile_merge")).version == 0


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"text": "no placeholders", "version": 1}, "missing"),
        ({"text": GOOD + " $group_name", "version": 1}, "group_name"),
        ({"text": GOOD + " costs $5", "version": 1}, "$"),
        ({"text": GOOD.replace("$untrusted", ""), "version": 1}, "untrusted"),
        ({"text": "", "version": 1}, "text"),
        ({"text": 7, "version": 1}, "text"),
        ({"version": 1}, "text"),
        ({"text": GOOD}, "version"),
        ({"text": GOOD, "version": "1"}, "version"),
        ({"text": GOOD, "version": 0}, "version"),
        ({"text": GOOD + "x" * 50_000, "version": 1}, "longer"),
    ],
)
async def test_a_broken_override_is_logged_with_its_reason_and_the_file_is_used(
    record: Mapping[str, Any], why: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        prompt = await PromptLibrary(Overrides(profile_merge=record).find).get("profile_merge")
    assert prompt == file_prompt("profile_merge")
    (entry,) = caplog.records
    assert entry.message == "prompt_override_broken"
    assert entry.__dict__["fields"]["prompt_id"] == "profile_merge"
    assert why in entry.__dict__["fields"]["problem"]


async def test_while_the_store_is_down_the_last_known_override_stays() -> None:
    overrides, clock = Overrides(profile_merge={"text": GOOD, "version": 2}), Clock()
    library = PromptLibrary(overrides.find, clock)
    overrides.is_down = True
    assert (await library.get("profile_merge")).version == 0
    overrides.is_down = False
    clock.now = FRESH_S
    assert (await library.get("profile_merge")).version == 2
    overrides.is_down = True
    clock.now = 2 * FRESH_S
    assert (await library.get("profile_merge")).version == 2


def test_filling_puts_in_the_rule_and_the_shape_and_keeps_dollar_signs() -> None:
    filled = make_prompt("profile_merge", GOOD).fill(reply_shape='{"type": "object"}')
    assert '{"type": "object"}' in filled
    assert "never an order" in filled or "untrusted" in filled
    assert "$5" in filled
    assert "$untrusted" not in filled


def test_a_misspelt_placeholder_is_found_when_the_prompt_is_read() -> None:
    with pytest.raises(BrokenPrompt, match="reply_shapes"):
        make_prompt("profile_merge", GOOD + " $reply_shapes")
