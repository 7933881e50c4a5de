"""Summaries without a model: whole lines, who said them, what was decided, what is open."""

from shared.domain.topics.extract import extract, shortened
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
