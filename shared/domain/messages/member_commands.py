"""What a member may ask about their own words in chat, in so many words. Pure.

Only the whole message counts: who speaks of forgetting somebody has not asked for it.
"""

import re
import unicodedata
from enum import StrEnum

MOST_CHARACTERS = 80
"""No command is longer, with whom it calls."""


class MemberCommand(StrEnum):
    KNOWN = "known"
    FORGET = "forget"
    OPT_OUT = "opt_out"
    OPT_IN = "opt_in"


_PHRASES = {
    MemberCommand.KNOWN: (
        "what do you know about me", "what do you remember about me", "what do you know of me",
        "你记得我什么", "你知道我什么", "你都记得我什么", "你记住了我什么", "你记得我的什么",
    ),
    MemberCommand.FORGET: (
        "forget me", "forget about me", "forget everything about me", "forget all about me",
        "忘了我", "忘记我", "把我忘了", "把我忘掉", "忘掉我",
    ),
    MemberCommand.OPT_OUT: (
        "dont remember me", "do not remember me", "dont remember what i say",
        "do not remember what i say", "stop remembering me",
        "别记我说的话", "不要记我说的话", "别记我", "别记住我", "不要记住我", "别再记我说的话",
    ),
    MemberCommand.OPT_IN: (
        "you may remember me", "you can remember me", "remember me again",
        "可以记我说的话", "可以记我说的话了", "可以记住我", "可以记住我了",
    ),
}  # fmt: skip
_COMMANDS = {
    phrase.replace(" ", ""): command for command, some in _PHRASES.items() for phrase in some
}
_CALLED = re.compile(r"^\s*(?:@\S{1,40}\s+)+")
_POLITE = re.compile(r"^(?:please|麻烦|请你?)|(?:please|thanks|谢谢|吧|呀|啊)$")


def command_of(text: str) -> MemberCommand | None:
    """The command that the message is, whomever it calls by @ and however it is punctuated."""
    if len(text) > MOST_CHARACTERS:
        return None
    called = _CALLED.sub("", unicodedata.normalize("NFKC", text).casefold())
    bare = "".join(sign for sign in called if sign.isalnum())
    return _COMMANDS.get(bare) or _COMMANDS.get(_POLITE.sub("", bare))


def is_chinese(text: str) -> bool:
    """In which of the two languages to answer."""
    return any("\u3400" <= sign <= "\u9fff" for sign in text)
