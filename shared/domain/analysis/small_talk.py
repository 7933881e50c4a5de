"""Is a text only sociable? Greetings, thanks, laughter, moods."""

import re

from shared.domain.analysis.cues import Said, any_of

_REACTION = any_of(
    r"""
    哈+|呵{2,}|嘿+|嘻+|h{2,}|w{3,}|笑[死哭喷]|6{3,}|23{2,}|呜+|嘤+|噗|捂脸|狗头|doge
    (?:多|感|谢)谢(?:[你您啦了啊呀]|大佬|大家|各位|老板|哥|姐|群主|老师|大神|亲)*|thx+|3q|辛苦[了啦]?
    牛[逼批b啊皮掰]*|厉害[了啊呀]*|[太好真][强棒牛赞厉害]+[了啦啊]?|赞+|绝了|卧槽|我[去靠擦晕]|天[哪啊呐]|我的天|妈呀
    (?:恭喜|祝贺)[你啊啦]*|(?:生日|节日|新年|周末|元旦|中秋|春节|国庆|圣诞|端午)?快乐|加油[鸭呀啊]?|鼓掌|撒花|比心|啊这|无语[了]?
    \bl+o+l+\b|\blmf?ao+\b|\brofl\b|\b(?:ha|he)+h?\b|\bha+h\b|\bx+d+\b
    \bthanks?(?: (?:you|u|so much|a lot|a ton|again|all|everyone|guys|man|mate|dude))*|\bty(?:sm|vm)?\b|\bcheers\b
    \bomf?g\b|\bwow+\b|\bwhoa+\b|\bwtf\b|\bdamn+\b|\byay+\b|\bwoo+(?:hoo+)?\b|\bugh+\b|\boof\b|\byikes\b|\bbruh\b
    \bcongrat(?:ulation)?s(?: (?:on|to) [\w' ]+)?|\bhappy (?:birthday|new year|friday|holidays|anniversary|weekend)\b
    \b(?:nice|good|great) (?:one|job|work|stuff)\b|\bwell (?:done|played)\b|\bhilarious\b|\bgg(?:wp)?\b|\brip\b
    """  # noqa: E501
)
"""Never says anything, not even to a question."""

_SOCIAL = any_of(
    r"""
    好[的滴哒嘞吧呀啊哦呢耶]*|行[吧的啊]?|收到|了解|明白了?|知道了|懂了|\bok(?:ay|ie|k)?\b|可以[的啊]?|没(?:事|关系|问题|毛病)[的儿啦]?
    不(?:客气|用谢|谢|好意思)|早(?:上好|安|啊|呀)?|午安|晚(?:安|上好)|[中下]午好|[大各][家位]好|[你您]好|哈喽|嗨|在[呢的]?|拜拜?|再见|明天见
    溜了|撤了|下班[了啦咯]|睡了|冲[鸭啊冲]*|强啊?|太[惨难好][了啦]|真的(?:假的)?|确实|是[的啊呀吧]?|对[的啊呀哦]*|嗯+呢?|哦+|噢+|额+|呃+|唉+|哎+|诶|欸
    救命|抱抱|摸摸头?|心疼|羡慕了?|爱了|可爱|同意|附议|加一|顶|\+1|赞成|支持|期待|棒+|裂开了?|破防了?|周[一二三四五六日]了|原来如此|这样啊
    别(?:难过|担心|急|慌)|打扰了|回头聊|好久不见|欢迎(?:新人|大佬|回来|加入)?|问题不大|有道理|说得对|学到了|随便|都行|那就[好行]|无所谓
    各位|大家|大佬们?|老板|朋友们|家人们|宝[子贝]们?|兄弟们?|[了吧呀啦哟呢的嘛我你啊]
    \b(?:hey+|hi+|hello+|yo+|sup|gm|gn|good (?:morning|night|evening|afternoon|luck|point|call|idea|to know)|morning|night|bye+|cya)\b
    \bsee (?:you|ya|u)(?: (?:later|tomorrow|soon|there|around|then|monday|tonight|next week))?\b|\blater\b|\bttyl\b|\bbrb\b|\bafk\b|\bgtg\b
    \bnp\b|\bno (?:problem|worries|prob|way|kidding)\b|\byw\b|\byou(?:'re| are) (?:welcome|the best|amazing)\b|\bwelcome(?: back| aboard)?\b
    \bsure(?: thing)?\b|\bk+\b|\bcool+\b|\bnice+\b|\bneat\b|\bgreat\b|\bawesome\b|\bamazing\b|\bperfect\b|\bsweet\b|\blovely\b|\bbrilliant\b
    \byes+\b|\byeah+\b|\byep\b|\byup\b|\bno+\b|\bnope\b|\bnah\b|\btrue\b|\bright\b|\bexactly\b|\bindeed\b|\bagreed?\b|\bsame(?: here)?\b
    \bme (?:too|neither)\b|\+1|\bfair(?: enough| point)?\b|\bmakes sense\b|\bgot it\b|\bgotcha\b|\bnoted\b|\bwill do\b|\bon it\b|\bdone\b
    \bunderstood\b|\broger\b|\back\b|\bsounds (?:good|great|fun|like a plan)\b|\blooks? (?:good|great)\b|\blgtm\b|\blove (?:it|this|that)\b
    \bgood\b|\bsorry\b|\bmy bad\b|\boops+\b|\bnever ?mind\b|\bnvm\b|\bidk\b|\bjk\b|\bfor real\b|\bcute+\b|\badorable\b|\bfunny\b|\bfun\b|\bcrazy\b|\bwild\b
    \bhave a (?:good|nice|great|lovely|safe) (?:one|day|night|weekend|evening|trip|time)\b|\btake care\b|\bget well soon\b|\byou got this\b
    \b(?:dude|man|bro|mate|guys|folks|everyone|everybody|all|team|fam|so|too|that's|thats|that is|its|it's|very|really|such|oh+|ah+|aw+|hm+|mm+|uh+|um+|huh|phew|please|pls|well|again|here|there|and|the|is|was|a|this|i'm|im|then|to you|let's go+|mondays?|fridays?|tgif|finally|haha)\b
    """  # noqa: E501
)

_MOOD = any_of(
    r"""
    哈{2,}|笑死|[好太真超][热冷烦累困饿美惨难香爽甜帅]|[好太真超](?:可爱|好看|好吃|好笑|难受|无聊|舒服|开心|羡慕|离谱|想)|也太.{1,6}了
    [死炸疯哭麻裂爆]了$|不想(?:上班|起床|干活|动|工作|上课|学习|加班)|^(?:又?下[雨雪]|刮风|堵车)|想(?:家|放假|睡觉|摸鱼|下班)
    离谱|无语|绝了|真香|yyds|^你可?真|快乐|^祝|早点(?:休息|睡)|注意身体|加油|辛苦|[谢感]谢|恭喜|晚安|早安|[呀哇哟嘤呜]$|!!$
    \bl+o+l+\b|\blmf?ao+\b|\b(?:ha){2,}h?\b|\bomg\b|\bugh+\b|\byay+\b|\bbruh\b
    \b(?:so|too|super|soo+|kinda) (?:tired|hungry|bored|cute|cool|funny|sleepy|excited|happy|sad|hot|cold|good|proud)\b
    \b(?:love|hate|miss|adore) (?:this|that|it|you|u|these|those|my|mondays|the)\b
    ^(?:that|this|it|the)\b.{0,24}\b(?:awesome|amazing|hilarious|wild|crazy|insane|adorable|gorgeous|fun|lovely|beautiful|delicious|epic|nuts)\b
    \b(?:freezing|boiling|raining|snowing|pouring|starving|exhausted|sleepy)\b|\bcan'?t wait\b|\bneed (?:coffee|a nap|a drink|a beer|sleep)\b
    \bcongrat|\bthanks?\b|\bthx\b|\bty\b|\bgood (?:morning|night|luck|evening)\b|\bsee (?:you|ya|u)\b|\bhave a (?:good|nice|great|lovely|safe)\b
    \bhope (?:you|u|it)\b|\bso (?:sweet|kind|nice|thoughtful|lucky)\b|\byou (?:guys |all )?(?:are|rock)\b.{0,6}(?:best|rock|amazing)?
    \bwelcome (?:back|aboard|to the)\b|\bhappy (?:birthday|friday|new year|holidays|anniversary|weekend)\b|\bmerry christmas\b
    """  # noqa: E501
)
_MEANING = re.compile(r"[^\W_]|￼")
_GREETING = any_of(
    r"""
    ^(?:早(?:上好|安|啊|呀)?|晚(?:安|上好)|[大各][家位]好|[你您]好|哈喽|嗨|拜拜?|溜了|撤了|谢[谢了啦]|我?先?[睡撤溜闪走]了|[多感]谢|恭喜|辛苦|哈{2,}|好家伙)
    ^(?:hey|hi|hello|good (?:morning|night|evening)|night|bye|thanks?|thx|ty|congrat|lol|lmao|haha|omg|wow|ugh|rip|dude|woo|aight|welp|later|gn|gm)
    """  # noqa: E501
)
_LAUGHS = any_of(
    r"""
    哈{2,}|笑死|233+|hhh
    \bl+o+l+\b|\blmf?ao+\b|\b(?:ha){2,}h?\b|\brofl\b
    """
)
_SHORT = 8
_SHORT_WITH_LAUGHTER = 14
_TINY = 4


def is_reaction(said: Said) -> bool:
    """Only laughter, thanks, cheers or emoji."""
    return not _MEANING.search(_REACTION.sub("", said.line))


def is_social(said: Said) -> bool:
    """Only what people say to be sociable: leave it out and nothing is left."""
    return not _MEANING.search(_SOCIAL.sub("", _REACTION.sub(" ", said.line)))


def is_mood(said: Said) -> bool:
    """A short line that is about how somebody feels, or begins with a greeting or a laugh."""
    if said.has_things:
        return False
    if said.length <= _SHORT_WITH_LAUGHTER and _LAUGHS.search(said.line):
        return True
    if said.length > _SHORT:
        return False
    is_felt = said.has_emoji or _MOOD.search(said.line) or _GREETING.search(said.line)
    return bool(is_felt) and not said.is_reasoning


def is_tiny(said: Said) -> bool:
    """A few words that name nothing definite and weigh nothing."""
    return said.length <= _TINY and not said.has_things and not said.is_reasoning
