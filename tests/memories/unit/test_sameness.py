"""Which statements speak of the same matter, whatever frame they stand in."""

import pytest

from shared.domain.memories.same_matter import has_in_common, speaks_of_same, telling


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Members play chess every Friday evening", "The group has a chess evening on Thursdays"),
        ("Most members work as nurses", "Members are mostly nurses"),
        ("Politics is off limits here", "Members do not discuss politics here"),
        ("Members go hiking every Sunday", "The group hikes on Sundays"),
        ("群里不讨论政治", "禁止讨论政治话题"),
        ("成员大多是前端开发", "群里多数人做前端开发"),
        ("每周日一起爬山", "大家周日去爬山"),
        ("每周三晚上打羽毛球", "每周四晚上打羽毛球"),
    ],
)
def test_the_same_matter_in_other_words(one: str, other: str) -> None:
    assert speaks_of_same(one, other)
    assert speaks_of_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Members play chess every Friday evening", "Members play badminton every Friday evening"),
        ("Most members work as nurses", "Most members work as teachers"),
        ("Members watch films every Saturday night", "Members watch football every Saturday night"),
        ("每周三晚上打羽毛球", "每周三晚上打篮球"),
        ("每周日一起爬山", "每周日一起看电影"),
        ("成员喜欢看科幻小说", "成员喜欢看悬疑小说"),
        ("群里不讨论政治", "群里不发广告"),
        ("", "Members play chess"),
        ("大家都在", "大家都去"),
    ],
)
def test_two_matters_in_one_frame(one: str, other: str) -> None:
    assert not speaks_of_same(one, other)


@pytest.mark.parametrize(
    ("said", "statement", "can"),
    [
        ("The quiz had a hard last round", "Members hold a music quiz every Thursday", True),
        ("Members play football every Thursday", "Members hold a music quiz every Thursday", False),
        ("羽毛球拍该换线了", "每周三晚上打羽毛球", True),
        ("今晚看电影", "每周三晚上打羽毛球", False),
        ("今晚打羽毛球", "Members play badminton", True),
    ],
)
def test_talk_without_a_word_in_common_is_about_something_else(
    said: str, statement: str, can: bool
) -> None:
    assert has_in_common(telling(said), telling(statement)) is can
