"""Whether long-term memory belongs into a context at all: when, as the settings say. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared.domain.messages.addressing import find_mentions
from shared.domain.messages.analyser import analyse
from shared.domain.messages.stored_message import StoredMessage
from shared.language import MessageType, count_words, names_time


@dataclass(frozen=True)
class TriggerRules:
    """The settings of long-term memory, by their names."""

    enable_long_term: bool = True
    first_round_empty: bool = True
    min_query_length: int = 2
    long_term_trigger: str = "auto"
    trigger_keywords: tuple[str, ...] = ()


def why_no_memory(
    asked: StoredMessage,
    recent: Sequence[StoredMessage],
    rules: TriggerRules,
    *,
    is_first_round: bool,
) -> str | None:
    """The reason to leave long-term memory out; None if it belongs in. In the first round the
    group has no message before this one; that the bot was silent for a day is none."""
    if not rules.enable_long_term:
        return "long-term memory is switched off"
    if rules.first_round_empty and is_first_round:
        return "first round"
    if count_words(asked.content) < rules.min_query_length:
        return "short query"
    text = asked.content.casefold()
    if rules.long_term_trigger == "always":
        return None
    if any(word.casefold() in text for word in rules.trigger_keywords):
        return None
    if rules.long_term_trigger == "auto" and _calls_for_it(asked, recent):
        return None
    return "nothing asks for it"


def _calls_for_it(asked: StoredMessage, recent: Iterable[StoredMessage]) -> bool:
    """A question, a name, or a time."""
    if analyse(asked).message_type is MessageType.QUESTION or find_mentions(asked):
        return True
    text = asked.content.casefold()
    if names_time(asked.content):
        return True
    names = {one.user_name.casefold() for one in recent if one.user_id != asked.user_id}
    return any(_names(name, text) for name in names if len(name) > 1)


def _names(name: str, text: str) -> bool:
    if not name.isascii():
        return name in text
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
