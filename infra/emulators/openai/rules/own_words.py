"""Ordinary ways of saying something lasting of oneself, by what it is about.

Patterns for one clause in the first person. They were collected from what people say when they
introduce themselves, order food, plan a week or explain why they cannot come.
"""

import re

from .kinds import HABIT, PREFERENCE, PROJECT, TRAIT

_MONTH_EN = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_DAYS_EN = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_WEEKDAY_ZH = r"(?:周|星期|礼拜)[一二三四五六日天末]"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_BODY = _any(
    r"我[^，。]{0,3}(?:有|得了|患)[^，。]{0,4}(?:鼻炎|"
    r"哮喘|胃病|高血压|糖尿病|关节炎|偏头痛|湿疹|抑郁症|贫血)",
    r"我[^，。]{0,3}(?:晕车|晕船|晕机|恐高|怕狗|怕猫|近视|色盲|色弱|备孕|左撇子)",
    r"我[^，。]{0,3}不(?:太|怎么)?能(?:吃|喝|碰|久坐|熬夜|跑|晒|抽)",
    r"我(?:已经)?戒[^，。]{1,6}(?:年|月|周|天)",
    r"\bi(?:'m| am) (?:scared|afraid|terrified) of\b",
    r"\bi get (?:\w+ )?(?:sick|migraines|dizzy)\b",
    r"\bi(?:'ve| have)(?: got)? (?:asthma|diabetes|"
    r"a bad (?:back|knee|hip)|migraines|hay fever|an allergy)",
    r"\bi(?:'m| am) (?:left[- ]handed|colou?r[- ]?blind|deaf|dyslexic|diabetic|retired|teetotal)",
    r"\bi(?:'m| am) not (?:drinking|eating|smoking)\b(?! (?:that|this\b(?! (?:month|year))))",
)
_LIFE = _any(
    r"我[^，。]{0,4}换了?(?:新)?工作",
    r"我是(?:学|做|搞|教|卖|开)[^，。]{1,8}的?$",
    r"我(?:在[^，。]{1,8})?教[^，。你他她我]{2,8}$",
    r"我是?当[^，。]{2,6}的$",
    r"我(?:今年|现在|明年)?(?:大[一二三四]|研[一二三]|高[一二三]|初[一二三])(?:了|$)",
    r"我[^，。]{0,6}房子在",
    r"我?老家(?:是|在)",
    r"我(?:的)?生日(?:是|在)?[^，。]*[月号日]",
    r"我[^，。]{0,4}(?:调到|调去|调岗|转岗|升)[^，。]{2,8}",
    r"我(?:负责|管|主管|分管)[^，。你他她得不用]{2,8}$",
    r"我(?:报名|竞选)?当(?:了)?[^，。]{0,4}(?:长|管理员|委员|代表|主席|会计|出纳)",
    r"我(?:是|做)[^，。]{0,6}(?:长|管理员|委员|代表|主席|会计|出纳)$",
    r"我用的?(?:是)?(?:安卓|苹果|小米|华为|windows|mac|linux)",
    r"\bi(?:'ve| have)(?: just| recently)? (?:started|got|taken) a (?:new )?job\b",
    r"\bi(?:'m| am) in my (?:first|second|third|final|last) year\b",
    r"\bi(?:'m| am)(?: originally)? from [A-Z]",
    r"\bi (?:now |still |just )?live(?:s|d)? (?:just |right |"
    r"out )?(?:by|near|in|over|around|on|opposite|now)\b",
    r"\bi(?:'ve| have) (?:just )?moved (?:in|to|out|into)\b|\bi moved (?:in|to|into)\b",
    r"\bmy birthday(?:'s| is)\b",
    r"\bi(?:'m| am) (?:doing|running|taking over|handling|keeping) the (?!same|best|most)\w+",
    r"\bi (?:do|keep|handle|run|chair|coach|edit) the (?!same|best|most|thing|job|dishes)\w+",
    r"\bi(?:'ll| will) (?:take over|look after|be in charge of|handle) the\b",
    r"\bi (?:don't|do not) (?:have|own) an? (?:car|bike|phone|licen[cs]e|tv|garden|dishwasher)\b",
    r"\bi (?:don't|do not|can't|cannot) (?:drive|swim|cycle|cook|read music|speak)\b",
    r"\bi (?:speak|sing|play)(?: the)? (?!with|along|"
    r"it\b|that\b|this\b|games? (?:tonight|later))\w+",
)
_FAMILY = _any(
    r"我(?:家)?(?:老婆|媳妇|爱人|妻子|姐|妹|闺女|女儿|嫂子)[^，。]{0,4}(?:怀|生了|预产)",
    r"我家?(?:里)?(?:有|养了?)(?:一)?[只条][^，。]{1,6}",
    r"\bmy (?:wife|partner|sister|daughter)(?:'s| is) (?:due|expecting|pregnant)\b",
    r"\bi(?:'m| am) (?:pregnant|expecting|due)\b",
    r"\bmy (?:son|daughter|kids?|eldest|youngest) (?:starts?|goes to|is at|turns)\b",
    r"\b(?:i|we)(?:'ve| have)(?: just)? got an? (?:\w+ )?(?:dog|"
    r"cat|puppy|kitten|rabbit|\w+ called [A-Z])",
)
_TASTE = _any(
    r"我不(?:玩|开|抽|打|熬)[^，。了住过到完起]{1,6}$",
    r"\bi(?:'m| am) (?:a )?(?:huge|big|massive) (?:fan of|on|into)\b",
    r"\bi (?:can't|cannot|don't|won't) do (?:mon|tues|wednes|"
    r"thurs|fri|satur|sun)days|\bi don't do mornings\b",
)
_WEEK = _any(
    rf"我[^，。]{{0,4}}{_WEEKDAY_ZH}[^，。]{{0,4}}(?:休息|"
    rf"有[^，。]{{0,6}}课|要上课|值班|上班|不在|不上班|带娃|来不了)",
    r"我[^，。]{0,3}(?:晚上|早上|凌晨)[^，。]{0,2}[\d一二三四五六七八九十半两]+点[^，。]{0,4}(?:就|"
    r"才|才能)(?:睡|起|下班|到家|回)",
    r"\bi(?:'ve| have)(?: got)? (?:\w+ ){1,3}(?:on|every) " + _DAYS_EN,
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days? (?:is|are) my day off\b",
    r"\bi(?:'m| am) (?:in bed|up|asleep) by \w+ (?:most|every)\b",
    rf"\bi(?:'m| am)(?: always| never)? (?:free|busy|off|"
    rf"away|working|at \w+) (?:on |every )?{_DAYS_EN[:-1]}",
    r"\bi(?:'m| am) never free\b",
)
_PROJECTS = _any(
    r"我(?:最近|现在|正在|一直)?在?(?:学|备考|准备考|自学)(?:习)?[^，。校会到了期生]{2,8}$",
    r"\bi(?:'m| am| have started|'ve started) (?:learning|"
    r"training for|writing a|building an?|studying)\b",
    rf"\bi(?:'m| am) (?:sitting|taking|doing) (?:my|"
    rf"the) [^.]*\b(?:in|on) (?:the )?(?:\w+ of )?{_MONTH_EN}",
    rf"\bi(?:'m| am) off to [A-Z]\w+[^.]*\b(?:in|until|from) (?:\w+ )?{_MONTH_EN}",
)

OWN_WORDS = (
    (TRAIT, _BODY),
    (TRAIT, _LIFE),
    (TRAIT, _FAMILY),
    (PREFERENCE, _TASTE),
    (HABIT, _WEEK),
    (PROJECT, _PROJECTS),
)
