"""Function words of both languages, and Chinese words that only look as if they held one."""

from .wordlist import words_in

STOP_EN = frozenset(
    words_in(
        """
        a about above after again against ago all almost alone along already also although always
        am an and another any anybody anyone anything are aren't around as at away back be became
        because been before being below between both but by can can't cannot come could couldn't
        day did didn't do does doesn't doing don't done down during each either else enough even
        ever every everybody everyone everything few find first for from further gave get gets
        getting go goes going gone good got great guys had hadn't has hasn't have haven't having
        he hello her here hers herself hey hi him himself his how however i i'd i'll i'm i've if
        in instead into is isn't it it's its itself just kind know last least let let's like lot
        made make makes many may maybe me might mine more most much must my myself need never
        next no nobody none nor not nothing now of off oh ok okay on once one only onto or other
        others our ours ourselves out over own perhaps please quite rather really said same say
        says see seem seems several shall she should shouldn't since so some somebody someone
        something sometimes somewhere soon still such sure take than thank thanks that that's the
        their theirs them themselves then there there's these they they're thing things think
        this those though through till time to today together tomorrow tonight too under until up
        upon us use very want was wasn't way we we'd we'll we're we've well were weren't what
        what's when where whether which while who whole whom whose why will with within without
        won't would wouldn't yeah yes yesterday yet you you'd you'll you're you've your yours
        yourself
        """
    )
)

STOP_ZH = sorted(
    words_in(
        """
        我们 你们 他们 她们 它们 咱们 大家 各位 自己 别人 这个 那个 这些 那些 这样 那样 这种 那种
        这里 那里 这儿 那儿 这边 那边 这么 那么 这次 那次 什么 怎么样 怎么 怎样 为什么 多少 几个
        哪里 哪个 哪些 因为 所以 但是 可是 不过 如果 要是 虽然 还是 或者 而且 然后 并且 于是 另外
        其实 确实 的确 已经 正在 可以 应该 需要 必须 可能 也许 大概 或许 一下 一个 一些 一起 一直
        一样 一定 一般 现在 今天 明天 昨天 前天 后天 今晚 明晚 昨晚 晚上 上午 下午 早上 中午 凌晨
        傍晚 周末 最近 刚才 刚刚 以后 以前 之后 之前 时候 觉得 认为 感觉 知道 希望 打算 准备 想要
        看看 告诉 没有 不是 不要 不会 不能 不用 不再 还有 就是 也是 都是 只是 只有 真的 真是 非常
        特别 比较 有点 有些 有人 有没有 是不是 能不能 要不要 行不行 好不好 对吧 好吧 好的 好啊
        可不可以 谢谢 哈哈 嘻嘻 呵呵 嗯嗯 嗯 哦 唉 哎 都 也 就 又 很 太 的 了 吗 呢 吧 啊 呀 嘛
        哇 着 和 与 跟 在 是 我 你 他 她 它 您 把 被 这 那
        """
    ),
    key=len,
    reverse=True,
)

LEADING_ZH = frozenset("从向给让说会要想去来到得为对还更最再才只并而但若则每各某该谁几个些过")
"""Characters that are function words before a word and part of it elsewhere (庙会, 谁会修)."""

WHOLE_ZH = sorted(
    words_in(
        """
        成都 首都 京都 都市 目的 的士 了解 了不起 和平 和谐 存在 实在 是否 着急 着陆 就业 成就
        把握 被子 吉他 其他 他乡 会议 开会 社会 机会 晚会 聚会 年会 例会 会员 会计 协会 工会 约会
        重要 主要 要求 想法 理想 思想 梦想 小说 说明 说法 来源 未来 原来 到达 得分 为主 行为 对象
        对手 反对 对比 还款 更新 最好 再见 才能 只能 并发 而是 每日 各地 该死 谁家 个人 个性 从事
        方向 向导 给力 让座 去年 过去 失去 来电 来自 将来 收到 迟到 报到 地铁 会话 要点 需要 说唱
        演说 传说 音乐会 演唱会 博览会
        """
    ),
    key=len,
    reverse=True,
)
