"""Endings and changes: a group stops something, or does it at another time or otherwise."""

import re

_ENDS = re.compile(
    r"不再.{1,12}|再也不|不会再|以后(?:都|就)?不|停了|停掉|停办|不(?:搞|办|做|弄|组织|举行|开)了|散伙|"
    r"解散|为止|取消了?$|取消掉|废除|(?:正式|宣布|已经)结束|结束了$|没有了$|画上句号|决定不|"
    r"(?:我们|大家|咱们|群里).{0,4}不.{1,10}了$|"
    r"\b(?:we(?:'ve| have)? (?:all )?(?:just )?(?:stopped|quit|dropped|abandoned|given up|gave up|"
    r"ended|scrapped|cancelled)|(?:decided|agreed|voted) to (?:end|stop|drop|quit|cancel)|"
    r"put an end to|the end of|shut down|no longer|any ?more$|anymore\b|no more|for good|"
    r"discontinued|(?:is|are) (?:over|cancelled|canceled|dead|history)$|"
    r"(?:has|have) (?:been )?(?:ended|cancelled|canceled)|called it quits|disbanded)\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"改(?:到|成|为|在|用|去|喝|吃|看|玩|打|学|读|做|叫)|换(?:到|成|去|在)|调(?:到|整为)|挪到|移到|"
    r"搬到|推迟到|提前到|变成|"
    r"\b(?:mov(?:e|ed|ing)(?: \w+){0,4} to|switch(?:ed|ing)?(?: \w+){0,4} to|"
    r"chang(?:e|ed|ing)(?: \w+){0,4} to|shift(?:ed)?(?: \w+){0,4} to|"
    r"reschedul(?:e|ed)(?: \w+){0,4} (?:to|for)|(?:is|are) now on|(?<!from )now (?:on|at|happens)|"
    r"instead(?: of)?)\b",
    re.IGNORECASE,
)
_TO_EN = r"[\w' ]{2,24}?(?=\s+(?:for|at|because|starting|since|every|instead|now)\b|[.,;!?]|$)"
_FROM_TO = re.compile(
    r"从(?P<a>[^，。从]{1,12}?)(?:改|换|搬|转|挪|移|调)(?:到|成|用|为|去)(?P<b>[^，。了吧]{1,12})|"
    r"不(?:再)?(?P<a4>[^，。不]{1,8})改(?P<b4>[^，。了吧到成为]{1,8})|"
    rf"\bfrom (?P<a2>[\w' ]{{2,24}}?) to (?P<b2>{_TO_EN})|"
    rf"\bto (?P<b3>[\w' ]{{2,24}}?) instead of (?P<a3>{_TO_EN})",
    re.IGNORECASE,
)
_MONTH = r"[\d一二三四五六七八九十]+月(?:份|底|初|中旬)?"
_TO_MONTH = re.compile(rf"(?:改|推|挪|延|提前|推迟|延期)到了?({_MONTH})")


def ends(sentence: str) -> bool:
    return bool(_ENDS.search(sentence))


def changes(sentence: str) -> bool:
    return bool(_CHANGES.search(sentence))


def exchange(sentence: str) -> tuple[str, str] | None:
    """What gave way to what, if the sentence says both."""
    found = _FROM_TO.search(sentence)
    if found is None:
        return None
    old = next(found[name] for name in ("a", "a2", "a3", "a4") if found[name])
    new = next(found[name] for name in ("b", "b2", "b3", "b4") if found[name])
    return old.strip(), new.strip()


def new_month(sentence: str, statement: str) -> str:
    """The statement with the month that a sentence moves it to; empty where there is none."""
    found = _TO_MONTH.search(sentence)
    if found is None or not re.search(_MONTH, statement):
        return ""
    return re.sub(_MONTH, found[1], statement, count=1)
