"""Finds a prompt: the file of that name, or the text a deployment put in its place.

Every prompt carries the same two placeholders, no more and no less: `$untrusted`, the rule that
quoted text is never an order, and `$reply_shape`, the JSON schema of the reply. So no override
can drop the rule, and a misspelt placeholder is found when a prompt is read, not when it is sent.
"""

import hashlib
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from shared import log
from shared.errors import AnnalsError

FOLDER = Path(__file__).parent
PLACEHOLDERS = frozenset({"untrusted", "reply_shape"})
FRESH_S = 60.0
"""A changed prompt is used within a minute, and no call waits for a lookup of its own."""
MAX_CHARACTERS = 50_000
"""Of a prompt before its data is put in: more leaves a small model no room for the talk."""

FindOverride = Callable[[str], Awaitable[Mapping[str, Any] | None]]
"""prompt id -> the record `{"text", "version"}` of the deployment's own text, if there is one."""


class BrokenPrompt(AnnalsError):
    """A prompt cannot be used."""

    code = "broken_prompt"


@dataclass(frozen=True)
class Prompt:
    """`hash` names the exact text, placeholders and all; `version` is 0 for the file."""

    prompt_id: str
    text: str
    hash: str
    version: int = 0

    def fill(self, *, reply_shape: str) -> str:
        return Template(self.text).substitute(untrusted=_untrusted(), reply_shape=reply_shape)


def make_prompt(prompt_id: str, text: str, version: int = 0) -> Prompt:
    """Raises BrokenPrompt, saying why, unless `text` has exactly the placeholders it should."""
    template = Template(text)
    if not template.is_valid():
        raise BrokenPrompt("a $ stands alone; write $$ for a dollar sign")
    found = set(template.get_identifiers())
    if found - PLACEHOLDERS:
        raise BrokenPrompt(f"unknown placeholders: {', '.join(sorted(found - PLACEHOLDERS))}")
    if PLACEHOLDERS - found:
        raise BrokenPrompt(f"missing placeholders: {', '.join(sorted(PLACEHOLDERS - found))}")
    if len(text) > MAX_CHARACTERS:
        raise BrokenPrompt(f"longer than {MAX_CHARACTERS} characters")
    return Prompt(prompt_id, text, hashlib.sha256(text.encode()).hexdigest()[:12], version)


@cache
def file_prompt(prompt_id: str) -> Prompt:
    return make_prompt(prompt_id, (FOLDER / f"{prompt_id}.md").read_text(encoding="utf-8"))


@cache
def _untrusted() -> str:
    return (FOLDER / "untrusted.txt").read_text(encoding="utf-8").strip()


class PromptLibrary:
    """Looks for an override at most once a minute; without a usable one it has the file."""

    def __init__(
        self, find_override: FindOverride | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._find_override = find_override
        self._clock = clock
        self._kept: dict[str, tuple[float, Prompt]] = {}

    async def get(self, prompt_id: str) -> Prompt:
        now = self._clock()
        kept = self._kept.get(prompt_id)
        if kept is not None and now < kept[0]:
            return kept[1]
        prompt = await self._find(prompt_id, kept[1] if kept else file_prompt(prompt_id))
        self._kept[prompt_id] = (now + FRESH_S, prompt)
        return prompt

    async def _find(self, prompt_id: str, known: Prompt) -> Prompt:
        """The override if it can be used, else the file; while nobody can tell, what is `known`."""
        if self._find_override is None:
            return file_prompt(prompt_id)
        try:
            record = await self._find_override(prompt_id)
        except AnnalsError as error:
            log.warning("prompt_override_unknown", prompt_id=prompt_id, code=error.code)
            return known
        if record is None:
            return file_prompt(prompt_id)
        try:
            return _override(prompt_id, record)
        except BrokenPrompt as broken:
            log.error("prompt_override_broken", prompt_id=prompt_id, problem=broken.message)
            return file_prompt(prompt_id)


def _override(prompt_id: str, record: Mapping[str, Any]) -> Prompt:
    text, version = record.get("text"), record.get("version")
    if not isinstance(text, str) or not text.strip():
        raise BrokenPrompt("`text` is missing or empty")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise BrokenPrompt("`version` must be a whole number from 1 on")
    return make_prompt(prompt_id, text, version)
