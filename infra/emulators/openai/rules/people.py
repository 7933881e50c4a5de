"""Who is meant: the persons of a note, and the one a pronoun stands for."""

import re
from dataclasses import dataclass

from .prompt_input import Given, child, objects, text, texts
from .wordlist import words_in
from .words import CHINESE

_SUBJECT = re.compile(
    r"(?:^|[，。；！？、\s]|[和跟与])((?![这那有没大他她它我你咱某每])[\u3400-\u9fff]{2,3})"
    r"(?=说|表示|提到|告诉|认为|觉得|问(?!题)|建议|打算|答应)"
    r"|\b([A-Z][a-z]+)(?=\s+(?:says?|said|told|thinks?|thought|asked|wants?|mentioned|replied)\b)"
)
"""Somebody who says something, at the head of a clause: a person, known or not."""
_NO_NAMES = frozenset(
    words_in(
        "i he she they we you it who that this then and but so if when everyone somebody someone "
        "nobody 用户 对方 大家 有人 助手 机器人 群主 自己 今天 昨天 明天 最近"
    )
)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'll|my|me)\b|我", re.IGNORECASE)


@dataclass(frozen=True)
class People:
    """The sender, the bot, the group, and everybody whose name may come up."""

    sender: str
    bot: str
    group: str
    names: tuple[str, ...] = ()
    spoken_of: str = ""
    """Whom the sender's last message was about, if not about the sender."""
    lang: str = CHINESE

    def last_named(self, before: str) -> str:
        """The person named last in this text, the bot left out."""
        return max(self._named(before), default=(0, 0, ""))[2]

    def all_named(self, before: str) -> list[str]:
        firsts = {name: before.find(name) for _, _, name in self._named(before)}
        return sorted(firsts, key=lambda name: firsts[name])

    def _named(self, before: str) -> list[tuple[int, int, str]]:
        names = [*self.names, *(match[1] or match[2] for match in _SUBJECT.finditer(before))]
        return [
            (before.rfind(name), len(name), name)
            for name in names
            if name in before and name != self.bot and name.lower() not in _NO_NAMES
        ]


def people_of(given: Given, lang: str) -> People:
    is_chinese = lang == CHINESE
    sender = text(child(given, "sender"), "user_name", "name", "user_id")
    bot = text(given, "bot_name") or ("助手" if is_chinese else "the assistant")
    group = text(given, "group_name")
    messages = objects(given, "messages")
    names = [sender]
    for message in messages:
        names.append(text(message, "user_name"))
        names += [text(one, "name", "user_name") for one in objects(message, "mentions")]
    names += texts(given, "people")
    known = tuple(dict.fromkeys(name for name in names if name and name != bot))
    return People(
        sender=sender or ("发言者" if is_chinese else "the speaker"),
        bot=bot,
        group=group,
        names=known,
        spoken_of=_spoken_of(messages, sender, known),
        lang=lang,
    )


def _spoken_of(messages: list[Given], sender: str, known: tuple[str, ...]) -> str:
    """Somebody else, if the sender's last message names one and says nothing of the sender."""
    said = [text(one, "content") for one in messages if text(one, "user_name") == sender]
    if not said or _FIRST_PERSON.search(said[-1]):
        return ""
    others = [name for name in known if name != sender and name in said[-1]]
    return others[0] if len(others) == 1 else ""
