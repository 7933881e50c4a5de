"""Who is meant: the people of a note, and the one a pronoun stands for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_SPEAKS_ZH = (
    r"(?:说|表示|提到|告诉|认为|觉得|问(?!题)|建议|打算|答应|回复|承认|抱怨|补充|解释|强调|坚持)"
)
_SUBJECT = re.compile(
    r"(?:^|[，。；！？、\s]|[和跟与])((?![这那有没大他她它我你咱某每])[\u3400-\u9fff]{2,3})"
    rf"(?={_SPEAKS_ZH})"
    r"|\b([A-Z][a-z]+)(?=\s+(?:says?|said|told|thinks?|thought|asked|wants?|mentioned|replied)\b)"
)
"""Somebody who says something, at the head of a clause: a person, known or not."""
_NO_NAME_WORDS = """
    i he she they we you it who that this then and but so if when everyone somebody someone
    nobody the 用户 对方 大家 有人 助手 机器人 群主 自己 今天 昨天 明天 最近
    """
_NO_NAMES = frozenset(_NO_NAME_WORDS.split())
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
    is_chinese: bool = True

    def last_named(self, before: str) -> str:
        """The person named last in this text, the bot left out."""
        return max(self._named(before), default=(0, 0, ""))[2]

    def all_named(self, before: str) -> list[str]:
        firsts = {name: before.find(name) for _, _, name in self._named(before)}
        return sorted(firsts, key=lambda name: firsts[name])

    def speaker_in(self, before: str) -> str:
        """Whose words the end of this text is in: 小林说 ... in the same sentence."""
        sentence = re.split(r"[。！？!?；;\n]", before[-300:])[-1]
        found = [
            (sentence.rfind(name), name)
            for name in (*self.names, *_subjects(sentence))
            if re.search(rf"{re.escape(name)}{_SPEAKS_ZH}", sentence)
        ]
        return max(found, default=(0, ""))[1]

    def _named(self, before: str) -> list[tuple[int, int, str]]:
        return [
            (before.rfind(name), len(name), name)
            for name in (*self.names, *_subjects(before))
            if name in before and name != self.bot and name.lower() not in _NO_NAMES
        ]


def _subjects(text: str) -> list[str]:
    found = (match[1] or match[2] for match in _SUBJECT.finditer(text))
    return [name for name in found if name.lower() not in _NO_NAMES]


def people_of(
    *,
    sender_id: str,
    roster: Mapping[str, str],
    said: Sequence[tuple[str, str]],
    bot: str,
    group: str,
    is_chinese: bool,
) -> People:
    """`roster` names members by id; `said` is who said what, in order, as the note's messages have
    it. A sender without a name anywhere is described, never called by the id."""
    unknown = "一位群成员" if is_chinese else "a member of the group"
    sender = roster.get(sender_id) or unknown
    names = tuple(
        dict.fromkeys(name for name in (sender, *roster.values()) if name and name != bot)
    )
    return People(
        sender=sender,
        bot=bot or ("助手" if is_chinese else "the assistant"),
        group=group,
        names=tuple(name for name in names if name != unknown),
        spoken_of=_spoken_of(said, sender_id, sender, names),
        is_chinese=is_chinese,
    )


def _spoken_of(
    said: Sequence[tuple[str, str]], sender_id: str, sender: str, names: tuple[str, ...]
) -> str:
    """Somebody else, if the sender's last message names one and says nothing of the sender."""
    own = [content for user_id, content in said if user_id == sender_id]
    if not own or _FIRST_PERSON.search(own[-1]):
        return ""
    others = [name for name in names if name != sender and name in own[-1]]
    return others[0] if len(others) == 1 else ""
