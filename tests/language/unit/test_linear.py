"""No text costs much more than another of its length: work grows with the length, not its square.

Every pattern and every function of text that the product has is found by itself, so a new one is
tried as well. What is judged is the processor time of a text beside that of an eighth of it.
"""

import functools as caching
import importlib
import inspect
import pkgutil
import re
import sys
import time
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from types import ModuleType
from typing import Any

import pytest

import functions
import shared
from shared.domain.attribution.lines import as_said
from shared.domain.memories.memory import MAX_STATEMENT
from shared.domain.messages.message import Message
from shared.domain.messages.stored_message import StoredMessage
from shared.language.patterns import Phrases
from shared.threads.lines import Names
from tests.language.awkward import SHAPES, awkward

LOOK, DEAREST = 256, 6
"""Every shape is tried at so many bytes, where what is quadratic is already among the dearest; so
many of these..."""
SMALL, WHOLE = 1_000, 8_000
"""...are tried at an eighth of this length and, if that is dear, at this one."""
DEAR_S = 0.002
"""What is quadratic takes more at SMALL: a step of a pattern takes some nanoseconds."""
GROWTH = 24
"""How many times as long the whole may take as its eighth: what is linear takes 8 times, what is
quadratic 64. Of each the least of some tries counts, as the machine may be busy; the whole is tried
again only if once was too long."""
TRIES = 3
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SKIPPED = {
    "shared.language.patterns.any_of": "makes a pattern of our own words",
    "shared.contracts.reply_reading._shape": "makes a schema of our own types",
    "shared.stores.firestore.client.connect": "takes a setting",
    "shared.runtime.health.outage_began": "keeps its text for the whole process",
    "shared.contracts.reply_reading._parted": "the text would be the pattern; tried by its callers",
}
"""Take text that no user writes, or keep it."""
BOUNDED = {"shared.contracts.memories._diff": MAX_STATEMENT}
"""Quadratic by nature, of texts that their contract cuts at so many characters: tried at that."""
ONLY_FROM_A_PLACE = (
    "shared.domain.secrets._GOES_ON",
    "shared.language.statements._LEADING",
)
"""Patterns that are held against a text at one place, never searched for in it."""


def modules() -> Iterator[ModuleType]:
    for package in (shared, functions):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith(("main", ".app", "__main__")):
                yield importlib.import_module(found.name)


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    def within(name: str, value: object, depth: int) -> Iterator[tuple[str, re.Pattern[str]]]:
        if isinstance(value, Phrases):
            yield name, value._compiled
        elif isinstance(value, re.Pattern) and isinstance(value.pattern, str):
            yield name, value
        elif depth and isinstance(value, Mapping):
            for key, part in value.items():
                yield from within(f"{name}[{key!r:.20}]", part, depth - 1)
        elif depth and isinstance(value, list | tuple):
            for place, part in enumerate(value):
                yield from within(f"{name}[{place}]", part, depth - 1)
        elif depth and hasattr(value, "__dict__") and not inspect.isroutine(value):
            if inspect.isclass(value) or inspect.ismodule(value):
                return
            for key, part in vars(value).items():
                yield from within(f"{name}.{key}", part, depth - 1)

    seen = set()
    for module in modules():
        for name, value in vars(module).items():
            for named, pattern in within(f"{module.__name__}.{name}", value, 3):
                if pattern not in seen:
                    seen.add(pattern)
                    yield named, pattern


def text_functions() -> Iterator[tuple[str, Callable[[str], object]]]:
    """Those whose every argument can be made of a text alone, with the text in each of them."""
    for module in modules():
        for name, value in vars(module).items():
            named = f"{module.__name__}.{name}"
            function = inspect.unwrap(value) if callable(value) else value
            if not inspect.isfunction(function) or function.__module__ != module.__name__:
                continue
            if inspect.iscoroutinefunction(function) or named in SKIPPED:
                continue
            made = filled(function, BOUNDED.get(named))
            if made is not None:
                yield named, made


def filled(
    function: Callable[..., Any], bound: int | None = None
) -> Callable[[str], object] | None:
    try:
        hints = typing.get_type_hints(function)
    except (NameError, TypeError):
        return None
    makers: dict[str, Callable[[str], Any]] = {}
    places: list[Callable[[str], Any]] = []
    has_text = False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is not inspect.Parameter.empty:
            continue
        kind = hints.get(parameter.name)
        maker = MAKERS.get(kind)
        if maker is None:
            return None
        has_text = has_text or kind not in (datetime, timedelta, int, float, bool)
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            makers[parameter.name] = maker
        else:
            places.append(maker)
    if not has_text:
        return None

    def call(text: str) -> object:
        if bound is not None:
            text = text[: bound if len(text) > SMALL else bound // 8]
        arguments = [maker(text) for maker in places]
        named = {name: maker(text) for name, maker in makers.items()}
        try:
            result = function(*arguments, **named)
            return list(result) if inspect.isgenerator(result) else result
        except Exception:  # noqa: BLE001 - a refusal is an answer too; here only its time counts
            return None

    return call


def message(text: str, number: int = 0) -> StoredMessage:
    return StoredMessage(
        group_id="test:1",
        message_id=f"m{number}",
        user_id=f"u{number % 2}",
        user_name=text[:300] or "Ann",
        content=text,
        create_time=NOON + timedelta(minutes=number),
    )


def several(text: str) -> list[StoredMessage]:
    return [message(text, number) for number in range(2)]


MAKERS: dict[Any, Callable[[str], Any]] = {
    str: lambda text: text,
    str | None: lambda text: text,
    Any: lambda text: text,
    Message: message,
    StoredMessage: message,
    Message | None: message,
    StoredMessage | None: message,
    Sequence[StoredMessage]: several,
    Sequence[Message]: several,
    list[StoredMessage]: several,
    Iterable[StoredMessage]: several,
    Sequence[str]: lambda text: [text, text],
    Iterable[str]: lambda text: [text, text],
    list[str]: lambda text: [text, text],
    tuple[str, ...]: lambda text: (text, text),
    datetime: lambda _: NOON,
    timedelta: lambda _: timedelta(hours=1),
    int: lambda _: 10,
    float: lambda _: 0.5,
    bool: lambda _: True,
}


def seconds(work: Callable[[str], object], text: str, tries: int = 1) -> float:
    def once() -> float:
        began = time.process_time()
        work(text)
        return time.process_time() - began

    return min(once() for _ in range(tries))


@caching.cache
def text_of(name: str, size: int) -> str:
    return awkward(name, size)


def assert_linear(work: Callable[[str], object]) -> None:
    looked_at = {name: seconds(work, text_of(name, LOOK)) for name in SHAPES}
    for name in sorted(looked_at, key=lambda shape: looked_at[shape])[-DEAREST:]:
        if seconds(work, text_of(name, SMALL)) < DEAR_S:
            continue
        part = seconds(work, text_of(name, SMALL), TRIES)
        if part < DEAR_S or seconds(work, text_of(name, WHOLE)) / part <= GROWTH:
            continue
        times = seconds(work, text_of(name, WHOLE), TRIES) / part
        assert times <= GROWTH, f"{name}: {WHOLE} bytes take {times:.0f} times {SMALL}"


PATTERNS = dict(patterns())
FUNCTIONS: dict[str, Callable[[str], object]] = {
    **dict(text_functions()),
    # A method, which is not found by itself: names at the head of a text were looked for again
    # and again in all the rest of it.
    "shared.threads.lines.Names.line": lambda text: Names(
        [as_said(message(name, n), None) for n, name in enumerate(("ab", "a b", "小王"))]
    ).line(as_said(message(text), None)),
}


def test_the_patterns_and_functions_of_the_product_are_found() -> None:
    assert len(PATTERNS) > 60
    assert len(FUNCTIONS) > 60
    assert "shared.domain.messages.message.without_placeholders" in FUNCTIONS
    assert "shared.domain.messages.analyser.analyse" in FUNCTIONS


@pytest.mark.skipif(
    sys.gettrace() is not None,
    reason="traced, a line of Python is dear and a pattern's steps are not",
)
def test_what_is_quadratic_is_found_also_within_what_takes_its_time() -> None:
    def work(text: str) -> None:
        re.sub(r"\w+@", "", text)
        FUNCTIONS["shared.language.words.terms"](text[:64])

    with pytest.raises(AssertionError, match="times 1000"):
        assert_linear(work)


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_takes_no_text_amiss(name: str) -> None:
    pattern = PATTERNS[name]

    def work(text: str) -> None:
        if name.startswith(ONLY_FROM_A_PLACE):
            pattern.match(text)
            return
        for _ in pattern.finditer(text):
            pass
        pattern.fullmatch(text)

    assert_linear(work)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_takes_no_text_amiss(name: str) -> None:
    assert_linear(FUNCTIONS[name])
