"""Is a text only sociable? Greetings, thanks, laughter, moods."""

from shared.language.patterns import THING, PreparedText, any_of, read

_LAUGHS = any_of(
    r"""
    哈{2,}|笑[死哭喷]|23{2,}|hhh+
    {l+o+l+, lmf?ao+, rofl, (?:ha)+h?, ha+h, heh, x+d+}
    """
)
_REACTION = any_of(
    r"""
    <LAUGHS>|哈|呵{2,}|嘿+|嘻+|h{2,}|w{3,}|6{3,}|呜+|嘤+|噗|捂脸|狗头|doge|鼓掌|撒花|比心
    (?:多|感|谢)谢(?:[你您啦了啊呀]|大佬|大家|各位|老板|哥|姐|群主|老师|大神|亲)*|3q|辛苦[了啦]?
    加油[鸭呀啊]?
    牛[逼批b啊皮掰]*|厉害[了啊呀]*|[太好真][强棒牛赞厉害]+[了啦啊]?|赞+|绝了|卧槽|我[去靠擦晕]
    天[哪啊呐]
    (?:恭喜|祝贺)[你啊啦]*|(?:生日|节日|新年|周末|元旦|中秋|春节|国庆|圣诞|端午)?快乐|啊这|无语了?
    我的天|妈呀
    {thanks?(?: (?:you|u|so much|a lot|a ton|again|all|everyone|guys|man|mate|dude))*}
    {thx+, ty(?:sm)?}
    {cheers, omf?g, wow+, whoa+, wtf, damn+, yay+, woo+(?:hoo+)?, ugh+, oof, yikes, bruh, hilarious}
    {congrat(?:ulation)?s(?: (?:on|to) [\w' ]+)?, well (?:done|played), gg(?:wp)?, rip}
    {happy (?:birthday|new year|friday|holidays|weekend)}
    {(?:nice|good|great) (?:one|job|work|stuff)}
    """,
    LAUGHS=_LAUGHS.pattern,
)
"""Never says anything, not even to a question."""

_SOCIAL = any_of(
    r"""
    好[的滴哒嘞吧呀啊哦呢耶]*|行[吧的啊]?|收到|了解|明白了?|知道了|懂了|可以[的啊]?
    没(?:事|关系|问题|毛病)[的儿啦]?
    不(?:客气|用谢|谢|好意思)|早(?:上好|安|啊|呀)?|午安|晚(?:安|上好)|[中下]午好|[大各][家位]好
    [你您]好|哈喽|嗨
    在[呢的]?|拜拜?|再见|明天见|溜了|撤了|下班[了啦咯]|睡了|冲[鸭啊冲]*|强啊?|太[惨难好][了啦]
    真的(?:假的)?|确实
    是[的啊呀吧]?|对[的啊呀哦]*|嗯+呢?|哦+|噢+|额+|呃+|唉+|哎+|诶|欸|救命|抱抱|摸摸头?|心疼|羡慕了?
    爱了|可爱
    同意|附议|加一|顶|\+1|赞成|支持|期待|棒+|裂开了?|破防了?|周[一二三四五六日]了|原来如此|这样啊
    那就[好行]
    别(?:难过|担心|急|慌)|打扰了|回头聊|好久不见|欢迎(?:新人|大佬|回来|加入)?|问题不大|有道理|说得对
    学到了
    随便|都行|无所谓|各位|大家|大佬们?|老板|朋友们|家人们|宝[子贝]们?|兄弟们?
    [了吧呀啦哟呢的嘛我你啊]
    {hey+, hi+, hello+, yo+, sup, gm, gn, morning, night, bye+, cya, later, ttyl, brb, afk, gtg}
    {good(?: (?:morning|night|evening|afternoon|luck|point|call|idea|catch|to know))?}
    {sure(?: thing)?}
    {see (?:you|ya|u)(?: (?:later|tomorrow|soon|there|around|then|monday|tonight|next week))?}
    {np, no (?:problem|worries|prob|way|kidding), yw, you(?:'re| are) (?:welcome|the best|amazing)}
    {welcome(?: back| aboard)?, ok(?:ay|ie|k)?, k+, cool+, nice+}
    {neat, great, awesome, amazing, perfect}
    {sweet, lovely, brilliant, yes+, yeah+, yep, yup, no+, nope, nah, true, right, exactly, indeed}
    {agreed?, same(?: here)?, me (?:too|neither)}
    {fair(?: enough| point)?, makes sense, got it, gotcha}
    {noted, will do, on it, done}
    {understood, roger, ack, sounds (?:good|great|fun|like a plan), lgtm}
    {looks? (?:good|great), love (?:it|this|that), sorry, my bad, oops+, never ?mind, nvm, idk, jk}
    {for real, cute+, adorable, funny, fun, crazy, wild, take care, get well soon, you got this}
    {have a (?:good|nice|great|lovely|safe) (?:one|day|night|weekend|evening|trip|time)}
    {let's go+, tgif}
    {dude, man, bro, mate, guys, folks, everyone}
    {everybody, all, team, fam, mondays?, fridays?, finally}
    {so, too, that's, thats, that is, its, it's, very, really, such, please, pls, well, again, here}
    {there, and, the, is, was, a, this, i'm, im, then}
    {to you, oh+, ah+, aw+, hm+, mm+, uh+, um+, huh, phew}
    """
)
"""Says nothing of its own, but can be an answer: yes, ok, 可以."""

_MOOD = any_of(
    r"""
    [好太真超](?:[热冷烦累困饿美惨难香爽甜帅]|可爱|好看|好吃|好笑|难受|无聊|舒服|开心|羡慕|离谱|想)
    也太.{1,6}了
    [死炸疯哭麻裂爆]了$|不想(?:上班|起床|干活|动|工作|上课|学习|加班)|想(?:家|放假|睡觉|摸鱼|下班)
    ^(?:又?下[雨雪]|刮风|堵车)|离谱|无语|绝了|真香|yyds|^你可?真|快乐|^祝|早点(?:休息|睡)|注意身体
    加油|辛苦
    [谢感]谢|恭喜|[晚早]安|[呀哇哟嘤呜]$|!!$|啊{3,}|呜{2,}
    {so, too, super, soo+, kinda} {tired, hungry, bored, cute, cool}
    {so, too, super, soo+, kinda} {funny, sleepy, excited, happy, sad}
    {so, too, super, soo+} {hot, cold, good, proud, sweet, kind, nice, thoughtful, lucky}
    {love, hate, miss, adore} {this, that, it, you, u, these, those, my, mondays, the}
    ^(?:that|this|it|the)\b.{0,24}{awesome, amazing, hilarious, wild}
    ^(?:that|this|it|the)\b.{0,24}{crazy, insane, adorable, epic, nuts}
    ^(?:that|this|it|the)\b.{0,24}{gorgeous, fun, lovely, beautiful, delicious}
    {freezing, boiling, raining, snowing, pouring}
    {starving, exhausted, sleepy, can'?t wait, ugh+, yay+}
    {need (?:coffee|a nap|a drink|a beer|sleep), hope (?:you|u|it), you (?:guys |all )?(?:are|rock)}
    {thanks?, thx, ty, good (?:morning|night|luck|evening), see (?:you|ya|u), omg, bruh}|\bcongrat
    {have a (?:good|nice|great|lovely|safe), welcome (?:back|aboard|to the), merry christmas}
    {happy (?:birthday|friday|new year|holidays|anniversary|weekend)}
    """
)
_GREETING = any_of(
    r"""
    ^(?:早(?:上好|安|啊|呀)?|晚(?:安|上好)|[大各][家位]好|[你您]好|哈喽|嗨|拜拜?|溜了|撤了|我?先?[睡撤溜闪走]了)
    ^(?:谢[谢了啦]|[多感]谢|恭喜|辛苦|好家伙|羡慕|心疼|天哪)
    ^{hey, hi, hello, good (?:morning|night|evening), night, bye}
    ^{thanks?, thx, ty, omg, wow, rip, dude}
    ^{welp, aight, later, gn, gm, oh no, aw+, ugh, woo+}
    """
)
_MEANING = any_of(rf"[^\W_]|{THING}")
_TINY = 4
_SHORT = 8
_SHORT_FOR_A_LAUGH = 14
"""In words, as `PreparedText.length` counts them: a longer line says something besides."""


def is_small_talk(text: str) -> bool:
    """Good night, thanks, "me too", and nothing else."""
    return is_social(read(text))


def is_reaction(said: PreparedText) -> bool:
    """Only laughter, thanks, cheers or emoji."""
    return not _MEANING.search(_REACTION.sub("", said.line))


def is_social(said: PreparedText) -> bool:
    """Only what people say to be sociable: leave it out and nothing is left."""
    return not _MEANING.search(_SOCIAL.sub("", _REACTION.sub(" ", said.line)))


def is_mood(said: PreparedText) -> bool:
    """A short line about how somebody feels, or one that begins with a greeting, or a laugh."""
    if said.has_things:
        return False
    if said.length <= _SHORT_FOR_A_LAUGH and _LAUGHS.search(said.line):
        return True
    if said.length > _SHORT or said.is_reasoning:
        return False
    begins_so = _GREETING.search(said.line) or _REACTION.match(said.line)
    return bool(said.has_emoji or begins_so or _MOOD.search(said.line))


def is_tiny(said: PreparedText) -> bool:
    """A few words that name nothing definite and weigh nothing."""
    return said.length <= _TINY and not said.has_things and not said.is_reasoning
