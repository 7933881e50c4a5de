"""Stable statements in chat: what kind they are, whom they are about, and how they are put down.

A statement is a habit, a view, a trait, a taboo, a preference, a project or a piece of culture.
"""

import re
from dataclasses import dataclass

from .english import agreeing, capitalised
from .extractive import cleaned, shortened
from .kinds import CULTURE, PREFERENCE, TABOO, TRAIT, is_brief, kind_of
from .schedule import Slot, slot_of, without_slot
from .words import is_han, marks

_PLURAL = re.compile(
    r"我们|咱们|咱(?!家)|大家|大伙|群里|本群|全群|群友|群成员|成员|所有人|每个人|人人|这个群|"
    r"\b(?:let's|we|we're|we've|our|ours|us|everyone|everybody|all of us|most of us|half of us|"
    r"(?:the|this) group|"
    r"group members|members|people here|folks here|the team|our team|nobody|no one)\b",
    re.IGNORECASE,
)
_SINGULAR = re.compile(r"我(?!们)|俺|本人|\b(?:I|I'm|I've|me|(?i:my))\b")
_TOGETHER = re.compile(
    r"一起|集体|聚|开黑|例会|周会|组队|线上|团建|组织|\b(?:together|meetup|standup|session|"
    r"night|club|meeting)\b",
    re.IGNORECASE,
)

_SPLIT = re.compile(r"[，,；;。]\s*|\s+(?:but|so|although|though)\s+|\s+[-–—]\s+")
_DETAIL = re.compile(
    r"^(?:主要|大多|一般|通常|偏|尤其|特别|地点|时间|都是|轮流|由|用|带|包括|比如|在|"
    r"mostly|mainly|usually|especially|particularly|at|in|on|from|with|via|using|online|"
    r"starting|hosted|led)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Statement:
    """`text` as it would be remembered; `core` is what it is about, without time, people and cue.

    `is_plural`: said of everybody. `is_own`: said by somebody of themselves. `is_plain`: said so
    plainly that once is enough. `about`: the id of another member it is said of.
    """

    kind: str
    text: str
    core: str
    slot: Slot | None
    detail: str
    is_plural: bool
    is_own: bool
    is_plain: bool = False
    about: str = ""


_ANNOUNCES = re.compile(
    r"(?:(?:那|以后|今后|我们|咱们?|大家|成员|群里|我|先|再|就|来|得|要|说|定|立|是|这|个|条|下|一|的|老|还|遍|按|照)*"
    r"(?:规矩|群规)(?:不变|照旧|还是老样子)?[：:]?)"
    r"|(?:and |so )?(?:that's|that is|it's|here's|new) (?:the|our|a|my)?\s?"
    r"(?:one |only |house |new )?rule(?: here| on \w+)?:?",
    re.IGNORECASE,
)


def only_announces(clause: str) -> bool:
    """ "Here's a rule": that there is one, and not which."""
    return bool(_ANNOUNCES.fullmatch(clause.strip()))


def statement_in(sentence: str, speaker: str) -> Statement | None:
    """The stable statement a sentence makes, if it makes one."""
    clauses = [clause.strip() for clause in _SPLIT.split(cleaned(sentence)) if clause.strip()]
    announced = None
    for place, clause in enumerate(clauses):
        kind = kind_of(clause) or announced
        if only_announces(clause):
            announced = kind or TABOO
            continue
        if kind is None:
            continue
        detail = ""
        if place + 1 < len(clauses) and _DETAIL.match(clauses[place + 1]):
            detail = clauses[place + 1]
        is_plural = bool(_PLURAL.search(clause)) or kind in (TABOO, CULTURE)
        is_plural = is_plural and not is_brief(kind, clause)
        is_own = not is_plural and (bool(_SINGULAR.search(clause)) or kind in (PREFERENCE, TRAIT))
        if not is_plural and not is_own and _TOGETHER.search(clause) and slot_of(clause):
            is_plural = True
        put = put_down(clause, speaker, is_own=is_own)
        core = core_of(put, speaker)
        if not marks(core):
            continue
        comma = "，" if is_han(put) else ", "
        whole = shortened(put + (comma + detail if detail else ""))
        return Statement(kind, whole, core, slot_of(put), detail, is_plural, is_own)
    return None


# ---- putting it down

_HEAD_ZH = re.compile(
    r"^(?:对了|话说|其实|反正|说起来|毕竟|因为|所以|而且|不过|但是|然后|嗯+|哈+|是的|没错|另外|"
    r"(?:[又也还]|可是|主要是|关键是|本来|那)(?=[不没是有在要得能会我])|"
    r"顺便说|群规[:：]?|提醒一下[:：]?|"
    r"以后|今后|从今以后|从现在起|从.{1,6}(?:开始|起)|我觉得|我记得)+[，,:：]?"
)
_TAIL_ZH = re.compile(r"(?:的?(?:啦|啊|呀|哦|嘛|呢|哈|吧|哟|噢|喔|滴|诶|了啦|好吗|怎么样|对吧))+$")
_LABEL = re.compile(r"^(?:\w+ )?\w+: (?=\w)")
"""What kind of news it is: "New plan: ...", "Secret: ..."."""
_HEAD_EN = re.compile(
    r"^(?:(?:well|so|btw|by the way|actually|you know|yeah|yes|yep|yup|nope|oh|and|but|because|fyi|"
    r"plus|cos|right|anyway|sorry|lads|guys|"
    r"also|as "
    r"you know|remember|honestly|"
    r"i think|i guess|ok|okay|from now on|can we agree(?: on| that)?|"
    r"starting \w+ \w+|going forward|reminder|rule)[,:]?\s+)+",
    re.IGNORECASE,
)
_SLOT_HEAD_ZH = re.compile(
    r"^(?:我们群|咱们群|我们|咱们|咱|大家)(?:几个|这边|这里)?(?:都|一般|通常)?(?=每|逢|周|星期|礼拜|固定|"
    r"定期)"
)


def put_down(clause: str, speaker: str, *, is_own: bool) -> str:
    """The clause as a statement about the group or its speaker, without pronouns and fillers."""
    if is_han(clause):
        said = _TAIL_ZH.sub("", _HEAD_ZH.sub("", clause))
        said = _SLOT_HEAD_ZH.sub("", said)
        said = re.sub(r"(?:我们|咱们)(?:这个)?群里", "群里", said)
        said = re.sub(r"(?:我们|咱们)(?:这个)?群", "本群", said)
        said = re.sub(r"我们|咱们|咱(?!家)", "成员", said)
        if is_own:
            said = (
                re.sub(r"我|俺|本人", speaker, said, count=1)
                if _SINGULAR.search(said)
                else speaker + said
            )
            said = re.sub(r"我|俺|本人", speaker, said)
        if not speaker:
            return said
        said = re.sub(rf"({re.escape(speaker)})\1", r"\1", said)
        return re.sub(rf"^({re.escape(speaker)})[又也还](?=[不没])", r"\1", said)
    said = _HEAD_EN.sub("", _LABEL.sub("", clause))
    said = re.sub(r"[,\s]+please$", "", said, flags=re.IGNORECASE)
    said = re.sub(r"^let's\b", "members", said, flags=re.IGNORECASE)
    said = re.sub(r"\bwe're\b", "members are", said, flags=re.IGNORECASE)
    said = re.sub(r"\bwe've\b", "members have", said, flags=re.IGNORECASE)
    said = re.sub(r"\bwe'll\b", "members will", said, flags=re.IGNORECASE)
    said = re.sub(
        r"\b(most|all|half|few|some|many|several|both|\w+) of us\b",
        r"\1 members",
        said,
        flags=re.IGNORECASE,
    )
    said = re.sub(r"\bwe all\b", "all members", said, flags=re.IGNORECASE)
    said = re.sub(r"\bwe\b|\bus\b", "members", said, flags=re.IGNORECASE)
    said = re.sub(r"\bour group\b", "the group", said, flags=re.IGNORECASE)
    said = re.sub(r"\bours?\b", "the group's", said, flags=re.IGNORECASE)
    if is_own:
        said = _own_english(said, speaker)
    return capitalised(said)


_TURNED_FORMS = {"do": "does", "am": "is", "have": "has"}
_TURNED = re.compile(r"\b(?:do|am|have)(?= I(?:[,.;!]|$))")
"""A verb before its "I": "neither do I"."""


def _own_english(said: str, speaker: str) -> str:
    said = re.sub(r"\bmy\b", f"{speaker}'s", said, flags=re.IGNORECASE)
    said = re.sub(r"\bme\b", speaker, said)
    if not re.search(r"\bI\b", said):
        return said if speaker in said else f"{speaker}{_without_subject(said)}"
    said = _TURNED.sub(lambda found: _TURNED_FORMS[found[0]], said)
    done = ""
    while match := re.search(r"\bI\b", said):
        done += said[: match.start()] + speaker
        said = agreeing(said[match.end() :])
    whole = done + said
    named = whole.find(speaker) + len(speaker)
    return whole[:named] + whole[named:].replace(f" {speaker}'s ", " their ")


_LEFT_OUT = (
    (re.compile(r"(?i:not )?(?i:\w+ing|off|on|in|away|out|back|at|down|up)\b"), " is "),
    (re.compile(r"(?i:can't|cannot|won't|never|will|don't)\b"), " "),
    (re.compile(r"(?i:\w+ed|got|had|quit|went|took|gave|left|broke|sold|lost|began)\b"), " "),
)
"""How hasty English goes on after an "I" that is not written."""


def _without_subject(said: str) -> str:
    for opening, verb in _LEFT_OUT:
        if opening.match(said):
            return verb + re.sub(r"^don't\b", "doesn't", said[:1].lower() + said[1:])
    return f": {said}"


# ---- what it is about

_NOISE_ZH = re.compile(
    r"我们群|咱们群|本群|群里|群成员|我们|咱们|咱|大家|大伙|多位成员|成员|群友|所有人|一起|"
    r"都会|通常|经常|常常|总是|老是|一般|习惯|固定|定期|照例|惯例|"
    r"老规矩|老时间|雷打不动|觉得|认为|普遍|一致|公认|都说|最喜欢|更喜欢|喜欢|偏爱|偏好|讨厌|"
    r"不喜欢|禁止|严禁|不准|不许|不要|请勿|不能|谢绝|群规|别(?=[聊谈发提讨])|"
    r"不(?=[聊谈发提讨])|"
    r"正在|主要|基本上|基本|大多数|大部分|大多|都是|都|改到|改成|改为|改在|换到|换成|挪到|移到|"
    r"调到|推迟到|提前到|停了|停掉|停办|暂停|取消了|取消|解散|不再|再也不|以后|今后|现在|从|"
    r"开始|起|又到|又|"
    r"今晚|今天|明天|这周|本周|下周|上周|这次|周末|晚上|早上|上午|下午|中午|了|吧|啊|呀|哦|嘛|"
    r"呢|吗|的话|[，。！？、：]"
)
_NOISE_EN = re.compile(
    r"\b(?:members|several|the group's|the group|this group|we're|we've|we|our|us|everyone|"
    r"everybody|all of us|most of us|"
    r"all|most|here|people|usually|always|often|normally|typically|regularly|together|tend to|"
    r"thinks?|agrees?|believes?|"
    r"feels?|loves?|likes?|prefers?|enjoys?|hates?|dislikes?|fans? of|favou?rite|really|that|"
    r"please|no|don't|do not|never|not allowed|"
    r"banned|forbidden|off[- ]limits|stopped|stop|quit|no longer|any ?more|anymore|no more|"
    r"cancelled|canceled|for good|moved?|switch(?:ed)?|"
    r"changed?|shifted|rescheduled|now|again|tonight|today|tomorrow|this week|as usual|from "
    r"now on|starting|instead|"
    r"are|is|was|were|has|have|been|currently|still|will|to|the|a|an|and|of|on|at|in|it|its|"
    r"it's|doing|i|i'm|am|my|me)\b",
    re.IGNORECASE,
)


def core_of(statement: str, speaker: str = "") -> str:
    """What a statement is about: no times, no people, no cue words."""
    said = without_slot(statement)
    if speaker:
        said = said.replace(f"{speaker}'s", " ").replace(speaker, " ")
    said = _NOISE_ZH.sub(" ", said) if is_han(said) else _NOISE_EN.sub(" ", said)
    return re.sub(r"\s+", " ", re.sub(r"[^\w\s《》+#-]", " ", said)).strip()
