"""Does a text tell somebody how, why or where, even if we do not know what it replies to?"""

from shared.domain.analysis.cues import Said, any_of

_CHINESE = any_of(
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
_ENGLISH = any_of(
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


def tells(said: Said) -> bool:
    if _IN_ORDER.search(said.line) and not said.is_reasoning and "我" not in said.line:
        return True
    clauses = (said.line, said.line.replace(",", ""), *said.clauses)
    return any(_CHINESE.search(each) or _ENGLISH.search(each) for each in clauses)
