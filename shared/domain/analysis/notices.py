"""Does a text announce something to all? People, and machines, do it in set phrases."""

from shared.domain.analysis.cues import THING, Said, any_of

_LABEL = any_of(
    r"""
    ^\W*[\w ]{0,10}(?:通知|公告|通告|告警|警告|预警|警报|声明|快讯|喜报|提[醒示]|注意)\W*[:!】\]]
    ^[\[【(][^\]】)]{0,8}(?:通知|公告|告警|警告|提[醒示]|故障|恢复|更新|发布|上线|活动|招[聘募]|重要)
    ^(?:紧急|重要|全体)?(?:通知|公告|通告)|^(?:全体|大家|各位|请)注意|^【[^】]{1,10}】
    ^\W*(?:(?:friendly|gentle|quick|final|last) )?{reminder, announcement, notice, warning}
    ^\W*{fyi, psa, heads[- ]up, attention, urgent, important, breaking, last call, save the date}
    ^\W?{alert, update, incident, outage}\W*[:!\]]
    ^\W?{resolved, critical, firing, release notes?, changelog}\W*[:!\]]
    ^[\[(*]{alert, update, incident, outage, resolved, critical}
    ^[\[(*]{firing, info, warn, error, fatal, p\d}
    ^{weekly, daily, monthly, nightly} {digest, report, summary, update, newsletter, stats, recap}
    ^{new policy, policy update, known issue, scheduled, security advisory}
    """
)
"""At the very beginning; says by itself what the text is."""

_CHINESE = any_of(
    r"""
    (?<![要想会能])请(?!问|教|假|客|帮|你|您|了|个|大佬|吃|喝)  # asks all for something
    大家(?:注意|请|务必|记得|留意|周知|欢迎|[把都将])|提醒(?:大家|各位|所有|一下)|准时|车主|敬请
    望周知
    各位(?:同事|家长|老师|同学|业主|成员|领导|朋友|群友|小?伙伴|住户|邻居|用户|客户|队员)
    ^(?:尊敬|亲爱)的
    将(?:于|在.{1,12}[点日号月:]|停|进行|举行|关闭|开放|暂停)|即将|定于|特此|另行通知|如下:|详见
    见附件
    已(?:发布|发,|上线|下线|签收|送[达到]|发货|到[货账]|到前台|到驿站|开放|恢复|截止|生效|触发|合并|部署|更新至|于)
    已经?[搬改移迁调换转挪]\w{0,2}[到至为]|已[将被].{0,8}(?:转让|禁言|移出|设为|任命)
    截止(?:到|时间|日期|至)|过期不候|逾期|停[水电气]|(?:升级|停机|系统|例行|临时)维护|检修|放假安排
    (?:会议|例会|活动|课程?|考试|面试|聚餐|培训|比赛|航班).{0,6}(?:改[到为]|推迟|提前到|取消|延期|移到|调整)
    (?:时间|地点|安排|名单|结果)(?:更新|调整|公布)?:|会议号|报名|接龙|验证码
    ^本(?:群|店|公司|小区|周|次)
    恭喜.{1,20}(?:获|晋升|入选|成为|中奖|当选)|欢迎.{1,12}(?:加入|入职|进群)
    (?:今[天日]|新同事.{0,10})入职
    欢迎(?:升级|下载|试用|体验|参加|报名|光临|订阅|选购)|发版|上新|开团|不便.{0,4}(?:抱歉|谅解)
    (?:加入|退出|离开)了?(?:群聊|本群)|移出了?群聊|修改群名|解散了|撤回了一条
    (?:构建|编译|部署|发布|流水线|任务|备份|同步|检查)(?:失败|成功|完成|通过|结束)|使用率.{0,6}\d
    ^您的|您(?:有|已|尾号)
    """
)

_ENGLISH = any_of(
    r"""
    \bplease [a-z]{2,}|^dear \w+|{mandatory, until further notice, rsvp, deadline (?:is|for|has)}
    \bmust {not, be (?:in|sent|submitted|worn|completed|returned|paid|signed|kept)}
    \bsend (?:me|us|in)\b.*\bby (?:<DAY>|\d)|\bgoes out <DAY>
    \bdue {by, on, today, tomorrow, at, this, next}
    \bdo not {merge, enter, use, touch, park, reply, share}
    \bout of {service, order, toner, stock, paper}
    \bcode is \d
    {scheduled, planned, emergency} {maintenance, downtime, outage}
    \bexpect {a, some, downtime, delays}
    \bwill be {closed, down, unavailable, shut, offline}
    \bwill be {moved, held, repaved, upgraded, migrated, open}
    \bwill be {restarted, deprecated, removed, locked, rolled out, turned off, replaced, cancell?ed}
    {has been, have been} {moved, delivered, released, cancell?ed}
    {has been, have been} {resolved, rescheduled, shipped, closed}
    {has been, have been} {deployed, postponed, published, approved}
    {has been, have been} {rejected, restored, extended, merged}
    {is, are, was, were} {cancell?ed, postponed, rescheduled, added to, removed from}
    {closes?, ends?, starts?, opens?, begins?, expires?, resumes?, due} (?:by |on |at |this )?<DAY>
    {is, are} (?:now )?{out, live, available}(?: now)?(?:$|[:!,])
    {is, are} (?:now )?{open, back up, back online, in effect}(?: now)?(?:$|:|!)
    {is, are} {up, out, live, ready, here, back}.{0,4}<THING>|{is, are} open {until, till, from}
    \bnow {live, available, in production}|^(?:release|version|v) ?\d+\.\d
    ^\S+ v?\d+\.\d\S* (?:is|has)
    {restart, reboot, shutdown, deploy, maintenance, starts?, starting} in \d+|{results?, winners?}:
    ^{deploying, restarting, rolling back, upgrading, migrating, releasing}.*{now, today, tonight}
    ^(?:\S+: )?<JOB>.{0,40}{passed, failed, finished, succeeded, completed?, started, aborted}
    ^{deployed, released, merged, published, rolled back}.{0,40}(?:->|v?\d+\.\d)
    ^\S*(?:bot|jenkins|grafana|sentry|github|gitlab|ci|cron|monitor|alertmanager|datadog): \S
    {usage, cpu, memory}.{0,25} {is at, above, exceeded, over, reached} \d
    {disk, latency, error rate}.{0,25} {is at, above, exceeded, over, reached} \d
    {has, have} {joined, left, arrived, just arrived}|{is, are} {joining, leaving} {the, us, our}
    {joined, left, entered} the {group, channel, chat, server, room, team}
    {changed, set, updated} the {group, channel, room, chat}
    ^your {order, package, parcel, account, subscription}
    ^your {password, code, booking, payment, delivery}
    ^your {trial, verification}|\bservices? {is, are} {back, operational, down, restored}
    ^[\w' ]{2,24} {moved, pushed, postponed} to\b
    {road, street, office, school, shop, store, gym} closed
    {starting, effective} (?:from )?(?:<DAY>|next \w+|[a-z]+ \d+).{0,4}:
    \ball[- ]hands\b.{0,20}\bat\b
    """,
    DAY=r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tonight|tomorrow|midnight|noon|eod)",
    JOB=r"(?:build|job|pipeline|(?:test )?run|check|backup|release|deploy(?:ment)?|workflow)\b",
    THING=THING,
)

_HEADING = any_of(r"^(?=[\w /()-]*(?:[a-z] +[a-z]|[㐀-鿿]{3}))[^\n:,.!?。]{3,24}:\s*(?=\S)")
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
