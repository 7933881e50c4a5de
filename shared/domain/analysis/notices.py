"""Does a text announce something to all? People, and machines, do it in set phrases."""

import re

from shared.domain.analysis.cues import Said, any_of

_LABEL = any_of(
    r"""
    ^\W*[\w ]{0,10}(?:通知|公告|通告|告警|警告|预警|警报|声明|快讯|喜报|提[醒示]|注意)\W*[:!】\]]
    ^[\[【(][^\]】)]{0,8}(?:通知|公告|告警|警告|提[醒示]|故障|恢复|更新|发布|上线|活动|招聘|重要)
    ^(?:紧急|重要|全体)?(?:通知|公告|通告)|^(?:全体|大家|各位|请)注意|^【[^】]{1,10}】
    ^\W*(?:(?:friendly|gentle|quick|final|last) )?(?:reminder|announcement|notice|warning)\b
    ^\W*(?:fyi|psa|heads[- ]up|attention|urgent|important|breaking|last call|save the date)\b
    ^[\[(]?(?:alert|update|incident|outage|resolved|critical|firing|release notes?|changelog)[\])]?\W*[:!\]]
    ^(?:[\[(*])(?:alert|update|incident|outage|resolved|critical|firing|info|warn|error)\b
    ^(?:weekly|daily|monthly|nightly) (?:digest|report|summary|update|newsletter|stats|recap)\b
    ^(?:new policy|policy update|scheduled|security advisory)\b
    """
)
"""At the very beginning; says by itself what the text is."""

_CHINESE = any_of(
    r"""
    ^请(?!问|教|假|客|帮|你|您)
    (?<![要想会能])请(?!问|教|假|客|帮|你|您|了|个|大佬|吃|喝)|大家[把都将]|会议号|准时|车主
    欢迎(?:升级|下载|试用|体验|参加|报名|光临|订阅|选购)|发版|上新|开团|接龙|(?:时间|地点|安排|名单|结果)(?:更新|调整|公布)?:
    各位(?:同事|家长|老师|同学|业主|成员|领导|朋友|群友|小?伙伴|住户|邻居|用户|客户|队员|亲)|^(?:尊敬|亲爱)的
    请(?:大家|各位|全体|所有|未|尚未|没|还没|有需要|知悉|周知|注意|务必|准时|提前|及时|按时|尽快|扫码|勿|于)
    请在?.{1,14}(?:之?前|以内|期间|自取|登记|报名|参加|填写|提交|查收|领取)
    大家(?:注意|请|务必|记得|留意|周知)|提醒(?:大家|各位|所有|一下)|(?:请|望|敬请)(?:知悉|周知|谅解|留意)
    将(?:于|在.{1,12}[点日号月:])|即将|将(?:停|进行|举行|关闭|开放|暂停)|定于|特此|兹
    已(?:发布|上线|签收|送达|发货|开放|恢复|截止|到账|生效|触发|合并|部署|下线|送到|更新至|到前台|到驿站|到货)|已于
    已经?[搬改移迁调换转挪][\w]{0,2}[到至为]|另行通知|(?:今[天日]|新同事.{0,10})入职|大家欢迎
    截止(?:到|时间|日期|至)|过期不候|逾期|停[水电气]|(?:升级|停机|系统|例行|临时)维护|检修
    放假安排|恭喜.{1,20}(?:获|晋升|入选|成为|中奖|当选)|欢迎.{1,12}(?:加入|入职|进群)
    (?:加入|退出|离开)了?(?:群聊|本群)|移出了?群聊|修改群名|解散了|已[将被].{0,8}(?:转让|禁言|移出|设为|任命)|抱歉.{0,4}不便|不便.{0,4}(?:抱歉|谅解)|撤回了一条
    (?:构建|编译|部署|发布|流水线|任务|备份|同步)(?:失败|成功|完成|通过|结束)
    ^您的|您(?:有|已|尾号)|使用率.{0,6}\d|验证码
    (?:会议|例会|活动|课程?|考试|面试|聚餐|培训|比赛|航班).{0,6}(?:改到|改为|推迟|提前到|取消|延期|移到|调整)
    如下:|详见|见附件|报名|^本(?:群|店|公司|小区|周|次)
    """
)

_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tonight|tomorrow|midnight|noon|eod)"
_ENGLISH = any_of(
    rf"""
    ^dear \w+|^(?:hi |hello )?(?:all|team|everyone|everybody|folks)\b.*\bplease\b
    \bplease [a-z]{{2,}}|\bmust (?:not|be (?:in|sent|submitted|worn|completed|returned|paid|signed|kept))\b|\bmandatory\b|\buntil further notice\b
    \b(?:restart|reboot|shutdown|deploy|maintenance|start)(?:s|ing|ed)? in \d+|\b(?:results?|winners?):
    \b(?:scheduled|planned|emergency) (?:maintenance|downtime|outage)\b|\bexpect (?:a|some|downtime|delays)\b
    \bwill be (?:closed|down|unavailable|shut|offline|moved|held|repaved|upgraded|migrated|restarted)\b
    \bwill be (?:deprecated|removed|locked|rolled out|turned off|replaced|tested|blocked|cancell?ed|open)\b
    \bha(?:s|ve) been (?:moved|delivered|released|cancell?ed|resolved|rescheduled|shipped|deployed|closed)\b
    \bha(?:s|ve) been (?:postponed|published|approved|rejected|restored|extended|disabled|assigned|merged)\b
    \b(?:closes?|ends?|starts?|opens?|begins?|expires?|(?:is|are) due|resumes?) (?:by |on |at |this )?{_DAY}
    \b(?:(?:is|are) )?due (?:by|on|today|tomorrow|at|this|next)\b|\bdeadline (?:is|for|has)\b|\brsvp\b
    \b(?:is|are) (?:now )?(?:out|live|available|open|back up|back online|in effect)(?: now)?(?:$|:|!)
    \bnow (?:live|available|in production)\b|^(?:release|version|v) ?\d+\.\d|^\S+ v?\d+\.\d\S* (?:is|has)
    ^(?:build|job|pipeline|backup|release|deploy(?:ment)?|workflow|test run|rollout)\b.{{0,40}}\b(?:passed|failed|finished|succeeded|completed?|started|aborted)\b
    ^\w+: (?:build|job|pipeline|run|check|test)\b.{{0,40}}\b(?:passed|failed|finished|succeeded)\b
    ^(?:deployed|released|merged|published|rolled back)\b.{{0,40}}(?:->|v?\d+\.\d)
    \bha(?:s|ve) (?:joined|left)\b|\b(?:joined|left|entered) the (?:group|channel|chat|server|room|team)\b
    ^\S*(?:bot|jenkins|grafana|sentry|github|gitlab|ci|cron|monitor\w*|alertmanager|datadog|system): \S
    \b(?:is|are) (?:joining|leaving) (?:the|us|our)\b
    \b(?:changed|set|updated) the (?:group|channel|room|chat)\b|\bcode is \d|\bout of (?:service|order)\b
    \b(?:is|are) (?:up|out|live|ready|here|back)\b.{{0,4}}￼|\bdo not (?:merge|enter|use|touch|park|reply|share)\b
    ^your (?:order|package|parcel|account|subscription|password|code|booking|payment|delivery|trial|verification)\b
    \b(?:usage|cpu|memory|disk|latency|error rate)\b.{{0,25}} (?:is at|above|exceeded|over|reached) \d
    \bservices? (?:is|are) (?:back|operational|down|restored)\b|\ball[- ]hands\b.{{0,20}}\bat\b
    \b(?:is|are|was|were) (?:cancell?ed|postponed|rescheduled|added to|removed from)\b
    ^[\w' ]{{2,24}} (?:moved|pushed|postponed) to\b|\b(?:road|street|office|school|shop|store|gym)s? closed\b
    ^(?:deploying|restarting|rolling back|upgrading|migrating|releasing)\b.*\b(?:now|today|tonight)\b
    \bha(?:s|ve) (?:just )?arrived\b|\b(?:is|are) open (?:until|till|from)\b
    \b(?:starting|effective) (?:from )?(?:{_DAY}|next \w+|[a-z]+ \d+).{{0,4}}:
    """  # noqa: E501
)


_HEADING = re.compile(r"^(?=[\w /()-]*(?:[a-z]+ +[a-z]|[㐀-鿿]{3}))[^\n:,.!?。]{3,24}:\s*(?=\S)")
"""A few words and a colon, and then the facts."""


def is_labelled(said: Said) -> bool:
    return bool(_LABEL.search(said.line)) and not said.line.endswith("?")


def announces(said: Said) -> bool:
    return bool(_CHINESE.search(said.line) or _ENGLISH.search(said.line))


def is_for_the_calendar(said: Said) -> bool:
    """Names a time to come, or heads a list of facts, and is nobody's own affair or opinion."""
    if said.is_personal or said.is_reasoning:
        return False
    return said.has_time or (said.has_things and bool(_HEADING.search(said.line)))
