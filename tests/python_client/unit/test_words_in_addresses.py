"""Access logs keep addresses: the client puts nothing into one that people said or ask."""

import inspect
from typing import Any

import pytest

from annals import calls
from annals.sending import Call

WORD = "pomegranate"
TEXTS: dict[str, Any] = {
    "text": WORD,
    "statement": WORD,
    "entity": WORD,
    "messages": [{"content": WORD}],
    "note": {"new_info": WORD},
    "event": {"text": WORD},
    "question": {"message": WORD},
    "said": {"llm_response": WORD},
    "arguments": {"query": WORD},
    "turn": {},
    "fields": {"reason": WORD},
    "query": {"text": WORD},
    "lines": [WORD],
    "settings": {"keywords": WORD},
}
PLAIN: dict[str, Any] = {
    "int": 3, "int | None": 3, "float | None": 0.5, "bool": True, "str": "i1", "str | None": "i1",
}  # fmt: skip
CALLS = {
    name: one
    for name, one in vars(calls).items()
    if inspect.isfunction(one) and one.__module__ == calls.__name__ and not name.startswith("_")
}


def asked(function: Any) -> Call:
    names = inspect.signature(function).parameters.values()
    kinds = {one.name: inspect.formatannotation(one.annotation) for one in names}
    call: Call = function(**{name: TEXTS.get(name, PLAIN.get(kinds[name])) for name in kinds})
    return call


@pytest.mark.parametrize("name", CALLS)
def test_no_address_has_a_word_of_it(name: str) -> None:
    call = asked(CALLS[name])

    assert WORD not in call.path
    assert WORD not in str(call.query)


def test_searches_send_their_words_in_a_body() -> None:
    searches = [name for name in CALLS if name.startswith("search_") or name == "show_graph"]

    assert len(searches) >= 4
    for name in searches:
        call = asked(CALLS[name])
        assert call.method == "POST"
        assert WORD in str(call.body)
