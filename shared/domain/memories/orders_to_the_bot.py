"""Is a statement about what the bot has to do, or about secrets? Such a thing becomes a memory only
by hand, whoever and however many say it."""

import re
from collections.abc import Collection

_BOT = r"(?:the\s+|our\s+|this\s+)?(?:bot|assistant|ai)"
_BOT_ZH = r"(?:你|机器人|助手|助理|bot|AI)"

_ORDERS = re.compile(
    rf"""
      \b(?:ignore|disregard|forget)\b.{{0,30}}\b(?:instructions?|rules?|prompts?|everything|above)\b
    | \b(?:from\s+now\s+on|always|never|must)\b.{{0,30}}\b(?:you|{_BOT})\b
    | \b(?:you|{_BOT})\s+(?:must|should|shall|ha(?:ve|s)\s+to|(?:is|are)\s+to|will|needs?\s+to
        |always|never|may\s+not)\b
    | \b(?:pretend|act|behave|respond|reply|answer)\b.{{0,20}}\b(?:as|like|only|with|in)\b.{{0,30}}
        \b(?:bot|assistant|persona|admin|root|developer)\b
    | \b(?:system\s+prompt|jailbreak|developer\s+mode)\b
    | {_BOT_ZH}(?:必须|应该|应当|以后|只能|不准|不许|不得|要一直|永远|从现在|需要|得听|要听)
    | (?:以后|从现在(?:开始|起)?|今后|永远).{{0,8}}{_BOT_ZH}
    | (?:忽略|无视|忘记|忘掉).{{0,10}}(?:指令|规则|提示|设定|要求|之前|以上)
    | (?:请)?(?:你|机器人|助手)?(?:记住|务必记得)[：:，,]
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)

_DUTIES = re.compile(
    rf"""
      \b{_BOT}(?:'s)?\s+(?:\w+\s+){{0,2}}(?:sends?|gives?|tells?|shares?|shows?|forwards?|reveals?
        |posts?|pays?|transfers?|obeys?|trusts?|follows?|answers?\s+(?:only\s+)?to|works?\s+for
        |belongs?\s+to|reports?\s+to|listens?\s+to|does\s+(?:what|whatever)|accepts?|approves?
        |(?:is|are|was|were)\s+(?:allowed|supposed|told|ordered|required|instructed|authori[sz]ed
        |permitted|controlled|owned|forbidden)|duty|duties|job|task|role|orders?|instructions?
        |master|owner|boss|rules?)\b
    | \b(?:duty|duties|job|task|role|master|owner|boss)\s+of\s+{_BOT}\b
    | \b(?:obeys?|controls?|commands?|instructs?)\s+{_BOT}\b
    | {_BOT_ZH}.{{0,6}}(?:发给|发送|转发|告诉|透露|交给|转账|听命|听从|服从|信任|负责|归|属于|的主人
        |的职责|的任务|的老板|允许|获准|受.{{0,4}}控制)
    | (?:主人|老板|管理员|上级)是?.{{0,6}}(?:机器人|助手|助理|bot)
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)

_SECRETS = re.compile(
    r"""
      \b(?:pass\s?words?|passphrases?|secrets|secret\s+(?:keys?|codes?|words?|is|of|for)|credentials?|api[\s_-]?keys?|private\s+keys?
        |access\s+(?:keys?|tokens?|codes?)|pin\s+(?:codes?|numbers?)|seed\s+phrases?|2fa|otp
        |verification\s+codes?|security\s+codes?|cvv|card\s+numbers?|bank\s+details)\b
    | \bpin\s+(?:is|was)\b
    | 密码|口令|密钥|私钥|助记词|验证码|机密|卡号|令牌|凭证|银行账[号户]
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_for_hand_only(statement: str, bots: Collection[str] = ()) -> bool:
    """An order to the bot, what the bot does for whom, or a secret. `bots` are names it goes by."""
    statement = _without_names(statement, bots)
    return any(one.search(statement) is not None for one in (_ORDERS, _DUTIES, _SECRETS))


_CALLED_TO = r"\s*[,:，：]?\s*(?=(?:from now on|always|never|please)\b|以后|从现在|今后|请)"
"""Behind a name at the beginning: what is asked of who bears it, though nobody says "must"."""


def _without_names(statement: str, bots: Collection[str]) -> str:
    """ "Quill must answer in rhymes" is an order like "the bot must"."""
    for name in sorted((one for one in bots if len(one) > 1), key=len, reverse=True):
        written = re.escape(name)
        if name.isascii():
            written = rf"(?<![^\W_]){written}(?![^\W_])"
        called = re.compile(rf"\A\s*@?{written}{_CALLED_TO}", re.IGNORECASE)
        statement = called.sub("you must ", statement)
        other = "the bot" if name.isascii() else "机器人"
        statement = re.sub(written, other, statement, flags=re.IGNORECASE)
    return statement
