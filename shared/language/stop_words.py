"""Words too common to tell two messages apart, in Chinese and English."""

_ENGLISH = """
    a about above after again against ago all almost along already also although always am among an
    and another any anybody anyone anything anyway are aren't around as at away back be became
    because become been before being below between both but by came can can't cannot come could
    couldn't did didn't do does doesn't doing don't done down during each either else enough etc
    even ever every everybody everyone everything few for from further gave get gets getting give
    go goes going gone gonna got gotta had hadn't has hasn't have haven't having he he'd he'll he's
    hello her here here's hers herself hey hi him himself his how how's however i i'd i'll i'm i've
    if im in instead into is isn't it it'd it'll it's its itself just keep kind know last least let
    let's like likely little ll lol lot made make makes many may maybe me might mine more most much
    must my myself need neither never next no nobody none nor not nothing now of off oh ok okay on
    once one only onto or other others otherwise our ours ourselves out over own per perhaps please
    pls put quite rather re really right said same saw say see seem seems seen shall she she'd
    she'll she's should shouldn't since so some somebody someone something sometimes somewhere soon
    still such sure take than thank thanks that that's the their theirs them themselves then there
    there's therefore these they they'd they'll they're they've thing things think this those
    though through thus till to together too took toward towards tried try u under unless until up
    upon us use used using ve very via want wanna was wasn't way we we'd we'll we're we've well
    went were weren't what what's when when's where where's whether which while who who's whole
    whom whose why why's will with within without won't would wouldn't yeah yep yes yet you you'd
    you'll you're you've your yours yourself yourselves
"""

_CHINESE = """
    的 了 着 过 地 得 之 者 所 是 有 在 和 与 及 或 而 且 但 也 都 又 还 就 才 只 便 即 则 却 并 把
    被 让 给 对 向 往 从 自 由 于 以 为 因 如 若 跟 同 比 按 到 去 来 上 下 里 外 中 内 前 后 这 那
    哪 此 其 某 每 各 另 我 你 您 他 她 它 咱 谁 啥 几 多 少 很 太 更 最 极 挺 蛮 真 好 不 没 无 未
    别 非 莫 吗 呢 吧 啊 呀 哦 噢 喔 嗯 唉 哎 哈 嘛 啦 呗 嘞 哇 喂 诶 欸 咯 么 个 些 种 次 点 一 二
    两 三 说 看 想 要 会 能 可 应 该 做 用 弄 搞 叫 问 等 再 刚 先 已 曾 将 正 仍 常 总 老 今 一个
    一些 一下 一点 一样 一直 一定 一起 一般 一种 一次 不是 不会 不能 不要 不过 不用 不到 不了 不太
    不得 不知 不知道 什么 怎么 怎样 怎么样 怎么办 如何 为什么 为何 为啥 为了 因为 因此 所以 所有
    但是 然后 然而 而且 而是 并且 或者 还是 还有 还要 就是 就算 只是 只有 只要 只能 可是 可以 可能
    可否 虽然 尽管 如果 假如 要是 要不 要么 那么 那个 那些 那样 那里 那边 那种 这个 这些 这样 这里
    这边 这种 这么 这次 这是 那是 我们 你们 他们 她们 它们 咱们 大家 自己 人家 别人 有人 有没有
    没有 有点 有些 有的 有个 是不是 能不能 会不会 要不要 可不可以 好不好 对不对 是否 能否 已经 曾经
    正在 现在 刚才 刚刚 后来 以后 以前 之前 之后 之间 时候 当时 其实 其他 其中 其它 其次 另外 此外
    以及 以为 认为 觉得 感觉 知道 看到 看看 看下 看来 听说 想要 应该 需要 必须 比较 非常 特别 十分
    真的 真是 确实 的话 的确 左右 上面 下面 里面 外面 前面 后面 哪里 哪个 哪些 哪儿 几个 多少 多久
    许多 很多 不少 更多 一切 全部 都是 也是 又是 总是 总之 反正 毕竟 究竟 到底 终于 突然 马上 立刻
    关于 对于 至于 由于 根据 按照 通过 经过 随着 除了 除非 直到 甚至 尤其 例如 我刚 比如 譬如 谢谢
    感谢 多谢 请问 麻烦 不好意思 你好 您好 好的 好吧 好像 似乎 估计 大概 也许 或许 哈哈 哈哈哈 呵呵
    嘻嘻 嗯嗯 哦哦 啊啊 对对 是的 没事 没关系 起来 出来 出去 过来 过去 进来 进去 上来 下来 下去
    回来 回去 来说 来看 而言 之类 等等 什么的 的时候 东西 事情
"""

_CHINESE_UNNAMING = """
    时候 时间 地方 问题 情况 样子 感觉 意思 东西 事情 事 人 朋友 同学 老师 大家 群里 群 今天
    明天 昨天 后天 前天 今晚 昨晚 明早 早上 上午 中午 下午 晚上 周末 周一 周二 周三 周四 周五
    周六 周日 星期 礼拜 上周 下周 这周 本周 去年 今年 明年 上次 下次 小时 分钟 块 块钱 图片
    表情 视频 语音 文件 宝宝 哥 姐 兄弟 姐妹 老板 大佬 谁 那家 这家 听说 知道 觉得 喜欢 希望
    可能 推荐 准备 看看 起来 出来 怎么回事 回事 说个事 个事
    了解 明白 理解 认为 以为 发现 获得 得到 拿到 看到 看见 听到 遇到 碰到 找到 想到 收到 做到
    需要 想要 应该 可以 不想 不要 不能 不会 不用 不行 没有 开始 结束 继续 成为 变成 看来 看起来
    告诉 介绍 表示 说明 提到 记得 忘记 忘了 注意 相信 担心 害怕 讨厌 受不了 高兴 生气 开心 难过
    进行 出现 发生 存在 属于 包括 使用 利用 打算 决定 选择 愿意 允许 帮忙 帮助 请问 麻烦 谢谢
    过来 过去 回来 回去 上去 下来 下去 出去 进来 进去 起床 等等 等会 试试 问问 聊聊 说说 想想
    吓唬人 干什么 干嘛 做什么 这年头 那时候 有意思 没意思 没办法 来不及 差不多 怎么样 为什么
"""

_ENGLISH_UNNAMING = """
    day days time times today tomorrow tonight yesterday morning afternoon evening night week
    weeks weekend month year years hour hours minute minutes monday tuesday wednesday thursday
    friday saturday sunday people person guy guys man mate bit stuff good great nice bad new old
    big small best better happy sorry yeah haha ok btw tbh idk cos ya yall bye wait love hope
    guess looks look looking feel feels mean means work works working start started wrong long
    actually probably literally definitely ask asked tell told call called come coming bring
    bringing find found point cheers legend anyone both two three four five six seven eight nine
    ten eleven twelve first second min mins hrs
"""

ENGLISH = frozenset(_ENGLISH.split())
CHINESE = frozenset(_CHINESE.split())
NAMING_NOTHING = frozenset(_CHINESE_UNNAMING.split()) | frozenset(_ENGLISH_UNNAMING.split())
"""Words that people search by but that name no subject: times, people in general, moods."""
