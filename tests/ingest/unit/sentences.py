"""Reads `sentences.jsonl`: chat lines with the labels a person gave them.

`held_out` lines were written and labelled after the rules stood, and no rule was changed for them.
`resolved` are people the platform named; `reply_to` is the text of the message that is answered.
"""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shared.domain.messages.message import Attachment, Mention, Message

_NOW = datetime(2024, 5, 1, 9, 30, tzinfo=UTC)
_ATTACHMENT = re.compile(r"\[(file|sticker|image)(?:: (.*))?\]")


@dataclass(frozen=True)
class Sentence:
    text: str
    type: str
    language: str
    mentions: list[str]
    reply_type: str | None
    held_out: bool
    reply_to: str | None = None
    in_thread: bool = False
    resolved: tuple[str, ...] = ()

    @property
    def replied(self) -> Message | None:
        return message(self.reply_to, message_id="m0") if self.reply_to else None

    @property
    def message(self) -> Message:
        links: dict[str, Any] = {}
        if self.reply_to:
            links = {"reply_message_id": "m0", "root_message_id": "m0"}
        if self.in_thread:
            links["thread_id"] = "t0"
        people = tuple(Mention(f"id-{name}", name) for name in self.resolved)
        found = _ATTACHMENT.search(self.text)
        files = (Attachment(found[1], found[2] or ""),) if found else ()
        return message(self.text, mentions=people, attachments=files, **links)


def message(content: str, **fields: Any) -> Message:
    given = {"group_id": "lark:g", "message_id": "m1", "user_id": "u", "create_time": _NOW}
    return Message(**{**given, "content": content, **fields})


def sentences() -> list[Sentence]:
    lines = Path(__file__).with_name("sentences.jsonl").read_text(encoding="utf-8").splitlines()
    return [Sentence(**json.loads(line)) for line in lines]
