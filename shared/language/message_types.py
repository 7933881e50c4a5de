"""What kind of message a text is: question, answer, notice, talk about a subject, or small talk."""

from enum import StrEnum

from shared.language.patterns import THING, PreparedText, any_of, read
from shared.language.questions import asks
from shared.language.small_talk import is_mood, is_reaction, is_social, is_tiny


class MessageType(StrEnum):
    QUESTION = "question"
    """Asks for information, help or a decision."""
    ANSWER = "answer"
    """Tells somebody what they asked for, or how to do something."""
    DISCUSSION = "discussion"
    """An opinion, a proposal, a report: everything else with a subject."""
    NOTIFICATION = "notification"
    """Tells all what they should know: announcements, reminders, alerts, notices of a machine."""
    CASUAL = "casual"
    """Greetings, thanks, laughter, moods: nothing to remember by itself."""


def message_type(
    text: str, *, replied: str | None = None, is_to_everyone: bool = False, has_file: bool = False
) -> MessageType:
    """`text` and what it replies to come without mentions and placeholders."""
    return classify(
        read(text),
        is_to_everyone=is_to_everyone,
        replied=read(replied) if replied is not None else None,
        has_file=has_file,
    )


def classify(
    said: PreparedText,
    *,
    is_to_everyone: bool = False,
    replied: PreparedText | None = None,
    has_file: bool = False,
) -> MessageType:
    """`replied` is what the message replies to; an answer needs a question."""
    is_reply_to_question = replied is not None and asks(replied)
    if not said.line:
        return MessageType.ANSWER if has_file and is_reply_to_question else MessageType.CASUAL
    if is_labelled(said):
        return MessageType.NOTIFICATION
    if asks(said):
        return MessageType.QUESTION
    if is_to_everyone:
        return MessageType.NOTIFICATION
    if is_reaction(said):
        return MessageType.CASUAL
    if is_reply_to_question:
        return MessageType.ANSWER
    if is_social(said):
        return MessageType.CASUAL
    if announces(said):
        return MessageType.NOTIFICATION
    if is_mood(said):
        return MessageType.CASUAL
    if is_for_the_calendar(said):
        return MessageType.NOTIFICATION
    if tells(said):
        return MessageType.ANSWER
    if is_tiny(said):
        return MessageType.CASUAL
    return MessageType.DISCUSSION


# ---- notices: people, and machines, announce in set phrases

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

_NOTICE_ZH = any_of(
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

_NOTICE_EN = any_of(
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


def is_labelled(said: PreparedText) -> bool:
    return bool(_LABEL.search(said.line)) and not said.line.endswith("?")


def announces(said: PreparedText) -> bool:
    return bool(_NOTICE_ZH.search(said.line) or _NOTICE_EN.search(said.line))


def is_for_the_calendar(said: PreparedText) -> bool:
    """Names a time to come, or heads a list of facts, and is nobody's own affair or opinion."""
    if said.is_personal or said.is_reasoning:
        return False
    return said.has_time or (said.has_things and bool(_HEADING.search(said.line)))


# ---- answers: how, why or where, even if what they reply to is not known

_ANSWER_ZH = any_of(
    r"""
    ^(?:答|回复|回答|a):|^(?:是|主要是)?因为|原因是|(?:解决|处理)(?:办法|方法|方案)(?:是|:)
    步骤(?:是|如下|:)
    试试|试一?下|亲测|即可|^(?:需要|得)先|的意思是|^意思是
    [你您](?:可以|先|去|得先|要先|需要|应该|直接|试|把|用|换|看下|检查)
    ^可以(?:先|用|直接|去|把|在|通过|从|参考)|可以(?:设置?|配置?|开启|直接用|通过)
    就(?:行|好|可以|能|有|没|ok|没问题|正常|解决)[了啦的]?$|就(?:不会|能|没).{1,8}了$
    (?:一般|多半|大概率|八成|通常|就)是.{1,24}(?:问题|没|不对|原因|引起|导致|权限|不够|错|过期|冲突)
    (?:之前|以前|上次)也?(?:遇到|碰到|踩)过|^(?:不用|不需要|没必要).{2,}(?:就|直接)
    (?:去|在|到).{1,12}[里中].{0,4}(?:改|设置|打开|关掉|找|重新|点|选|生成|开启|下载)
    ^[^我了]*把[^我了]{1,24}(?:改成|换成|设成|调[成到大小])|右键|点击(?![率量数])|勾选|双击|长按
    选中
    ^(?:是的|对的?|不是的?|没错|可以的|不行|能|不能|会的|不会),.{2,}
    参考(?:一下|这个|下)?[:￼ ]|^看(?:一?下)?(?:这个|这篇|官方|文档).{0,6}$
    """
)
_ANSWER_EN = any_of(
    r"""
    ^{yes, yeah, yep, yup, no, nope, nah} {it, you, we, they, that, this}
    ^{yes, yeah, yep, yup, no, nope, nah} {i, the, there, but, only, not}
    ^(?:it's |that's |this is |it is |that is |probably |mostly |just )*{because, due to, caused by}
    ^(?:(?:just|first|simply|instead|then|so|or|and|also|otherwise) )*<DO> (?!you\b|u\b|to see\b)
    {you, u} {can, could, should, need to, have to, must, just, might want to, may want to, gotta}
    \byou(?:'ll| will)? {need, have to, want to}|\byou don't {need, have} to\b|^you(?:'d)? want\b
    ^if you (?!want|like|need|don't mind|are|ask)\w+ .*{it, you, they, the}
    ^(?:there's )?no need {to, for}|^{to answer, here you go, here's (?:the|a|how), depends on}|^a:
    {fix, solution, workaround, trick, answer, easiest way, best way} {is, was} {to, that}
    ^the reason\b.{0,30}{is, was}|^by {using, setting, running, default, adding}
    {error, message, warning, code, status, flag, option, exception} (?:usually )?{means, indicates}
    ^(?:it|that|they) should {be, work, fix}.{0,6}{under, in, at, on, inside, if, now}
    {under, in} (?:the )?{settings, preferences, options, menu}
    {worked for me, known bug, known issue}
    {fixes, fixed, solves, solved} {it, this, that}$
    ^i {had, ran into, hit} the same {issue, problem, error}
    """,
    DO=(
        r"(?:try|use|run|restart|reinstall|install|check|set|add|remove|delete|change|switch"
        r"|upgrade|downgrade|click|press|open|go to|make sure|replace|disable|enable|clear|rename"
        r"|copy|type|select|download|reboot|unplug|turn (?:\w+ ){0,3}o(?:n|ff)|look at|see|follow"
        r"|pin|revert|put|rub|mix|boil|wash|cut|soak|hold|push|pull|plug|tap|swipe|scroll"
        r"|log (?:in|out)|create|ask|sign (?:in|out)|contact|email|write|save|wrap|apply|heat"
        r"|bake|wipe|drag|edit|import|export|fill|order|google|search|avoid|don't|do not|never"
        r"|always|start with|pick|choose|get a|buy)"
    ),
)
_IN_ORDER = any_of("先.{2,}再(?!说)")


def tells(said: PreparedText) -> bool:
    if _IN_ORDER.search(said.line) and not said.is_reasoning and "我" not in said.line:
        return True
    clauses = (said.line, said.line.replace(",", ""), *said.clauses)
    return any(_ANSWER_ZH.search(each) or _ANSWER_EN.search(each) for each in clauses)
