"""Does a text ask something, and for what: a time, an amount? In chats many ask without a
question mark."""

import re

from shared.language.patterns import Phrases, PreparedText, any_of, read

_CHINESE = any_of(
    r"""
    吗|[呢么]$
    怎么|咋|如何|为什么|为[啥何毛]|干嘛|凭什么|什么|啥|哪|谁
    几[点号天次块岁月折层楼种]|几个人|多[少久大远长高重快宽]
    ([一-鿿]{1,2})不\1|可不可以|有[没木]有|[是能可]否  # 回不回来, 含税不含税
    [了过着好完到来去成掉定齐够]没有?$|[^不么好]不$  # 合同盖章了没, 下班一起打球不
    是.{1,20}还是
    # 火锅还是烧烤, but not: 我觉得还是先跑通
    [^,]{2,16}(?<![我们但可得])还是(?![先得要没有不很比挺把再在能会可应别等老那这])[^,没前后了]{1,6}$
    请问|请教|想问|问一?下|求[助救教推问解]|求一?[个份张篇款]
    求.{0,4}(?:指点|帮忙|解答|支招|分享|链接|资源)|[求有].{0,12}推荐$
    帮(?:忙|我|个忙).{0,3}(?:看|瞅|查|改|问|找|确认|分析|总结|解释|翻译|写|算|推荐)
    有(?:人|大佬|大神|老师|朋友).{1,16}(?:的|过)吗?$  # 有人用过这个的
    """
)
_CHINESE_NOT = any_of(
    r"""
    没(?:什么|啥|谁|怎么|几)|(?:不管|无论|不论).{0,4}(?:怎么|什么|谁|哪|多|如何)
    (?:什么|谁|怎么|啥|哪里|哪儿|哪个|多少)[都也]|什么的|哪怕|多少有[点些]
    (?:我|已经|终于|大概)就?(?:知道|明白|懂|清楚|记得).{0,4}(?:怎么|如何|为什么|什么|谁|哪)
    (?:说明|介绍|讲|记录|整理|演示|告诉你|教你|研究|看看|决定)[了一下]*.{0,3}(?:怎么|如何|为什么|什么|谁|哪)
    (?:先|再|可以|去|你)(?:看|查|检查|确认)[看下一]*.{0,24}(?:是不是|有没有|是否|会不会|能不能|什么|哪)
    (?:犹豫|纠结|考虑|讨论|想想|看情况|再看).{0,3}(?:要不要|是不是|能不能|该不该|怎么|什么|哪|谁)
    (?:取决于|看你|看他|要看).{0,6}(?:怎么|如何|什么|谁|哪)
    好几|大不了|差不多|了不得|动不动|巴不得|对不起|来不及|用不着|要不然|什么鬼|怎么说呢|谁知道
    """
)
"""The same words where nobody asks; taken out before asking is looked for."""

_PARTS = {
    "WH": r"(?:what|how|where|why|when|which|whose)",
    "BE": r"(?:is|are|am|was|were|isn't|aren't|wasn't|weren't)",
    "HELPER": (
        r"(?:do|does|did|can|could|should|would|will|has|have|had|don't|doesn't|didn't|can't"
        r"|couldn't|shouldn't|wouldn't|won't|hasn't|haven't|shall|might|may|must)"
    ),
    "SUBJECT": (
        r"(?:(?:i|you|u|ya|we|they|he|she|it|there|this|that|these|those|<PEOPLE>)\b"
        r"|(?:the|my|your|our|their|his|her|its|any|a|an)\b (?!same\b))"
    ),
    "PEOPLE": r"(?:(?:any|some|every)(?:one|body)|people|folks|y'?all|you guys)",
    # After a helping verb these show that only the subject was left out: can confirm, will do.
    "ELLIPSIS": (
        r"(?:be|been|being|confirm|do|love|like|not|have|had|also|just|probably|say|see|work|fine"
        r"|good|great|ok|okay|nice|thinking|wondering|going|about|so|too|very|really|always|never"
        r"|still|only|even|get|got|go|try|take|look|make|check|send|give|let|recommend|agree|hoping"
        r"|trying|happy)\b"
    ),
}
_SENTENCE = any_of(
    r"""
    ^(?:is|are|was|were|does|did|can|could|will|would|should|has) (?!<ELLIPSIS>)[\w.'-]+ [\w'-]
    ^(?:what|which|who|whose|why|how)\b
    """,
    **_PARTS,
)
"""How a whole sentence begins that asks; after a comma it may be something else."""

_ENGLISH = any_of(
    r"""
    ^(?:<WH>|who)(?:'s|'re|'d|'ll|'ve|s)\b|^<WH>(?: [\w'/+-]+){0,4}? (?:<BE>|<HELPER>)\b
    ^how {to, come, many, much, long, often, far, about, big, old, soon}
    ^what {about, if, time, else, kind, sort, happened, now, exactly, made, makes, keeps}
    ^what [a-z]+s (?!i\b|me\b)\w|^what \w+ (?:of|for)\b|^(?:what|how|why)$
    ^why {not, the, so, tho}|^who (?!knows|cares)\w+|^which \w+(?: \w+)?$|^any \w+$
    ^<BE> <SUBJECT>|^(?!do\b|don't\b|have\b|had\b|must\b|may\b)<HELPER> <SUBJECT>
    ^(?:do|don't|have|haven't|had|may|must) (?:i|you|u|we|they|<PEOPLE>)\b
    ^have the \w+ \w+(?:ed|en)\b
    \b(?:<BE>|<HELPER>) <PEOPLE>\b
    \b(?:can|could|would|will) (?:you|u|one of you) (?!be\b|see\b|get\b|also\b|just\b)
    \b(?:can|could|may) i {get, have, ask, use, join, borrow, see}
    ^any(?:one|body|thing) (?!can\b|goes\b|but\b|is\b|helps\b|works\b|who\b)\w+
    \b(?:any|some)(?:one|body) {know, else, tried, got, have, has, seen, up, free, want, remember}
    \b(?:any|some)(?:one|body) {here, around, able, using, used, interested, heard, can, willing}
    \bany (?:other |good |better |more )?{ideas?, thoughts?, suggestions?}
    \bany (?:other |good |better |more )?{recommendations?, recs, tips}
    ^any (?:\w+ )?{advice, updates?, news, chance, luck}
    ^any (?:\w+ )?{plans?, clues?, word, progress, way, feedback}
    ^any (?:\w+ ){1,3}{that, for, on, to, in, from, you, when, coming, left}|^got any\b
    {help, advice, thoughts, ideas, suggestions} {pls, plz, please}
    {help, advice, thoughts, ideas, suggestions} {needed, wanted, appreciated, anyone}
    {need, want, use, for, seeking} (?:some |any |your )?{help, advice}
    {need, want, use, for, seeking} (?:some |any |your )?{recommendations?, suggestions?}
    ^{wanna, fancy, care to, mind if, want to, feel like, up for, down for}
    {would you mind, do you mind}
    ^if (?:i|we) {borrow, use, join, come, leave, skip, bring, take}.{0,30}$  # ok if I borrow it
    {wondering, curious} {if, how, whether, what, why, when, who, where}
    {not sure, no idea, don't know, dunno, can't figure out, confused about} <WH>\b
    ^{quick question, help, explain, tell me, remind me}|^{eta, thoughts, objections} {on, for}
    \bplease {help, advise, explain}|\bplease\b.*{me, my}
    \bor {not, nah, no, what}$|\b\d\w* or \d\w*$
    """,
    **_PARTS,
)
_ENGLISH_NOT = any_of(
    r"""
    ^(?:what|how) {a, an, nice, cool, cute, sad, lovely, sweet, funny, awful, weird, exciting}
    ^what (?:i|we|you|he|she|they|it)\b(?!'ll).*|^what {matters, worked, helps, bugs}.*
    ^(?:when|where|while|how|why|whenever) {i, we, you, he, she, they, it, the, my, our, people}.*
    ^{what the (?:hell|heck|fuck), who (?:knows|cares), whoever, however, whatever}.*
    ^which {is, are, means, was, were, makes, would, will, should, could, has, i, we}.*
    ^{what happened (?:is|was), what can i say}.*
    ^{don't know what i'd, can (?:you|u) (?:believe|imagine)}.*
    {thanks? for, thank you for, thx for, let me know if, if you need}.*
    """
)
_FILLERS = any_of(
    r"""
    ^(?:(?:<FILLER>|<WHO>)[\s:]*)+
    """,
    FILLER=(
        r"(?:so|ok|okay|and|but|wait|um|uh|hmm+|well|also|btw|oh|ah|sorry|pls|please|anyway|actually"
        r"|then|now|yeah|no|like|again|honestly|seriously|just|exactly)\b"
    ),
    WHO=r"(?:hey|hi|hello|yo|guys|folks|team|all|everyone|dude|man|bro)\b",
)
"""What stands before the part of an English clause that counts."""


def is_question(text: str) -> bool:
    """`text` comes without mentions and placeholders."""
    return asks(read(text))


def asks(said: PreparedText) -> bool:
    if "?" in said.line:
        return True
    if any(_asks_in_english(each, _SENTENCE) for each in said.sentences):
        return True
    return any(_asks_in_chinese(each) or _asks_in_english(each, _ENGLISH) for each in said.clauses)


def _asks_in_chinese(clause: str) -> bool:
    return bool(_CHINESE.search(_CHINESE_NOT.sub("", clause)))


def _asks_in_english(text: str, pattern: Phrases) -> bool:
    return bool(pattern.search(_ENGLISH_NOT.sub("", _FILLERS.sub("", text))))


# ---- does it speak of another time

_NAMES_PAST = any_of(
    r"""
    昨|前天|上(?:周|个?月|次|回)|去年|前年|以前|之前|当时|那(?:天|次|时候)|早上|昨晚|刚才|\d[年月日号点]
    {yesterday, ago, last (?:week|month|year|night|time), earlier, previously, back then, when}
    \b\d{4}-\d{2}\b
    """
)


def names_time(text: str) -> bool:
    """Whether it speaks of some other time, past or to come: memory may be needed for that."""
    return read(text).has_time or _NAMES_PAST.search(text.casefold()) is not None


# ---- what the ranker of lines asks of a text; its weights were fitted on these

_ASKS_ANYTHING = re.compile(
    r"[?？]|[吗呢么]\s*$"
    r"|^(?:who|what|when|where|why|how|which|anyone|does|do|did|is|are|can|could|any)\b",
    re.IGNORECASE,
)
_ASKS_AMOUNT = re.compile(
    r"\b(?:how (?:much|many|long|far|old|big)|when|which (?:day|date)"
    r"|what (?:time|date|day|number|year|age|price))\b"
    r"|多少|几|什么时候|啥时候|多久|多大|多长|多高",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\d|[一二两三四五六七八九十百千半]"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty"
    r"|hundred|thousand|half|(?:mon|tues|wednes|thurs|fri|satur|sun)(?:day)?)\b",
    re.IGNORECASE,
)


def asks_anything(text: str) -> bool:
    return _ASKS_ANYTHING.search(text.strip()) is not None


def asks_amount(text: str) -> bool:
    """How much, how many, how long or when."""
    return _ASKS_AMOUNT.search(text) is not None


def has_amount(text: str) -> bool:
    """A number, in digits or words, or a day of the week."""
    return _AMOUNT.search(text) is not None
