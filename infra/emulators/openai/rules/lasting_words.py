"""Words of everyday life by matter, and words that show how a thing is said, in both languages.

Each entry is one sign that the fitted table (`lasting`) weighs: none decides alone. They are what
people are ill with, work as, keep, own and settle. Whoever wrote them had read some of the chats
that the table is fitted on, so how well those are told says less than a chat nobody has read.
"""

import re

_NO_CASE = re.IGNORECASE


def _met(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), _NO_CASE)


MATTERS = {
    "health": _met(
        r"过敏|不耐|哮喘|糖尿|血压|血糖|尿酸|痛风|支架|手术|住院|骨折|损伤|椎间盘|腰间盘|结节|"
        r"结石|抑郁|焦虑症|失眠|近视|色盲|色弱|耳背|听不见|看不清|聋|晕[车船血机]|恐高|怀孕|"
        r"预产|怀着|甲状腺|心脏|高血脂|脂肪肝|胃炎|肠胃|鼻炎|湿疹|偏头痛|癫痫|吃药|打针|复查|"
        r"忌口|康复|理疗|牙套|假牙|老花|半月板|腱鞘|颈椎|扭伤|受过伤|做过.{0,4}手术",
        r"\b(?:allerg\w+|asthma\w*|diabet\w+|coeliac|celiac|gluten|lactose|intoleran\w+|epipen|"
        r"inhaler|insulin|migraines?|surgery|operation|op|hip|pregnan\w+|due (?:in|date)|"
        r"expecting|colou?r ?blind|deaf|hearing aids?|dyslexi\w+|adhd|autis\w+|arthritis|"
        r"sciatica|hernia|blood pressure|cholesterol|anaemi\w+|anemi\w+|epilep\w+|eczema|"
        r"hay ?fever|vertigo|insomnia|seasick|carsick|faint|scared of|afraid of|terrified of|"
        r"phobi\w+|meds|medication|tablets|pills|physio|surgeon|chemo|cancer|stroke|pacemaker|"
        r"slipped disc|bad (?:back|knee|hip|shoulder|ankle|eyes?)|crutches|torn|"
        r"broken (?:leg|arm|wrist|ankle|finger|toe|collarbone)|tinnitus|wheelchair|glasses|"
        r"contacts|left[- ]handed)\b",
    ),
    "diet": _met(
        r"吃素|素食|不吃|不喝|不能吃|不能喝|吃不了|喝不了|吃不得|喝不得|戒(?!指)|忌|清真|不沾|"
        r"滴酒|只吃|只喝|不碰|不放辣|不要辣|不加糖|无糖|香菜|牛奶|乳糖|海鲜|花生|芒果|坚果|"
        r"鸡蛋|麸质",
        r"\b(?:vegetarian|vegan|veggie|pescatarian|halal|kosher|"
        r"don'?t (?:eat|drink|do|touch|like|smoke)|doesn'?t (?:eat|drink|like)|"
        r"can'?t (?:eat|drink|have|stand)|"
        r"no (?:meat|dairy|nuts?|sugar|pork|booze|alcohol|caffeine|gluten|eggs?|shellfish|"
        r"spice|fish)|"
        r"decaf|off (?:the )?(?:booze|sugar|coffee|caffeine|meat|dairy|alcohol)|sober|"
        r"teetotal|nuts?|shellfish|dairy|peanuts?|oat milk|fasting|ramadan|lent|keto|diet)\b",
    ),
    "like": _met(
        r"喜欢|最爱|爱吃|爱喝|爱看|讨厌|受不了|偏爱|迷上|粉丝|铁粉|支持(?=.{1,6}队)|球迷|"
        r"怕(?!是)|害怕|不爱|只爱|只听|只看|痴迷|收藏",
        r"\b(?:love|hates?|like|can'?t stand|prefers?|favou?rite|fan of|supporter|obsessed|"
        r"mad for|"
        r"into|not keen|collects?|sick of|allergic to|terrified|scared|fond of|addicted)\b",
    ),
    "job": _met(
        r"上班|下班|工作|公司|单位|店里|开店|厂|车间|医院|学校|银行|护士|医生|老师|教师|司机|"
        r"厨师|律师|会计|程序员|工程师|设计师|警察|快递|外卖|保安|物业|编辑|记者|摄影师|导游|"
        r"店长|经理|老板|同事|领导|值班|夜班|早班|晚班|白班|轮班|加班|出差|入职|离职|辞职|"
        r"跳槽|转正|退休|兼职|实习|面试|offer|合同|在.{1,8}做|干了.{0,4}年|教过|"
        r"开.{0,3}(?:车|火车|出租)|做.{0,4}(?:生意|销售|会计|设计|翻译|财务|测试|后端|前端)",
        r"\b(?:job|work(?:s|ed|ing)?|office|shifts?|nights|on call|wards?|nurse|vet|teach\w*|"
        r"taught|school|pharmac\w+|hospital|clinic|boss|colleague|manager|engineer|developer|"
        r"plumber|electrician|carpenter|baker|chef|cook|barista|driver|lawyer|solicitor|"
        r"paralegal|accountant|librar\w+|lecturer|postdoc|phd|professor|journalist|designer|"
        r"architect|retired|retire|retiring|contract|freelance|self[- ]employed|hired|"
        r"promoted|promotion|redundan\w+|quit|notice|placement|apprentice\w*|intern\w*|career|"
        r"salary|my (?:shop|salon|garage|studio|practice|firm|team|company)|run a|"
        r"drive (?:a|the) (?:bus|truck|lorry|van|cab|taxi))\b",
    ),
    "trade": _met(
        r"我是.{0,8}(?:师|员|工|生|长|手|的)|"
        r"我(?:以前|现在|一直)?(?:做|干|教|学|修|开)(?!不|得|了吗)",
        r"\b(?:(?:i'?m|i am|i was|im|as) an? \w+(?: \w+)?|"
        r"i (?:do|fix|make|build|sell|bake|teach|drive|run|cook|sew|paint|repair|coach|play))\b",
    ),
    "study": _met(
        r"考研|考公|考编|考证|考试|补考|科目?[一二三四]|驾照|论文|答辩|毕业|研究生|博士|硕士|"
        r"大学|高考|中考|初[一二三]|高[一二三]|大[一二三四班]|中班|小班|一年级|二年级|三年级|"
        r"幼儿园|小学|学期|开学|报名|课程|雅思|托福|四六级|实验室|导师",
        r"\b(?:exams?|test|thesis|viva|degree|uni|university|college|course|class|classes|"
        r"lessons?|"
        r"licen[cs]e|certificat\w+|boards|finals|dissertation|semester|term|graduat\w+|"
        r"master'?s|enrol\w+|studying|study|gcses?|a levels|reception|year (?:one|two|\d)|"
        r"grade|kindergarten|nursery|school)\b",
    ),
    "family": _met(
        r"爸|妈(?!呀)|爷爷|奶奶|外公|外婆|姥|岳|公公|婆婆|媳妇|老婆|老公|爱人|对象|男朋友|"
        r"女朋友|男友|女友|未婚|结婚|离婚|订婚|领证|儿子|女儿|闺女|孩子|娃|宝宝|二胎|"
        r"老[大二三](?![爷])|孙|侄|外甥|哥(?!们)|姐(?!妹们)|弟|妹|舅|姑|叔|姨|双胞胎|家里人|"
        r"一家|单身|相亲",
        r"\b(?:mum|mom|mam|mother|dad|father|parents?|wife|husband|partner|girlfriend|boyfriend|"
        r"fianc[eé]e?|ex|son|daughter|kids?|children|baby|toddler|twins|brother|sister|"
        r"sibling|nan|nana|gran|granny|grandma|grandad|grandpa|grand\w+|aunt\w*|uncle|cousin|"
        r"niece|nephew|in[- ]laws?|married|engaged|divorced|widow\w*|single|wedding|"
        r"anniversary|family|stepson|godmother)\b",
    ),
    "pet": _met(
        r"猫|狗|犬|兔子|仓鼠|鹦鹉|乌龟|养鱼|宠物|泰迪|金毛|柯基|橘猫|绝育|铲屎",
        r"\b(?:cats?|dogs?|pupp(?:y|ies)|kittens?|beagle|labrador|lab|terrier|collie|spaniel|"
        r"greyhound|poodle|rabbits?|hamster|parrot|budgie|tortoise|hens?|chickens|pony|horse|"
        r"goats?|pet|rescue)\b",
    ),
    "home": _met(
        r"住(?!院|手|嘴)|楼|搬|租|房东|房贷|买房|小区|单元|宿舍|合租|室友|邻居|老家|籍贯|"
        r"人(?=$|，|。| )|回.{0,3}老家|户口",
        r"\b(?:live[sd]?|living|flat|apartment|house|landlord|rent|mortgage|moved?|moving|"
        r"housemate|flatmate|roommate|upstairs|downstairs|floor|neighbou?r\w*|from|hometown|"
        r"grew up|born|originally|street|road|village|commute|garden|allotment|spare room)\b",
    ),
    "vehicle": _met(
        r"开车|我的车|面包车|电动车|摩托|自行车|三轮|驾照|没车|有车|车位|地铁|公交|通勤|高铁|"
        r"骑车",
        r"\b(?:car|van|truck|lorry|bike|bicycle|scooter|motorbike|seater|drive|drives|"
        r"driving|licen[cs]e|boat|camper|bus|train|tram|seats)\b",
    ),
    "have": _met(
        r"(?:我|家里?)(?:也|还|就|只|都)?(?:有|没有|没|买了|带|养|留着|存着)|"
        r"(?<!没)有(?:一|两|三|个|台|辆|只|条|把)",
        r"\b(?:(?:i|we)'?ve got|i have|i've a|i've (?:had|been|kept|held)|ive got|"
        r"ive (?:had|been|held)|i own|i keep|i bought|i got (?:a|the|my)|i'?ve no|i have no|"
        r"i don'?t have|no car|don'?t own|we have|mine (?:is|are|has))\b",
    ),
    "skill": _met(
        r"我?(?:会|擅长|精通|懂|学过|练过|拿过|考过)(?=[^，。]{1,8})|钢琴|吉他|贝斯|鼓|小提琴|"
        r"二胡|手语|粤语|日语|法语|德语|韩语|西班牙语|英语|方言|翻译|编程|画画|书法|摄影|剪辑",
        r"\b(?:i (?:can|could|know how to|speak|used to|play|played|sing|code|knit|sew|bake)|"
        r"speaks?|fluent|french|german|spanish|italian|portuguese|polish|arabic|mandarin|"
        r"cantonese|japanese|korean|welsh|guitar|bass|drums|piano|violin|trombone|sax|trumpet|"
        r"accordion|qualified|trained|certified|first aid|expert|good at|bad at|hopeless at)\b",
    ),
    "hobby": _met(
        r"跑步|马拉松|健身|瑜伽|游泳|骑行|爬山|徒步|露营|钓鱼|打球|篮球|足球|羽毛球|乒乓|象棋|"
        r"围棋|桌游|麻将|打牌|剧本杀|广场舞|跳舞|唱歌|合唱|乐队|演出|追剧|追星|看书|读书会|"
        r"手账|模型|键盘|相机|胶卷|烘焙|做饭|种花|种菜",
        r"\b(?:running|marathon|parkrun|gym|yoga|swim\w*|cycling|climb\w*|hik\w+|camping|fishing|"
        r"football|rugby|cricket|tennis|chess|d&d|rpg|campaign|board games?|poker|choir|band|"
        r"gigs?|pottery|knit\w*|baking|gardening|photograph\w*|film|paint\w*|volunteer\w*|"
        r"training|season ticket|team|club|league)\b",
    ),
    "role": _met(
        r"负责|管(?!它|他|她|什么|饭)|群主|管理员|队长|班长|组长|会长|团长|主任|书记|领队|"
        r"领唱|指挥|教练|裁判|主持|记账|收钱|管钱|保管|钥匙|会费|公款|代收|交给|交我|找我|"
        r"归我|我来|我出|我带|我做|我写|我去|轮到|值日|排班|名单|登记|报名找|联系|值周",
        r"\b(?:captain|treasurer|secretary|chair\w*|coach|organi[sz]er|admin|host|lead|leads|"
        r"leader|in charge|responsible|keeps?|kept|holds?|held|look(?:s|ed|ing)? after|"
        r"take care|takes? (?:the|over|turns)|keys?|kitty|book(?:s|keeping)?|the books|"
        r"the list|rota|collects?|i do the|i run the|i'?ll do|i'?ll bring|i'?ll take|"
        r"i'?ll run|on (?:bass|drums|vocals|keys|guitar)|goalkeeper|maintainer|"
        r"release manager|dm|gm|moderator|buyer|cover(?:s|ing)?|my turn|whose turn|deputy|"
        r"acting|volunteer|duty|hands?|charge|spare key|send it to me|to me by|"
        r"venmo me|pay me)\b",
    ),
    "every": _met(
        r"每(?:天|周|月|年|个|次|晚|早|逢|人|学期)|天天|一三五|二四六|二四|"
        r"周[一二三四五六日天]到|双周|隔周|固定|雷打不动|老时间|老地方|老规矩|照旧|照常|惯例|"
        r"平时|一般|通常|一直|从来|向来|总是|经常|习惯|常年",
        r"\b(?:every|each|always|never|usually|normally|generally|alternate|weekly|monthly|"
        r"fortnight\w*|daily|as (?:usual|always|normal|per)|still|mondays|tuesdays|wednesdays|"
        r"thursdays|fridays|saturdays|sundays|weekends|weekdays|mornings|evenings|nights|"
        r"regularly|most days|twice a|once a|days a week|till|until|all year|any ?more|"
        r"no longer|these days)\b",
    ),
    "weekday": _met(
        r"(?:周|星期|礼拜)[一二三四五六日天末]",
        r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tues?|weds?|thurs?|fri|sat|sun|"
        r"weekends?)\b",
    ),
    "clock": _met(
        r"[\d一二三四五六七八九十两]+点|\d{1,2}[:：.]\d\d",
        r"\b(?:\d{1,2} ?(?:am|pm)|at \d{1,2}|noon|midnight|half (?:past )?\w+|o'?clock|"
        r"by \d{1,2}|"
        r"\d{1,2} to \d{1,2}|\d{1,2}-\d{1,2}|(?:till|til|until|after|before|from) \d{1,2})\b",
    ),
    "date": _met(
        r"[\d一二三四五六七八九十]+[月号日](?!子)|下个?月|月底|月初|年底|明年|国庆|春节|过年|"
        r"清明|端午|中秋|暑假|寒假|五一|元旦|重阳",
        r"\b(?:\d+(?:st|nd|rd|th)|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|"
        r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|"
        r"next (?:month|year|spring|summer|autumn|term|season)|christmas|easter|new year|"
        r"half[- ]term|bank holiday|thanksgiving|end of (?:the )?(?:month|year|may|june|term)|"
        r"in the (?:spring|summer|autumn|winter))\b",
    ),
    "longtime": _met(
        r"[\d一二三四五六七八九十两几半]+多?年|多少年|从小|自从|从.{1,8}(?:开始|起|到)|以来|"
        r"好几年|一辈子|[\d一二三四五六七八九十]+岁|(?:19|20)\d\d年?",
        r"\b(?:since|for (?:\w+ )?(?:\w+ )?(?:years?|months?|ages|decades?)|\w+ (?:years?|yrs?)|"
        r"years|yrs|decades?|(?:19|20)\d\d|forever|my whole life|all my life|turns? \d+|"
        r"aged? \d+|years? old|months? old|eighty|seventy|sixty|birthday|"
        r"been (?:like that|doing|here|in|at|on|a))\b",
    ),
    "fromnow": _met(
        r"以后|今后|从(?:今|现在|下|这)|往后|再也|长期|永远|开始.{0,4}(?:不|都)|改成|改到|"
        r"改在|改为|换成|换到|调到",
        r"\b(?:from now|from (?:next|monday|september|january|\w+day)|going forward|from here on|"
        r"in future|for good|permanently|starting|as of|any ?more|no longer|now on|is now|"
        r"are now|we'?re now|new (?:rule|day|time|place|code|plan)|moved to|changed to|"
        r"switched)\b",
    ),
    "rule": _met(
        r"规矩|群规|规定|店规|不许|不准|禁止|严禁|不能|不要|不让|"
        r"别(?!人|的|说|急|怕|想|提了|闹|骂|笑|慌|担心)|必须|一律|统一|谁.{1,8}谁|罚|扣|说好|"
        r"不得|请勿|务必|记得|轮流|先.{1,10}再|只能|只准|才能|才行",
        r"\b(?:rules?|no \w+ (?:in|at|on|after|before|near|unless|without|allowed)|not allowed|"
        r"banned|must|have to|has to|never|nobody|no one|everyone|everybody|whoever|"
        r"anyone who|unless|only|"
        r"don'?t (?:use|touch|put|leave|bring|post|book|feed|open|let|give|ever|tell|park)|"
        r"please (?:no|don'?t|keep|put)|no exceptions|the deal|first come|max(?:imum)?|limit|"
        r"fine|fines|at least|per (?:person|head|apartment|flat|month|unit)|always|policy|"
        r"agreed|vote|turns?|no \w+)\b",
    ),
    "settle": _met(
        r"定了|就定|说定|定下|定在|定好|敲定|约好|订好|订了|订的|确定|已经?订|票买|买好票|"
        r"报好|报了|就这么|改到|改成|改期|推迟|延到|提前到|批了|通过了|答应|统一|最后|结论|"
        r"截止|截单|到时候|通知",
        r"\b(?:booked|book it|confirmed|sorted|settled|it'?s on|is on|are on|locked in|final|"
        r"finali[sz]ed|decided|agreed|official|deal|sold|done deal|paid|deposit|deadline|due|"
        r"by (?:mon|tue|wed|thu|fri|sat|sun|\d|the end|end)\w*|reminder|fyi|heads up|update|"
        r"so:|plan:|plan|moved to|pushed to|now|it'?s now|instead|tickets?|reserved|"
        r"signed (?:up|the)|submitted|accepted|got (?:the|a|in|it)|landing|flying|fly|flight|"
        r"train)\b",
    ),
    "event": _met(
        r"排练|训练|例会|周会|开会|聚餐|聚会|聚|比赛|演出|汇演|活动|团建|露营|旅游|出发|集合|"
        r"见面|生日|婚礼|答辩|考试|手术|体检|面试|展览|直播|读书会|发布|上线|评审|检查|停水|"
        r"停电|打药|家长会|开学|赶集|拍摄|外拍|约拍",
        r"\b(?:rehearsals?|practice|training|match|matches|game|games|meeting|meet|party|quiz|"
        r"gig|"
        r"concert|show|tournament|dinner|lunch|bbq|barbecue|trip|weekend|wedding|birthday|"
        r"appointment|op|operation|interview|exam|test|viva|deadline|release|launch|sprint|"
        r"session|sessions|class|inspection|delivery|visit|festival|fair|race|festival|walk|"
        r"ride|run|survey|call|sync|freeze|review|ceremony|funeral|communion|service|auction|"
        r"market|sale)\b",
    ),
    "away": _met(
        r"回老家|回.{1,5}(?:住|过|待)|去.{1,8}(?:过|待|玩|旅|出差|上班|上学|读)|飞|出国|休假|"
        r"请假|不在|来不了|缺席|到.{1,5}月|才回",
        r"\b(?:away|abroad|flying|fly|off (?:on|from|till|until|to)|"
        r"out (?:of town|till|until|from)|on leave|holidays?|vacation|leave|"
        r"back (?:on|in|the|from)|visiting|travel\w*|miss(?:es|ing)? (?:the|it|that)|"
        r"can'?t (?:make|do|come)|not (?:here|around|in)|not me)\b",
    ),
    "money": _met(
        r"[\d]+(?:块|元|万|千|刀|镑|rmb)|[¥￥$£€]\d|\d+一?[人份]|均摊|aa|AA|押金|订金|房租|"
        r"工资|[$£€¥]\s?\d",
        r"\b(?:[$£€]\d+|\d+ ?(?:quid|bucks|euros?|pounds?|dollars?|p|k)|fee|fees|rent|deposit|"
        r"subs|"
        r"price|cost|each|kitty|budget|fund)\b",
    ),
    "cant": _met(
        r"不能|不可以|没法|来不了|不了|不得|不会|没有|不方便",
        r"\b(?:can'?t|cannot|cant|won'?t|unable|not able|not allowed|never|don'?t|dont|"
        r"doesn'?t|no)\b",
    ),
}
"""What is spoken of."""

FORMS = {
    "i": _met(
        r"我(?!们|去[，,!！。\s]|靠|擦|天)|俺|本人",
        r"\b(?:i|i'?m|i'?ve|i'?ll|i'?d|im|ive)\b",
    ),
    "i_start": _met(
        r"^(?:(?:嗯|对|哦|啊|诶|那|但|可|不过|反正|其实|因为|主要|而且)[，, ]?)?我(?!们|去|靠|"
        r"天)|"
        r"^(?:(?:and|but|so|well|yeah|no|yes|oh|ok|also|sorry|because|cos|ah|tbh|"
        r"btw)[, ]+)?(?:i|i'?m|i'?ve|i'?ll|im|ive|my|mine)\b",
    ),
    "i_am": _met(
        r"我(?:就|也|还|可)?(?:是|在|有|住|叫|姓)",
        r"\b(?:i'?m|i am|im|i was|i'?ve|i have|ive|i had|mine is|"
        r"my \w+(?: \w+)? (?:is|are|was|has|have|does|doesn'?t|works|lives|can'?t|won'?t)|"
        r"my \w+'s)\b",
    ),
    "my": _met(
        r"我(?:的|家|妈|爸|老|女|儿|闺|娃|姐|妹|弟|哥|那|们家|这边|自己|胃|腰|膝|牙|眼|手|脚|"
        r"头|嗓|胆|血)",
        r"\b(?:my|mine|myself|me)\b",
    ),
    "we": _met(
        r"我们|咱|大家|全组|全队|全店|本群|群里",
        r"\b(?:we|we'?re|we'?ve|we'?ll|us|our|ours|everyone|everybody|all of us|folks|lads|"
        r"team)\b",
    ),
    "you": _met(
        r"你|您",
        r"\b(?:you|your|you'?re|u|ur|ye|yours|ya)\b",
    ),
    "they": _met(
        r"他|她|人家",
        r"\b(?:he|she|him|her|his|hers|they|them|their|he'?s|she'?s|they'?re)\b",
    ),
    "it": _met(
        r"它|这|那",
        r"\b(?:it|it'?s|its|that|that'?s|thats|this|these|those)\b",
    ),
    "today": _met(
        r"今[天晚早日]|昨|明[天晚早]|后天|前天|刚|待会|一会|马上|这次|上次|这回|那天|正在|"
        r"现在|等下|下午(?!\d)|中午|早上|晚上",
        r"\b(?:today|tonight|tomorrow|tmrw|yesterday|just|"
        r"this (?:morning|week|time|evening|afternoon|weekend)|"
        r"last (?:night|time|week|weekend|year|month)|right now|later|soon|earlier|now|"
        r"in a (?:min|bit|sec)|again|currently|already|yet)\b",
    ),
    "past": _met(
        r"了(?:$|[，。！ ])|过了|过(?=$|[，。！ ])|那次|当时",
        r"\b(?:was|were|had|got|went|came|did|said|told|saw|found|lost|ate|left|took|gave|bought|"
        r"put|sent|forgot|made|\w{3,}ed)\b",
    ),
    "wish": _met(
        r"想(?!不)|希望|要是|如果|打算|要不|可能|也许|说不定|好像|应该|估计|大概|万一|感觉|"
        r"觉得|差点|考虑|看看|再说|随便",
        r"\b(?:maybe|might|perhaps|if|wish|could|would|should|think|thinking|want|wanna|hope|"
        r"probably|guess|considering|idk|not sure|dunno|suppose|reckon|tempted|someday|"
        r"one day|feel like|almost|nearly|depends|possibly)\b",
    ),
    "hearsay": _met(
        r"听说|据说|说是|都说|他说|她说|[^我]说(?!好|定|真|实话|起)|传|好像|网上",
        r"\b(?:heard|says?|said|told me|apparently|rumou?r|supposedly|allegedly|according|"
        r"reckons|"
        r"someone|somebody)\b",
    ),
    "laugh": _met(
        r"哈哈|笑死|hhh|嘻|狗头|😂|🤣|😭|绝了|离谱|救命|666|牛[逼啊]|[😀-🙏]",
        r"\b(?:lol|lmao|haha\w*|omg|jk|kidding|literally|honestly|wtf|dead|rip|iconic|legend|"
        r"hero|"
        r"ffs|ugh|absolute(?:ly)?|obviously|clearly|naturally|of course)\b",
    ),
    "ask": _met(
        r"[?？]|吗|呢(?:$|[ ，])|谁|什么|怎么|哪|几[点号个]|多少|没有?$|是不是|有没有|能不能|"
        r"要不要",
        r"\b(?:who|what|when|where|why|how|which|whats|whos|wheres|anyone|anybody|does|did|"
        r"can (?:i|you|we|someone)|could (?:i|you|we)|shall|should (?:i|we)|is it|"
        r"are (?:we|you)|do (?:we|you|i))\b",
    ),
    "qmark": _met(
        r"[?？]",
    ),
    "imper": _met(
        r"^(?:快|赶紧|帮|请|麻烦|记得|别|把|给|先|拿|去|来|看|等|让)|"
        r"^(?:please|pls|can|could|send|bring|put|take|get|go|come|look|check|tell|ask|give|"
        r"stop|let|leave|use|try|call|wait|make|remember|don'?t|add|keep|see)\b",
    ),
    "agree_start": _met(
        r"^(?:好|行|可以|嗯|对|是的|没错|收到|ok|好的|同意|\+1|1$|来|哈|哦|啊|诶|呃|确实|真的|"
        r"就是|不是|没事|谢)|"
        r"^(?:ok|okay|yes|yeah|yep|yup|sure|no|nope|nah|lol|haha|oh|ah|omg|same|thanks|thx|"
        r"thank|great|nice|good|fine|fair|true|right|deal|wow|ha|aw|ugh|well|hmm|sorry|grand|"
        r"cool|perfect|noted|aye|done)\b",
    ),
    "because": _met(
        r"因为|所以|毕竟|不然|否则|反正",
        r"\b(?:because|cos|coz|since|so|as i|therefore|that'?s why|anyway|otherwise|or else)\b",
    ),
    "correct": _met(
        r"不对|不是|更正|改成|改到|说错|记错|打错|其实|应该是",
        r"\b(?:no wait|wait|actually|correction|i mean|not \w+ but|scratch that|meant|typo|wrong|"
        r"instead|rather)\b",
    ),
    "greet": _met(
        r"^(?:早|晚安|早安|hi|hello|各位|姐妹们|兄弟们|通知|说个事|跟大家说|提醒|对了|顺便|"
        r"另外|@)|"
        r"^(?:hi|hello|morning|hey|fyi|reminder|also|btw|oh and|by the way|on another|guys|"
        r"lads|folks|ok so|right|so|heads up|update|psa|speaking of|which reminds)\b",
    ),
    "media": _met(
        r"\[(?:图片|图|照片|表情|视频|语音|链接|文件|photo|pic|sticker|image|video|link|gif|"
        r"voice|voice note)[^\]]*\]",
    ),
    "num": _met(
        r"\d",
    ),
    "neg": _met(
        r"不|没|别|无",
        r"\b(?:no|not|never|none|nobody|nothing|without|isn'?t|aren'?t|wasn'?t|don'?t|doesn'?t|"
        r"didn'?t|can'?t|won'?t|dont|cant)\b",
    ),
    "excl": _met(
        r"[!！]",
    ),
    "fut": _met(
        r"'ll\b|要|会|准备|打算|马上",
        r"\b(?:will|'?ll|gonna|going to|i'?ll|we'?ll|about to)\b",
    ),
    "le": _met(
        r"了(?:$|[，。！ ])",
    ),
    "de": _met(
        r"的(?:$|[，。！ ])",
    ),
    "quote": _met(
        r"[\"“”「]",
    ),
    "comma": _met(
        r"[,，;；。.]\s*\S|\S [\u3400-\u9fff]",
    ),
    "bot": _met(
        r"@",
    ),
    "food": _met(
        r"饭|菜|肉|奶茶|咖啡|火锅|烧烤|汤|面(?!试|前|包车)|酒|水果|蛋糕|零食",
        r"\b(?:coffee|tea|beer|wine|pizza|cake|lunch|dinner|breakfast|curry|soup|chips|bread|"
        r"meat|"
        r"fish|cheese|chocolate|milk)\b",
    ),
    "feel": _met(
        r"累|困|饿|烦|气死|难受|开心|难过|疼|痛(?!风)|酸(?!奶)|冷|热死|崩溃|无语|想哭|羡慕",
        r"\b(?:tired|exhausted|hungry|starving|cold|freezing|sick|ill|hurts?|sore|aching|"
        r"hate this|"
        r"annoyed|sad|happy|excited|knackered|stressed|hungover|crying|bored|jealous|sorry)\b",
    ),
    "is_so": _met(
        r"我(?:也|就|又|还|真的?|其实|本来|平时|一般|一直|从来|从小|现在|只|都)*(?:不|没|是|有|"
        r"在|住|怕|会|爱|信|属|姓|吃|喝|养|带|教|学|开|管)",
        r"\bi (?:\w+ly |just |only |also |still |always |never |usually )*(?:am|have|do|don'?t|"
        r"keep|"
        r"live|work|play|run|teach|sleep|eat|drink|hate|love|own|use|drive|need|get|make|sing|"
        r"write|"
        r"collect|take|pick|fly|start|finish|sell|cook|bake|walk|go|can'?t|cannot|know|want|"
        r"prefer|"
        r"wear|pay|book|bring|look|volunteer|commute|study)\b",
    ),
    "is_being": _met(r"\b(?:i'?m|i am|we'?re) \w+ing\b", r"我(?:正|还)?在[^，。]{1,6}(?:呢|着)"),
    "has_been": _met(
        r"\bi'?ve (?:only |just |always |never )?(?:been|had|held|kept|done|worked|lived|got|"
        r"played|"
        r"used|run|known|taught|never|always)\b",
        r"我[^，。]{0,6}[\d一二三四五六七八九十两几半]+多?年",
    ),
    "is_a": _met(
        r"\b(?:i'?m|i am|i was) (?:an?|the|on|off|in|at|from|out|away|not|allergic|so|"
        r"terrible|useless|half|part)\b"
    ),
    "has_the": _met(
        r"\b(?:i|we)(?:'?ve| have)(?: got)? (?:the|that|it|them|this|your)\b|我这(?:里|边|儿)?有"
    ),
    "has_a": _met(
        r"\bi(?:'?ve| have)(?: got)? (?:an?|two|three|four|no|my|\d+)\b|我(?:家|也|还|"
        r"就)?有(?!点|没|人|事|空|意)"
    ),
    "offers": _met(
        r"\b(?:i'?ll|i will|i can|i could|let me|happy to|shall i)\b",
        r"我(?:来|去|帮|给|可以|能|顺路|负责|请客|出|拿|带)",
    ),
    "told": _met(
        r"\bi (?:\w+ )?(?:asked|told|said|called|texted|emailed|checked|looked|saw|heard|found|"
        r"thought|"
        r"met|spoke|talked|swear|mean|meant|promise|bet|hope|think|guess|wonder|know)\b",
        r"我(?:刚|就|也|又|昨天|今天|已经)?(?:问|说|看|跟|打电话|听|发现|以为|觉得|猜|记得|"
        r"想起|查|吼|叫|催|试|拿错|忘)",
    ),
    "favour": _met(
        r"帮我|给我|替我|让我|等我|加我|算我|叫我|谢谢|感谢|对不起|抱歉|求|麻烦|拜托",
        r"\b(?:save me|get me|bring me|send me|give me|tell me|add me|put me|let me know|"
        r"for me|thanks?|"
        r"thank you|cheers|sorry|apologies|please|pls|can someone|could someone|can you|"
        r"could you|"
        r"would you)\b",
    ),
    "kin_acts": _met(
        r"我(?:家|的)?(?:爸|妈|老婆|老公|媳妇|婆婆|儿子|女儿|闺女|娃|姐|妹|弟|哥|表\w|堂\w|"
        r"室友|同事|朋友|对象|奶奶|爷爷|外婆|老板|邻居)",
        r"\bmy (?:\w+ )?(?:mum|mom|dad|wife|husband|partner|son|daughter|kids?|brother|sister|"
        r"nan|gran\w*|"
        r"aunt\w*|uncle|cousin|niece|nephew|boss|flatmate|neighbou?r|landlord|friend|mate)\b",
    ),
    "my_thing": _met(
        r"我(?:的|那|这)[^，。我]{1,6}|我(?:车|手机|电脑|钥匙|包|快递|房|店|号|工位)",
        r"\bmy (?!mum|mom|dad|wife|husband|partner|son|daughter|kid|brother|sister)\w+",
    ),
    "me_last": _met(
        r"[^，。\s]{2,}我(?:就|也|都|了|$)|\b(?:to|at|for|with|on|by|from|of|and) me\b"
    ),
    "ends_short": _met(
        r"(?:不去了|不来了|来不了|先走|到了|在路上|走了|回来了|睡了|下班了)|"
        r"\b(?:on my way|running late|brb|omw|here now|at the door|be there in|back in \d+)\b"
    ),
    "made_up": _met(
        r"\b(?:like a|as if|so much|ten thousand|a million|a hundred|basically|mostly|"
        r"technically|"
        r"officially|emotionally|spiritually)\b|像[^，。]{1,8}(?:一样|似的)|简直|"
        r"快[^，。]{0,4}(?:死|疯|哭)了|要[^，。]{0,4}(?:死|疯|跳出来)了"
    ),
}
"""How it is said."""


def matters_in(sentence: str) -> int:
    """How many matters of life it touches."""
    return sum(bool(one.search(sentence)) for one in MATTERS.values())
