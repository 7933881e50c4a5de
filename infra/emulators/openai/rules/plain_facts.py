"""What people say of themselves in passing, and what a group lays down: ordinary chat sentences.

Chat drops its subjects and its commas. So a message is read clause by clause, and a clause counts
by what it speaks of: health and food, work and home, family and animals, fixed times, rules. A
question, a guess, hearsay or a joke counts for nothing.
"""

import re

from .extractive import cleaned, shortened
from .kinds import HABIT, PREFERENCE, PROJECT, TABOO, TRAIT, names_a_day
from .lasting_words import matters_in
from .own_words import OWN_WORDS
from .schedule import slot_of
from .statements import Statement, core_of, only_announces, put_down
from .words import is_han, marks

MOST_CHARACTERS = 44
MOST_WORDS = 22
"""A statement is one sentence: what follows beyond this is left out."""

_DOUBT = re.compile(
    r"如果|要是|假如|可能|也许|大概|听|据说|好像|似乎|说不定|应该会|想去|想要|也想|打算|要不|差点|"
    r"以前|小时候|哈哈|笑死|狗头|信你|真是|[吗么嘛]$|\?|？|呢$|谁|什么|怎么|是不是|能不能|行不行|"
    r"\b(?:if|maybe|perhaps|might|apparently|supposedly|heard|used to|lol|lmao|haha+|jk|could|"
    r"would|"
    r"thinking of|i think|i wish|someone|probably|wish|as if|says who|allegedly)\b|^(?:who|what|"
    r"when|"
    r"where|why|how|which|does|do|did|is|are|can|should)\b",
    re.IGNORECASE,
)
_OTHERS_ZH = re.compile(r"[你您他她它]|我们|咱|大家|人家|别人")
_SELF = re.compile(
    r"我(?!们|去[，,!！。\s]|靠|擦|天)|俺|本人|\b(?:i|i'm|i've|i'll|my|me)\b", re.IGNORECASE
)

_OWN = (
    (TABOO, re.compile(r"过敏|\ballerg\w+|\bepi-?pen", re.IGNORECASE)),
    (
        TRAIT,
        re.compile(
            r"不耐受?|(?:吃|喝|碰)[^，。]{0,6}(?:会|就)(?:肿|吐|痒|起疹|拉肚子|睡不着|难受|"
            r"头疼)|"
            r"(?:血压|血糖|血脂|尿酸|胆固醇)[^，。]{0,3}高|怀孕|糖尿病|哮喘|痛风|声带小结|结节|结石|骨折|"
            r"椎间盘|"
            r"(?:医生|大夫)(?:让|不让|叫|说)|睡不着|失眠|(?:睡眠|嗓子|膝盖|腰|"
            r"胃)[^，。]{0,4}(?:不好|不行)|"
            r"戒(?:糖|烟|酒|咖啡|奶茶|可乐|碳水|了)|吃素|素食|减肥|减脂|"
            r"\b(?:coeliac|celiac|(?:lactose )?intolerant|vegetarian|vegan|pescatarian|"
            r"pregnant|"
            r"diabetic|asthma\w*|gluten[- ]free|slipped disc|injury|(?:tore|broke|sprained) my|"
            r"physio says|"
            r"doctor (?:says|said|told)|makes? me (?:sick|ill)|(?:dry|sober) (?:till|until)|"
            r"no booze for me|"
            r"off (?:alcohol|sugar|caffeine|booze)|given up|gave up|quit (?:smoking|drinking|"
            r"sugar))\b",
            re.IGNORECASE,
        ),
    ),
    (
        PREFERENCE,
        re.compile(
            r"不(?:吃|喝|碰)(?!了|饭|完|到|惯|起|消|点|吗)(?:[^，。！]{1,6}|哈)?(?:的)?$|"
            r"别(?:放|加)[^，。]{1,6}$|"
            r"只(?:吃|喝|看|玩|听|用)[^，。]{1,10}$|看不下去|"
            r"别[^，。]{0,5}(?:@|艾特|找)我|"
            r"(?:吃|喝)不(?:了|来|惯)[^，。了]{1,6}$|我(?:更|比较|一直|从小|平时|最|很|还是)?"
            r"(?:喜欢|偏爱|讨厌|受不了|爱(?=[吃喝看玩听用去]))(?![这那你他她它])[^，。了呢]{2,10}$|"
            r"\bi (?:really |just )?(?:don't|do not|never|can't|cannot) (?:even |really )?"
            r"(?:eat|drink|do|lift|stand|drive|smoke|have)\b "
            r"(?!that|this|it\b|to\b|you\b|time\b)|\bi (?:much |really )?prefer\b|"
            r"\bi(?:'m| am) not (?:a fan of|keen on|into)\b|\bi hate (?!that|this|it\b|you|to\b|"
            r"how|when)",
            re.IGNORECASE,
        ),
    ),
    (
        TRAIT,
        re.compile(
            r"入职|辞职|离职|跳槽|考公|考研|考编|读研|读博|实习|offer|录取|转正|升职|退休|"
            r"新工作|家教(?!回|去|完)|兼职|"
            r"搬(?:去|到|来|[^，。走]{2,8}(?:城|路|区|村|园))|初试|复试|(?:我|号|月)[^，。]{0,6}答辩|答辩[^，。]{0,4}[\d]|领证|结婚|订婚|改签|"
            r"考科[一二三四]|(?:去|在)[^，。]{1,8}(?:上班|工作|上学|读书)|"
            r"(?:现在|目前|一直)?(?<![人记忍挡停站])住(?:在|到)?(?!院|手|嘴|址|一|几|得|不|哪)[^，。的]{2,8}$|"
            r"我[^，。]{0,4}搬(?:了)?家(?!公司)|"
            r"我(?:现在)?是(?:[一个名做])*[^，。的]{0,6}(?:师|程序员|护士|医生|会计|司机|公务员|学生|"
            r"老师|律师|编辑)(?:$|[，。])|"
            r"\bi(?:'ve| have)? (?:got|landed|started|start|took|accepted|quit|joined) (?:the |"
            r"a |my |nights|"
            r"at |work)(?!bus|train|photo)|\bgot the \w+ job\b|\bi'm (?:starting|joining|leaving|"
            r"moving)\b|"
            r"\bi(?:'ve| have)? moved to\b|^moving (?:to|\d)|\bi(?:'ve| have)? (?:signed up|"
            r"registered|"
            r"enrolled) (?:for|in)\b|\bi(?:'m| am) on nights\b|\bi (?:now |still )?(?:work|live|"
            r"study) (?:at|in|as|for|from|near|with|nights|days|weekends)\b|\bi (?:can )?teach\b|"
            r"\b(?:moved|put) me (?:to|on) (?:days|nights|the \w+ (?:team|shift))\b|"
            r"\bi(?:'m| am) an? (?:\w+ )?(?:\w+(?:er|or|ist|ian)|nurse|chef|vet|student)\b"
            r"(?! person)|"
            r"\bi(?:'m| am) (?:the|our) (?:new )?(?:treasurer|secretary|captain|organi[sz]er|admin|"
            r"chair)\b|\bi(?:'m| am) in charge of\b|\bi (?:look after|run|organi[sz]e|manage) "
            r"(?:the|our|all)\b|"
            r"我负责(?![吃喝玩躺睡看笑美])|我(?:在|来)?管(?:着|理)",
            re.IGNORECASE,
        ),
    ),
    (
        HABIT,
        re.compile(
            r"我[^，。我]{0,4}(?:一般|通常|平时都?|经常|固定|习惯)[^，。]{3,}|"
            r"我[^，。我]{0,4}每(?:天(?!都在)|周|个?月|晚|早)[^，。]{0,8}(?:去|做|跑|打|学|练|上|写|回|陪|游|吃|喝)|"
            r"我?(?:以后|现在)?(?:周|星期)[一二三四五六日末][^，。]{0,4}(?:得|都要|要陪|都在|要上|没空|有课)|"
            r"\bi (?:usually|normally|always|generally|mostly|tend to)\b (?!wonder|forget|"
            r"say|think|thought|knew|wanted)|"
            r"\bi (?:\w+ ){1,6}(?:every (?:day|morning|evening|night|week|\w+day)|on \w+days)\b",
            re.IGNORECASE,
        ),
    ),
    (
        TRAIT,
        re.compile(
            r"(?:我家|我)[^，。]{0,6}(?:猫|狗|娃)[^，。]{0,4}(?:叫|岁|烧|得了)|(?:带|有个?)娃|新来了?[^，。]{0,4}[猫狗]|"
            r"养(?:了|着)|"
            r"(?:女儿|儿子|宝宝)[^，。]{0,4}(?:出生|满月|周岁)|"
            r"我(?:家)?(?:女儿|儿子|闺女|老婆|老公|媳妇|爸|妈|妹妹?|姐姐?|弟弟?|哥哥?|孩子|娃)"
            r"[^，。]{0,4}(?:上(?:幼儿园|小学|初中|高中|大学)|考上|叫|住|在[^，。]{1,6}(?:上班|工作|上学))|"
            r"(?:家里|我家|我)(?:有|养)?(?:[一两三四]|\d)[只条][^，。]{0,3}[猫狗兔鸟龟]|"
            r"\bi (?:keep|own|adopted)\b|\b(?:had|having) (?:the|a) baby\b|"
            r"\b(?:my|our) (?:dog|cat|son|daughter|kid|baby) (?:is (?:called|named|\d)|needs)\b|"
            r"\bmy (?:sister|brother|wife|husband|partner|mum|mom|dad|son|daughter|girlfriend|"
            r"boyfriend)(?: [A-Z]\w+)? (?:is (?:visiting|getting married|starting|moving|having)|"
            r"works|lives|studies)\b|"
            r"\bi have (?:an?|two|three|four) (?:\w+ )?(?:cats?|dogs?|kids?|sons?|daughters?|"
            r"rabbits?)\b",
            re.IGNORECASE,
        ),
    ),
)
_PLAN = re.compile(
    r"我(?:打算|计划|准备|决定|要|会|们?家)?[^，。]{0,6}(?:[\d一二三四五六七八九十]+月(?:份|底|初|中)?|"
    r"下个?月|明年|年底|年后|暑假|寒假|国庆|春节)[^，。]{0,6}(?:去|回|搬|飞|出差|休假|结婚|考|开始|来)|"
    r"\bi(?:'ll be|'m| am| will be) (?:away|abroad|off|out|in [A-Z]\w+|travell?ing|on leave)"
    r"\b[^.]*\b(?:until|till|through|from|in (?:\w+uary|march|april|may|june|july|august|\w+ber)|"
    r"next month)\b|"
    r"\bi(?:'m| am) (?:going|flying|moving|running|visiting|getting married)\b[^.]*\b(?:"
    r"in (?:\w+uary|march|april|may|june|july|august|\w+ber)|"
    r"next (?:month|year|spring|summer|autumn|winter))\b",
    re.IGNORECASE,
)
"""What somebody is going to do, with its time: without one it is a wish."""
_TO_SPEAKER = re.compile(r"(?:发|交|转|报|找|问)给?我|给我(?=$|[，。])|以后[^，。我]{0,8}我来")
"""Laid down for all, and the speaker has a part in it."""
_IRONY = re.compile(
    r"可太|真是太|太[^，。]{1,6}了(?:呢|吧)|[爱喜]死|呢$|\b(?:oh yeah|oh great|naturally|"
    r"just (?:love|adore)|absolute(?:ly)? (?:love|adore|favou?rite))\b",
    re.IGNORECASE,
)
_OWN_TIME = re.compile(
    r"都在|固定|以后都|每[天周个]|不行|\bi'm (?:off|away|out|in)\b|\bi (?:work|teach|train|sing)\b",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"规矩|群规|不许|不准|禁止|严禁|说好了|必须|统一|一律|以后[^，。]{0,12}(?:不|别|都|就|给|交|"
    r"发|来管|来收|来负责)|(?:群里|这里|本群)(?:别|不聊|不发|不谈|不要|不能|不让)|会费|群费|"
    r"周[一二三四五六日末](?:不|别)|"
    r"\b(?:rule|banned|no exceptions|not allowed|nobody \w+s\b|everyone \w+s\b|from now on|"
    r"always (?:lock|close|wear|bring|book)|stays? (?:locked|closed|off|shut)|no spoilers|"
    r"no \w+ no \w+|no \w+\. ever|keep \w+ out of (?:this|the|here)|membership is|subs are|"
    r"last one (?:out|in)|whoever (?:is|comes|arrives)|we (?:always )?use \w+ for|"
    r"no \w+(?: \w+)? (?:at|on|in|before|after) (?:the )?(?:table|weekends?|chat|group|"
    r"\w+days?))\b",
    re.IGNORECASE,
)
_GROUP_TIME = re.compile(
    r"照旧|照常|老地方|老时间|雷打不动|固定|每(?:周|个?月|天|晚|逢)|还是|说定|改到|改成|一起|"
    r"(?:周会|例会|排练|训练|聚餐|读书会)|以后|"
    r"\bas (?:always|usual)|\bevery (?:other )?\w+day|\b\w+day nights\b|\bfirst \w+day of|"
    r"\bstill on\b|"
    r"\bfrom now on\b|\brotates? weekly\b|\bfrom \w+ we\b|\bworking party\b|"
    r"\b(?:has|have|is|are) (?:been )?(?:moved|now) (?:to|on)\b|\bwe(?:'re| are)? (?:now |always )?"
    r"(?:meet|rehearse|train|play|run)\w*\b|\b(?:rehearsal|practice|training|meeting|session)s? "
    r"(?:is|are) (?:on |every )?\w+days?\b",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(r"那|不然|否则|\b(?:then|otherwise|or else)\b", re.IGNORECASE)
"""What would come of something lays nothing down."""
_PASSES = re.compile(
    r"今[天晚早]|明[天晚]|昨[天晚]|这周|本周|上周|这次|上次|刚才|"
    r"\b(?:today|tonight|tomorrow|yesterday|this (?:week|time|weekend)|last (?:week|time))\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:但是?|那|然后|就是|顺便说下?|(?:立个规矩|说[个件]事|跟大家说一?[下声]|通知一下|提醒一下)[，：:]?|"
    r"(?:[又也还就]|可是?|主要是?|关键是?|本来)(?=[不没是有在要得能会我])|(?:其实|反正|而且|所以|因为)[，,]?|"
    r"(?:heads up|oh and|oh|and|also|btw|fyi|so|but|plus|well|right|ok|okay|anyway|cos|because|yes|"
    r"yeah|no wait|actually|tbh|honestly),?\s+)+",
    re.IGNORECASE,
)
_TO_SUBJECT = re.compile(
    r"^(?:(?!(?:and|or|when|if|since|because|that|before|after|where|what|how|as|than|do|did|am|"
    r"can|should|will|have|while|until|till)\b)[\w']+[,:]?\s+){1,3}(?=I(?:'m|'ve|'ll|'d)?\b)"
)
"""Whom it is said to, and what comes before the matter: "lads I'm ...", "quick one, I've ..."."""
_PARTICLE = re.compile(r"[啊呀哈哦嘛吧呢]+(?=，|$)")
_TRAIL = re.compile(
    r"(?:[\s,]+(?:anyway|anyways|though|tho|btw|for the record|"
    r"just so you know|don't worry|obviously|by the way|tbh|honestly|lol|haha+|mind you|i guess|"
    r"remember|you know|ok|okay|please|too|as well|mate|lads|guys|folks|everyone))+$",
    re.IGNORECASE,
)
"""What a sentence ends in and does not say."""
_SPLIT_ZH = re.compile(
    r"(?:[，,；;。！!、]\s*)+|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])|(?<=[了的啊呀哈])\s+"
)
"""A space between two words is a pause; beside a number or a Latin word it is none."""
_SPLIT_EN = re.compile(r"\s*[,;!]\s+|\s+[-–—]\s+|\s+(?:but|so)\s+")


def plain_statement(sentence: str, speaker: str) -> Statement | None:
    """What a sentence says of its speaker or lays down for all; None if it says no such thing."""
    is_chinese = is_han(sentence)
    clauses = clauses_of(sentence)
    is_of_self = bool(_SELF.search(sentence))
    for place, clause in enumerate(clauses):
        planned = is_planned(clause)
        if _IRONY.search(clause) or (_DOUBT.search(clause) and not planned):
            continue
        kind = own_kind(clause) or (PROJECT if planned else None)
        is_today = re.search(r"今[天晚]|\b(?:today|tonight)\b", clause, re.IGNORECASE)
        if kind is not None and not is_today and _speaks_for_self(clause, is_of_self, is_chinese):
            return statement_of(kind, clauses, place, speaker, is_own=True)
        kind = group_kind(clause)
        if kind is not None and not _PASSES.search(clause) and not _FOLLOWS.match(clause):
            if _TO_SPEAKER.search(clause):
                clauses = [_with_name(one, speaker) for one in clauses]
                return statement_of(kind, clauses, place, speaker, is_own=False)
            is_own = bool(_SELF.search(clause)) and bool(_OWN_TIME.search(clause))
            if is_own or not re.search(
                r"我(?!们)|[你您]|\b(?:i|you|my|me)\b", clause, re.IGNORECASE
            ):
                return statement_of(kind, clauses, place, speaker, is_own=is_own)
    return None


def clauses_of(sentence: str) -> list[str]:
    split = _SPLIT_ZH if is_han(sentence) else _SPLIT_EN
    return [one.strip() for one in split.split(sentence.strip(" .。!！~～")) if one.strip()]


def is_doubtful(text: str) -> bool:
    """Asked, guessed, heard of, wished or meant otherwise than said."""
    return bool(_DOUBT.search(text) or _IRONY.search(text))


def is_planned(clause: str) -> bool:
    """What the speaker is going to do, with its time."""
    return bool(_PLAN.search(clause))


def _with_name(clause: str, speaker: str) -> str:
    return re.sub(r"我(?!们)", speaker, clause)


def own_kind(clause: str) -> str | None:
    return next((kind for kind, pattern in (*_OWN, *OWN_WORDS) if pattern.search(clause)), None)


def _speaks_for_self(clause: str, is_of_self: bool, is_chinese: bool) -> bool:
    """Chinese and hasty English leave "I" out; then nobody else may be named."""
    if is_chinese:
        return not _OTHERS_ZH.search(clause)
    is_short = bool(re.match(r"(?:got|moving|no booze|off|given|dry)\b", clause, re.IGNORECASE))
    return (is_of_self or is_short) and not re.search(
        r"\b(?:he|she|they|you|your)\b", clause, re.IGNORECASE
    )


_FORBIDS = re.compile(r"[不别禁]|\bno(?:t|ne|body|thing)?\b|n't\b|\bnever\b", re.IGNORECASE)


def group_kind(clause: str) -> str | None:
    slot = slot_of(clause)
    if _RULE.search(clause):
        is_time = slot is not None and not _FORBIDS.search(clause)
        return HABIT if is_time else TABOO
    if slot is not None and (slot.days or slot.time) and _GROUP_TIME.search(clause):
        return HABIT
    if re.search(
        r"\b(?:first|last|second|third) \w+day of|\brotates? weekly", clause, re.IGNORECASE
    ):
        return HABIT
    return None


def statement_of(
    kind: str, clauses: list[str], place: int, speaker: str, *, is_own: bool
) -> Statement | None:
    """The clause, with what comes after it as long as it is one sentence and about the same."""
    if only_announces(clauses[place]):
        place += 1
        if place == len(clauses):
            return None
    is_chinese = is_han(clauses[place])
    comma = "，" if is_chinese else ", "
    parts = [clauses[place]]
    for clause in clauses[place + 1 :]:
        size = len("".join(parts) + clause)
        is_long = (
            size > MOST_CHARACTERS
            if is_chinese
            else len(" ".join([*parts, clause]).split()) > MOST_WORDS
        )
        is_asked = re.search(r"[不吗没]$", clause)
        is_said_to = re.search(r"[你您]|\byou\b", clause)
        if is_long or is_asked or is_said_to or _DOUBT.search(clause) or not matters_in(clause):
            break  # What has no matter of its own is a reaction.
        parts.append(clause)
    said = _LEAD.sub("", cleaned(comma.join(parts)))
    if is_chinese:
        said = _PARTICLE.sub("", said)
    else:
        said = _TRAIL.sub("", re.sub(r"\bi(?=\b|')", "I", said))
        said = _TO_SUBJECT.sub("", said) if is_own else said
    text = shortened(put_down(said, speaker, is_own=is_own))
    core = core_of(text, speaker)
    if not marks(core):
        return None
    if kind == TRAIT and is_own and names_a_day(text):
        kind = PROJECT  # "My exam is on 26 December": not what somebody is but what is to come.
    return Statement(
        kind, text, core, slot_of(text), "", is_plural=not is_own, is_own=is_own, is_plain=True
    )
