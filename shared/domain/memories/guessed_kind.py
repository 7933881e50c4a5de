"""The kind of a memory whose maker did not name one, by how its statement is put. Pure.

The first form that fits decides, the plainest ones first; where none does it is a fact.
"""

import re

_FORMS = {
    "taboo": """
        禁止|不许|不准|不得|不能|不允许|不要|严禁|不[在讨谈聊发]
        |\\b(?:no|nobody|never|without)\\b|\\bnot[ ](?:allowed|welcome|discuss)|forbidden
        |off[ ]limits|\\bbanned\\b|turned[ ]down|taboo
        """,
    "view": """
        认为|觉得|看好|反对|支持|一致|[高低]估
        |\\b(?:thinks?|believes?|agrees?|finds?|feels?|considers?)\\b
        """,
    "project": """
        正在|打算|准备|筹备|计划|着手
        |\\bare[ ]\\w+ing\\b|is[ ](?:being|under[ ]way|building|preparing)
        |\\bplans?[ ]to\\b
        """,
    "habit": """
        每[天周月年晚逢个]|每星期|定期|固定|习惯
        |\\bevery[ ](?:\\w+[ ])?(?:day|week|month|year|morning|evening|night|\\w+day)
        |\\bon[ ]\\w+days\\b|\\b(?:daily|weekly|monthly|usually|always)\\b
        """,
    "preference": """
        喜欢|偏好|偏爱|爱[吃喝看玩用听]|热爱|讨厌|只喝|只吃
        |\\b(?:likes?|loves?|prefers?|enjoys?|hates?|dislikes?|favou?rs?)\\b|favou?rite
        """,
    "trait": """
        多为|大多|多数|居多|主要是|为主|来自|住在|擅长|出身
        |\\b(?:most|mostly|mainly)\\b|\\bcomes?[ ]from\\b|\\blives?[ ]in\\b|\\bgood[ ]at\\b
        """,
    "culture": """
        友好|鼓励|欢迎|互相|礼貌|氛围|称呼
        |\\bwelcom|friendly|\\bencourag|polite
        """,
}
_FLAGS = re.IGNORECASE | re.VERBOSE


def guessed_kind(statement: str) -> str:
    """The forms are compiled at the first statement."""
    fit = (kind for kind, form in _FORMS.items() if re.search(form, statement, _FLAGS))
    return next(fit, "fact")
