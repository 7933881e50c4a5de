"""Notes as bots take them of real talk: who is meant where several people come up."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from shared.domain.historian.gate import PRONOUN, TIME, Violation, violations
from shared.domain.historian.people import people_of
from shared.domain.historian.resolve import resolve_note

CHINESE = {
    "阿蓝说她大后天做胃镜，让我陪她": "阿蓝说阿蓝2026-11-21做胃镜，让老魏陪阿蓝",
    "我在看《明天会更好》，想借给他": "老魏在看《明天会更好》，想借给某人",
    "我昨天跟他说的事，他告诉她了": "老魏2026-11-17跟某人说的事，某人告诉另一个人了",
    "小顾的妈妈叫我去她那儿吃饭": "小顾的妈妈叫老魏去小顾的妈妈处吃饭",
    "我爸住院了，医生说他能下床": "老魏爸住院了，医生说老魏爸能下床",
    "房东打电话来，我没答应他": "房东打电话来，老魏没答应房东",
    "小顾跟他吵架了": "小顾跟老魏吵架了",
    "阿蓝把她的车借给我了": "阿蓝把阿蓝的车借给老魏了",
    "去我老家那边": "去老魏老家",
    "离我这儿五分钟": "离老魏处五分钟",
    "我这边没问题": "老魏一方没问题",
    "我在哈尔滨待了半个月，那边很冷": "老魏在哈尔滨待了半个月，哈尔滨很冷",
    "我住杭州，我到杭州，当地的朋友来接": "老魏住杭州，老魏到杭州，杭州的朋友来接",
    "我们全家去过": "老魏全家去过",
    "我们公司裁员，先从我们组开始": "老魏公司裁员，先从老魏组开始",
    "我们组织了活动": "骑行队成员组织了活动",
    "阿蓝大后天到，小顾去接她": "阿蓝2026-11-21到，小顾去接阿蓝",
    "阿蓝还没交表，小顾催了她三次": "阿蓝还没交表，小顾催了阿蓝三次",
    "小顾生日，阿蓝送了他一本书": "小顾生日，阿蓝送了小顾一本书",
    "阿蓝让小顾直接去她家": "阿蓝让小顾直接去阿蓝家",
    "小顾病了所以他没来": "小顾病了所以小顾没来",
    "阿蓝带她妈妈看病": "阿蓝带阿蓝妈妈看病",
    "阿蓝希望她能升职": "阿蓝希望阿蓝能升职",
    "阿蓝和小顾来了，他们俩都饿": "阿蓝和小顾来了，阿蓝和小顾都饿",
    "阿蓝和小顾吵了一架，老魏劝了他们": "阿蓝和小顾吵了一架，老魏劝了阿蓝和小顾",
    "阿蓝的伞落在小顾家了，他周一带来": "阿蓝的伞落在小顾家了，小顾2026-11-23带来",
    "小顾周一去了医院，查了血": "小顾2026-11-16去了医院，查了血",
    "小顾周一去医院，查出了贫血": "小顾2026-11-16去医院，查出了贫血",
    "我月底发工资，下个月初还钱": "老魏2026年11月底发工资，2026年12月初还钱",
    "我这两周不能跑步": "老魏2026-11-18至2026-12-02不能跑步",
    "小顾在成都，他国庆回来": "小顾在成都，小顾国庆回来",
    "阿蓝让小顾带去她那儿": "阿蓝让小顾带去阿蓝处",
    "老魏让我提醒他交表": "老魏让小安提醒老魏交表",
    "老魏腰疼，他老婆不让他骑车": "老魏腰疼，老魏老婆不让老魏骑车",
    "阿蓝问小顾去不去，小顾说去，周五带给她": "阿蓝问小顾去不去，小顾说去，2026-11-20带给阿蓝",
    "老魏跟阿蓝打赌输了，欠她一顿饭": "老魏跟阿蓝打赌输了，欠阿蓝一顿饭",
    "老魏打算换工作，这事他还没告诉阿蓝": "老魏打算换工作，这事老魏还没告诉阿蓝",
    "阿蓝把狗寄养了，周五接它回来": "阿蓝把狗寄养了，2026-11-20接狗回来",
    "阿蓝说她爸妈来住，让老魏帮她找酒店": "阿蓝说阿蓝爸妈来住，让老魏帮阿蓝找酒店",
    "阿蓝昨天考完了，她很累": "阿蓝2026-11-17考完了，阿蓝很累",
    "小顾订了周六的票": "小顾订了2026-11-21的票",
    "我这两周瘦了四斤": "老魏2026-11-04至2026-11-18瘦了四斤",
}
ENGLISH = {
    "What I told him he told her": "What Nora told somebody somebody told somebody else",
    "my cat ran off and I haven't found her": "Nora's cat ran off and Nora hasn't found Nora's cat",
    "Sam's mum invited me to hers": "Sam's mum invited Nora to Sam's mum's",
    "Her thesis is late, her advisor has chased her twice": (
        "Nora's thesis is late, Nora's advisor has chased Nora twice"
    ),
    "The landlord called me, he wants more rent": (
        "The landlord called Nora, the landlord wants more rent"
    ),
    "I sent him the keys and he got them": "Nora sent somebody the keys and somebody got the keys",
    "The lift broke and the plumber fixed it": "The lift broke and the plumber fixed the lift",
    "I bought the ticket and lost it": "Nora bought the ticket and lost the ticket",
    "The landlord needs it": "The landlord needs it",
    "Our whole family came": "Nora's whole family came",
    "The US team and the IT people came": "The US team and the IT people came",
    "Priya and I are playing": "Priya and Nora are playing",
    "I need rest and I fly home": "Nora needs rest and Nora flies home",
    "I eat and drink": "Nora eats and drinks",
    "I got up and have been tired": "Nora got up and has been tired",
    "He's played guitar for ten years": "Nora has played guitar for ten years",
    "He's tired": "Nora is tired",
    "Priya asked Sam to lend her his tent": "Priya asked Sam to lend Priya Sam's tent",
    "Priya and Sam share it; the two of them pay": "Priya and Sam share it; Priya and Sam pay",
    "Priya and Sam came, I fed both of them": "Priya and Sam came, Nora fed Priya and Sam",
    "Priya and Sam differ on phones: he would ban them, she would not": (
        "Priya and Sam differ on phones: Sam would ban the phones, Priya would not"
    ),
    "Sam took the twins home, he fed them": "Sam took the twins home, Sam fed the twins",
    "Sam's brother might join them, he has never played": (
        "Sam's brother might join others, Sam's brother has never played"
    ),
    "Sam's aunt is 90, they visit her": "Sam's aunt is 90, others visit Sam's aunt",
    "Priya takes over on Friday, Sam told her how": (
        "Priya takes over on 2026-11-20, Sam told Priya how"
    ),
    "Nora asked me to wake her at six": "Nora asked Wick to wake Nora at six",
    "Nora's dad is ill and she's flying out to see him": (
        "Nora's dad is ill and Nora is flying out to see Nora's dad"
    ),
    "Priya likes tea; her allergy put her in hospital": (
        "Priya likes tea; Priya's allergy put Priya in hospital"
    ),
    "Sam sold Priya's bike, he pays her back": "Sam sold Priya's bike, Sam pays Priya back",
    "Nora gave Sam her spare key": "Nora gave Sam Nora's spare key",
    "Priya has a new boss, she says he is mean": (
        "Priya has a new boss, Priya says the new boss is mean"
    ),
    "The doctor told Priya to rest; she sees him in May": (
        "The doctor told Priya to rest; Priya sees the doctor in May 2027"
    ),
    "Sam is ill and nobody covers for him": "Sam is ill and nobody covers for Sam",
    "It took her three tries": "It took Nora three tries",
    "Sam moved the ride from Friday to Sunday": (
        "Sam moved the ride from 2026-11-20 to 2026-11-22"
    ),
    "I forgave Sam": "Nora forgave Sam",
    "Sam said he'd seen Priya": "Sam said Sam had seen Priya",
    "Priya tore her calf on Monday": "Priya tore Priya's calf on 2026-11-16",
    "Sam owes me 40 pounds and they are angry with him": (
        "Sam owes Nora 40 pounds and others are angry with Sam"
    ),
    "Sam might come in January": "Sam might come in January 2027",
    "Priya asked Sam to come on the 12th": "Priya asked Sam to come on 2026-12-12",
    "Sam promised to pay me on Monday": "Sam promised to pay Nora on 2026-11-23",
    "Sam said he'd call on Monday": "Sam said Sam would call on 2026-11-23",
    "Sam went to see Priya on Monday": "Sam went to see Priya on 2026-11-16",
    "I had to leave early on Monday": "Nora had to leave early on 2026-11-16",
    "I forgot to call Sam on Monday": "Nora forgot to call Sam on 2026-11-16",
    "I met Priya on Monday and Sam on Tuesday": (
        "Nora met Priya on 2026-11-16 and Sam on 2026-11-17"
    ),
    "Sam was ill, on Monday": "Sam was ill, on 2026-11-16",
    "I go on leave at the end of next month": "Nora goes on leave at the end of December 2026",
}


def learnt(info: str, *, is_chinese: bool) -> str:
    names = ("老魏", "阿蓝", "小顾") if is_chinese else ("Nora", "Priya", "Sam")
    people = people_of(
        sender_id="u-0",
        roster={f"u-{number}": name for number, name in enumerate(names)},
        said=(),
        bot="小安" if is_chinese else "Wick",
        group="骑行队" if is_chinese else "Riders",
        is_chinese=is_chinese,
    )
    now = datetime(2026, 11, 18, 21, 40, tzinfo=ZoneInfo("Asia/Shanghai"))
    return resolve_note("", info, people, now, "").learnt


@pytest.mark.parametrize(("info", "rewritten"), CHINESE.items())
def test_chinese_pronouns_mean_whom_the_sentence_lets_them_mean(info: str, rewritten: str) -> None:
    assert learnt(info, is_chinese=True) == rewritten


@pytest.mark.parametrize(("info", "rewritten"), ENGLISH.items())
def test_english_pronouns_mean_whom_the_sentence_lets_them_mean(info: str, rewritten: str) -> None:
    assert learnt(info, is_chinese=False) == rewritten


@pytest.mark.parametrize(
    ("text", "violation"),
    [
        ("Ida will move it to early December 2026", Violation(PRONOUN, "it")),
        ("Ida has got a meeting in two hours", Violation(TIME, "in two hours")),
        ("Ida met Jon two summers ago", Violation(TIME, "two summers ago")),
        ("Ida met Jon last Christmas", Violation(TIME, "last Christmas")),
        ("林晓上半年亏了", Violation(TIME, "上半年")),
    ],
)
def test_the_gate_sees_what_it_missed(text: str, violation: Violation) -> None:
    assert violation in violations(text)


@pytest.mark.parametrize(
    "text",
    ["It was clear that Ida stays", "Ida finds it hard to sleep", "林晓手术三天后出院，当天很疼"],
)
def test_the_gate_lets_pass_what_means_the_same_everywhere(text: str) -> None:
    assert violations(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Ida leaves at the end of June 2026",
        "Ida leaves at the end of 2026",
        "Ida leaves at the beginning of May 2027",
        "林晓2026年8月底发工资",
        "林晓2026年底离职",
        "林晓2027年3月初搬家",
    ],
)
def test_the_edge_of_a_month_that_names_its_year_is_absolute(text: str) -> None:
    assert violations(text) == []
