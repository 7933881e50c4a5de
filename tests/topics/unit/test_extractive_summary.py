"""Summaries without a model: whole lines, who said them, what was decided, what is open."""

from shared.domain.topics.extractive_summary import extract, shortened
from shared.domain.topics.keywords import keywords_of
from tests.topics.unit.talk import contents, talk

TALK = talk(
    ("阿澜", "周六露营七点半集合？"),
    ("大头", "七点半起不来啊"),
    ("阿澜", "那就八点地铁口集合"),
    ("小鹿", "我对芒果过敏 露营别买芒果"),
    ("老魏", "帐篷我带 四人的"),
    ("思思", "有人认识修车的吗"),
)


def test_lines_stand_in_their_order_with_who_said_them() -> None:
    found = extract(TALK, keywords_of(contents(TALK)))
    lines = found.content.splitlines()
    assert "小鹿: 我对芒果过敏 露营别买芒果" in lines
    order = [f"{one.user_name}: {one.content}" for one in TALK]
    assert lines == sorted(lines, key=order.index)
    assert set(found.message_ids) <= {one for part in TALK for one in part.message_ids}


def test_decisions_and_unanswered_questions_are_told_apart() -> None:
    found = extract(TALK, keywords_of(contents(TALK)))
    assert found.decisions == ("阿澜: 那就八点地铁口集合",)
    assert found.open_questions == ("思思: 有人认识修车的吗",)


def test_a_later_decision_on_the_same_matter_replaces_the_earlier() -> None:
    lines = talk(
        ("Ann", "we decided the film night is at my place on thursday"),
        ("Bo", "change of plan, film night moved to Keiko's place thursday"),
    )
    assert len(extract(lines, {}).decisions) == 1
    assert "Keiko" in extract(lines, {}).decisions[0]


def test_who_only_agrees_decides_what_the_line_before_says() -> None:
    lines = talk(
        ("Mo", "ok so chapel at 7 with Lou's keyboard"),
        ("Dana", "decided. I'll tell the altos"),
        ("老魏", "周六八点西门集合"),
        ("小鹿", "行，就这么定，我来通知大家"),
    )
    assert extract(lines, {}).decisions == (
        "Mo: ok so chapel at 7 with Lou's keyboard",
        "老魏: 周六八点西门集合",
    )


def test_a_report_of_a_change_is_no_decision() -> None:
    lines = talk(("大头", "昨天发版把超时从2秒改成了30秒"), ("阿澜", "聚餐改到周日"))
    assert extract(lines, {}).decisions == ("阿澜: 聚餐改到周日",)


def test_who_does_not_know_leaves_a_question_open() -> None:
    lines = talk(
        ("Eva", "is chapter 9 in the exam?"), ("Ida", "nobody knows, she didn't say"),
        ("阿澜", "谁去寄给印刷厂？"), ("小鹿", "还没人"),
        ("Jon", "which calculator is allowed?"), ("Ida", "only the casio"),
    )  # fmt: skip
    assert extract(lines, {}).open_questions == (
        "Eva: is chapter 9 in the exam?",
        "阿澜: 谁去寄给印刷厂？",
    )


def test_the_next_one_begins_with_the_last() -> None:
    found = extract(TALK, keywords_of(contents(TALK)), previous="他们去年去过一次。")
    assert found.content.startswith("他们去年去过一次。\n")
    assert len(found.content.splitlines()) <= 4


def test_links_are_kept_apart() -> None:
    lines = talk(
        ("Ann", "map: https://example.org/a?b=1 see you"), ("Bo", "https://example.org/a?b=1")
    )
    assert extract(lines, {}).links == ("https://example.org/a?b=1",)


def test_a_long_line_is_cut_between_words() -> None:
    cut = shortened("word " * 100)
    assert cut.endswith("word …")
    assert len(cut) <= 162
