"""What a statement to be remembered must not be: unclear to a stranger, or an order to the bot."""

import re
from collections.abc import Collection

from shared.language.words import count_words

_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|\"[^\"]*\"")
_SPEAKER = re.compile(
    r"\b(?:I|I'm|I've|I'll|[Mm]e|[Mm]y|[Mm]ine|[Yy]ou|[Yy]our|[Yy]ours)\b|(?<!自)我(?!们)|[你您]"
)
"""Who speaks and who is spoken to are known only in the talk; "we" is the group."""
_LEADING = re.compile(
    r"\s*(?:(?:he|she|it|they|his|her|their|this|that|these|those|then|and|but)\b"
    r"|[他她它这那](?!们组织机构)|然后|而且|但是?|所以)",
    re.IGNORECASE,
)
"""Begins with what was said before."""
_SENTENCE_ENDS = re.compile(r"[。！？!?]|(?<=[a-z]{3})\.\s")
"""After a word, so that "Mr. Smith" is one."""
_DAY_OR_TIME = re.compile(
    r"\d+|\b(?:st|nd|rd|th|am|pm|of|on|at|the|next|last|every|to|jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)[a-z]*\b"
    r"|[年月日号点半周天上下午晚早星期礼拜一二三四五六七八九十]+",
    re.IGNORECASE,
)
LEAST_HAN = 5
"""花花是猫 says something and 报好名了 does not; below five characters the second is likelier."""

_BOT = re.compile(
    r"\b(?:the|this|our|your|my|group'?s?)\s+(?:chat\s?|ai\s)?(?:bot|assistant|ai)\b"
    r"|(?<![个只款台位])(?:机器人|助手|助理)|\b(?:bot|ai)\s*(?:必须|应该|以后|只能|要|得)",
    re.IGNORECASE,
)
"""This bot, not "a bot" that somebody builds."""
_LIKED = re.compile(
    r"(?:\b(?:find|like|love|enjoy|think|use|ask|thank|hate)\w*(?:\s+(?:how|what|that|when))?"
    r"|觉得|认为|喜欢|讨厌|爱用|感谢)\s*$",
    re.IGNORECASE,
)
"""What members make of the bot may be learnt."""
_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:instructions?|rules?|prompts?)\b"
    r"|\b(?:system\s+prompt|jailbreak|developer\s+mode)\b"
    r"|\b(?:always|never|only|must|from\s+now\s+on)\b.{0,12}\b(?:reply|respond|answer|obey|say)\b"
    r"|\byou\s+(?:must|should|shall|have\s+to|always|never|may\s+not|are\s+to)\b"
    r"|你(?:必须|应该|应当|以后|只能|不准|不许|要一直|永远)|(?:忽略|无视|忘掉|忘记).{0,10}(?:指令|提示|规则|设定)"
    r"|系统提示|提示词|(?:一律|必须|只能|永远|总是).{0,4}(?:回复|回答)",
    re.IGNORECASE,
)


def why_unclear(statement: str) -> str:
    """Why a stranger would not understand it; empty if they would."""
    said = _QUOTED.sub(" ", statement).strip()
    if _SENTENCE_ENDS.search(said.rstrip("。！？!?. ")):
        return "more than one sentence"
    if _SPEAKER.search(said) or _LEADING.match(said):
        return "a pronoun without a name"
    rest = _DAY_OR_TIME.sub(" ", said)
    is_han = re.search(r"[\u3400-\u9fff]", said) is not None
    if (is_han and count_words(said) < LEAST_HAN) or count_words(rest) < (1 if is_han else 2):
        return "a fragment"
    return ""


def is_about_the_bot(statement: str, bots: Collection[str] = ()) -> bool:
    """Whether it says what the bot is or has to do. `bots` are the names it goes by."""
    if _ORDER.search(statement):
        return True
    patterns = [_BOT, *(_name_of(bot) for bot in bots if len(bot) > 1)]
    places = (found.start() for pattern in patterns for found in pattern.finditer(statement))
    return any(not _LIKED.search(statement[:place]) for place in places)


def _name_of(bot: str) -> re.Pattern[str]:
    written = re.escape(bot)
    if bot.isascii():
        written = rf"(?<![^\W_]){written}(?![^\W_])"
    return re.compile(written, re.IGNORECASE)


_KINDS = (
    ("taboo", r"[不别](?:准|许|得|要|能|在|讨|谈|聊|发)|禁止|\b(?:no|never|nobody|not allowed)\b"),
    ("view", r"认为|觉得|[高低]估|\b(?:thinks?|believes?|agrees?|finds?)\b"),
    ("habit", r"每[天周月年晚]|定期|固定|\bevery\b|\bon \w+days\b"),
    ("preference", r"喜欢|偏好|爱[吃喝看玩听]|讨厌|\b(?:likes?|loves?|prefers?|hates?)\b"),
    ("trait", r"多为|大多|多数|主要是|来自|\b(?:most|mostly|mainly)\b"),
)


def kind_of_statement(statement: str) -> str:
    """Of one that was added without a kind, by its form: searches weigh the kind a little."""
    fit = (kind for kind, form in _KINDS if re.search(form, statement, re.IGNORECASE))
    return next(fit, "fact")
