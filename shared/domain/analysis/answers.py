"""Does a text tell somebody how, why or where, even if we do not know what it replies to?"""

import re

from shared.domain.analysis.cues import Said, any_of

_CHINESE = any_of(
    r"""
    ^(?:答|回复|回答|a):|^(?:是|主要是)?因为|原因是|(?:解决|处理)(?:办法|方法|方案)(?:是|:)|步骤(?:是|如下|:)
    试试|试一?下|^可以(?:先|用|直接|去|把|在|通过|从|参考)
    [你您](?:可以|先|去|得先|要先|需要|应该|直接|试|把|用|换|看下|检查)|的意思是|^意思是
    ^(?:需要|得)先
    就(?:行|好|可以|能|有|没|ok|没问题|正常|解决)[了啦的]?$|亲测|就[行好]了?,|即可|就(?:不会|能|没).{1,8}了$
    (?:一般|多半|大概率|八成|通常|就)是.{1,24}(?:问题|没|不对|原因|引起|导致|权限|不够|错|过期|冲突)
    (?:之前|以前|上次)也?(?:遇到|碰到|踩)过
    ^(?:不用|不需要|没必要).{2,}(?:就|直接)
    (?:去|在|到).{1,12}[里中].{0,4}(?:改|设置|打开|关掉|找|重新|点|选|生成|开启|下载)
    把.{1,24}(?:改成|换成|设成|调成|删掉|去掉|关掉|打开|加上).{0,12}(?:就|再试)
    ^[^我了]*把[^我了]{1,24}(?:改成|换成|设成|调[成到大小])|右键|点击(?![率量数])|勾选|双击|长按|选中
    ^(?:是的|对的?|不是的?|没错|可以的|不行|能|不能|会的|不会),.{2,}
    参考(?:一下|这个|下)?[:￼ ]|^看(?:一?下)?(?:这个|这篇|官方|文档).{0,6}$
    """
)

_DO = (
    r"(?:try|use|run|restart|reinstall|install|check|set|add|remove|delete|change|switch|upgrade"
    r"|downgrade|click|press|open|go to|make sure|replace|disable|enable|clear|rename|copy|type"
    r"|select|download|reboot|unplug|turn (?:it )?o(?:n|ff)|look at|see|follow|pin|revert|put|rub"
    r"|mix|boil|wash|cut|soak|hold|push|pull|plug|tap|swipe|scroll|log (?:in|out|into)|sign (?:in|out)"
    r"|create|ask|contact|email|write|save|wrap|apply|heat|bake|wipe|drag|edit|import|export|fill"
    r"|order|google|search|avoid|don't|do not|never|always|start with|pick|choose|get a|buy)"
)
_ENGLISH = any_of(
    rf"""
    ^(?:yes|yeah|yep|yup|no|nope|nah) (?:it|you|we|they|that|this|i|the|there|but|only|because|not)\b
    ^(?:it's |that's |this is |it is |that is |probably |mostly |just )*(?:because|due to|caused by)\b
    ^(?:(?:just|first|simply|instead|then|so|or|and|also|otherwise) )*{_DO} (?!you\b|ya\b|u\b|to see\b)
    \b(?:you|u) (?:can|could|should|need to|have to|must|just|might want to|may want to|gotta)\b
    \byou(?:'ll| will)? (?:need|have to|want to)\b|\byou don't (?:need|have) to\b
    ^(?:there's )?no need (?:to|for)\b|^to answer\b|^a: |^here(?:'s| is) (?:the|a|how)\b|^here you go\b
    \b(?:fix|solution|workaround|trick|answer|easiest way|best way) (?:is|was) (?:to|that)\b
    ^the reason\b.{{0,30}}\b(?:is|was)\b
    \b(?:error|message|warning|code|status|flag|option|exception) (?:usually )?(?:means|indicates)\b
    ^(?:it|that|they) should (?:be|work|fix)\b.{{0,6}}(?:under|in|at|on|inside|if|now)\b
    \bunder (?:settings|preferences|options)\b|^(?:in|under) (?:the )?(?:settings|preferences|menu)\b
    \b(?:fixes|fixed|solves|solved) (?:it|this|that)$|\bworked for me\b
    ^if you (?!want|like|need|don't mind|are|ask)\w+ .*\b(?:it|you|they|the)\b|^you(?:'d)? want\b
    ^depends on\b|\bknown (?:bug|issue)\b
    ^by (?:using|setting|running|default|adding)\b
    ^i (?:had|ran into|hit) the same (?:issue|problem|error)\b
    """
)


_IN_ORDER = re.compile("先.{2,}再(?!说)")


def tells(said: Said) -> bool:
    if _CHINESE.search(said.line) or any(_CHINESE.search(each) for each in said.clauses):
        return True
    if not (said.is_reasoning or "我" in said.line) and _IN_ORDER.search(said.line):
        return True
    joined = said.line.replace(",", "")
    return bool(_ENGLISH.search(joined)) or any(_ENGLISH.search(each) for each in said.clauses[:3])
