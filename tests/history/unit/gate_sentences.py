"""Sentences for the gate: half of them in absolute words, half with a relative word in them."""

_RELATIVE_ZH = """\
我喜欢喝茶
你答应了要来
他已经辞职
她在医院工作
它坏了
他们决定去爬山
她们一起租房
它们都卖完了
这位老师很严格
那位同学没交作业
我们周末加班
咱们群换了名字
咱约好了
俺不吃香菜
您的快递到了
小林说他不来
小林把它卖了
小安提醒了她
今天下雨
昨天的会取消了
明天交报告
前天去了医院
后天出差
大前天买的票
大后天回来
刚才断网了
刚刚上线
稍后再聊
上周发布了新版
下周开会
最近很忙
上个月搬家
下个月结婚
这周五聚餐
本周五截止
这个月涨价
上星期三见过小林
下礼拜一考试
今晚吃火锅
昨晚失眠
明早出发
今年毕业
去年来的深圳
明年退休
三天前下单
两周后交房
半年前换的工作
目前单身
现在住在杭州
近期有活动
这几天发烧
去年的今天认识的
上上周三开的会
待会儿打电话
这里禁止抽烟
那边更便宜
本地人不多
当地的天气很好
这儿停电了
那儿有座桥
那里风景好
这边已经完成
此地不宜久留
小林在那边等
小林和我去了成都
小安告诉你答案
大家同意他当组长
小林觉得你说得对
小林把钥匙给了她
小林昨天说“不去”
“好的”，他说
《活着》是我最喜欢的书
小林下周五去北京
小林最近在学吉他
小林上周在当地开会
小林明天到那儿
小林和她们吃饭
小林今早跑步
小林后天回来
小林刚刚到家
小林稍后回复
小林前天生病
小林下个月考试
小林说这位是老师
小林这周末搬家
小林本月离职
小林半小时前到家
小林今日休息
小林昨日出院
小林明日启程
小林眼下没工作
小林近来失眠
小林去年底离婚
小林从那边回来
"""
_RELATIVE_EN = """\
I like tea
You promised to come
He quit his job
She works at the hospital
They decided to hike
We moved to Porto
Ida gave him the keys
Ida told them the truth
Ida sold her car
My sister lives in Rome
Your parcel arrived
Their dog barks
Our team won
The keys are mine
The idea was yours
The group voted for us
Give the book to me
It broke after an hour
Ida fixed it
Its screen is cracked
That person is rude
This guy sells bikes
It rained today
The meeting was yesterday
The report is due tomorrow
Tonight Ida cooks
Last night the server crashed
Last week Ida moved
Next week Jon travels
This week is busy
Ida was ill last month
Ida marries next month
Jon retires next year
Ida joined last year
Last Friday the bus was late
Next Monday there is an exam
This Friday Ida leaves
Ida recently moved
Jon slept badly lately
Just now the power failed
Ida called a moment ago
Two days ago Ida fell
Ida left half an hour ago
A month ago Jon quit
Three weeks from now the shop opens
The day after tomorrow is free
The day before yesterday Ida slept
Ida is currently in Rome
Right now Jon is busy
Ida calls later
Jon will answer soon
From now on Ida drinks water
These days Jon runs
Nowadays Ida bikes
The other day Jon sang
Ida lives here
The food over there is cheap
Jon met Ida over here
Ida works nearby
Milk is produced locally
Ida went there
Jon lived there
The people around here are kind
Ida said she was tired
Jon and I cook
Ida thanked you
Jon asked her to wait
Ida likes their music
Everyone loves his cake
Ida waited for them
"No," he said
"Dune" is my favourite book
Ida met Jon yesterday
Jon moves tomorrow
Ida quit last Tuesday
Jon returns this weekend
Ida paid this morning
Jon sleeps this afternoon
Ida ran this evening
Jon starts next quarter
Ida was promoted last quarter
The past week was cold
Ida came back two hours ago
Ida met Jon a week ago
Jon cooked last weekend
Ida turned thirty last Sunday
Nobody told me
Ida believes in us
Jon misses you
Ida moved in with him
"""
_ABSOLUTE_ZH = """\
小林2026-11-17出差
小林喜欢喝茶
助手提醒小林2026-11-17开会
小林在学吉他
其他人都同意了
其它方案被否决
小林爱读《他山之石》
小林说“我明天不去”
小林说"我不去"
小林说：「你别来这里」
小林在看《我的前半生》
小林负责本地化测试
小林做本地部署
小林要做自我介绍
我国的春节很热闹
小林每天吃维他命
小林去过马耳他
利他主义是小林的信念
排他条款写进了合同
小林不愿麻烦他人
小林身在他乡
小林说你好
群里每周五聚餐
小林每天跑步
小林每个月存钱
小林2026年3月结婚
小林2026年毕业
小林2026-11-16 20:00到家
小林2026-11-16晚上到家
小林2026-11-10至2026-11-16在成都
截至2026-11-16小林单身
自2026-11-16起小林戒酒
2026-11-16前后小林很忙
小林2026-11-16 10:30之后回复
小林的生日是3月5日
小林周一到周五上班
小林周末加班
一号线很挤
小林住在3号楼
小林有三只猫
小林工作了十年
会议持续两个小时
小林三十岁
小林花了三天修车
小林喜欢第三季
小林排名第一
小林的电话是13800001111
小林用Python 3.11
小林喜欢周杰伦
小林住在杭州
小林从上海搬到深圳
小林在公司食堂吃饭
小林在读书会里发言
“读书会”群里禁止抽烟
读书会成员2026-11-22爬山
小林和小安聊了电影
小林的手机坏了
小林的名字叫林晓
小林对花生过敏
小林不吃香菜
小林的老板姓周
小林玩明日方舟
小林常看今日头条
小林弹吉他
小林想去犹他州
小林写了一首歌叫《今天》
小林收藏了《昨天今天明天》
小林转发了“最近的故事”
小林唱了《后来》
小林读完了《那里的黎明》
小林问“这位是谁”
助手把群规发给了小林
助手回答了小林的问题
助手查了2026-11-18的天气
助手推荐了三本书
助手安慰了小林
助手总结了会议
小林同意助手的建议
小林拒绝加班
小林请助手每晚八点提醒
小林的孩子上三年级
小林的猫叫小黑
小林的车牌是沪A12345
小林2025年12月31日入职
小林2024年2月29日出生
小林计划2027年1月1日旅行
小林的航班是2026-11-20 07:45
小林把会议改到2026-11-21
小林第一天上班迟到
小林上次考试得了九十分
小林下次带伞
小林上班坐地铁
小林下班后健身
小林前后修改了三版
小林左右为难
小林一心一意
小林三心二意
"""
_ABSOLUTE_EN = """\
Jon blamed himself
Ida will read the form herself
Ida leaves on 2026-11-17
Ida likes tea
The assistant reminded Ida of the meeting
Ida said "I am not going tomorrow"
Jon wrote “you are here” on the wall
Ida reads "Here and Now"
Ida loves the song "Yesterday"
Jon said 'we leave today' and left
Ida was born in January 1990
Ida moved to Oslo in January 2026
Jon retires in 2030
The meeting is on 2026-11-20 at 15:00
The shop opened in the week of 2026-11-09
Ida cooks every Friday
Jon runs each morning
The group meets on Mondays
Ida works weekdays
Ida's sister lives in Rome
Jon's dog barks
The members of the group voted
The group's members cook
Ida and Jon cook
The assistant answered Ida's question
The assistant recommended three books
The assistant looked up the weather of 2026-11-18
Ida is allergic to nuts
Jon can't stand jazz
Ida has two cats
Jon works at Blue Bank
Ida speaks four languages
The trip took three days
Ida finished the race in two hours
The lease runs for a year
Jon is forty years old
Ida slept eight hours
The second edition is out
Ida came third
Ida lives on the second floor
There are five rooms
There is a piano in the hall
There was an outage on 2026-11-15
Ida said there were no seats
It is raining in Oslo on 2026-11-16
It takes an hour to reach Oslo
It was decided that Ida cooks
It seems that Jon won
The IT department is on floor three
Jon moved to the US in 2020
Ida reads USA Today
Ida bought a bike from Jon
Jon lent Ida a tent
Ida thanked Jon
Jon asked Ida to wait
Ida believes in fairness
Everybody agreed with Ida
Nobody objected
Somebody rang the bell
The keys belong to Ida
The car is Jon's
Ida turned thirty on 2026-02-15
Ida's birthday is on March 5
Jon was promoted in quarter 2 of 2026
As of 2026-11-16 Ida is single
From 2026-11-16 on Ida drinks water
Around 2026-11-16 Jon was ill
After 2026-11-16 10:30 Jon answers
Before 2026-11-16 10:30 Ida called
Ida is busy from 2026-11-10 to 2026-11-16
Jon works on the weekend of 2026-11-21
Ida plays the guitar
Jon studies history
Ida wants a quiet desk
Jon dislikes loud music
Ida drinks oat milk
Jon is building a kite shop
Ida's son is called Tom
Jon's favourite colour is green
Ida drives a van
Jon lives in Bergen
Ida works in Porto
Jon flew from Oslo to Rome
Ida stayed at the Elbe Hotel
Jon meets Ida at the station
The café near the station is closed
Ida paid 20 euros
Jon owns 3 bikes
Ida uses Python 3.11
The score was 3-2
Jon won the match
Ida wrote a book called "Over There"
Jon quoted "the day after tomorrow" from the film
Ida cited `today()` in the code
The function `now()` is slow
Ida said “he did it yesterday”
Jon's motto is "we will see"
Ida's team is called Next
Jon's band is called Nine
Ida goes to the gym
Jon does not smoke
"""
RELATIVE = (*_RELATIVE_ZH.splitlines(), *_RELATIVE_EN.splitlines())
ABSOLUTE = (*_ABSOLUTE_ZH.splitlines(), *_ABSOLUTE_EN.splitlines())
