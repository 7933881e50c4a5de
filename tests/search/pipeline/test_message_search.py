"""Finding lines on real stores: at hand, in pages, and beyond them; never what is gone."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from shared.domain.messages.message import Recall
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.pages import new_page
from shared.domain.word_index.rows import word_rows
from shared.language import terms
from shared.search.messages import MessageSearch
from shared.stores.message_records import delete_message, new_message
from shared.stores.pages import put_page
from shared.stores.vectors import Index, Vector, VectorPlan
from shared.stores.word_index import WordIndex
from tests.topics.attributing import Attributing, two_talks

MANY = 100_000
"""More lines than are at hand: what is older is looked for in the indexes."""


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
    return [message.message_id for message in messages]


async def found(group: Attributing, text: str, *, said: int = MANY, limit: int = 9) -> list[str]:
    lines = await search(group).find(
        group.group_id,
        text,
        until=group.clock() + timedelta(hours=1),
        epoch=0,
        lines_said=said,
        limit=limit,
        budget_s=20,
    )
    scores = [line.score for line in lines]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    return ids([line.message for line in lines])


async def old_talk(group: Attributing, *texts: str) -> list[StoredMessage]:
    """Said thirty days ago, too long for the last lines."""
    at = group.clock() - timedelta(days=30)
    lines = [
        stored(group, n, text, create_time=at + timedelta(minutes=n))
        for n, text in enumerate(texts, 1)
    ]
    await write(group, *lines)
    return lines


def chain_of(group: Attributing, length: int) -> list[StoredMessage]:
    return [
        stored(group, n, f"line {n}", reply_message_id=f"m{n - 1}" if n else None)
        for n in range(length)
    ]


async def test_a_reply_chain_is_five_deep_and_oldest_first(group: Attributing) -> None:
    messages = chain_of(group, 9)
    await write(group, *messages)

    assert ids(await search(group).chain(group.group_id, messages[8], {})) == [
        "m3", "m4", "m5", "m6", "m7"
    ]  # fmt: skip
    assert await search(group).chain(group.group_id, messages[0], {}) == []


async def test_a_recalled_message_is_left_out_of_a_chain_but_does_not_break_it(
    group: Attributing,
) -> None:
    messages = chain_of(group, 4)
    messages[2] = replace(messages[2], state=MessageState.RECALLED, content="", recalled=True)
    await write(group, *messages)

    assert ids(await search(group).chain(group.group_id, messages[3], {})) == ["m0", "m1"]


async def test_a_chain_that_bites_its_tail_or_leads_nowhere_ends(group: Attributing) -> None:
    await write(
        group,
        stored(group, 1, "a", reply_message_id="m2"),
        stored(group, 2, "b", reply_message_id="m1"),
        stored(group, 3, "c", reply_message_id="lost"),
    )
    asked = stored(group, 2, "b", reply_message_id="m1")

    assert ids(await search(group).chain(group.group_id, asked, {})) == ["m1"]
    assert await search(group).chain(group.group_id, stored(group, 3, "c"), {}) == []


async def test_the_best_match_comes_first_among_what_was_said_lately(group: Attributing) -> None:
    await write(
        group,
        stored(group, 1, "the kubernetes upgrade broke the payment service"),
        *(stored(group, n, f"payment number {n} arrived") for n in range(2, 60)),
    )

    question = "what did the kubernetes upgrade do to payment?"
    assert (await found(group, question, said=0))[0] == "m1"


async def test_a_rare_word_said_long_ago_is_found_among_thousands_that_share_the_others(
    group: Attributing,
) -> None:
    await old_talk(
        group,
        "the spare key hangs behind the quetzal picture",
        *(f"key number {n} for room {n % 7}" for n in range(2, 800)),
    )
    question = "which picture is the key behind, the quetzal?"

    assert (await found(group, question))[0] == "m1"


async def test_words_find_chinese_however_it_is_cut_and_what_has_no_topic_yet(
    group: Attributing,
) -> None:
    await old_talk(
        group, "WiFi密码改成 hello2026 了", *(f"今天吃什么好呢{n}" for n in range(2, 80))
    )
    waiting = stored(group, 99, "周末去黄山的车票还剩三张", state=MessageState.PENDING)
    await group.made.database.commit([new_message(waiting)])

    assert (await found(group, "无线密码是多少"))[0] == "m1"
    assert (await found(group, "黄山的车票还有吗"))[0] == "m99"


async def test_what_is_found_beyond_the_pages_comes_with_the_page_it_stands_in(
    group: Attributing,
) -> None:
    lines = await old_talk(
        group,
        *(f"all quiet {n}" for n in range(1, 10)),
        "anyone know the parking fee at the stadium?",
        "twelve euros",
        *(f"all quiet {n}" for n in range(12, 20)),
    )
    await group.made.database.commit([put_page(group.group_id, new_page(lines))])

    assert set((await found(group, "stadium parking fee"))[:2]) == {"m10", "m11"}


def without_index(group: Attributing) -> MessageSearch:
    """As in a deployment that has not made the index of words."""
    index = Index(api_key="local", host=group.told["PINECONE_CONTROLLER_HOST"], name="not-made")
    made = group.made
    return MessageSearch(
        made.messages, made.recent, made.pages, made.vectors, made.embedder, WordIndex(index)
    )


async def test_without_the_index_words_are_asked_of_the_documents(group: Attributing) -> None:
    await old_talk(group, "the pelican is back", "the boat is red")
    lines = await without_index(group).find(
        group.group_id,
        "who saw the pelican?",
        until=group.clock(),
        epoch=0,
        lines_said=MANY,
        budget_s=20,
    )

    assert lines[0].message.message_id == "m1"
    assert lines[0].reasons[0] == "the word 'pelican'"


async def test_a_recalled_line_is_never_found(group: Attributing) -> None:
    await write(group, stored(group, 1, "", terms=("secret",), state=MessageState.RECALLED))
    await two_talks(group)
    await group.made.database.commit([delete_message(group.group_id, "m1")])
    await group.say(Recall(group_id=group.group_id, message_id="m2", recalled_at=group.clock()))

    assert not {"m1", "m2"} & {*await found(group, "shipping the release to customers")}
    assert "m1" not in await found(group, "secret")


async def test_meaning_finds_what_shares_no_word_in_both_languages(group: Attributing) -> None:
    await two_talks(group)

    assert (await found(group, "shipping the release to customers"))[0] in ("m1", "m2")
    assert (await found(group, "去面馆吃午饭"))[0] in ("m3", "m4")


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

    lines = await search(group).find(
        group.group_id,
        "When do we ship the new release?",
        until=group.clock() + timedelta(hours=1),
        epoch=0,
        lines_said=MANY,
        budget_s=20,
    )
    assert "Who waters the plants?" in [line.message.content for line in lines]
    assert all(
        line.message.content == "Who waters the plants?"
        for line in lines
        if line.message.message_id == "m1"
    )


async def test_no_way_leads_into_another_group(group: Attributing) -> None:
    await two_talks(group)
    other = Attributing(group.made, group.clock, group.told, f"{group.group_id}-other")

    assert await found(other, "release customers Friday") == []
    asked = stored(other, 9, "?", reply_message_id="m2", topic_id="t")
    assert await search(other).chain(other.group_id, asked, {}) == []


async def test_a_line_is_found_before_it_is_indexed_and_by_what_it_says_now(
    group: Attributing,
) -> None:
    await index_words(group, stored(group, 1, "the piano tuner comes at nine"))
    edited = stored(group, 1, "the piano tuner is ill", edited_at=group.clock())
    others = [stored(group, n, f"the bus is late {n}") for n in range(3, 9)]
    await group.made.database.commit([new_message(line) for line in (edited, *others)])

    lines = await search(group).find(
        group.group_id, "piano tuner", until=group.clock(), epoch=0, lines_said=MANY, budget_s=20
    )
    assert lines[0].message.content == "the piano tuner is ill"
