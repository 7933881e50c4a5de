"""`note_rewrite`: the bot's end-of-turn note in absolute words: names, dates, places."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from . import dates
from .english import agreeing, capitalised, is_past, listed, possessive
from .people import People, people_of
from .places import without_relative_places
from .prompt_input import Given, moment, objects, text
from .similarity import Likeness
from .words import CHINESE, language


def rewrite_note(given: Given, _: Likeness) -> Given:
    """The whole note as one text, and its new information alone.

    In `action_summary` the first person is the bot; in `new_info` it is the sender.
    """
    action, info = text(given, "action_summary"), text(given, "new_info")
    lang = language(action + info)
    people = people_of(given, lang)
    now = _local_time(given)
    flagged = _flagged(given)
    did = _rewritten(_with_subject(action, people), people, now, given, flagged, by_bot=True)
    learnt = _rewritten(info, people, now, given, flagged, by_bot=False)
    return {"canonical_text": _joined(did, learnt, lang), "new_info": learnt}


def _rewritten(
    said: str, people: People, now: datetime, given: Given, flagged: list[str], *, by_bot: bool
) -> str:
    if not said:
        return ""
    hidden = _Hidden((*people.names, people.bot, people.group))
    said = hidden.show(dates.absolute(hidden.hide(said), now))
    said = without_relative_places(said, text(given, "location"), people.group, people.lang)
    said = without_pronouns(said, people, by_bot=by_bot)
    return _without_flagged(said, flagged, people, now, text(given, "location"))


def _local_time(given: Given) -> datetime:
    """The note's time in its own zone; a fixed offset of the time itself is its zone otherwise."""
    now = moment(given.get("time")) or datetime(1970, 1, 1, tzinfo=UTC)
    zone = text(given, "timezone")
    if not zone:
        return now
    try:
        return now.astimezone(ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError):
        return now


def _joined(did: str, learnt: str, lang: str) -> str:
    parts = [did] if did else []
    if learnt and learnt.strip("。.!！ ") not in did:
        parts.append(learnt)
    mark, glue = ("。", "") if lang == CHINESE else (".", " ")
    ended = [part if part[-1] in "。！？.!?…" else part + mark for part in parts]
    return glue.join(ended)


# ---- the missing subject

_VERB_FIRST_ZH = re.compile(
    r"^(?:已|已经|主动|向|给|为|帮|替|跟|和|与|对|把|陪|回[答复应]|解[释答决]|提[醒供议]|推荐|"
    r"分享|整理|查[询找看]|"
    r"记[录下住]|总结|告[诉知]|介绍|安[慰抚排]|建议|讨论|发[送布]|翻译|计算|搜[索寻]|确认|完成|"
    r"更新|生成|感谢|祝贺|"
    r"同意|拒绝|询问|指出|说明|答应|承诺|创建|设置|取消|欢迎|打招呼|协助|讲[了解述])"
)


def _with_subject(action: str, people: People) -> str:
    """ "Answered a question" becomes "the bot answered a question"."""
    if not action:
        return action
    if people.lang == CHINESE:
        return people.bot + action if _VERB_FIRST_ZH.match(action) else action
    first = action.split(maxsplit=1)[0]
    if is_past(first) and first not in people.names:
        return f"{capitalised(people.bot)} {first[0].lower()}{action[1:]}"
    return action


# ---- pronouns

_KEPT_ZH = (
    "其他", "其它", "吉他", "他人", "他乡", "排他", "利他", "自我", "忘我", "我国", "我方", "你好",
    "维他命", "马耳他", "他日", "他国",
)  # fmt: skip
_ZH = re.compile(
    r"(?P<the>[这那该此]位?(?:用户|使用者|发言者|提问者|群友|网友)|[这那]位(?:朋友|同学|老师|"
    r"成员|同事|伙伴|小伙伴|先生|女士|群主)?"
    r"|(?<![新老多少个些名位的])用户(?!名|体验|界面|数|量|们|端|增长|手册|群|中心|反馈))"
    r"|(?P<we>我们|咱们|咱)|(?P<yous>你们)|(?P<they>他们|她们)|(?P<its>它们)"
    r"|(?P<i>我)|(?P<you>你|您)|(?P<he>他|她)|(?P<it>它)"
)  # fmt: skip
_EN = re.compile(
    r"(?P<the>\b(?:the|this|that) (?:user|speaker|asker|person|member)\b)"
    r"|\b(?P<i>I)(?=['’ ,.!?]|$)|\b(?P<my>my)\b|\b(?P<me>me|myself)\b|\b(?P<mine>mine)\b"
    r"|\b(?P<your>your|yours)\b|\b(?P<you>you|yourself)\b"
    r"|\b(?P<his>his|hers)\b|\b(?P<her>her)\b|\b(?P<he>he|she)\b|\b(?P<him>him|himself|herself)\b"
    r"|\b(?P<their>their|theirs)\b|\b(?P<they>they)\b|\b(?P<them>them|themselves)\b"
    r"|\b(?P<our>our|ours)\b|\b(?P<we>we)\b|\b(?P<us>us|ourselves)\b"
    r"|\b(?P<its>its)\b|\b(?P<it>it)\b(?!\s*(?:'s|is|was|will be|has been|seems?|takes?|took|"
    r"rain|snow|looks like)\b)",
    re.IGNORECASE,
)
_HER_OBJECT = re.compile(
    r"\s*(?:$|[.,;!?)]|(?:to|about|for|with|at|in|on|and|that|if|how|why|what|when|because|as|"
    r"by|from|again|too|the|a|an|of|on)\b)",
    re.IGNORECASE,
)


def without_pronouns(said: str, people: People, *, by_bot: bool) -> str:
    hidden = _Hidden((*people.names, people.bot, people.group, *_KEPT_ZH))
    pattern = _ZH if people.lang == CHINESE else _EN
    done, rest = "", hidden.hide(said)
    while match := pattern.search(rest):
        done += rest[: match.start()]
        rest = rest[match.end() :]
        before = hidden.show(done)
        kind = match.lastgroup or ""
        if people.lang == CHINESE:
            name = _chinese(kind, before, people, by_bot)
        else:
            name, rest = _english(kind, before, rest, people, by_bot)
            if not before.strip() or re.search(r"[.!?]\s*$", before):
                name = capitalised(name)
        done += name
    return _tidied(hidden.show(done + rest), people)


def _chinese(kind: str, before: str, people: People, by_bot: bool) -> str:
    author, other = (people.bot, people.sender) if by_bot else (people.sender, people.bot)
    members = f"{people.group}成员" if people.group else "群成员"
    match kind:
        case "i":
            return author
        case "you":
            return other
        case "he":
            return _third(before, people)
        case "the":
            return people.sender
        case "we":
            return f"{people.bot}和{people.sender}" if by_bot else members
        case "yous":
            return members
        case "they":
            named = people.all_named(before)
            return "和".join(named) if len(named) > 1 else members
        case _:
            return _thing_zh(before)


def _english(kind: str, before: str, rest: str, people: People, by_bot: bool) -> tuple[str, str]:
    author, other = (people.bot, people.sender) if by_bot else (people.sender, people.bot)
    group = f"the members of {people.group}" if people.group else "the group's members"
    match kind:
        case "i":
            return author, agreeing(rest)
        case "my" | "mine":
            return possessive(author), rest
        case "me":
            return author, rest
        case "you":
            return other, agreeing(rest)
        case "your":
            return possessive(other), rest
        case "the":
            return people.sender, rest
        case "he":
            return _third(before, people), agreeing(rest) if rest[:1] in "'’" else rest
        case "him":
            return _third(before, people), rest
        case "his":
            return possessive(_third(before, people)), rest
        case "her":
            third = _third(before, people)
            return (third if _HER_OBJECT.match(rest) else possessive(third)), rest
        case "we" | "us" | "our":
            both = f"{people.bot} and {people.sender}" if by_bot else group
            if kind == "our":
                return possessive(both if by_bot else people.group or "the group"), rest
            return both, _plural(rest) if kind == "we" else rest
        case "it" | "its":
            thing = _thing_en(before)
            return (possessive(thing) if thing and kind == "its" else thing or kind), rest
        case _:
            named = people.all_named(before)
            several = listed(named) if len(named) > 1 else _third(before, people)
            if kind == "their":
                return possessive(several), rest
            if kind == "they" and len(named) < 2:
                return several, agreeing(rest)
            return several, _plural(rest) if kind == "they" else rest


def _plural(rest: str) -> str:
    """After a plural subject only the short forms must go."""
    for short, long in (("'re", " are"), ("'ve", " have"), ("'ll", " will"), ("'d", " would")):
        if rest.replace("’", "'").startswith(short):
            return long + rest[len(short) :]
    return rest


def _third(before: str, people: People) -> str:
    """He or she: whoever was named last here, else whom the message was about, else the sender."""
    return people.last_named(before) or people.spoken_of or people.sender


_THING = re.compile(
    r"\b(?:the|an?|[A-Z]\w*'s)\s+([a-z]+(?:[ -][a-z]+){0,2}?)"
    r"(?=\s+(?:is|was|has|had|will|of|in|on|at|for|to|and|that|which|about|with|from|by|but)\b|"
    r"[.,;!?]|$)"
)


_NO_THINGS = (
    "week",
    "weekend",
    "day",
    "morning",
    "afternoon",
    "evening",
    "group",
    "members",
    "chat",
)


def _thing_en(before: str) -> str:
    """It: the last thing spoken of with an article, if there is one."""
    things = [thing for thing in _THING.findall(before.rstrip()) if thing not in _NO_THINGS]
    return f"the {things[-1]}" if things else ""


_TITLE = re.compile(r"《[^》]+》|「[^」]+」|“[^”]+”")


def _thing_zh(before: str) -> str:
    """它: the title or thing in quotes before it, if there is one."""
    titles = _TITLE.findall(before)
    return titles[-1] if titles else "该事物"


def _tidied(said: str, people: People) -> str:
    """A name that stands twice in a row stands once; so does its possessive."""
    for name in {people.sender, people.bot, *people.names}:
        said = re.sub(rf"({re.escape(name)})(?:[，,]?\s*\1)+", r"\1", said)
    return said


class _Hidden:
    """Words in which no pronoun must be seen, put out of sight as single private characters."""

    def __init__(self, words: tuple[str, ...]) -> None:
        known = sorted({word for word in words if word}, key=len, reverse=True)
        self._marks = {word: chr(0xE000 + place) for place, word in enumerate(known)}

    def hide(self, said: str) -> str:
        for word, mark in self._marks.items():
            if word.isascii():
                said = re.sub(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", mark, said)
            else:
                said = said.replace(word, mark)
        return said

    def show(self, said: str) -> str:
        for word, mark in self._marks.items():
            said = said.replace(mark, word)
        return said


# ---- what a gate found last time

_PLACE_WORDS = re.compile(
    r"这里|那里|这儿|那儿|这边|那边|本地|当地|\b(?:here|there|local(?:ly)?|nearby)\b", re.IGNORECASE
)
_PERSON_WORDS = re.compile(
    r"[我你您他她它咱]|[这那]位|\b(?:i|me|my|you|your|he|she|him|her|his|they|them|their|we|us|"
    r"our|it|its|"
    r"this|that|these|those)\b", re.IGNORECASE,
)  # fmt: skip


def _flagged(given: Given) -> list[str]:
    found = objects(given, "violations")
    return [word for one in found if (word := text(one, "content", "word", "text", "match"))]


def _without_flagged(
    said: str, flagged: list[str], people: People, now: datetime, location: str
) -> str:
    """Whatever the gate objected to and is still here goes, by the plainest replacement."""
    hidden = _Hidden((*people.names, people.bot, people.group, location))
    said = hidden.hide(said)
    is_chinese = people.lang == CHINESE
    for word in flagged:
        if _PLACE_WORDS.fullmatch(word):
            instead = location or ("聊天中" if is_chinese else "in the chat")
        elif _PERSON_WORDS.fullmatch(word):
            instead = _plain_person(word, people)
        else:
            instead = now.date().isoformat()
        edge = r"\b" if word.isascii() else ""
        said = re.sub(
            rf"{edge}{re.escape(word)}{edge}", instead.replace("\\", ""), said, flags=re.IGNORECASE
        )
    return hidden.show(said)


def _plain_person(word: str, people: People) -> str:
    if word.lower() in ("it", "its", "this", "that", "these", "those"):
        return "the matter"
    return "该事物" if word.startswith("它") else people.sender
