"""A tombstone stands for ninety days; what comes back after it can be forgotten again."""

from functions.historian_job import handle_forget
from shared.stores.firestore import delete
from shared.stores.groups import group_path
from shared.stores.message_records import message_path
from tests.forgetting.interleaving import Interleaving, stepped_stores
from tests.forgetting.whole_group import WholeGroup


async def comes_again(whole: WholeGroup, path: str) -> None:
    """The database takes the tombstone away, and the same words are said or imported once more."""
    await whole.made.database.commit([delete(path)])
    whole.clock.turn(days=91)
    whole._said = 0
    await whole.say(("Zed", "my zebrawood desk"))
    assert (await whole.where("zebrawood"))["zebrawood"]


async def test_a_group_that_begins_anew_is_deleted_again(whole: WholeGroup) -> None:
    await whole.say(("Zed", "my zebrawood desk"))
    first = await handle_forget.forget_group(whole.group_id, whole.forgetting())
    assert await handle_forget.forget_group(whole.group_id, whole.forgetting()) == first
    await whole.run_all()
    await comes_again(whole, group_path(whole.group_id))

    again = await handle_forget.forget_group(whole.group_id, whole.forgetting())
    await whole.run_all()

    assert again.job_id != first.job_id
    assert (await whole.where("zebrawood"))["zebrawood"] == []


async def test_a_message_is_recalled_again(whole: WholeGroup) -> None:
    (message_id,) = await whole.say(("Zed", "my zebrawood desk"))
    await whole.recall(message_id)
    await whole.run_all()
    await comes_again(whole, message_path(whole.group_id, message_id))

    await whole.recall(message_id)
    await whole.run_all()

    assert (await whole.where("zebrawood"))["zebrawood"] == []


async def test_a_message_is_forgotten_by_hand_again(whole: WholeGroup) -> None:
    (message_id,) = await whole.say(("Zed", "my zebrawood desk"))
    first = await handle_forget.forget_message(whole.group_id, message_id, whole.forgetting())
    await whole.run_all()
    await comes_again(whole, message_path(whole.group_id, message_id))

    again = await handle_forget.forget_message(whole.group_id, message_id, whole.forgetting())
    await whole.run_all()

    assert again.job_id != first.job_id
    assert (await whole.where("zebrawood"))["zebrawood"] == []


async def test_a_message_that_changes_while_it_is_forgotten_is_forgotten_all_the_same(
    whole: WholeGroup,
) -> None:
    """Attribution places it between the reading and the writing."""
    group_id, steps = whole.group_id, 9
    for at in range(1, 9):
        if at > steps:
            break
        whole.group_id, whole._said = f"{group_id}-{at}", 0
        (message_id,) = await whole.say(("Zed", "my zebrawood desk"))
        between = Interleaving(at, whole.attribute)
        with stepped_stores(whole.made, between):
            await handle_forget.forget_message(whole.group_id, message_id, whole.forgetting())
        steps = between.steps
        await whole.run_all()

        assert (await whole.where("zebrawood"))["zebrawood"] == [], f"at step {at}"
