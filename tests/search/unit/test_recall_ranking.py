"""What each sign is for: change one thing, and the line it speaks for comes first."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.messages.features import Features
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.recall.question import recall_question
from shared.domain.recall.ranking import Lines, Ranked, rank
from shared.domain.recall.reasons import reasons_of
from shared.language import Language, MessageType
from tests.context.chat import AT, said

NOW = AT + timedelta(hours=3)
SMALL_TALK = [
    said(n, text)
    for n, text in enumerate(
        ("morning all", "哈哈哈", "who is up for lunch?", "今天好冷", "brb", "我先下了", "nice one")
    )
]


def ranked(
    question: str, *lines: StoredMessage, asker: str | None = None, **known: object
) -> list[Ranked]:
    messages = [*SMALL_TALK, *lines]
    members = {one.user_id: one.user_name for one in messages}
    asked = recall_question(question, members, now=NOW, asker=asker)
    return rank(asked, Lines(messages, **known))  # type: ignore[arg-type]


def best(question: str, *lines: StoredMessage, asker: str | None = None, **known: object) -> str:
    return ranked(question, *lines, asker=asker, **known)[0].message.message_id


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("WiFi密码是多少", "WiFi密码改成 hello2026 了", "密码学的作业谁写了"),
        ("what did the repairs cost", "the repair was 80 in the end", "repairs, repairs, always"),
        ("Tokyo的酒店多少钱", "hotel in Tokyo 180 a night", "早餐多少钱来着"),
        ("when is the dentist", "dentist is on friday at nine", "the dentist is nice"),
        ("下次例会啥时候", "例会改到周四了", "例会好长"),
    ],
)
def test_words_in_either_language_and_the_kind_of_answer_decide(
    question: str, answer: str, other: str
) -> None:
    assert best(question, said(20, other), said(10, answer)) == "m10"


def test_an_answer_is_found_by_the_question_it_follows() -> None:
    lines = [
        said(10, "which day is the picnic", topic_id="t"),
        said(11, "thursday", topic_id="t", continues="m10"),
        said(12, "thursday was long", topic_id="s"),
    ]
    places = [one.message.message_id for one in ranked("when do we picnic", *lines)]

    assert places.index("m11") < places.index("m12")


def test_lines_of_who_is_asked_about_come_before_the_same_words_of_others() -> None:
    mia, tom = said(10, "i moved to Lyon", user_name="Mia"), said(11, "i moved to Lyon too")

    assert best("where did Mia move", tom, mia) == "m10"
    assert best("where did mias flat move", tom, mia) == "m10"


def test_a_chinese_nickname_names_its_owner_and_is_no_word_of_the_question() -> None:
    chen = said(10, "下午三点到", user_name="陈默")
    asked = recall_question("默哥几点到", {"u10": "陈默"}, now=NOW)

    assert asked.about == {"u10"}
    assert not any("默" in word for word in (*asked.words, *asked.pairs))
    assert best("默哥几点到", said(11, "我三点到", user_name="林"), chen) == "m10"


def test_the_bot_that_is_spoken_to_is_not_who_is_asked_about() -> None:
    asked = recall_question("@Annie where do we meet", {"b": "Annie"}, now=NOW, bots={"b"})

    assert asked.about == frozenset()
    assert not any("anni" in word for word in asked.words)


def test_a_day_named_from_today_is_no_word_of_the_question() -> None:
    asked = recall_question("who carries the stove tomorrow, 明天谁带炉子", {}, now=NOW)

    assert not {"tomorrow", "明天"} & {*asked.words, *asked.pairs}
    assert {"stove", "炉子"} <= {*asked.words, *asked.pairs}


def test_who_asks_about_oneself_means_ones_own_lines() -> None:
    own, other = said(10, "order two boxes for me", user_id="ann"), said(11, "order two boxes")

    assert best("how many boxes did i order", other, own, asker="ann") == "m10"


def test_a_question_is_worth_less_than_an_answer() -> None:
    asks = said(
        10, "does the projector work?", features=Features(MessageType.QUESTION, Language.ENGLISH)
    )
    tells = said(9, "the projector works", features=Features(MessageType.ANSWER, Language.ENGLISH))

    assert best("is the projector working", asks, tells) == "m9"


def test_the_nearest_in_meaning_comes_first_where_no_word_is_shared() -> None:
    lines = [said(n, "etwas ganz anderes", state=MessageState.ATTRIBUTED) for n in range(10, 20)]
    cosines = {one.message_id: 0.1 for one in lines} | {"m14": 0.7}

    assert best("rent", *lines, cosines=cosines) == "m14"


def test_what_fits_as_a_reply_comes_before_what_is_only_near() -> None:
    lines = [said(n, "etwas ganz anderes", state=MessageState.ATTRIBUTED) for n in range(10, 20)]
    near = {one.message_id: 0.1 for one in lines} | {"m14": 0.7}
    replies = {one.message_id: 0.1 for one in lines} | {"m17": 0.7}

    assert best("rent", *lines, cosines=near, replies=replies) == "m17"


def test_a_reaction_is_worth_less_than_a_line_that_says_something() -> None:
    lines = [
        said(10, "which day is the picnic", topic_id="t"),
        said(11, "haha", topic_id="t", continues="m10"),
        said(12, "saturday at the old mill", topic_id="t", continues="m10"),
    ]
    places = [one.message.message_id for one in ranked("picnic", *lines)]

    assert places.index("m12") < places.index("m11")


def test_a_pasted_text_is_worth_no_more_than_a_full_line() -> None:
    full = said(10, " ".join(f"word{n}" for n in range(12)))
    pasted = said(11, " ".join(f"word{n}" for n in range(60)))
    found = {one.message.message_id: one.parts for one in ranked("rent", full, pasted)}

    assert found["m10"]["says_much"] == found["m11"]["says_much"] > 0


def test_lately_counts_only_in_the_talk_itself() -> None:
    lines = [said(n, "we paid the rent") for n in (10, 11)]
    asked = recall_question("rent", {}, now=NOW, is_of_the_talk=False)
    found = rank(asked, Lines(lines, unbroken=["m10", "m11"]))

    assert all("recent" not in one.parts for one in found)


def test_of_what_is_not_indexed_yet_meaning_tells_nothing() -> None:
    fresh = said(10, "new words", state=MessageState.PENDING)
    known = {f"x{n}": n / 10 for n in range(5)}
    found = {one.message.message_id: one for one in ranked("rent", fresh, cosines=known)}

    assert "meaning" not in found["m10"].parts


def test_the_days_that_are_named_count() -> None:
    old, new = said(10, "we went hiking"), said(11, "we went hiking")
    old = replace(old, create_time=NOW - timedelta(days=40))
    new = replace(new, create_time=NOW - timedelta(days=1))

    found = {one.message.message_id: one for one in ranked("hiking yesterday", old, new)}

    assert "day" in found["m11"].parts
    assert "day" not in found["m10"].parts
    assert found["m11"].score > found["m10"].score


def test_a_word_of_everybodys_talk_tells_nothing() -> None:
    chatter = [said(n, "server again") for n in range(20, 40)]
    unbroken = [one.message_id for one in chatter]
    found = ranked("server invoice", said(10, "invoice is paid"), *chatter, unbroken=unbroken)

    assert found[0].message.message_id == "m10"


def test_every_line_says_why_it_is_there() -> None:
    found = ranked("when is the dentist", said(10, "dentist is on friday at nine"))

    assert "words of the question" in reasons_of(found[0])[0]
    assert "tells a time" in reasons_of(found[0])
    assert "among other lines that fit" in reasons_of(found[0])[1:]
    assert all(reasons_of(one) for one in found)


def part_of(name: str, question: str, line: StoredMessage, **wish: object) -> float:
    asked = recall_question(question, {}, now=NOW, **wish)  # type: ignore[arg-type]
    messages = [*SMALL_TALK, line]
    lines = Lines(messages, unbroken=[one.message_id for one in messages])
    return next(one for one in rank(asked, lines) if one.message is line).parts.get(name, 0.0)


def test_what_was_said_lately_counts_by_the_clock_and_not_by_lines_alone() -> None:
    """The last hundred lines of a sparse group are months old."""
    line = said(10, "the boiler is loud")
    fresh, week_old = (
        part_of("recent", "what is wrong with the boiler", replace(line, create_time=NOW - ago))
        for ago in (timedelta(minutes=1), timedelta(days=8))
    )

    assert fresh > 0.5
    assert 0.2 * fresh < week_old < 0.3 * fresh


def test_a_chinese_word_counts_less_in_a_chat_where_its_pairs_count_beside_it() -> None:
    chinese, english = said(10, "锅炉今天修好了"), said(10, "the boiler is mended")
    in_chat, searched = (
        (
            part_of("words", "锅炉怎么样了", chinese, is_of_the_talk=is_of_the_talk),
            part_of("words", "how is the boiler", english, is_of_the_talk=is_of_the_talk),
        )
        for is_of_the_talk in (True, False)
    )

    assert 0 < in_chat[0] < 0.7 * searched[0]
    assert in_chat[1] == searched[1] > 0
