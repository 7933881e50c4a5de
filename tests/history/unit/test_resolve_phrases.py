"""Words of people and places that mean somebody else than they seem to, or nobody and nowhere."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from shared.domain.historian.gate import PLACE, PRONOUN, violations
from shared.domain.historian.people import people_of
from shared.domain.historian.resolve import resolve_note

TOLD = {
    "小顾告诉我她升职了": "小顾告诉老魏小顾升职了",
    "小顾告诉阿蓝她要搬家": "小顾告诉阿蓝小顾要搬家",
    "老周告诉王芳她中奖了": "老周告诉王芳中奖了",
    "小顾问我周六有没有空": "小顾问老魏2026-11-21有没有空",
    "阿蓝劝我少喝酒，还建议我去体检": "阿蓝劝老魏少喝酒，还建议老魏去体检",
    "小顾答应我他会戒烟": "小顾答应老魏小顾会戒烟",
    "我问小顾他来不来": "老魏问小顾来不来",
    "小顾提醒阿蓝她忘了交表": "小顾提醒阿蓝忘了交表",
    "阿蓝说我可以用她的车位": "阿蓝说老魏可以用阿蓝的车位",
    "小顾的妈妈说他发烧": "小顾的妈妈说小顾发烧",
    "Sam promised Priya he'd need no help": "Sam promised Priya Sam would need no help",
    "I promised Sam I'd wake him": "Nora promised Sam Nora would wake Sam",
    "Sam kept the lamp I sold him": "Sam kept the lamp Nora sold Sam",
    "我告诉小顾他中奖了": "老魏告诉小顾中奖了",
    "I told Sam he snores": "Nora told Sam that Sam snores",
    "Sam told Priya she got in": "Sam told Priya that Priya got in",
    "Sam's mum says he snores": "Sam's mum says Sam snores",
}
TOGETHER = {
    "我和阿蓝合租，我们下周一搬": "老魏和阿蓝合租，老魏和阿蓝2026-11-23搬",
    "小顾跟我开店，我们卖面包": "小顾跟老魏开店，小顾和老魏卖面包",
    "我和我妈吵架了，我们谁也不理谁": "老魏和老魏妈吵架了，老魏和老魏妈谁也不理谁",
    "我、阿蓝和小顾组队，我们拿了奖": "老魏、阿蓝和小顾组队，老魏、阿蓝和小顾拿了奖",
    "阿蓝约我看展，我俩都迟到了": "阿蓝约老魏看展，阿蓝和老魏都迟到了",
    "我跟小顾说我们要团建": "老魏跟小顾说骑行队成员要团建",
    "阿蓝和小顾同岁，他俩都属马": "阿蓝和小顾同岁，阿蓝和小顾都属马",
    "给咱们两个节目": "给骑行队成员两个节目",
    "小顾他们学校放假": "小顾学校放假",
    "小顾他们去露营": "小顾等人去露营",
    "Sam and I got a boat and we sail it": "Sam and Nora got a boat and Sam and Nora sail the boat",
    "I flew out with Priya, we got lost": "Nora flew out with Priya, Nora and Priya got lost",
    "Sam and I sold our car": "Sam and Nora sold Sam and Nora's car",
    "Priya and Sam left, we stayed": "Priya and Sam left, the members of Riders stayed",
}
PLACES = {
    "昆明那边四季如春": "昆明四季如春",
    "小顾跟银行这边谈妥了": "小顾跟银行谈妥了",
    "阿蓝去了三亚，那边很晒": "阿蓝去了三亚，三亚很晒",
    "我喜欢那边": "老魏喜欢所说的地方",
    "其实那边更便宜": "其实所说的地方更便宜",
    "小顾搬到那边": "小顾搬到所说的地方",
    "钥匙在门卫那里": "钥匙在门卫处",
    "有事就到这里说": "有事就到“骑行队”群里说",
    "今天先聊到这里": "2026-11-18先聊到这里",
    "这里头有门道": "这里头有门道",
    "Sam flies here": "Sam flies to Nora's area",
    "Sam works in Oslo and the air over there is clean": (
        "Sam works in Oslo and the air in Oslo is clean"
    ),
}
UNCHANGED = (
    "我的天，涨价了", "我靠，又停电", "真他妈冷", "他克莫司不能停", "你懂的，又加班",
    "问题就在这里",
    "Sam bought some thank you cards", "Sam wants more me time", "Sam reads about World War I",
    "oh my god, Sam won", "Sam uses they/them pronouns", "Sam likes forget-me-nots",
    "here's the list", "hey there, Sam", "hang in there, Sam", "is there a lift?",
    "how many seats are there?", "same here", "socks lie here and there",
    "Sam says there isn't any",
)  # fmt: skip
NOT_SET = {
    "我靠窗坐": "老魏靠窗坐",
    "我靠这个吃饭": "老魏靠这个吃饭",
    "我的天赋是唱歌": "老魏的天赋是唱歌",
    "小顾说他妈的手术顺利": "小顾说小顾妈的手术顺利",
    "Sam gave me time": "Sam gave Nora time",
    "my bad knee hurts": "Nora's bad knee hurts",
    "Sam saw you there": "Sam saw Wick in the place spoken of",
    "Sam is there": "Sam is in the place spoken of",
}
WORDING = {
    "Priya skipped her Tuesday class": "Priya skipped Priya's 2026-11-17 class",
    "Sam called her on Tuesday and left": "Sam called Nora on 2026-11-17 and left",
    "Priya missed her 3pm train": "Priya missed Priya's 3pm train",
    "Priya lost her 2024 diary": "Priya lost Priya's 2024 diary",
    "Sam says he'd feed the cat": "Sam says Sam would feed the cat",
    "Sam says he'd fed the cat": "Sam says Sam had fed the cat",
    "Sam thinks he'd better go": "Sam thinks Sam had better go",
    "Priya's been to Rome and loved it": "Priya's been to Rome and loved it",
    "Priya's running a race and hates it": "Priya's running a race and hates the race",
    "Priya took my Sunday": "Priya took Nora's 2026-11-15",
    "Sam saw the left side and hit it": "Sam saw the left side and hit the left side",
    "Did you hear?": "Did Wick hear?",
}
ANYBODY = (
    "那家店你得提前订", "如果你早点买就便宜", "You can park behind the library",
    "You have to book ahead",
    "If you book early the train is cheap", "you can bring your dog",
)  # fmt: skip
THE_BOT = {
    "你得提醒我吃药": "小安得提醒老魏吃药",
    "You have to remind me": "Wick has to remind Nora",
    "if you see Sam, greet him": "if Wick sees Sam, greet Sam",
}
NAMED = {
    ("May", "May lands in May, she is coming home"): ("May lands in May 2027, May is coming home"),
    ("May", "Sam comes in May and he stays"): "Sam comes in May 2027 and Sam stays",
    ("June", "June lands on June 3"): "June lands on 2027-06-03",
    ("Art", "Artists know Sam, he paints"): "Artists know Sam, Sam paints",
    ("小时", "小时两小时后到"): "小时2026-11-18 23:40到",
    ("小时", "我小时候怕狗"): "老魏小时候怕狗",
    ("天天", "小顾天天迟到，他被罚了"): "小顾天天迟到，小顾被罚了",
    ("天天", "天天说她不来"): "天天说天天不来",
}


def is_chinese(text: str) -> bool:
    return not text.isascii()


def learnt(info: str, *also: str, location: str = "") -> str:
    chinese = is_chinese(info)
    names = ("老魏", "阿蓝", "小顾", "老周", "王芳") if chinese else ("Nora", "Priya", "Sam")
    people = people_of(
        sender_id="u-0",
        roster={f"u-{number}": name for number, name in enumerate((*names, *also))},
        said=(),
        bot="小安" if chinese else "Wick",
        group="骑行队" if chinese else "Riders",
        is_chinese=chinese,
    )
    now = datetime(2026, 11, 18, 21, 40, tzinfo=ZoneInfo("Asia/Shanghai"))
    return resolve_note("", info, people, now, location).learnt


@pytest.mark.parametrize(("info", "rewritten"), TOLD.items())
def test_who_tells_and_who_is_told_are_kept_apart(info: str, rewritten: str) -> None:
    assert learnt(info) == rewritten


@pytest.mark.parametrize(("info", "rewritten"), TOGETHER.items())
def test_we_are_those_whom_the_text_joined(info: str, rewritten: str) -> None:
    assert learnt(info) == rewritten


@pytest.mark.parametrize(("info", "rewritten"), PLACES.items())
def test_a_place_that_is_named_is_that_place(info: str, rewritten: str) -> None:
    assert learnt(info) == rewritten


@pytest.mark.parametrize("info", UNCHANGED)
def test_a_set_phrase_means_nobody_and_nowhere(info: str) -> None:
    kinds = {one.kind for one in violations(info, ("Sam",))}
    assert not kinds & {PRONOUN, PLACE}
    assert learnt(info) == info


@pytest.mark.parametrize(("info", "rewritten"), NOT_SET.items())
def test_the_same_words_elsewhere_mean_somebody(info: str, rewritten: str) -> None:
    assert learnt(info) == rewritten


@pytest.mark.parametrize(("info", "rewritten"), WORDING.items())
def test_what_stands_around_a_pronoun_follows_it(info: str, rewritten: str) -> None:
    assert learnt(info) == rewritten


@pytest.mark.parametrize("info", ANYBODY)
def test_you_that_is_anybody_is_left_to_the_gate(info: str) -> None:
    said = learnt(info)
    assert not any(bot in said for bot in ("小安", "Wick"))
    assert violations(said)


@pytest.mark.parametrize(("info", "rewritten"), THE_BOT.items())
def test_you_that_is_asked_for_something_is_the_bot(info: str, rewritten: str) -> None:
    assert learnt(info) == rewritten


@pytest.mark.parametrize(("named", "rewritten"), NAMED.items())
def test_a_name_that_is_a_word_is_the_word_where_it_must_be(
    named: tuple[str, str], rewritten: str
) -> None:
    name, info = named
    assert learnt(info, name) == rewritten


def test_locals_are_of_the_place_or_stay_for_the_gate() -> None:
    assert learnt("小顾是本地人", location="杭州") == "小顾是杭州人"
    assert learnt("小顾是本地人") == "小顾是本地人"
    assert violations("小顾是本地人")
