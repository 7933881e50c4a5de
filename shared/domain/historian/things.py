"""What "it" and "them" mean: the thing spoken of last."""

import re

from shared.domain.historian.english import is_done, is_past

_THING = re.compile(
    r"\b(?:[Tt]he|[Aa]n?|(?P<owner>[A-Z]\w{0,30}'s))\s+(?P<thing>[a-z]+(?:[ -][a-z]+){0,2}?)"
    r"(?=\s+(?:is|was|has|had|will|of|in|on|at|for|to|and|that|which|about|with|from|by|but)\b|"
    r"[.,;!?])"
)
_THINGS = re.compile(
    r"(?:\b(?:the|some|those|these|two|three|four|\d{1,3}|many|all|any|no|more|about|on|of|his|her|"
    r"my|their|our)|[A-Z][\w-]{0,30}['’]s)\s+(?:(?:new|old|last|big|small|"
    r"other|spare|first|next) )?([a-z]{2,20}[a-rt-z]s)\b(?!['’])"
)
_NO_THINGS_WORDS = """
    days weeks weekends months years hours minutes mornings evenings nights times members
    pounds dollars euros bucks kilos grams miles metres meters percent points
"""
_NO_THING_WORDS = """
    week weekend day morning afternoon evening group members chat member person people user
    assistant landlord landlady doctor boss manager teacher plumber dentist vet agent friend
    colleague neighbour neighbor man woman guy girl boy kid child team brother sister mum mom mother
    dad father son daughter wife husband partner boyfriend girlfriend roommate flatmate housemate
    cousin uncle aunt grandma grandpa gran nan nephew niece baby
"""
_NO_THINGS = frozenset(_NO_THING_WORDS.split())


def things_named(before: str) -> list[str]:
    """What "them" may mean beside people: two keys, Sam's boxes, talk about phones."""
    found = _THINGS.findall(before[-300:])
    return [one for one in found if one not in _NO_THINGS_WORDS.split()]


def thing_en(before: str) -> str:
    """It: the last thing spoken of with an article, if there is one. What stands before a verb of
    the same words does something to it: the plumber fixed it."""
    things = []
    for phrase in _THING.finditer(before[-300:].rstrip()):
        words = phrase["thing"].split()
        words = _thing_of(words) if phrase["owner"] else words
        while words and is_past(words[-1]):
            words.pop()
        if words and words[-1] not in _NO_THINGS:
            things.append(" ".join(words))
    return f"the {things[-1]}" if things else ""


_ARTICLES = ("a", "an", "the", "some")


def _thing_of(words: list[str]) -> list[str]:
    """Without what the owner does: "Nora's been away" and "Nora's running" have no thing in them,
    "Nora's running a race" has the race."""
    for place, word in enumerate(words):
        if word in _ARTICLES:
            return words[place + 1 :]
    verb = words[0] if words else ""
    is_doing = is_done(verb) or is_past(verb) or (len(words) == 1 and verb.endswith("ing"))
    return [] if is_doing else words


_THING_ZH = re.compile(
    r"把([\u3400-\u9fff]{1,4}?)(?=[寄送放带借卖修拿搬扔落忘弄丢交改退洗养关接])"
    r"|[一两三这那](?:只|台|部|辆|张|本|条|盆|块|份|件|棵|幅)([\u3400-\u9fff]{1,4}?)(?=[，。了的在叫很太]|$)"
    r"|((?:小|大|橘|黑|白)?(?:猫|狗|兔子|仓鼠|乌龟|鹦鹉))(?![砂粮窝])"
)
"""A thing that somebody has, gives or loses: 把狗寄养, 一台相机."""
_TITLE = re.compile(r"《[^》]{1,100}》|「[^」]{1,100}」|“[^”]{1,100}”")


def thing_zh(before: str) -> str:
    """它: the title or thing in quotes before it, if there is one, else the last thing in hand."""
    titles: list[str] = _TITLE.findall(before)
    if titles:
        return titles[-1]
    things = ["".join(one.groups("")) for one in _THING_ZH.finditer(before[-300:])]
    return things[-1] if things else "该事物"
