"""Questions in other words about the memories of the labelled chats, by chat and place in its list.

Written from the memories alone, before any score of them was seen. Two in the chat's language for
each memory; those of an even place are there to choose by, those of an odd one are held back.
"""

PARAPHRASES: dict[str, dict[int, tuple[str, str]]] = {
    "A_zh_friends": {
        0: ("大鹏找着工作没？去哪儿上班", "谁要去滨江那边当程序员来着"),
        1: ("大鹏几号几点走", "送大鹏的话哪天去车站"),
        2: ("给小满带甜品有什么要避开的吗", "谁吃了水果会嘴肿来着"),
        3: ("点菜的时候谁不要放芫荽", "七七有啥忌口"),
        4: ("老K能喝酒吗", "谁体检指标不好，饮料都停了"),
        5: ("陈默考研考的哪个学校，多少分", "复试是哪天啊"),
        6: ("最近哪几天能开黑", "今晚打游戏会不会影响别人"),
        7: ("阿泽周末晚上有空吗", "阿泽兼职是什么时间"),
        8: ("一大早想找陈默该去哪儿", "宿舍里谁起得最早，在哪锻炼"),
        9: ("晚上能不能在宿舍大声说话", "谁这阵子老失眠"),
        10: ("放假期间猫谁照顾", "喂年糕一顿给多少"),
        11: ("七七的宠物叫啥，身体怎么样了", "年糕之前出过什么事"),
        12: ("中期报告最晚什么时候给导师", "毕业设计的材料哪天截止"),
        13: ("小满驾照考到哪步了", "谁马上要去学车考试，在哪考"),
        14: ("豆豆追哪个乐队", "谁有南京演唱会的票"),
        15: ("七七多出来的那张票给谁了", "小满看演出坐哪一区"),
        16: ("聚餐的钱一般谁先付", "电费要转给哪个"),
        17: ("陈默练口语谁帮忙，几点", "周四晚上图书馆约了什么事"),
    },
    "B_zh_work": {
        0: ("我们哪天发布", "面馆那个系统几号几点切上去"),
        1: ("第一批先开哪几个门店", "火车东站的店算在试点里吗"),
        2: ("能不能礼拜五发版", "有没有哪天是不许发布的"),
        3: ("打折和满减一起用怎么算钱", "满多少减多少是看折前还是折后"),
        4: ("例会现在是礼拜几开", "周会时间是不是变了"),
        5: ("公司出去玩是哪天，玩什么", "打完球去哪吃、几点吃"),
        6: ("给宋佳带拿铁要注意什么", "谁喝不了牛奶"),
        7: ("订餐时谁对坚果类有问题", "零食里有花生酱，谁不能碰"),
        8: ("要不要给陈姐也带一杯美式", "谁一喝提神的东西就失眠"),
        9: ("宋佳五月初为什么不在", "谁要结婚了，摆酒席吗"),
        10: ("周六找宋佳她会回吗", "休息日能艾特谁不能艾特谁"),
        11: ("Vivian 新家在哪，什么时候搬", "谁以后上班要坐四十分钟地铁"),
        12: ("一鸣家小孩多大，病好了没", "谁的娃前阵子发烧了"),
        13: ("小贺什么时候走", "实习生论文答辩是几号"),
        14: ("吴浩中午都吃啥", "谁在控制体重"),
        15: ("打的的钱怎么报", "要定个会议场地找谁"),
        16: ("谁一直在店里跟客户打交道", "阿坤平时都在哪办公"),
        17: ("下午谁张罗买喝的", "拼咖啡一般是几点"),
    },
    "C_en_club": {
        0: (
            "Where and when do we meet each week?",
            "what time should I show up at the pub for board games",
        ),
        1: ("Can I bring Monopoly along?", "which game are we not allowed to play"),
        2: (
            "Is it ok to talk about how the legacy story ends?",
            "why shouldn't I give away the plot in front of Jess",
        ),
        3: ("What snacks can Jess eat?", "does anybody have a problem with gluten"),
        4: ("Where is wei's new job?", "when is wei leaving town"),
        5: (
            "What are we doing to say goodbye to wei, and what day?",
            "is the farewell dinner on a games night",
        ),
        6: ("How much is membership now?", "can I pay for the whole year at once"),
        7: ("Is Olu drinking at the moment?", "what race is Olu training for"),
        8: ("How is Mags's dog doing?", "why can't Biscuit go upstairs"),
        9: (
            "When is the next session of the legacy campaign?",
            "why did we stop doing the campaign on the usual day",
        ),
        10: (
            "Who do I talk to about booking the room?",
            "who keeps the scores and collects the money",
        ),
        11: ("What time do we set off for York?", "who is in the car to the convention"),
        12: ("What did Tom spend his money on?", "who enjoys explaining complicated rules"),
        13: ("What sort of games suit Jess?", "who would rather not play Brass again"),
        14: ("Who is Dan dating?", "when is Dan going out for ramen"),
        15: (
            "Who came first in the tournament at Christmas?",
            "what was the winning score in December",
        ),
        16: ("How fast was wei's 5k?", "has wei taken up jogging"),
        17: ("Is Dan usually on time?", "who always sleeps in"),
    },
}

ACROSS: dict[str, dict[int, str]] = {
    "A_zh_friends": {
        2: "What food is Xiaoman allergic to?",
        5: "Which university did Chen Mo apply to?",
        7: "When does A Ze tutor?",
        10: "Who feeds the cat over the holiday?",
        16: "Who pays the electricity bill first?",
    },
    "B_zh_work": {
        0: "When does the noodle shop project go live?",
        2: "Are we allowed to release on Fridays?",
        7: "Who is allergic to peanuts?",
        11: "When is Vivian moving house?",
        17: "Who organises the coffee orders?",
    },
    "C_en_club": {
        1: "哪个桌游不许玩",
        3: "Jess 不能吃什么",
        6: "会费涨到多少了",
        8: "Mags 的狗做了什么手术",
        15: "圣诞比赛谁赢了",
    },
}
"""The same in the other language."""
