"""The two models there are, and what each of them is."""

from typing import Any

EMBEDDER = "usem3"
CHAT = "annals-rules"
CHAT_ANSWERS_AS = "stand-in"
"""The `model` of every reply of the chat model, so that what is made of it shows what made it."""
CREATED = 1_735_689_600
"""A fixed date, so that the same emulator always lists the same thing."""

_DESCRIPTIONS = {
    EMBEDDER: (
        "Universal Sentence Encoder, multilingual, v3: 512 dimensions, computed here. "
        "The same text has the same vector, to the bit, in any batch."
    ),
    CHAT: (
        "A stand-in, not a language model. It answers the prompts of Annals by plain rules over "
        "the JSON object of the last user message, anything else with its first and last sentence."
    ),
}


def listed() -> list[dict[str, Any]]:
    return [described(name) for name in _DESCRIPTIONS]


def described(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "object": "model",
        "created": CREATED,
        "owned_by": "annals",
        "description": _DESCRIPTIONS[name],
    }


def exists(name: str) -> bool:
    return name in _DESCRIPTIONS
