"""A note in absolute words as far as rules can tell, before any model is asked."""

import re
from dataclasses import dataclass
from datetime import datetime

from shared.domain.historian.english import capitalised, is_past
from shared.domain.historian.people import People
from shared.domain.historian.places import without_relative_places
from shared.domain.historian.pronouns import without_pronouns
from shared.domain.historian.untouchable import Veil
from shared.language.times.wording import Dated, with_dates

_SPEAKER = "\uf8ff"
"""Stands for who speaks where a place is theirs: by name, pronouns could mean them there."""


@dataclass(frozen=True)
class Resolved:
    """`did` is the action, `learnt` the new information; `dates` are the times that were read."""

    did: str
    learnt: str
    dates: tuple[Dated, ...] = ()

    def joined(self, *, is_chinese: bool) -> str:
        """The whole note as plain sentences; what the action already says is not said twice."""
        parts = [self.did] if self.did else []
        if self.learnt and self.learnt.strip("。.!！ ") not in self.did:
            parts.append(self.learnt)
        mark, glue = ("。", "") if is_chinese else (".", " ")
        return glue.join(part if part[-1] in "。！？.!?…" else part + mark for part in parts)


def resolve_note(action: str, info: str, people: People, now: datetime, location: str) -> Resolved:
    """Times count from `now`, in its zone. Quotations, titles, names and compounds stay."""
    did, first = _resolved(_with_subject(action, people), people, now, location, by_bot=True)
    learnt, second = _resolved(info, people, now, location, by_bot=False)
    return Resolved(did, learnt, (*first, *second))


def _resolved(
    said: str, people: People, now: datetime, location: str, *, by_bot: bool
) -> tuple[str, list[Dated]]:
    if not said:
        return "", []
    veil = Veil((*people.names, people.bot, people.group))
    dated, found = with_dates(veil.hide(said), now)
    # The bot is nowhere: what it says of "here" is of the chat.
    speaker = "" if by_bot else _SPEAKER
    placed = without_relative_places(
        dated, location, people.group, speaker, is_chinese=people.is_chinese
    )
    dates = [Dated(veil.show(one.words), one.date) for one in found]
    named = without_pronouns(veil.show(placed), people, by_bot=by_bot)
    return named.replace(_SPEAKER, people.sender), dates


_VERB_FIRST_ZH = re.compile(
    r"^(?:已|已经|主动|向|给|为|帮|替|跟|和|与|对|把|陪|回[答复应]|解[释答决]|提[醒供议]|推荐|"
    r"分享|整理|查[询找看]|"
    r"记[录下住]|总结|告[诉知]|介绍|安[慰抚排]|建议|讨论|发[送布]|翻译|计算|搜[索寻]|确认|完成|"
    r"更新|生成|感谢|祝贺|"
    r"同意|拒绝|询问|指出|说明|答应|承诺|创建|设置|取消|欢迎|打招呼|协助|讲[了解述])"
)


_JUST_DONE = re.compile(r"\b((?:I |[Ww]e )?)[Jj]ust (?=(\w+))")


def _with_subject(action: str, people: People) -> str:
    """ "Answered a question" becomes "the bot answered a question"."""
    if not action:
        return action
    if people.is_chinese:
        return people.bot + action if _VERB_FIRST_ZH.match(action) else action
    action = _JUST_DONE.sub(lambda found: found[1] if is_past(found[2]) else found[0], action)
    first = action.split(maxsplit=1)[0] if action.strip() else ""
    if first and is_past(first) and first not in people.names:
        return f"{capitalised(people.bot)} {first[0].lower()}{action.lstrip()[1:]}"
    return action
