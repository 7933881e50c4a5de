"""Pages of older lines: written as they fill, mended where a line is edited, late or forgotten."""

from dataclasses import replace
from datetime import timedelta

from functions.evolve_group.page_upkeep import PageUpkeep
from functions.historian_job import handle_forget
from shared.domain.group import BEGINNING
from shared.domain.pages import PAGE_LINES, Page
from shared.domain.tail import LINES, PAGE_AFTER
from shared.stores.pages import Pages
from tests.topics.attributing import Attributing, monologue

PAGES = 2


async def talked(group: Attributing) -> None:
    """Two pages, and a hundred lines in the tail."""
    for start in range(0, PAGE_AFTER + PAGE_LINES + 1, 60):
        await group.say(*monologue(group, range(start, min(start + 60, PAGE_AFTER + 101))))
        await group.attribute()


async def pages_of(group: Attributing) -> list[Page]:
    tail = await group.made.tails.get(group.group_id)
    assert tail is not None
    found = await group.made.groups.get(group.group_id)
    fresh = Pages(group.made.database)
    return await fresh.get(group.group_id, tail.pages, found.epoch)


async def test_a_page_is_written_once_it_is_full_and_nothing_is_lost(group: Attributing) -> None:
    await talked(group)
    pages = await pages_of(group)
    tail = await group.made.tails.get(group.group_id)
    assert tail is not None
    stored = await group.messages(range(PAGES * PAGE_LINES))

    assert [len(one.lines) for one in pages] == [PAGE_LINES] * PAGES
    assert [one.version for one in pages] == [1, 1]
    shown = [one for page in pages for one in page.lines]
    assert [(one.message_id, one.content, one.vector) for one in shown] == [
        (one.message_id, one.content, one.vector) for one in stored
    ]
    assert len(tail.lines) == LINES + 1
    assert (await group.made.groups.get(group.group_id)).unpaged_since is None


async def test_an_edited_line_is_another_in_its_page_too(group: Attributing) -> None:
    await talked(group)
    edited = group.message(5, "Ann", "the code is 7714", edited_at=group.clock())
    await group.say(replace(edited, create_time=(await group.messages([5]))[0].create_time))
    await group.attribute()
    first, *_ = await pages_of(group)

    assert first.lines[5].content == "the code is 7714"
    assert first.version == 2
    assert len(first.lines) == PAGE_LINES


async def test_a_late_line_stands_in_the_page_of_its_time(group: Attributing) -> None:
    await talked(group)
    at = (await group.messages([40]))[0].create_time + timedelta(seconds=1)
    await group.say(group.message(900, "Ben", "said while offline", at=at))
    await group.attribute()
    pages = await pages_of(group)

    assert [one.message_id for one in pages[0].lines][40:43] == ["m40", "m900", "m41"]
    assert sum(len(one.lines) for one in pages) == PAGES * PAGE_LINES + 1


async def test_a_recall_leaves_no_text_in_its_page(group: Attributing) -> None:
    await talked(group)
    deps = group.made
    job = await handle_forget.forget_message(group.group_id, "m7", deps)
    await group.made.worker.run(job.job_id, lambda work: handle_forget.run(work, deps))
    first, *_ = await pages_of(group)

    assert "m7" not in {one.message_id for one in first.lines}
    assert len(first.lines) == PAGE_LINES - 1


async def test_lines_of_before_there_were_pages_get_theirs_in_steps(group: Attributing) -> None:
    await talked(group)
    before = await pages_of(group)
    tail = await group.made.tails.get(group.group_id)
    assert tail is not None
    for one in tail.pages:
        await group.made.pages.drop_before(group.group_id, one.last_at + timedelta(days=1))
    await group.made.groups.change(
        group.group_id, lambda found: replace(found, unpaged_since=BEGINNING), group.clock()
    )
    assert await pages_of(group) == []

    assert await group.made.deps(PageUpkeep).catch_up(group.group_id)

    after = await pages_of(group)
    assert [one.message_id for page in after for one in page.lines] == [
        one.message_id for page in before for one in page.lines
    ]
    assert (await group.made.groups.get(group.group_id)).unpaged_since is None


async def test_what_is_older_than_is_kept_leaves_its_page(group: Attributing) -> None:
    await talked(group)
    cut = (await group.messages([30]))[0].create_time
    await group.made.pages.drop_before(group.group_id, cut)
    first, second = await pages_of(group)

    assert first.lines[0].message_id == "m30"
    assert len(second.lines) == PAGE_LINES
