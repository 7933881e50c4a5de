"""Sentences of ordinary chats that name no time, full of words and numbers that could look so."""

ENGLISH = """\
I may one day learn to sail, but not with this crew.
You may want to restart the router.
The march to the summit was harder than the map suggests.
They march three miles before breakfast.
Sun damage is worse at this altitude.
The cat sat on my keyboard again.
He is wed to the idea of rewriting everything.
Use 2/3 of the dough for the base.
Mix 1/2 cup of sugar with the butter.
Our shop is open 24/7.
We won the match 3-2.
The score stayed at 4-4 until the whistle.
Upgrade to Python 3.11 before you build it.
Version 2.10 breaks the importer.
It weighs 4.22 kg without the battery.
The ratio is 16:9, not 4:3.
Rated 4.5 by most readers.
Room 12 is on the second floor.
She finished in second place.
The third person in the queue has the tickets.
My first car was a rusty hatchback.
For the first time the tests are all green.
The fourth chapter drags a little.
It took two days to paint the fence.
We finished the puzzle in three hours.
The flight lasted eleven hours.
A week of rain ruined the tomatoes.
He is forty years old and still skates.
Three months of rent is a normal deposit.
The lease runs for a year.
Nobody knows how many days a marathon of meetings can last.
Two weeks is too short for that trip.
I need eight hours of sleep.
The second hand of the clock is stuck.
Give me a second.
Hold on a minute, my phone is ringing.
The next station is Victoria.
Who is next?
The last biscuit is mine.
At last the parcel is here.
Last but not least, thank the cooks.
This is the last straw.
The past is another country.
Past the bridge, turn left.
It is way past the point of no return.
The current is strong near the weir.
The previous owner left a piano.
The coming storm worries the fishermen.
Please read the following rules.
April is my sister and June is her friend.
May I borrow the ladder?
August wrote the manual, ask him.
She works weekdays only.
Weekends are for sleeping.
On Fridays we eat fish.
Every Monday the bins are collected.
We play chess every other Tuesday.
The weekly call is short.
A monthly ticket costs less.
It happens once a year.
Twice a week is enough for leg day.
The day shift is quieter than the night shift.
That made my day.
It was the last day of the fair.
The week after that was awful.
The months before the election were loud.
Day after day the same bug comes back.
Year in, year out, the river floods.
I prefer the night train.
Good morning everyone!
Good night and sleep well.
In the morning I drink tea.
The evening class is full.
Lunch is at noon as usual.
We meet at 8 as always.
The bus leaves at 7:45.
Call me at 3pm.
The shop closes at half past six.
Take bus 15 to the harbour.
Gate 22 is at the far end.
Chapter 12, verse 8.
Pick a number from 1 to 31.
I have 27 unread mails.
The temperature is 21 degrees.
There are 2016 seats in the hall.
My PIN is not 1998.
The invoice number is 2024118.
Call 555-12-30 for a taxi.
The IP is 10.1.12.3.
Chapter 3.2.1 explains the cache.
A 5-10 minute walk from the station.
It costs 9.99 at most.
The second-hand shop sells lamps.
He sold the third mug to a collector of mugs.
Nobody answered the door.
The soup needs salt.
I like the blue one better.
Our mascot is a heron.
Dec the halls, as my brother spells it.
"""

CHINESE = """\
他在三号楼上班
地铁一号线很挤
请到五号窗口办理
我住在八号院
二号选手表现不错
七号球衣卖完了
这件事一天两天说不清
我每天都跑步
他一年四季都穿短袖
这个项目做了三个月
假期有十天
我等了两个小时
她学了五年钢琴
跑完全程要四个小时
这本书我看了三遍
他的奖还没发的传闻不可信吗
每周五大家一起吃饭
我们每月聚一次
每逢周末堵车
隔天浇一次水就行
天天加班谁受得了
年年有余
日日夜夜守着机器
第三天最难熬
第一天总是手忙脚乱
比分是三比二
他跑了第二名
百分之三十的人同意
三分之一的预算花在这上面
会议室在二楼
我买了三本书和两支笔
这条路有五公里
体重七十公斤
身高一米八
温度二十度刚好
音量调到十五
密码是四位数
房间号是1203
电话是13800001111
版本升级到3.12
用Python 3.11跑测试
屏幕比例16:9
价格9.9元
打八五折
一共2016个座位
型号是A12
第12章写得最好
3.2.1节讲缓存
他三十岁了
孩子三个月大
老师教了二十年书
这家店开了十几年
周杰伦的歌好听
周到的服务
他姓周
礼拜堂很安静
星期制度从哪里来
月亮很圆
月饼太甜
年轻人要多锻炼
年级组长是谁
日常维护交给他
日本料理不错
号码牌拿好
天气真好
天空很蓝
前面有家咖啡店
后面的人听得见吗
上面写着注意安全
下面开始提问
上班别迟到
下班一起走
上一层楼
下一位
上次的方案更好
下次注意
本来就是这样
本人不在
今生今世
明白了
昨是今非
去过很多地方
过分了
谁说得准呢这种话少说
前后左右都看看
先后顺序别弄错
半个西瓜就够
半天没人理我
几个人一起吃饭
好几种口味
数不清的星星
十全十美
九牛一毛
五颜六色
三心二意
一心一意
四面八方
七上八下
早上好
晚安
中午吃什么
晚上的风很大
早上喝豆浆
八点的闹钟太吵
下午茶很好吃
从二号出口出来
三号会议室有人
我家住在二楼五号
一日不见如隔三秋
这款后日谈游戏不错
本周刊停刊了
月底薪才三千
五号电池没电了
改天换地
后天培养的习惯
十年如一日
三日游
"""
