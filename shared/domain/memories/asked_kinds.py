"""Which kinds of memory a question asks for, by its words: when, what of, may we. Pure.

An encoder hears what a question is about and hardly what is asked of it: "what do we do for a
living" and "what do we hate about work" are neighbours. The kind of a memory tells them apart.
"""

import re

_WORDS = {
    "taboo culture": """
        禁忌|忌讳|敏感|不能|不可以|不许|禁止|避免|规矩|规定|规则|(?:可以|能|允许).{0,8}吗
        |\\brules?\\b|\\ballowed\\b|\\b(?:may|can)[ ](?:i|we)\\b|should[ ]not|forbidden|banned
        |\\bavoid\\b|off[ ]limits|taboo
        """,
    "culture": """
        氛围|风格|文化|礼节|欢迎|友好|新人
        |atmosphere|\\bculture\\b|\\bwelcom|newcomer|manners
        """,
    "habit": """
        什么时候|几点|哪天|多久|固定|习惯|通常|平时|经常|日程|安排|活动|传统|周[一二三四五六日末]|星期
        |\\bwhen\\b|usually|how[ ]often|\\bhabit|regular|activit|weekend|schedule|routine|tradition
        |\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day
        """,
    "view": """
        怎么看|看法|觉得|认为|观点|评价|意见|态度|支持|反对
        |think[ ](?:of|about)|opinion|\\bviews?\\b|attitude|feel[ ]about|\\bagree
        """,
    "trait": """
        背景|职业|工作|做什么的|从事|身份|年纪|年龄|多大|哪里人|来自|住在|哪个城市|哪[些个]国家|特长|擅长
        |专业|什么样的人
        |background|for[ ]a[ ]living|profession|occupation|\\bjobs?\\b|\\bbased\\b|how[ ]old
        |\\bwho[ ]are\\b|good[ ]at|kind[ ]of[ ]people|comes?[ ]from|\\blives?\\b
        """,
    "preference": """
        喜欢|爱[吃喝看玩]|爱好|口味|偏好|感兴趣|讨厌|[吃喝]什么|最爱
        |\\blikes?\\b|prefer|favou?rite|\\beat\\b|\\bdrink\\b|hobb|\\binterest|\\btaste\\b|\\bhates?\\b
        """,
    "project": """
        项目|目标|计划|筹备|准备|进展|在做什么|在忙
        |working[ ]on|\\bprojects?\\b|\\bgoal|campaign|going[ ]on|at[ ]the[ ]moment|saving
        |\\bplan(?:s|ned|ning)?\\b|building|preparing|progress
        """,
}
_FLAGS = re.IGNORECASE | re.VERBOSE


def asked_kinds(question: str) -> frozenset[str]:
    """None, if its words do not tell. The words are compiled at the first question."""
    found = (kinds for kinds, words in _WORDS.items() if re.search(words, question, _FLAGS))
    return frozenset(kind for kinds in found for kind in kinds.split())


def agreement(asked: frozenset[str], kind: str) -> int:
    """1 if a memory is of a kind that is asked for, -1 if not, 0 if that is not known; a plain
    fact may be anything."""
    if not asked or kind == "fact":
        return 0
    return 1 if kind in asked else -1
