"""Ways a model's reply goes wrong: the malformed JSON of real models, wrong ids, another language.

Text spoilers work line by line, so a reply in JSON lines is spoilt in every line.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from .rules.chat_text import is_han

_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_KEY = re.compile(r'"([A-Za-z_]\w*)"(\s*:)')
_PLAIN_VALUE = re.compile(r'(:\s*)"([\w.-]+)"')
_CLOSING = re.compile(r"(?<=[^\s\[{,])([}\]])")

_IDS = ("old_id", "replaces")
_ID_LISTS = ("sources",)
_PROSE = (
    "statement", "change_reason", "summary", "title", "description", "canonical_text", "new_info",
    "content", "body", "evidence",
)  # fmt: skip
_PROSE_LISTS = ("decisions", "open_questions", "reasons")


def missing_quotes(reply: str) -> str:
    return _by_line(reply, lambda line: _PLAIN_VALUE.sub(r"\1\2", _KEY.sub(r"\1\2", line)))


def trailing_comma(reply: str) -> str:
    return _by_line(reply, lambda line: _CLOSING.sub(r",\1", line))


def single_quotes(reply: str) -> str:
    def requoted(match: re.Match[str]) -> str:
        return "'" + match[1].replace('\\"', '"').replace("'", "\\'") + "'"

    return _by_line(reply, lambda line: _STRING.sub(requoted, line))


def markdown_fence(reply: str) -> str:
    return f"```json\n{reply}\n```"


def nonsense(reply: str) -> str:
    return "这不是JSON" if is_han(reply) else "This is not JSON."


def _by_line(reply: str, spoil: Callable[[str], str]) -> str:
    return "\n".join(spoil(line) for line in reply.split("\n"))


def wrong_ids(answer: Any) -> Any:
    """The same answer about records that do not exist."""
    if isinstance(answer, list):
        return [wrong_ids(item) for item in answer]
    if not isinstance(answer, dict):
        return answer
    wrong: dict[str, Any] = {}
    for key, value in answer.items():
        if key in _IDS and isinstance(value, str):
            wrong[key] = f"no-such-{value}"
        elif key in _ID_LISTS and isinstance(value, list):
            wrong[key] = [f"no-such-{one}" for one in value]
        elif key == "choice" and isinstance(value, int):
            wrong[key] = value + 1000
        else:
            wrong[key] = wrong_ids(value)
    return wrong


def other_language(answer: Any) -> Any:
    """The same answer with its prose in the language the chat does not speak."""
    prose = (
        "This sentence is English, and the chat is not."
        if is_han(json.dumps(answer, ensure_ascii=False))
        else "这句话是中文，聊天里说的却不是。"
    )
    return _in_words(answer, prose)


def _in_words(answer: Any, prose: str) -> Any:
    if isinstance(answer, list):
        return [_in_words(item, prose) for item in answer]
    if not isinstance(answer, dict):
        return answer
    said: dict[str, Any] = {}
    for key, value in answer.items():
        if key in _PROSE and isinstance(value, str) and value:
            said[key] = prose
        elif key in _PROSE_LISTS and isinstance(value, list):
            said[key] = [prose for _ in value]
        else:
            said[key] = _in_words(value, prose)
    return said


def empty(_: str) -> str:
    return ""


def cut_reply(reply: str) -> str:
    """As if the model had run out of tokens."""
    return reply[: len(reply) // 2]


def no_words(answer: Any) -> Any:
    """The right form, and nothing said in it."""
    if isinstance(answer, list):
        return [no_words(one) for one in answer]
    if not isinstance(answer, dict):
        return answer
    return {
        key: "" if key in _PROSE else [] if key in _PROSE_LISTS else no_words(value)
        for key, value in answer.items()
    }


TEXT_SPOILERS: dict[str, Callable[[str], str]] = {
    "missing_quotes": missing_quotes,
    "trailing_comma": trailing_comma,
    "single_quotes": single_quotes,
    "markdown_fence": markdown_fence,
    "nonsense": nonsense,
    "empty": empty,
    "cut_reply": cut_reply,
}
ANSWER_SPOILERS: dict[str, Callable[[Any], Any]] = {
    "wrong_ids": wrong_ids,
    "other_language": other_language,
    "no_words": no_words,
}
