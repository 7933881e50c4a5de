"""Set phrases in which a pronoun means nobody and "here" is nowhere.

They stay as they are, for the rewrite and for the gate. Listed is what is said so and not
otherwise: where the same words may mean somebody, a sign beside them must tell.
"""

import re

_OATH_END = r"(?=[，。！？、,.!?…~～\s]|$|太|真|居然|竟然|好[贵难大多])"
_OATHS_ZH = (
    r"我的?(?:老天爷?|妈[呀啊耶]|个?乖乖|个?神[呀啊]|上帝啊)|我的天[啊哪呐呀哦这那]",
    rf"我(?:的天|[靠擦操艹草]){_OATH_END}|我[勒了嘞]个?(?:大?去|天|擦)|我滴个?[妈乖神天]",
    (
        r"[你他](?:妈|奶奶|娘)的(?=[，。！!…]|$|又|真|太|就|还|都|居然|竟然|什么|怎么|谁|[热冷烦累贵坑难疼吵晦]|"
        r"倒霉|气死|敢)"
    ),
    r"(?<=[真太这都])[他你]妈的?|[去滚][你他]的(?=[，。！!吧]|$)|管[他它你](?:呢|的呢|三七)",
)
"""他妈的 before a noun is his mother's; before what is felt or done it is an oath."""
_SAYINGS_ZH = (
    r"你懂的(?=[，。！!~～…]|$)|你一[言句拳票]我一[语句言脚票]|你看我，?我看你|你侬我侬|你中有我|我中有你|你我他",
    r"你画我猜|我爱我家|非[你我]莫属|人[无有]我[有优]|你行你上|由[他她它]去吧|[他她]/[他她]",
    r"随[你他她]便?(?=[，。！吧]|$)|[爱信]不信由你|天知地知你知我知",
)
_FOREIGN_ZH = (
    r"他(?:克莫司|莫昔芬|巴唑|喷他多|扎罗汀|唑巴坦|列汀|滨|啶|敏(?=[片，。]|$))|[布利帕西]司他|司他韦|雷他定|西他赛",
    r"皮他饼|他信(?=总理|政府|派)",
)
"""Medicines and foreign words that are written with 他 for its sound."""
_NOWHERE_ZH = (
    r"[聊说讲写谈读学看做想听唱就]到这[里儿](?=[，。！!,吧了就…]|$)|到[这此][里儿]?(?:为止|结束)",
    r"[这那]里(?:头(?![发条盔等])|面(?![积包馆条临试子对粉食前]))",
    r"(?:问题|关键|重点|原因|区别|难点|好处)[就也都正]?出?在[这那][里儿]",
)
"""As far as one got, what is in a matter: no places."""
_NOBODY_EN = (
    r"(?<=\bthank )you(?= (?:cards?|notes?|letters?|gifts?|presents?|emails?|messages?|speech)\b)",
    r"(?<=\bsay thank )you|(?<=\bsays thank )you|(?<=\bsaid thank )you|(?<=\ba thank )you",
    r"(?<=\bsome )me(?= time\b)|(?<=\bmore )me(?= time\b)|(?<=\bany )me(?= time\b)",
    r"(?<=\bof )me(?= time\b)|(?<=\bneeded )me(?= time\b)|(?<=\blittle )me(?= time\b)",
    r"\b(?:dear|bless) me\b|\bmy (?:god|goodness|gosh)\b|\b(?:oh my|my bad)\b(?! [a-z])",
    r"\byou(?:['’]re welcome| never know| know (?:what|who)(?=[,.!?]|$))|\bmind you\b(?=,)",
    r"\bdo it yourself\b|\b(?:he or she|him or her|his or her|his and hers)\b",
    r"\b(?:he|she|they|ze|xe)/(?:him|her|hers|them|they|she|his)(?:/\w{2,6})?\b",
    r"\b(?:\w{1,20}-){1,4}(?:me|you|it|yourself|us|them|here|there)\b(?:-\w{1,20}){0,3}",
    r"\b(?:me|you|he|she)-\w{1,20}\b",
)
_NOWHERE_EN = (
    r"\b(?:hi|hey|hello|howdy|are you|so|oh) there\b(?=$|[,.!?:;]| (?:all|every|folks|guys))",
    r"\b(?:hang(?:s|ing)?|hung) in there\b|\bhere and there\b|\bneither here nor there\b",
    r"\bhere and now\b|\bthen and there\b|\bthere and then\b|\bthere,? there\b|\bsame here\b",
    r"\b(?:almost|nearly|halfway|not quite) there\b|\bfrom here on\b(?: (?:out|in)\b)?",
    r"\bhere today,? gone tomorrow\b|\bbeen there,? done that\b|\bwho['’]?s there\b",
    r"\bthere (?:(?:you|we) go|(?:he|she|it) goes|you have it)\b",
)
_AT_HEAD = r"(?:(?<=^)|(?<=[.!?:;,] )|(?<=\n))"
_SHOWS_EN = (
    rf"{_AT_HEAD}here(?:['’](?:s|re)\b| (?:goes|comes?)\b| (?:we|you) (?:go\b|are(?=$|[,.!]))"
    r"| (?:he|she|it|they) (?:goes|comes?|is(?=$|[,.!:]))"
    r"| (?:is|are) (?=(?:the|an?|my|our|your|his|her|their|what|how|why|some|another|one)\b))"
)
"""Here's the plan: what comes is shown, and nobody is anywhere."""
_ADVERB = r"(?:just|really|still|also|probably|always|never|only|already)"
_NOT_OVER = r"(?<!over )(?<!from )(?<!out )(?<!up )(?<!down )(?<!near )(?<!around )"
_EXISTS_EN = (
    rf"(?:{_AT_HEAD}(?:(?:and|but|so|or|what|why|when|how|who) )?"
    r"|\bhow (?:many|much) \w{1,20} |\bwhat else )"
    r"(?:(?:is|are|was|were)(?:n['’]t)?|will|has|have|had|can|could|would|should) there\b"
    rf"|{_NOT_OVER}\bthere(?:['’](?:s|re|d|ll|ve)\b| (?:{_ADVERB} )?"
    r"(?:isn|aren|wasn|weren|hasn|haven|hadn|won|wouldn|can|couldn|don)['’]t\b"
    r"| (?:seems?|seemed|used to|exists?|remains?|appears?|needs? to be|has to be|goes)\b"
    rf"| {_ADVERB} (?:is|are|was|were|will|has|have|had)\b)"
)
"""Is there parking? There isn't. Of what there is, "there" is no place."""
IDIOM_ZH = re.compile("|".join([*_OATHS_ZH, *_SAYINGS_ZH, *_FOREIGN_ZH, *_NOWHERE_ZH]))
IDIOM_EN = re.compile("|".join([*_NOBODY_EN, *_NOWHERE_EN, _SHOWS_EN, _EXISTS_EN]), re.IGNORECASE)
NUMERAL = re.compile(
    r"\bWorld War I\b(?!['’])|\b(?:Part|Type|Phase|Chapter|Act|Stage|Volume|Book|Level|Grade|"
    r"Class|Title|Tier|Article|Section|Calculus|Algebra|Napoleon|Charles|James|Elizabeth|Francis|"
    r"Wilhelm|Nicholas) I(?=$|[.,;:!?)]| (?:of|is|exam|ended|starts|and|on|in)\b)"
)
"""I as a number, behind what is counted so."""
