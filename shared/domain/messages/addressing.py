"""Who a message speaks to: people the platform resolved, names only written, what it answers."""

import re

from shared.domain.messages.features import ReplyInfo
from shared.domain.messages.message import EVERYONE, Mention, Message

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_WRITTEN = re.compile(r"(?<![A-Za-z0-9_.+@＠/-])[@＠]([\w·][\w·.-]*)(?![\w/])")
_EVERYONE = re.compile(r"(?:all|everyone|channel|here)$|所有人|全体成员|全员", re.IGNORECASE)
_CLOCK = re.compile(r"\d{1,2}(?:[.:]\d{2})?(?:[ap]m)?", re.IGNORECASE)  # lunch @12, call @3pm


def find_mentions(message: Message) -> tuple[Mention, ...]:
    """The platform's mentions, then names written with an @ that it did not resolve."""
    if not _has_at(message.content):
        return message.mentions
    found = {mention.user_id: mention for mention in message.mentions}
    text = _without(message.mentions, _CODE.sub(" ", message.content))
    for name in _WRITTEN.findall(text):
        name = name.rstrip(".-")
        if _CLOCK.fullmatch(name):
            continue
        mention = EVERYONE if _EVERYONE.match(name) else Mention(f"@{name}", name)
        found.setdefault(mention.user_id, mention)
    return tuple(found.values())


def without_mentions(text: str, mentions: tuple[Mention, ...]) -> str:
    """The text without whom it addresses: they are not what it is about."""
    if not _has_at(text):
        return text
    return _WRITTEN.sub(_keep_what_is_no_name, _without(mentions, text))


def find_reply(
    message: Message, mentions: tuple[Mention, ...], replied: Message | None
) -> ReplyInfo | None:
    """A quote answers one message, a thread its first one, a mention only somebody."""
    user_id = replied.user_id if replied else None
    answered = message.reply_message_id
    root = message.root_message_id
    if message.thread_id and answered in (None, root) and not message.reply_native_id:
        return ReplyInfo("thread", root, None, user_id)
    if answered or message.reply_native_id:
        return ReplyInfo("quote", answered, message.reply_native_id, user_id)
    if root:
        return ReplyInfo("thread", root, None, user_id)
    people = [mention for mention in mentions if mention != EVERYONE]
    return ReplyInfo("mention", reply_to_user_id=people[0].user_id) if people else None


def _has_at(text: str) -> bool:
    return "@" in text or "＠" in text


def _without(mentions: tuple[Mention, ...], text: str) -> str:
    """Longest name first: a name may have spaces in it, or begin with another one."""
    known = {mention.name or mention.user_id.lstrip("@") for mention in mentions} - {"all"}
    for name in sorted(known, key=len, reverse=True):
        text = re.sub(rf"[@＠]{re.escape(name)}(?![A-Za-z0-9_-])", " ", text)
    return text


def _keep_what_is_no_name(written: re.Match[str]) -> str:
    if _CLOCK.fullmatch(written[1]):
        return written[0]
    everyone = _EVERYONE.match(written[1])  # Chinese may go on without a space: @所有人开会
    return f" {written[1][everyone.end() :]}" if everyone else " "
