"""Noun phrases: whole words, as a reader would write them."""

import pytest

from shared.domain.text.phrases import phrases


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
