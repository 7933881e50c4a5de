"""Is a statement an order to the bot? Such a thing must not become a memory just like that."""

import re

_ORDERS = re.compile(
    r"""
      \b(?:ignore|disregard|forget)\b.{0,30}\b(?:instructions?|rules?|prompts?|everything|above)\b
    | \b(?:from\s+now\s+on|always|never|must)\b.{0,30}\b(?:you|the\s+bot|the\s+assistant)\b
    | \b(?:you|the\s+bot|the\s+assistant)\s+(?:must|should|shall|have\s+to|are\s+to|will|need\s+to
        |always|never|may\s+not)\b
    | \b(?:pretend|act|behave|respond|reply|answer)\b.{0,20}\b(?:as|like|only|with|in)\b.{0,30}
        \b(?:bot|assistant|persona|admin|root|developer)\b
    | \b(?:system\s+prompt|jailbreak|developer\s+mode)\b
    | (?:你|机器人|助手|bot)(?:必须|应该|以后|只能|不准|不许|不得|要一直|永远|从现在)
    | (?:以后|从现在(?:开始|起)?|今后|永远).{0,8}(?:你|机器人|助手|bot)
    | (?:忽略|无视|忘记|忘掉).{0,10}(?:指令|规则|提示|设定|要求|之前|以上)
    | (?:请)?(?:你|机器人|助手)?(?:记住|务必记得)[：:，,]
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


def is_order(statement: str) -> bool:
    return _ORDERS.search(statement) is not None
