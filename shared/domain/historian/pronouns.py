"""Names where pronouns stood, in Chinese and English, with the verbs made to follow."""

import re

from shared.domain.historian.english import agreeing, capitalised, listed, possessive
from shared.domain.historian.people import People
from shared.domain.historian.untouchable import Veil

_ZH = re.compile(
    r"(?P<the>[这那该此]位?(?:用户|使用者|发言者|提问者|群友|网友)|[这那]位(?:朋友|同学|老师|"
    r"成员|同事|伙伴|小伙伴|先生|女士|群主)?"
    r"|(?<![新老多少个些名位的])用户(?!名|体验|界面|数|量|们|端|增长|手册|群|中心|反馈|画像|协议))"
    r"|(?P<we>我们|咱们|咱|俺们)|(?P<yous>你们|您们)|(?P<they>他们|她们)|(?P<its>它们)"
    r"|(?P<i>我|俺)|(?P<you>你|您)|(?P<he>他|她)|(?P<it>它)"
)
_EN = re.compile(
    r"(?P<the>\b(?:the|this|that) (?:user|speaker|asker|person|member)\b)"
    r"|\b(?P<i>I)(?=['’ ,.!?]|$)|\b(?P<my>my)\b|\b(?P<me>me|myself)\b|\b(?P<mine>mine)\b"
    r"|\b(?P<your>your|yours)\b|\b(?P<you>you|yourself)\b"
    r"|\b(?P<his>his|hers)\b|\b(?P<her>her)\b|\b(?P<he>he|she)\b|\b(?P<him>him|himself|herself)\b"
    r"|\b(?P<their>their|theirs)\b|\b(?P<they>they)\b|\b(?P<them>them|themselves)\b"
    r"|\b(?P<our>our|ours)\b|\b(?P<we>we)\b|\b(?P<us>us|ourselves)\b"
    r"|\b(?P<its>its|itself)\b|\b(?P<it>it)\b(?!\s*(?:'s|is|was|will be|has been|seems?|takes?|"
    r"took|rain|snow|looks like|turned out|turns out)\b)",
    re.IGNORECASE,
)
_HER_OBJECT = re.compile(
    r"\s*(?:$|[.,;!?)]|(?:to|about|for|with|at|in|on|and|that|if|how|why|what|when|because|as|"
    r"by|from|again|too|the|a|an|of|on)\b)",
    re.IGNORECASE,
)
_SENTENCE_START = re.compile(r"(?:^|[.!?])\s*$")


def without_pronouns(said: str, people: People, *, by_bot: bool) -> str:
    """In what the bot did the first person is the bot; in what it learnt, the sender."""
    veil = Veil((*people.names, people.bot, people.group))
    pattern = _ZH if people.is_chinese else _EN
    done, rest = "", veil.hide(said)
    while match := pattern.search(rest):
        done += rest[: match.start()]
        rest = rest[match.end() :]
        before = veil.show(done)
        kind = match.lastgroup or ""
        if people.is_chinese:
            name = _chinese(kind, before, people, by_bot)
        else:
            name, rest = _english(kind, match[0], before, rest, people, by_bot)
            if _SENTENCE_START.search(before):
                name = capitalised(name)
        done += name
    return _once(veil.show(done + rest), people)


def _chinese(kind: str, before: str, people: People, by_bot: bool) -> str:
    author, other = (people.bot, people.sender) if by_bot else (people.sender, people.bot)
    members = f"{people.group}成员" if people.group else "群成员"
    match kind:
        case "i":
            return people.speaker_in(before) or author
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


def _english(
    kind: str, word: str, before: str, rest: str, people: People, by_bot: bool
) -> tuple[str, str]:
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
            if not thing:
                return word, rest
            return (possessive(thing) if word.lower() == "its" else thing), rest
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
    r"\b(?:the|an?|[A-Z]\w{0,30}'s)\s+([a-z]+(?:[ -][a-z]+){0,2}?)"
    r"(?=\s+(?:is|was|has|had|will|of|in|on|at|for|to|and|that|which|about|with|from|by|but)\b|"
    r"[.,;!?]|$)"
)
_NO_THINGS = frozenset(
    ("week", "weekend", "day", "morning", "afternoon", "evening", "group", "members", "chat")
)


def _thing_en(before: str) -> str:
    """It: the last thing spoken of with an article, if there is one."""
    things = [thing for thing in _THING.findall(before[-300:].rstrip()) if thing not in _NO_THINGS]
    return f"the {things[-1]}" if things else ""


_TITLE = re.compile(r"《[^》]{1,100}》|「[^」]{1,100}」|“[^”]{1,100}”")


def _thing_zh(before: str) -> str:
    """它: the title or thing in quotes before it, if there is one."""
    titles = _TITLE.findall(before)
    return titles[-1] if titles else "该事物"


def _once(said: str, people: People) -> str:
    """A name that stands twice in a row stands once; so does its possessive."""
    for name in {people.sender, people.bot, *people.names}:
        said = re.sub(rf"({re.escape(name)})(?:[，,]?\s?\1)+", r"\1", said)
    return said
