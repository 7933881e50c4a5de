"""Forty fixed questions about anything. Embedded once by whoever's encoder, they tell what a line
is near to anyway, and whether a question is of the kind that a group's talk answers. Pure."""

OF_A_GROUP = (
    "what time do we leave",
    "who said they would bring it",
    "where did they put the keys",
    "how much was it in the end",
    "did anyone hear back from them",
    "which one did she pick",
    "why was it cancelled",
    "what did he say about the job",
    "is the place still open",
    "who is in charge of that",
    "几点出发",
    "谁说要带的",
    "钥匙放哪儿了",
    "最后花了多少钱",
    "他们回复了没有",
    "她选了哪一个",
    "为什么取消了",
    "他怎么说那份工作的",
    "那家店还开着吗",
    "这事谁负责",
)
"""As people ask what was said in a group, naming nothing."""
OF_NO_GROUP = (
    "hi everybody",
    "how is it going",
    "thank you, you are great",
    "sweet dreams",
    "tell me something funny",
    "what is 12 plus 30",
    "how many minutes are in a week",
    "what is the largest ocean",
    "write a haiku about autumn",
    "translate this into French",
    "嗨大家好",
    "最近还好吗",
    "谢谢你，你真棒",
    "做个好梦",
    "说点好笑的",
    "12加30是多少",
    "一周有多少分钟",
    "最大的海洋是哪个",
    "写一首关于秋天的诗",
    "把这句话翻译成法语",
)
"""Greetings, sums, and requests that no talk answers."""
ANCHORS = OF_A_GROUP + OF_NO_GROUP
