"""The text of a Lark message: its content is a JSON string whose shape depends on the type."""

import json
import re
from collections.abc import Iterator
from typing import Any

from shared.domain.messages.message import EVERYONE, Attachment, Mention
from shared.errors import InvalidInput
from shared.platforms import payload
from shared.platforms.payload import Node, PlatformText

_MAX_DEPTH = 24
"""Of nested elements: no real card comes near, and a made one cannot exhaust the stack."""
_ALL = "@_all"
_WHOLE_ALL = re.compile(rf"{_ALL}(?![A-Za-z0-9_])")
"""Of `@_allowed` it is only the beginning; Chinese may follow it at once."""
_ATTACHMENTS = {
    "image": "image", "file": "file", "folder": "file", "audio": "audio", "media": "video",
    "sticker": "sticker", "location": "location", "share_chat": "contact", "share_user": "contact",
    "vote": "poll", "merge_forward": "forward", "todo": "event", "video_chat": "event",
    "share_calendar_event": "event", "calendar": "event", "general_calendar": "event",
}  # fmt: skip
_NAME_FIELDS = ("file_name", "name", "topic", "summary")
_LOCALES = ("zh_cn", "en_us", "ja_jp", "zh_hk", "zh_tw")
_CARD_FIELDS = (
    "header", "title", "subtitle", "text", "content", "fields", "elements", "body", "columns",
    "actions", "options", "i18n_elements",
)  # fmt: skip


def read(kind: str, content: str, mentioned: list[Node], bot_open_id: str = "") -> PlatformText:
    """What a message of this type says, with mention keys replaced by names."""
    attachments: list[Attachment] = []
    body = Node(_json(content))
    if kind == "text":
        text = body.text("text")
    elif kind == "post":
        text = _post(body, attachments)
    elif kind == "interactive":
        text = " ".join(_card(_json(content), attachments, 0))
        attachments.insert(0, Attachment("card"))
    else:
        summary = body.node("summary")  # of a task it is a small post, else a text
        names = [body.text(field) for field in _NAME_FIELDS] + [summary.text("title")]
        name = next((each for each in names if each), "")
        attachments.append(Attachment(_ATTACHMENTS.get(kind, "other"), name))
        text = payload.content(attachments[0].placeholder, *_words(body, summary))
    if kind == "interactive" and not text:
        text = attachments[0].placeholder
    return _with_names(text, mentioned, attachments, bot_open_id)


def _words(body: Node, summary: Node) -> Iterator[str]:
    """What people wrote into a task, a vote, a red packet, or a kind that is not known here."""
    options = body.raw("options")
    if isinstance(options, list):
        yield " / ".join(payload.clean(option) for option in options if isinstance(option, str))
    yield "\n".join(_lines(summary.raw("content"), []))
    yield body.text("text")


def _with_names(
    text: str, mentioned: list[Node], attachments: list[Attachment], bot_open_id: str
) -> PlatformText:
    """Keys are matched longest first: `@_user_1` is the beginning of `@_user_10`.

    `@_all` often stands only in the text and not among the mentions.
    """
    people = {mention.text("key"): _person(mention) for mention in mentioned if mention.text("key")}
    people.setdefault(_ALL, EVERYONE)
    is_all_said = bool(_WHOLE_ALL.search(text))
    longest_first = sorted(people, key=len, reverse=True)
    keys = re.compile(
        "|".join(_WHOLE_ALL.pattern if key == _ALL else re.escape(key) for key in longest_first)
    )
    named = keys.sub(lambda key: f"@{people[key[0]].name or people[key[0]].user_id}", text)
    if not is_all_said and _ALL not in (mention.text("key") for mention in mentioned):
        del people[_ALL]
    return PlatformText(
        payload.content(named),
        payload.mentions(people.values()),
        any(_is_bot(mention, bot_open_id) for mention in mentioned),
        payload.attachments(attachments),
    )


def _is_bot(mention: Node, bot_open_id: str) -> bool:
    """By its type where that is said, else by the bot's own id."""
    kind = mention.text("mentioned_type")
    if kind:
        return kind == "bot"
    return bool(bot_open_id) and mention.node("id").text("open_id") == bot_open_id


def _person(mention: Node) -> Mention:
    ids = mention.node("id")
    user_id = ids.text("open_id") or ids.text("union_id") or ids.text("user_id")
    if mention.text("key") == _ALL or user_id == "all":
        return EVERYONE
    return Mention(user_id, mention.text("name"))


def _post(body: Node, attachments: list[Attachment]) -> str:
    """A post stands under no key or under a locale; the first locale that has lines is taken.

    Newer clients put what was written into `content_v2`; `content` beside it is then poorer.
    """
    if not any(isinstance(body.raw(each), list) for each in ("content", "content_v2")):
        body = next((body.node(each) for each in _LOCALES if body.node(each)), body)
    newer = body.raw("content_v2")
    paragraphs = newer if newer and isinstance(newer, list) else body.raw("content")
    lines = [body.text("title"), *_lines(paragraphs, attachments)]
    return "\n".join(line for line in lines if line.strip())


def _lines(paragraphs: Any, attachments: list[Attachment]) -> Iterator[str]:
    for paragraph in paragraphs if isinstance(paragraphs, list) else []:
        elements = paragraph if isinstance(paragraph, list) else [paragraph]
        yield "".join(_element(Node(each), attachments) for each in elements)


def _element(element: Node, attachments: list[Attachment]) -> str:
    tag = element.text("tag")
    text = element.text("text")
    if tag == "at":
        return _at(element)
    if tag == "a":
        href = element.text("href")
        return f"{text} ({href})" if text and href and text != href else href or text
    if tag in ("img", "media"):
        attachments.append(Attachment("image" if tag == "img" else "video"))
        return attachments[-1].placeholder
    if tag == "code_block":
        return f"```{element.text('language').lower()}\n{text}\n```"
    return text


def _at(element: Node) -> str:
    """A key (`@_user_1`) that the mentions explain, or only a name."""
    user = element.text("user_id")
    if user in ("all", _ALL):
        return _ALL
    return user if user.startswith("@_") else f"@{element.text('user_name') or user}"


def _card(value: Any, attachments: list[Attachment], depth: int) -> Iterator[str]:
    """Every text a card shows, in reading order."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, str):
        yield payload.clean(value)
    elif isinstance(value, list):
        for item in value:
            yield from _card(item, attachments, depth + 1)
    elif isinstance(value, dict):
        tag = value.get("tag")
        if tag == "img":
            attachments.append(Attachment("image"))
            yield attachments[-1].placeholder
        elif tag in ("a", "at"):
            yield _element(Node(value), attachments)
        else:
            for field in _CARD_FIELDS:
                inner = value.get(field)
                if field == "i18n_elements" and isinstance(inner, dict):
                    inner = next(iter(inner.values()), None)
                yield from _card(inner, attachments, depth + 1)


def _json(content: str) -> Any:
    try:
        return json.loads(content or "{}")
    except (ValueError, RecursionError) as error:
        raise InvalidInput("event.message.content is not JSON") from error
