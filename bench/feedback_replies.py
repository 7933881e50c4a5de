"""A hundred replies of a bot, each with the memories it was offered and those it used.

Written for this bench, from life, before the rules were; scenes at even places are for looking at,
those at odd ones are held back. A reply uses a memory if it would have read otherwise without it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Scene:
    """What was asked, what was offered, and replies, each with the places of what it used."""

    question: str
    memories: tuple[str, ...]
    replies: tuple[tuple[str, tuple[int, ...]], ...]


SCENES = (
    Scene(
        "Where should we eat on Saturday with Priya?",
        (
            "Priya is vegetarian and avoids eggs",
            "The group prefers places within walking distance of the canal",
            "Tom is saving money this month",
        ),
        (
            ("How about Lotus Garden? It is fully vegetarian and does plenty without eggs.", (0,)),
            ("Something near the canal so nobody needs a bus: the Barge Inn?", (1,)),
            ("周六可以去莲花素食，普莉娅不吃蛋也没问题。", (0,)),
            ("Saturday works! Let me know a time and I will book a table.", ()),
        ),
    ),
    Scene(
        "谁能帮我看一下这个报错？",
        ("王磊负责后端，熟悉支付接口", "小周下周休假", "群里约定晚上十点后不发工作消息"),
        (
            ("支付这块王磊最熟，后端一直是他在管，你可以直接找他。", (0,)),
            ("先别找小周，他下周就休假了；现在快十点，按约定明早再说吧。", (1, 2)),
            ("把完整的堆栈贴出来，我看看是哪一行。", ()),
            ("Wang Lei looks after the back end, he knows the payment interface best.", (0,)),
        ),
    ),
    Scene(
        "What time is practice this week?",
        (
            "Practice is on Thursdays at seven in the school gym",
            "Marta has a sprained ankle until the end of the month",
            "The team colours are green and white",
        ),
        (
            ("Thursday, seven o'clock, the school gym as always.", (0,)),
            (
                "As usual in the gym, Thursday evening. Marta sits out, her ankle is not healed.",
                (0, 1),
            ),
            ("I have not heard of any change this week.", ()),
            ("周四晚上七点，学校体育馆。", (0,)),
        ),
    ),
    Scene(
        "Any ideas for Lena's birthday present?",
        (
            "Lena collects old maps of coastal towns",
            "Lena's birthday is on 14 March",
            "Lena dislikes surprises",
        ),
        (
            ("She loves antique maps, so maybe a framed chart of some harbour town?", (0,)),
            ("Ask her directly what she wants, she cannot stand being surprised.", (2,)),
            ("You have until the fourteenth of March, so order something soon.", (1,)),
            ("A book voucher is always a safe present.", ()),
        ),
    ),
    Scene(
        "这周末爬山还去吗？",
        ("老李膝盖有旧伤，不能走陡坡", "大家习惯早上六点在地铁站集合", "小陈开车，可以载四个人"),
        (
            ("去的话选缓一点的路线吧，老李的膝盖受不了陡坡。", (0,)),
            ("六点地铁站见，跟往常一样。", (1,)),
            ("小陈的车能坐四个，其余的人坐公交。", (2,)),
            ("看天气预报周末有雨，要不要改期？", ()),
        ),
    ),
    Scene(
        "Which laptop should I get for the course?",
        (
            "Deniz studies architecture and uses Rhino every day",
            "Deniz has a budget of 1200 euros",
            "The course runs on Windows only",
        ),
        (
            ("For Rhino you want a real graphics card, so look at the gaming ranges.", (0,)),
            ("Stay below 1200 and avoid Macs, the course software needs Windows.", (1, 2)),
            ("The keyboard matters more than you would think. Try a few in a shop.", ()),
            ("课程只支持 Windows，苹果电脑就不用考虑了。", (2,)),
        ),
    ),
    Scene(
        "明天会议谁做记录？",
        ("会议记录由成员轮流做，按姓名拼音排序", "上次是林琳做的记录", "孙浩明天出差"),
        (
            ("按拼音轮，林琳之后应该是刘洋。", (0, 1)),
            ("孙浩在出差路上，别排他。", (2,)),
            ("我可以帮忙整理录音。", ()),
            ("We take turns by the alphabet, and Lin Lin did it last time.", (0, 1)),
        ),
    ),
    Scene(
        "Does anyone know how to fix the printer?",
        (
            "The office printer only works with the blue cable",
            "Igor repaired the printer in April",
            "The kitchen is cleaned on Mondays",
        ),
        (
            ("Check whether the blue cable is plugged in, it refuses all others.", (0,)),
            ("Igor got it running again in spring, ask him what he did.", (1,)),
            ("Turn it off, wait a minute, turn it on again.", ()),
            ("打印机得用那根蓝色的线才行。", (0,)),
        ),
    ),
    Scene(
        "Can we play another round tonight?",
        (
            "Sam has to be up at five for work",
            "The group plays co-operative board games",
            "Nadia won the last three games",
        ),
        (
            ("Sam starts work very early, so perhaps a short one only.", (0,)),
            ("Sure, and this time everyone against Nadia, three wins in a row is enough!", (2,)),
            ("Pandemic would suit you, you like playing on the same side.", (1,)),
            ("Yes! I will set up the board.", ()),
        ),
    ),
    Scene(
        "推荐一部电影吧",
        ("小雨怕看恐怖片", "群里最近在看是枝裕和的电影", "阿杰不喜欢超过三小时的片子"),
        (
            ("最近不是在看是枝裕和吗，接着看《步履不停》。", (1,)),
            ("找个两小时左右、不吓人的吧：阿杰嫌长，小雨怕恐怖的。", (0, 2)),
            ("今年的动画片口碑都不错。", ()),
            ("Since you have been on a Koreeda run, watch 'After Life' next.", (1,)),
        ),
    ),
    Scene(
        "How do we split the bill for the cabin?",
        (
            "Costs of trips are shared by nights stayed",
            "Olu arrives a day late",
            "The deposit of 90 pounds was paid by Hana",
        ),
        (
            ("By nights, as you always do: Olu one less because of the late arrival.", (0, 1)),
            ("First give Hana back her ninety, then divide the rest.", (2,)),
            ("Use one of those apps, it is easier than a spreadsheet.", ()),
            ("押金九十镑是哈娜垫的，先还给她。", (2,)),
        ),
    ),
    Scene(
        "服务器为什么又挂了？",
        ("服务器每周三凌晨自动重启", "磁盘只有四十个 G，经常写满", "运维联系人是赵敏"),
        (
            ("今天周三，凌晨它会自己重启一次，可能正好碰上。", (0,)),
            ("先看看磁盘，四十 G 太小，日志一多就满了。", (1,)),
            ("找赵敏吧，运维这边归她。", (2,)),
            ("能把监控图发一下吗？", ()),
        ),
    ),
    Scene(
        "Is the pool open on Sunday?",
        (
            "The pool closes at noon on Sundays",
            "Ruth swims every morning before work",
            "The lockers need a one euro coin",
        ),
        (
            ("Yes but only until midday.", (0,)),
            ("Bring a euro for the locker, and be there before twelve.", (0, 2)),
            ("I would check their website to be sure.", ()),
            ("周日游泳池中午就关门了。", (0,)),
        ),
    ),
    Scene(
        "我想学做菜，从哪道开始？",
        ("小林不能吃辣", "小林家里只有电磁炉", "群里每月最后一个周五聚餐"),
        (
            ("番茄炒蛋吧，不辣，电磁炉也能做。", (0, 1)),
            ("学好了月底周五聚餐露一手！", (2,)),
            ("从煮面开始，最简单。", ()),
            (
                "Start with something mild that works on an induction hob, like steamed fish.",
                (0, 1),
            ),
        ),
    ),
    Scene(
        "Who is picking up the kids on Friday?",
        (
            "Grandma picks the children up on Fridays",
            "School ends at half past two on Fridays",
            "Leo has piano on Wednesdays",
        ),
        (
            ("Grandma does Fridays.", (0,)),
            ("Whoever goes should be there at 14:30, Friday is the short day.", (1,)),
            ("I can remind you on Thursday evening.", ()),
            ("周五是奶奶去接。", (0,)),
        ),
    ),
    Scene(
        "What should the release note say?",
        (
            "Release notes are written in the past tense",
            "Version 4 drops support for Python 3.9",
            "Kenji approves every release note",
        ),
        (
            ("'Removed Python 3.9.' Past tense, as your style asks.", (0, 1)),
            ("Whatever you write, Kenji has to sign it off before it goes out.", (2,)),
            ("Keep it short and name the most visible change first.", ()),
            ("第四版不再支持 Python 3.9，这个一定要写。", (1,)),
        ),
    ),
    Scene(
        "猫今天不吃饭怎么办？",
        ("橘子对鸡肉过敏", "橘子上个月做过绝育手术", "常去的宠物医院在人民路"),
        (
            ("看看粮里是不是有鸡肉，橘子对这个过敏。", (0,)),
            ("手术才过一个月，胃口差要留意，人民路那家医院可以去问问。", (1, 2)),
            ("多给点水，观察半天。", ()),
            ("Check that there is no chicken in the food, he is allergic to it.", (0,)),
        ),
    ),
    Scene(
        "Shall we move the stand-up?",
        (
            "The stand-up is at 9:30",
            "Two members live in Lisbon, an hour behind",
            "Meetings are kept under fifteen minutes",
        ),
        (
            ("For the people in Portugal half past nine is early, so ten would be kinder.", (0, 1)),
            ("Fine, as long as it stays below a quarter of an hour.", (2,)),
            ("Make a poll and take what most want.", ()),
            ("里斯本的两位同事晚一个小时，往后挪对他们更好。", (1,)),
        ),
    ),
    Scene(
        "What shall I plant on the balcony?",
        (
            "Ines's balcony faces north and gets little sun",
            "Ines travels two weeks of every month",
            "Ines's cat eats any greenery",
        ),
        (
            ("Ferns and ivy do well in the shade you have there.", (0,)),
            (
                "Something that survives a fortnight without water, since you are away so much.",
                (1,),
            ),
            ("Nothing poisonous, the cat will have a bite of it.", (2,)),
            ("Herbs are useful and cheap.", ()),
        ),
    ),
    Scene(
        "下次读书会读什么？",
        ("读书会每次由提议的人带读", "上一本读的是《活着》", "小梅想读女性作家的书"),
        (
            ("小梅不是想看女作家吗，萧红的《呼兰河传》怎么样。", (2,)),
            ("谁提谁带读，老规矩。", (0,)),
            ("刚读完《活着》，换本轻松点的吧。", (1,)),
            ("都行，听大家的。", ()),
        ),
    ),
    Scene(
        "Is there a parking space near the hall?",
        (
            "The hall's car park is closed until June",
            "Yusuf has a disabled parking permit",
            "Choir rehearsal begins at six",
        ),
        (
            ("Not at the hall itself, its car park is shut till June.", (0,)),
            ("Yusuf can stop right outside with his permit, the rest of you walk.", (1,)),
            ("Try the side streets.", ()),
            ("六月前大厅的停车场都不开。", (0,)),
        ),
    ),
    Scene(
        "明年团建去哪？",
        ("公司团建预算每人八百", "有三位同事晕船", "去年团建去了莫干山"),
        (
            ("别坐船了，有三个人会晕。", (1,)),
            ("每人八百，去远的地方不太够。", (0,)),
            ("去年是莫干山，今年换个海边？", (2,)),
            ("先统计一下大家的时间吧。", ()),
        ),
    ),
    Scene(
        "Can you translate this for Aiko?",
        (
            "Aiko reads English but prefers Japanese",
            "Aiko is learning German",
            "Documents for customers are kept in both languages",
        ),
        (
            ("Of course. In Japanese, since that is easier for her than English.", (0,)),
            ("She might enjoy it in German, as practice.", (1,)),
            ("Sure, paste the text here.", ()),
            ("You will need two versions anyway, it is for a customer.", (2,)),
        ),
    ),
    Scene(
        "这个需求什么时候能上线？",
        ("每周二和周四发布", "测试由何静负责，至少要两天", "十二月二十号起封版"),
        (
            ("赶周四那班发布，前提是何静那边两天测完。", (0, 1)),
            ("二十号之后就封版了，得抓紧。", (2,)),
            ("需求文档先定下来再说时间。", ()),
            ("Releases go out on Tuesdays and Thursdays, so Thursday at the earliest.", (0,)),
        ),
    ),
    Scene(
        "What did we decide about the logo?",
        (
            "The logo keeps its lighthouse",
            "Beatriz draws the logo and wants feedback by Friday",
            "The old logo was blue",
        ),
        (
            ("The lighthouse stays, the rest is open.", (0,)),
            ("Send Beatriz your thoughts before the end of the week.", (1,)),
            ("I cannot find a decision about it.", ()),
            ("灯塔保留，其他还没定。", (0,)),
        ),
    ),
)
