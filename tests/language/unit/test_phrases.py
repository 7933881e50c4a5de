"""Noun phrases: whole words, as a reader would write them."""

import pytest

from shared.language.phrases import phrases


def written(text: str) -> list[str]:
    return [one.written for one in phrases(text)]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("我妈寄了一箱赣南脐橙", "赣南脐橙"),
        ("实验室的显示器支架断了", "显示器支架"),
        ("三楼新开的黄焖鸡", "黄焖鸡"),
        ("does the allotment gate still squeak", "allotment gate"),
        ("we use C++ and node.js here", "node.js"),
    ],
)
def test_a_thing_is_named_in_whole_words(text: str, phrase: str) -> None:
    assert phrase in written(text)


def test_chinese_and_latin_letters_never_run_together() -> None:
    assert {"hdmi", "转接头"} <= set(written("谁有type-c转hdmi的转接头"))
    assert not any("转hdmi" in one for one in written("谁有type-c转hdmi的转接头"))


@pytest.mark.parametrize(
    "text",
    [
        "哈哈哈哈",
        "[图片]",
        "@小明 @all",
        "https://example.com/a/b",
        "",
        "好的 明天下午见",
        "我想了解一下",
        "看过 不想去",
        "干什么 这年头",
        "ok lol",
    ],
)
def test_small_talk_addresses_and_markup_name_nothing(text: str) -> None:
    assert written(text) == []


def test_spellings_of_one_word_meet_under_one_key() -> None:
    [one], [many] = phrases("battery"), phrases("Batteries")
    assert one.key == many.key == "battery"
    assert many.written == "Batteries"


def test_words_that_only_stand_beside_each_other_are_loose() -> None:
    found = {one.written: one for one in phrases("快去医院")}
    assert not found["医院"].is_loose
    assert all(one.is_loose for one in found.values() if one.words > 1)
    assert {one.written: one.is_loose for one in phrases("kitchen sink")} == {
        "kitchen": False,
        "kitchen sink": True,
        "sink": False,
    }


def test_a_long_text_is_judged_by_its_beginning() -> None:
    assert written("露营 " * 3_000 + "烧烤架") == written("露营 " * 3_000)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("heads up, I moved the surgery to Friday", {"surgery"}),
        ("ugh, I spent two hours on hold with the bank", {"bank", "hold"}),
        ("the hook is behind the oven", {"hook", "oven"}),
        ("we parked near the park", {"park"}),
        ("honestly the new fountain looks amazing lol", {"fountain", "amazing"}),
        ("did anyone book the train tickets", {"train", "tickets", "train tickets"}),
    ],
)
def test_english_verbs_adverbs_and_interjections_name_nothing(line: str, named: set[str]) -> None:
    assert {one.written for one in phrases(line)} <= named
    assert {one.written for one in phrases(line)}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("你听过这首歌曲吗", {"歌曲"}),
        ("这首歌谁唱的", set()),
        ("搬了三块砖", set()),
        ("3床家属来了", {"家属"}),
        ("这门票多少钱", {"门票"}),
        ("这部门的条件", {"部门", "条件"}),
    ],
)
def test_a_measure_is_no_part_of_what_is_counted(text: str, named: set[str]) -> None:
    assert set(written(text)) == named


@pytest.mark.parametrize(
    "text",
    [
        *("不太想", "别动", "太小", "没堵", "都行", "不早了"),
        *("我能", "那袋面", "谁动了", "得生", "这够吗"),
        *("怀不上", "回不来", "行不行", "好听", "难吃"),
        *("看着办", "飞过去", "改成", "前两天", "下周一"),
    ],
)
def test_a_piece_of_a_sentence_names_nothing(text: str) -> None:
    assert written(text) == []


@pytest.mark.parametrize(
    "name",
    ["别墅", "不锈钢", "不动产", "太阳能", "没药", "都市", "我妈", "咱娘", "太空", "只读"],
)
def test_a_name_may_begin_like_a_piece_of_a_sentence(name: str) -> None:
    assert name in written(f"说到{name}，") or name in written(name)


@pytest.mark.parametrize(
    "line",
    [
        "excellent",
        "that would be desirable",
        "please install and restart",
        "it connects",
        "official",
    ],
)
def test_how_a_thing_is_and_what_is_done_with_it_is_no_name(line: str) -> None:
    assert written(line) == []
