"""Terms and keywords: whole where it matters, the same for both sides of a search."""

import subprocess
import sys

import pytest

from shared.language import MAX_TERMS, keywords, terms


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("see https://docs.example.com/a/b?x=1&y=2.", "https://docs.example.com/a/b?x=1&y=2"),
        ("看 https://docs.example.com/a，然后重启", "https://docs.example.com/a"),
        ("ask hr@example.com, please", "hr@example.com"),
        ("closes JIRA-1234 today", "jira-1234"),
        ("回滚到 v2.3.4 吧", "v2.3.4"),
        ("set user_id first", "user_id"),
        ("in src/main.py", "src/main.py"),
        ("std::vector leaks", "std::vector"),
        ("c++ or c#", "c++"),
        ("error 0x80070005", "0x80070005"),
        ("at 192.168.1.1:8080", "192.168.1.1:8080"),
        ("on 2024-05-01", "2024-05-01"),
        ("costs 1,000 yuan", "1,000"),
        ("订单 202406180012 已签收", "202406180012"),
        ("the node.js server", "node.js"),
    ],
)
def test_numbers_ids_addresses_and_code_stay_whole(text: str, whole: str) -> None:
    assert whole in terms(text)


def test_a_compound_is_also_found_by_its_words() -> None:
    assert {"user_id", "user"} <= set(terms("`user_id` is null"))
    assert {"done.next", "next"} >= set(terms("done.Next"))


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("deployments", "we deploy on friday, the deployment failed"),
        ("DEPLOYED", "deploying now"),
        ("ＡＰＩ", "the api is slow"),
        ("user’s", "the users complain"),
        ("浦东", "上海市浦东新区下雨"),
        ("科学院", "中国科学院计算所"),
        ("café", "the CAFÉ on main street"),
    ],
)
def test_two_spellings_of_a_word_meet(asked: str, stored: str) -> None:
    assert set(terms(asked)) & set(terms(stored))


def test_stop_words_of_both_languages_are_left_out() -> None:
    assert terms("what are you doing with the thing") == []
    assert terms("我们可以怎么做呢") == []
    assert terms("and/or") == []


def test_there_are_at_most_64_terms_and_the_telling_ones_stay() -> None:
    filler = " ".join(f"ab{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(200))

    found = terms(f"{filler} kubernetes-upgrade https://example.com/last")

    assert len(found) == len(set(found)) == MAX_TERMS
    assert found[-2:] == ["upgrad", "https://example.com/last"]
    assert "kubernetes-upgrade" in found


def test_a_term_is_never_too_long_to_be_indexed() -> None:
    assert (
        max(len(term.encode()) for term in terms("x1" * 5000 + " https://e.com/" + "y" * 9000))
        < 1500
    )


def test_keywords_name_the_subject_with_weights_up_to_one() -> None:
    found = keywords("数据库迁移的方案：数据库先备份，再迁移到新的集群 https://wiki.example.com/db")

    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert max(found.values()) == 1.0
    assert {"数据库", "迁移", "备份", "集群"} <= set(found)
    assert not any("http" in word for word in found)


def test_keywords_are_written_as_people_write_and_counted_by_stem() -> None:
    found = keywords("Deploying failed, deploy again, the deploys are cursed")

    assert next(iter(found)) == "deploying"
    assert "deploy" not in found


def test_keywords_can_be_names_of_fields() -> None:
    assert all(not word.startswith("__") for word in keywords("call __init__ or __main__ twice"))
    assert keywords("。。。") == {}


def test_the_word_lists_load_only_when_they_are_needed() -> None:
    code = "import sys, shared.language.words;print({'rjieba', 'snowballstemmer'} & {*sys.modules})"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"
