"""What a sentence does: ask, propose, agree, order the bot about, or tell of what passes."""

import re

_ASKS = re.compile(
    r"[?？]\s*[~～]*$|(?:吗|呢|么|没有|来着|(?<=[行好能要是对去来有会补吃用])不|(?<=了)没)[。.~～…\s]*$|^(?:谁|怎么|什么时候|哪|几点|为什么|"
    r"有没有|能不能|要不要|是不是|可不可以)|"
    r"^(?:who|what|when|where|why|how|which|does|do|did|is|are|can|could|should|would|will|"
    r"has|have)\b[^.]*\?",
    re.IGNORECASE,
)
_PROPOSES = re.compile(
    r"要不|不如|建议|提议|可以考虑|能不能|希望|最好|吧[。！!~～\s]*$|"
    r"\b(?:let's|lets|how about|what if|shall we|we should|we could|could we|maybe we|i "
    r"suggest|i propose|"
    r"it would be nice|wouldn't it)\b",
    re.IGNORECASE,
)
_HEDGES = re.compile(
    r"如果|(?<!主)要是|假如|假设|万一|也许|可能|大概|听说|据说|好像|似乎|应该会|说不定|哈哈|笑死|"
    r"开玩笑|以前|曾经|过去(?!的)|小时候|"
    r"\b(?:lol|lmao|haha+|jk|just kidding|if|unless|maybe|perhaps|might|apparently|supposedly|"
    r"i heard|they say|i wish|used to|"
    r"back then|when i was)\b",
    re.IGNORECASE,
)
_LAUGHS = re.compile(r"哈哈+|笑死|\b(?:lol|lmao|haha+)\b", re.IGNORECASE)
_SUPPOSES = re.compile(
    r"如果|(?<!主)要是|假如|假设|万一|\b(?:if|unless|i wish|used to)\b|以前|曾经|小时候",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"^(?:好+|好的|好啊|好呀|好主意|行+|行啊|可以|可以啊|(?:同意)+|赞成|支持|没问题|收到|没意见|"
    r"就这么定|定了|"
    r"来+|算我一个|加我|\+1|1|嗯+|对+|是的|没错|没毛病|必须的|那必须|好嘞|记住了|记下了|明白|懂了|"
    r"成交|安排|ok|okay|sure|sounds (?:good|great)|agreed|noted|sensible|got it|deal|yes|yep|yup|"
    r"yeah|works for me|suits me|count "
    r"me in|i'm in|"
    r"good idea|great idea|fine(?: (?:by|with) me)?|perfect|fair(?: enough)?|of course|will do|"
    r"see you there|i'll be there|absolutely|exactly|right|cool|true|indeed|(?:s?he|they) "
    r"(?:is|does|did|has|can't|are|do)|yes+|suits|happy with that|👍|✅|👌|🙏)"
    r"(?:[\s。！!,，.~～啊呀哈]|$)|"
    r"^(?:嗯+|对+|是)(?=一直|每|就是|都是|老|说过|还是|本来)|^本来(?:就|也)",
    re.IGNORECASE,
)
_TAKES_UP = re.compile(r"^\w+[,.!]? (?:i'?ll|will|she|he|they|that|it|we)\b", re.IGNORECASE)
_ME_TOO = re.compile(
    r"^(?:我也是|我也|俺也是|同感|同上|\+1|me too|same here|so am i|so do i|likewise)|"
    r"^(?:同|一样|same)[\s。！!.~～]*$",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"我|俺|\bi(?:'m|'ve|'ll|'d)?\b|\bmy\b", re.IGNORECASE)
_PASSING = re.compile(
    r"今天|今晚|今早|今日|明天|明晚|昨天|昨晚|前天|后天|刚才|刚刚|这次|这周|本周|这个?周|下周|"
    r"上周|这个周末|下次|上次|待会|临时|"
    r"(?:这|下|上)(?:个)?(?:周|星期|礼拜)|"
    r"\b(?:today|tonight|tomorrow|yesterday|last night|this (?:time|morning|afternoon|evening|"
    r"week|weekend|month|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday)|next (?:time|week|weekend|"
    r"monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday)|last (?:week|weekend|time|month|year|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday)(?! of)|just now|just this once|right now)\b",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"从.{0,8}(?:开始|起)|以后|今后|往后|从此|为止|"
    r"\b(?:from now on|starting|as of|from next|going forward|for good|permanently|from "
    r"(?:this|next) \w+ on)\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"(?:请|你要|你得|务必|帮我|给我)?记住|记下来|写进(?:你的)?记忆|存(?:进|到)(?:你的)?记忆|"
    r"加(?:进|到)(?:你的)?记忆|"
    r"忽略(?:之前|以上|前面|所有|上面)|无视(?:之前|以上|前面)|(?:以后|从现在起|从今以后|"
    r"今后)你|你(?:必须|务必|只能|不得|以后)|"
    r"你现在是|扮演|(?:机器人|助手|bot|ai).{0,6}(?:必须|务必|要听|只能|记住)|系统提示|提示词|"
    r"\b(?:remember (?:that|this)|remember:|please remember|keep in mind|memori[sz]e|note to self|"
    r"(?:add|save|store|write|put) (?:this|that|it)? ?(?:to|in|into) (?:your|the) memory|"
    r"ignore (?:all |any |the |your )?(?:previous|prior|above|earlier)|disregard (?:all|the|"
    r"your|previous)|"
    r"forget (?:everything|all|your)|from now on,? you|you (?:must|shall|are now|will now|have "
    r"to)|act as|pretend|"
    r"system prompt|new instructions?|the (?:bot|assistant|ai) (?:must|should|shall|has to))\b|"
    r"^\s*(?:\[?system\]?|assistant|developer)\s*[:：\]]",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"(?:我们?|咱们?|他们?|她们?)(?:的)?(?:公司|学校|老板|单位|小区|部门|领导|老师|宿舍|爸|妈|"
    r"家里|家(?![^，。]{0,4}群)|班主任|班)|"
    r"(?<![其吉])[他她]|[你您]|别的群|隔壁群|有些人|"
    r"我(?:的)?(?:妹|姐|哥|弟|儿子|女儿|老婆|老公|女朋友|男朋友|对象|朋友|同事|室友|邻居|孩子|"
    r"闺蜜|爷爷|奶奶|外公|外婆|舅|叔|姑|姨)|"
    r"\b(?:my|our|his|her|their) (?:company|boss|office|school|famil(?:y|ies)|landlord|teacher|"
    r"employer|parents?|"
    r"mother|father|mum|mom|dad|wife|husband|brother|sister|neighbou?rs?|roommates?|kids?|son|"
    r"daughter|gym|"
    r"doctor|manager)\b|\b(?:they|he|she|you|your|some people|other groups?)\b",
    re.IGNORECASE,
)


def asks(sentence: str) -> bool:
    return bool(_ASKS.search(sentence.strip()))


def proposes(sentence: str) -> bool:
    return bool(_PROPOSES.search(sentence))


def hedges(sentence: str) -> bool:
    return bool(_HEDGES.search(sentence))


def guesses(sentence: str) -> bool:
    """Hedges, and not only by a laugh: who laughs may mean it."""
    return hedges(_LAUGHS.sub("", sentence))


def supposes(sentence: str) -> bool:
    """Tells of what is not, or is no longer."""
    return bool(_SUPPOSES.search(sentence))


def agrees(message: str) -> bool:
    return bool(_AGREES.match(message.strip()))


def bears_out(message: str) -> bool:
    """Agrees, and does not merely begin with a word of agreement to say something else."""
    said = message.strip()
    if not _AGREES.match(said) or asks(said):
        return False
    is_short = len(said) <= 14 if re.search(r"[\u3400-\u9fff]", said) else len(said.split()) <= 7
    return is_short or bool(_TAKES_UP.match(said))


def says_me_too(message: str) -> bool:
    """So much and little more: "+1" may also open what has to do with something else."""
    said = message.strip()
    is_short = len(said) <= 10 if re.search(r"[\u3400-\u9fff]", said) else len(said.split()) <= 5
    return is_short and bool(_ME_TOO.match(said))


def speaks_of_self(sentence: str) -> bool:
    return bool(_FIRST_PERSON.search(sentence))


def is_passing(sentence: str) -> bool:
    """About one day or one week only."""
    return bool(_PASSING.search(sentence)) and not _LASTING.search(sentence)


def orders(message: str) -> bool:
    """Tells the bot what to remember, be or do: never a fact about the group."""
    return bool(_ORDERS.search(message))


def is_of_others(sentence: str) -> bool:
    """About a company, a family, another group, or said to one person: not about this group."""
    return bool(_OTHERS.search(sentence))
