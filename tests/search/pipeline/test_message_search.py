"""Finding messages on real stores: by reply, topic, time, words and meaning; never what is gone."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from shared.domain.messages.message import Recall
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.word_index.rows import word_rows
from shared.language import character_pairs, terms
from shared.search.messages import Compared, MessageSearch
from shared.stores.message_records import delete_message, new_message
from shared.stores.vectors import Index, Vector, VectorPlan
from shared.stores.word_index import WordIndex
from tests.topics.attributing import Attributing, two_talks


def stored(group: Attributing, number: int, content: str, **changes: Any) -> StoredMessage:
    fields: dict[str, Any] = {
        "group_id": group.group_id,
        "message_id": f"m{number}",
        "user_id": "ann",
        "content": content,
        "create_time": group.clock() - timedelta(minutes=1000 - number),
        "terms": tuple(terms(content)),
        "state": MessageState.ATTRIBUTED,
        **changes,
    }
    return StoredMessage(**fields)


async def write(group: Attributing, *messages: StoredMessage) -> None:
    for start in range(0, len(messages), 250):
        some = messages[start : start + 250]
        await group.made.database.commit([new_message(one) for one in some])
    await index_words(group, *messages)


async def index_words(group: Attributing, *messages: StoredMessage) -> None:
    """As attribution would; a message without a topic stands alone."""
    topic_of = {one.message_id: one.topic_id or one.message_id for one in messages}
    rows = word_rows(messages, set(topic_of), topic_of)
    await group.made.word_index.upsert(group.group_id, rows)


def search(group: Attributing) -> MessageSearch:
    return group.made.message_search


def ids(messages: list[StoredMessage]) -> list[str]:
    return [one.message_id for one in messages]


async def by_words(
    group: Attributing, text: str, *lately: StoredMessage, limit: int = 30
) -> list[str]:
    found = await search(group).by_words(
        group.group_id, terms(text), lately, group.clock(), limit=limit
    )
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    return ids([one.message for one in found])


async def by_meaning(group: Attributing, text: str) -> list[str]:
    vector = await group.made.embedder.embed_one(text, group_id=group.group_id, budget_s=10)
    found = await search(group).by_meaning(group.group_id, vector, {})
    cosines = [found.cosines[one.message_id] for one in found.messages]
    assert cosines == sorted(cosines, reverse=True)
    return ids(list(found.messages))


def chain_of(group: Attributing, length: int) -> list[StoredMessage]:
    return [
        stored(group, n, f"line {n}", reply_message_id=f"m{n - 1}" if n else None)
        for n in range(length)
    ]


async def test_a_reply_chain_is_five_deep_and_oldest_first(group: Attributing) -> None:
    messages = chain_of(group, 9)
    await write(group, *messages)

    assert ids(await search(group).chain(group.group_id, messages[8])) == [
        "m3", "m4", "m5", "m6", "m7"
    ]  # fmt: skip
    assert await search(group).chain(group.group_id, messages[0]) == []


async def test_a_recalled_message_is_left_out_of_a_chain_but_does_not_break_it(
    group: Attributing,
) -> None:
    messages = chain_of(group, 4)
    messages[2] = replace(messages[2], state=MessageState.RECALLED, content="", recalled=True)
    await write(group, *messages)

    assert ids(await search(group).chain(group.group_id, messages[3])) == ["m0", "m1"]


async def test_a_chain_that_bites_its_tail_or_leads_nowhere_ends(group: Attributing) -> None:
    await write(
        group,
        stored(group, 1, "a", reply_message_id="m2"),
        stored(group, 2, "b", reply_message_id="m1"),
        stored(group, 3, "c", reply_message_id="lost"),
    )
    asked = stored(group, 2, "b", reply_message_id="m1")

    assert ids(await search(group).chain(group.group_id, asked)) == ["m1"]
    assert await search(group).chain(group.group_id, stored(group, 3, "c")) == []


async def test_words_find_the_best_match_first_whatever_its_age(group: Attributing) -> None:
    await write(
        group,
        stored(group, 1, "the kubernetes upgrade broke the payment service"),
        *(stored(group, n, f"payment number {n} arrived") for n in range(2, 60)),
    )

    found = await by_words(group, "what did the kubernetes upgrade do to payment?", limit=3)
    assert len(found) == 3
    assert found[0] == "m1"


async def test_of_many_that_match_only_so_many_documents_are_read_and_what_is_at_hand_costs_none(
    group: Attributing,
) -> None:
    lines = [stored(group, n, f"kubernetes upgrade number {n}") for n in range(1, 9)]
    await write(group, *lines)
    await index_words(group, *lines)
    old = await search(group).by_words(
        group.group_id, ["kubernet", "upgrad"], lines[6:], group.clock(), read=2
    )

    assert {"m7", "m8"} <= {one.message.message_id for one in old}
    assert len(old) == 4


async def test_words_find_chinese_and_what_has_no_topic_yet(group: Attributing) -> None:
    await write(
        group,
        stored(group, 1, "周末去黄山的车票还剩三张", state=MessageState.PENDING),
        stored(group, 2, "财务说报销要在月底前交"),
    )

    assert await by_words(group, "黄山的车票还有吗") == ["m1"]


async def test_words_that_everybody_uses_lately_find_nothing(group: Attributing) -> None:
    lately = [stored(group, n, f"release number {n}") for n in range(30)]
    await write(group, *lately)

    assert await by_words(group, "the release", *lately) == []
    assert await by_words(group, "!?") == []


def without_index(group: Attributing) -> MessageSearch:
    """As in a deployment that has not made the index of words."""
    index = Index(api_key="local", host=group.told["PINECONE_CONTROLLER_HOST"], name="not-made")
    return replace(search(group), word_index=WordIndex(index))


async def test_without_the_index_the_thirty_rarest_words_are_asked_of_the_documents(
    group: Attributing,
) -> None:
    often = [f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(40)]
    lately = [stored(group, n, " ".join(often)) for n in range(2)]
    alone = [stored(group, 5, "pelican"), stored(group, 6, often[0]), stored(group, 7, often[39])]
    await write(group, *alone, *lately)

    asked = terms(" ".join([*often, "pelican"]))
    matches = await without_index(group).by_words(group.group_id, asked, lately, group.clock())
    found = ids([one.message for one in matches])
    assert [one for one in ("m5", "m6", "m7") if one in found] == ["m5", "m6"]


async def test_what_is_recalled_is_found_by_no_word(group: Attributing) -> None:
    gone = stored(group, 1, "", terms=("secret",), state=MessageState.RECALLED)
    await write(group, gone)

    assert await by_words(group, "secret") == []


async def test_meaning_finds_the_nearest_first_in_both_languages(group: Attributing) -> None:
    await two_talks(group)

    assert (await by_meaning(group, "shipping the release to customers"))[0] in ("m1", "m2")
    assert (await by_meaning(group, "去面馆吃午饭"))[0] in ("m3", "m4")
    assert await search(group).by_meaning(group.group_id, None, {}) == Compared()


async def test_a_hit_whose_message_is_gone_is_dropped(group: Attributing) -> None:
    await two_talks(group)
    await group.made.database.commit([delete_message(group.group_id, "m1")])
    await group.say(Recall(group_id=group.group_id, message_id="m2", recalled_at=group.clock()))

    assert sorted(await by_meaning(group, "shipping the release to customers")) == ["m3", "m4"]


async def test_a_hit_of_an_older_text_is_dropped_until_the_new_one_is_indexed(
    group: Attributing,
) -> None:
    await two_talks(group)
    edited = group.message(
        1, "Ann", "Who waters the plants?", edited_at=group.clock() + timedelta(minutes=9)
    )
    await group.say(edited)
    assert "m1" not in await by_meaning(group, "Who waters the plants?")

    await group.attribute()
    assert (await by_meaning(group, "Who waters the plants?"))[0] == "m1"


async def test_an_index_that_falls_back_behind_an_edit_shows_nothing_old(
    group: Attributing,
) -> None:
    await two_talks(group)
    old = await group.made.vectors.fetch(group.group_id, "message", ["m1"])
    edited_at = group.clock() + timedelta(minutes=9)
    await group.say(group.message(1, "Ann", "Who waters the plants?", edited_at=edited_at))
    await group.attribute()
    stale = Vector("message", "m1", old["m1"], version=1)
    await group.made.vectors.apply(group.group_id, VectorPlan([stale]))

    assert "m1" not in await by_meaning(group, "When do we ship the new release?")


async def test_no_way_leads_into_another_group(group: Attributing) -> None:
    await two_talks(group)
    other = Attributing(group.made, group.clock, group.told, f"{group.group_id}-other")

    assert await by_words(other, "release customers Friday") == []
    assert await by_meaning(other, "release") == []
    asked = stored(other, 9, "?", reply_message_id="m2", topic_id="t")
    assert await search(other).chain(other.group_id, asked) == []
    assert await search(other).topic(other.group_id, "t", asked.create_time) == []


async def test_a_rare_word_said_long_ago_is_found_among_thousands_that_share_the_others(
    group: Attributing,
) -> None:
    """Firestore alone gives the newest sixty that share any word."""
    await write(
        group,
        stored(group, 1, "the spare key hangs behind the quetzal picture"),
        *(stored(group, n, f"key number {n} for room {n % 7}") for n in range(2, 800)),
    )
    asked = "which picture is the key behind, the quetzal?"

    assert (await by_words(group, asked))[0] == "m1"
    matches = await without_index(group).by_words(group.group_id, terms(asked), (), group.clock())
    assert "m1" not in ids([one.message for one in matches])


async def test_two_words_together_beat_either_alone(group: Attributing) -> None:
    await write(
        group,
        *(stored(group, n, f"the budget of week {n}") for n in range(300)),
        stored(group, 300, "the picnic budget is 400"),
        *(stored(group, n, f"picnic idea {n}") for n in range(301, 600)),
    )
    assert (await by_words(group, "what was the picnic budget?"))[0] == "m300"


async def test_chinese_meets_however_it_is_cut(group: Attributing) -> None:
    await write(
        group,
        stored(group, 1, "WiFi密码改成 hello2026 了"),
        *(stored(group, n, f"今天吃什么好呢{n}") for n in range(2, 80)),
    )
    question = "无线密码是多少"
    found = await search(group).by_words(
        group.group_id, [*terms(question), *character_pairs(question)], (), group.clock()
    )
    assert found[0].message.message_id == "m1"


async def test_an_answer_is_found_by_the_words_of_its_question(group: Attributing) -> None:
    await write(
        group,
        stored(group, 1, "anyone know the parking fee at the stadium?", topic_id="parking"),
        stored(group, 2, "twelve euros", topic_id="parking"),
        stored(group, 3, "see you on Sunday", topic_id="else"),
    )
    assert await by_words(group, "stadium parking fee") == ["m1", "m2"]


async def test_a_line_is_found_before_it_is_indexed_and_by_what_it_says_now(
    group: Attributing,
) -> None:
    await index_words(group, stored(group, 1, "the piano tuner comes at nine"))
    edited = stored(group, 1, "the piano tuner is ill", edited_at=group.clock())
    waiting = stored(group, 2, "another piano", state=MessageState.PENDING)
    await group.made.database.commit([new_message(edited)])

    assert await by_words(group, "piano tuner", edited, waiting) == ["m1", "m2"]
    assert await by_words(group, "comes at nine", waiting) == []


async def test_a_line_that_waits_for_the_index_is_found_by_its_meaning(group: Attributing) -> None:
    said = ["our kitten naps on the couch all day", "the invoice for march is paid",
            "who has the key of the bicycle shed", "tickets for saturday are sold out"]  # fmt: skip
    lines = [stored(group, number, text) for number, text in enumerate(said)]
    vectors = await group.made.embedder.embed(said, group_id=group.group_id, budget_s=10)
    waiting = {one.message_id: vector for one, vector in zip(lines, vectors, strict=True) if vector}

    found = await search(group).find(
        group.group_id,
        "where does the cat sleep?",
        recent=lines,
        until=group.clock(),
        unindexed=waiting,
    )

    assert found[0].message.message_id == "m0"
