"""Noise goes, bursts are joined, long talks are cut where the subject turns."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.attribution.topic_updates import opening_title
from shared.domain.topics.bursts import CUT, MAX_CHARACTERS, bursts, segments
from shared.domain.topics.keywords import line_keywords
from tests.topics.unit.talk import START, contents, said, talk


def test_what_one_person_says_in_one_go_is_joined() -> None:
    lines = said(
        ("Ann", "说个事"),
        ("Ann", "滨江那家过了"),
        ("Bo", "杭州那个"),
        every=timedelta(seconds=20),
    )
    joined = bursts(lines)
    assert contents(joined) == ["说个事 / 滨江那家过了", "杭州那个"]
    assert joined[0].message_ids == ("m0000", "m0001")


def test_somebody_who_comes_back_later_says_something_new() -> None:
    assert len(talk(("Ann", "the boiler is dead"), ("Ann", "the film starts at seven"))) == 2


def test_laughter_thanks_and_pictures_are_left_out() -> None:
    lines = talk(
        ("Ann", "门禁密码换成4471了"), ("Bo", "哈哈哈哈"), ("Cy", "[图片]"), ("Di", "谢谢")
    )
    assert contents(lines) == ["门禁密码换成4471了"]


def test_a_talk_of_nothing_but_noise_stays() -> None:
    assert contents(talk(("Ann", "哈哈"), ("Bo", "谢谢"))) == ["哈哈", "谢谢"]


def test_a_paste_is_cut_and_says_so() -> None:
    [only] = talk(("Ann", "error at line " + "x" * 5_000))
    assert only.content.endswith(CUT)
    assert len(only.content) <= MAX_CHARACTERS + len(CUT)


def test_a_talk_that_fits_is_one_part() -> None:
    lines = talk(*((f"u{n % 3}", f"line {n} about the boat") for n in range(10)))
    assert segments(lines) == [lines]
    assert segments([]) == []


def test_a_long_talk_is_cut_where_the_subject_turns() -> None:
    boat = [(f"u{n % 3}", f"the boat needs paint and a new sail, part {n}") for n in range(20)]
    tax = [(f"u{n % 3}", f"tax forms are due, bring receipts, page {n}") for n in range(20)]
    lines = talk(*boat, *tax)
    whole = sum(one.tokens for one in lines)
    first, second = segments(lines, max_tokens=int(whole * 0.6))
    assert all("boat" in one.content for one in first)
    assert all("tax" in one.content for one in second)


def test_a_long_talk_is_cut_where_people_paused() -> None:
    lines = [(f"u{n % 3}", f"the boat needs paint and a new sail, part {n}") for n in range(30)]
    evening = said(*lines[17:], start=START + timedelta(hours=9))
    night = [replace(one, message_id=f"e{one.message_id}") for one in evening]
    parts = bursts([*said(*lines[:17]), *night])
    whole = sum(one.tokens for one in parts)
    first, second = segments(parts, max_tokens=int(whole * 0.7))
    assert (len(first), len(second)) == (17, 13)


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.text("abc d露营", min_size=1, max_size=80)),
        max_size=40,
    ),
    st.integers(20, 400),
)
def test_no_burst_is_lost_doubled_or_moved(lines: list[tuple[str, str]], most: int) -> None:
    parts = bursts(said(*lines))
    cut = segments(parts, max_tokens=most)
    assert [one for part in cut for one in part] == parts
    assert all(len(part) == 1 or sum(one.tokens for one in part) <= most for part in cut)


def test_what_a_topic_is_told_by_has_no_secrets() -> None:
    lines = said(("Ann", "the door code: pin is 4821"), ("Ann", "use the side door"))
    lines = [replace(line, create_time=START) for line in lines]

    (burst,) = bursts(lines)

    assert burst.content == "the door code: pin is *** / use the side door"
    assert burst.has_secret
    assert "4821" not in opening_title(lines)
    assert "hunter2x" not in line_keywords("the server password is hunter2x")
    assert not any(one.has_secret for one in bursts(lines[1:]))
