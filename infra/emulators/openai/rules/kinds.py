"""What kind of stable statement a clause makes, if it makes one."""

import re

HABIT, VIEW, TRAIT, TABOO = "habit", "view", "trait", "taboo"
PREFERENCE, PROJECT, CULTURE, FACT = "preference", "project", "culture", "fact"
GROUP = "group"

LABELS = {
    HABIT: "习惯", VIEW: "观点", TRAIT: "特征", TABOO: "禁忌", PREFERENCE: "偏好", PROJECT: "项目",
    CULTURE: "文化", FACT: "事实",
}  # fmt: skip

_TABOO = re.compile(
    r"禁止|严禁|请勿|不准|不许|谢绝|群规|"
    r"(?:群里|本群|这里|这个群|我们群?|咱们群?|大家).{0,4}(?:不|别|不要|不能|不可以|避免)(?:要|"
    r"能|准)?(?:在群里)?(?:讨论|聊|谈论|谈|提|发|刷|转发|剧透|晒|骂|传)"
    r"(?!了)|^(?:不|别)(?:讨论|聊|谈论|谈)[^了]{2,12}$|"
    r"\bno \w+(?: \w+){0,3} (?:here|in (?:this|the|our) (?:group|chat|channel)|allowed)\b|"
    r"\b(?:we|members|people|please|everyone) (?:don't|do not|never|must not|avoid) (?:ever "
    r")?(?:discuss|discussing|talk|"
    r"talking|post|posting|share|sharing|mention|bring|spoil|allow)\b|"
    r"\b(?:the|our|house) rules? (?:is|are)\b|\b(?:is|are) (?:not allowed|banned|forbidden|"
    r"off[- ]limits|taboo|prohibited)\b|\bkeep "
    r".{2,30} out of (?:this|the|our)\b",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"每(?:天|日|晚|早|周|週|星期|礼拜|月|年|逢|到|隔|次|季度|个(?:月|周|星期|礼拜|晚|工作日))|"
    r"逢周|天天|总是|老是|经常|常常|通常|一般(?:都|会|在)|"
    r"平时|习惯|照例|惯例|固定|定期|雷打不动|老规矩|默认|统一(?:用|在)|都会(?!议)|例会|"
    r"\b(?:every|each) (?:other |second |single )?(?:day|morning|afternoon|evening|night|week|"
    r"weekend|weekday|month|"
    r"year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|\b(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)days\b|"
    r"\b(?:weekly|daily|monthly|fortnightly|biweekly|always|usually|normally|typically|"
    r"regularly|often|tend to|"
    r"tradition|ritual|routine)\b",
    re.IGNORECASE,
)
_VIEW = re.compile(
    r"(?:大家|我们|咱们|群里|所有人|成员|群友|多数人|大部分人).{0,6}?(?:觉得|认为|公认|一致|"
    r"普遍|看好|不看好|支持|反对|推崇|都说)|"
    r"\b(?:everyone|everybody|we all|most of us|all of us|people here|the group|members|nobody|"
    r"no one|we)"
    r"(?: here)?(?: also| really| still| now| generally| mostly)? (?:thinks?|agrees?|"
    r"believes?|feels?|reckons?|considers?|finds?)\b",
    re.IGNORECASE,
)
_PROJECT = re.compile(
    r"(?:我们|咱们|大家|群里|成员).{0,4}(?:正在|在|一直在)(?:一起)?(?:做|开发|写|搞|筹备|准备|"
    r"组织|翻译|维护|制作|办|搭建|重构|运营|拍|整理)(?!了)|"
    r"\b(?:we're|we are|we've been|our team is|the team is|the group is|members are) (?:all |"
    r"currently |now |still )?(?:building|working on|developing|writing|organi[sz]ing|preparing|"
    r"translating|making|creating|redesigning|rewriting|maintaining|producing|porting)\b",
    re.IGNORECASE,
)
_BRIEF_PROJECT = re.compile(
    r"在(?:一起)?(?:做|搞|准备|写|办|拍)|\b(?:preparing|making|creating|writing)\b", re.IGNORECASE
)
"""May be a podcast, may be a pizza: wants to be heard of again."""
_CULTURE = re.compile(
    r"欢迎(?:新人|新成员|提问|新手)|对新(?:人|手|成员)|鼓励(?:提问|分享|新人|大家)|有问必答|"
    r"氛围|互相帮|(?<!老)规矩|约定俗成|新(?:来|人|成员)的?(?:都要|要先|得先|先)|"
    r"\b(?:newcomers?|beginners?|new members?|questions|newbies)\b.{0,12}\bwelcome\b|\bwe "
    r"(?:welcome|encourage|help)\b|"
    r"\b(?:friendly|kind|patient) (?:to|with) (?:newcomers|beginners|new)\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"喜欢|偏爱|偏好|钟爱|最爱|热爱|讨厌|受不了|爱(?:吃|喝|看|玩|听|用|去)|首选|青睐|只(?:吃|"
    r"喝|用|看|玩)|更想|"
    r"\b(?:like|likes|love|loves|prefer|prefers|enjoy|enjoys|adore|hate|hates|dislike|can't "
    r"stand|fans? of|"
    r"favou?rite|into|big on|crazy about)\b",
    re.IGNORECASE,
)
_TRAIT = re.compile(
    r"(?:我们|咱们|大家|群里|本群|成员|群友|这个群)(?:群|这个群|这里)?(?:的人)?(?:基本上?|"
    r"大多数?|大部分|主要|几乎|多半|多|都|全)*(?:是|来自|从事|擅长|住在|做.{1,8}的)|"
    r"我(?:也|就|都)?(?:是|在|来自|从事|住在|做|对.{1,8}过敏|不吃|吃素|学|养)|"
    r"\b(?:we're|we are) (?:all |mostly |mainly |both |a |an |from |based )|"
    r"\b(?:we're|we are|members are) (?:\w+ )?\w+[^s\W]s$|"
    r"\b(?:most of us (?:are|work|live|come)|all of us (?:are|work|live)|half of us|"
    r"members are (?:all |mostly |mainly )|everyone (?:here )?(?:is|works|lives)|"
    r"everybody (?:here )?(?:is|works|lives)|this group is|the group is|people here are|"
    r"most members are|we (?:come from|live in|work in|work as))\b|"
    r"\b(?:I'm|I am) (?:an? |from |based |originally |allergic |vegetarian|vegan|left-handed|"
    r"colou?r-?blind|married|retired)|"
    r"\bI (?:work (?:as|in|at|for|on)|live in|study|own|play the|don't eat|come from|have "
    r"(?:an?|two|three) (?:cats?|dogs?|kids?|sons?|daughters?))\b",
    re.IGNORECASE,
)
_DAY_TO_COME = re.compile(
    r"\d{1,2}\s*[号日月]|[一二三四五六七八九十]月|下个?(?:周|星期|礼拜|月)|明[年天]|后天|国庆|端午|春节|"
    r"[暑寒]假|打算|"
    r"\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|"
    r"\b(?:\w+uary|march|april|june|july|august|\w+ember|october)\b|"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\bnext (?:week|month|year)\b|"
    r"\b(?:i'll|i will|i'm going to)\b",
    re.IGNORECASE,
)
_EMPTY_TRAIT = re.compile(
    r"是(?:不是|说|的吧|吗|这样|想|要|觉得|谁)|是.{1,12}(?:来|去|到|走|买|看|吃|问|坐)的$|"
    r"我在(?!.{0,12}(?:工作|上班|上学|读|学|做|住))|我做(?:完|好|了|不)|"
    r"\b(?:is|are|'re|am|'m) (?:\w+ly |all |still |both )?(?:\w+ing|\w+ed|late|lost|ready|here|"
    r"there|back|done|fine|good|ok|okay|sorry|set|out|in|on|at|so|busy|free|sick|sure|happy|sad|"
    r"stuck|full|alone|safe|home|away|close|right|wrong)\b|"
    r"\b(?:is|are|'re) an? (?:bit|little|mess|disaster|while|lot)\b|"
    r"\bI have (?:to|no|a (?:question|meeting|idea|problem)|been)\b",
    re.IGNORECASE,
)

_ORDER = (
    (TABOO, _TABOO),
    (CULTURE, _CULTURE),
    (VIEW, _VIEW),
    (HABIT, _HABIT),
    (PROJECT, _PROJECT),
    (PREFERENCE, _PREFERENCE),
    (TRAIT, _TRAIT),
)


def kind_of(clause: str) -> str | None:
    for kind, pattern in _ORDER:
        if pattern.search(clause) and not (kind == TRAIT and _EMPTY_TRAIT.search(clause)):
            return kind
    return None


def plain_kind(told: str) -> str:
    """Of what somebody says of themselves in no telling form: a plan, if it names a day."""
    return PROJECT if names_a_day(told) else FACT


def names_a_day(told: str) -> bool:
    return bool(_DAY_TO_COME.search(told))


def is_brief(kind: str, clause: str) -> bool:
    """Sounds like a project, and may be over in an hour."""
    return kind == PROJECT and bool(_BRIEF_PROJECT.search(clause))
