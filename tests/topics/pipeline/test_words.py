"""The words of messages in their index: after attribution, an outage, a recall, and upkeep."""

from dataclasses import replace
from typing import Any

from functions.evolve_group.line_upkeep import LineUpkeep, line_upkeep
from functions.historian_job import handle_forget
from functions.ingest_message.indexing import Indexing
from shared.domain.group import BEGINNING
from shared.domain.word_index.terms import query_weights
from shared.language import terms
from shared.stores.vectors import Index
from shared.stores.word_index import WordIndex
from tests.topics.attributing import Attributing


async def talk(group: Attributing, *lines: str) -> None:
    """Each line answers the one before, so that all are of one topic; then an hour goes by."""
    await group.say(
        *(
            group.message(n, "Ann", line, reply_message_id=f"m{n - 1}" if n else None)
            for n, line in enumerate(lines)
        )
    )
    group.clock.turn(hours=1)


def missing(group: Attributing) -> WordIndex:
    """The index of a deployment that has not made it."""
    host = group.told["PINECONE_CONTROLLER_HOST"]
    return WordIndex(Index(api_key="local", host=host, name="not-made"))


def without_index(group: Attributing) -> None:
    made = group.made
    indexing = Indexing(made.vectors, missing(group))
    group.deps = replace(group.deps, indexing=indexing)


async def hits(group: Attributing, text: str, limit: int = 10) -> list[str]:
    """What the index itself answers, the best first."""
    weights = query_weights(terms(text), {}, 0)
    answer = await group.made.word_index.query(group.group_id, weights, limit, group.clock())
    return [one.message_id for one in answer]


def upkeep(group: Attributing, **changes: Any) -> LineUpkeep:
    return replace(line_upkeep(group.made), **changes)


async def test_a_line_is_found_by_its_words_and_by_those_two_lines_away(
    group: Attributing,
) -> None:
    await talk(group, "who has the boathouse key?", "Ann has it", "great", "shall we eat first?")
    await group.attribute()

    assert await hits(group, "boathouse") == ["m0", "m1", "m2"]
    assert await hits(group, "eat") == ["m3", "m2", "m1"]


async def test_a_later_run_changes_the_rows_of_the_lines_before(group: Attributing) -> None:
    await group.say(group.message(0, "Ann", "who has the boathouse key?"))
    await group.attribute()
    await group.say(group.message(1, "Bob", "Carla, I think", reply_message_id="m0"))
    await group.attribute()
    group.clock.turn(hours=1)

    assert await hits(group, "Carla") == ["m1", "m0"]


async def test_a_missing_index_costs_nothing_but_the_finding_and_upkeep_makes_it_good(
    group: Attributing,
) -> None:
    without_index(group)
    await talk(group, "the boathouse key is with Ann")
    done = await group.attribute()
    kept = await group.made.groups.get(group.group_id)
    own = group.deps.settings

    assert done.attributed == 1
    assert await hits(group, "boathouse") == []
    assert await upkeep(group, word_index=missing(group)).catch_up(kept, own) == (0, True)

    assert await upkeep(group).catch_up(kept, own) == (1, True)
    assert await hits(group, "boathouse") == ["m0"]
    tail = await group.made.tails.get(group.group_id)
    assert tail is not None
    assert tail.unindexed == ()


async def test_upkeep_indexes_what_was_said_before_there_was_an_index(group: Attributing) -> None:
    without_index(group)
    await talk(group, *(f"line {n} about the boathouse" for n in range(30)))
    await group.attribute()
    kept = await group.made.groups.get(group.group_id)
    old = replace(kept, unindexed_since=BEGINNING)
    await group.made.groups.change(group.group_id, lambda _: old, group.clock())

    assert await upkeep(group).catch_up(old, group.deps.settings) == (30, True)
    assert len(await hits(group, "boathouse", limit=50)) == 30


async def test_a_forgotten_message_leaves_its_own_row_and_those_beside_it(
    group: Attributing,
) -> None:
    await talk(group, "hello all", "the safe opens with zebra", "thanks", "bye")
    await group.attribute()
    assert sorted(await hits(group, "zebra")) == ["m0", "m1", "m2", "m3"]
    made = group.made
    deps = made
    job = await handle_forget.forget_message(group.group_id, "m1", deps)
    await made.worker.run(job.job_id, lambda work: handle_forget.run(work, deps))

    assert await hits(group, "zebra") == []
    assert sorted(await hits(group, "bye")) == ["m0", "m2", "m3"]
