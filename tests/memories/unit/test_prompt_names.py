"""What a question about memories calls things, and how an answer is read again."""

from datetime import UTC, datetime, timedelta

from functions.evolve_group.evolution_question import question
from functions.evolve_group.prompt_names import PromptNames
from shared.contracts.prompts import ShortIds, with_fewer_times
from shared.domain.messages.stored_message import StoredMessage

NOW = datetime(2026, 1, 2, 8, tzinfo=UTC)


def line(number: int, user_id: str, name: str) -> StoredMessage:
    return StoredMessage(
        group_id="g:1",
        message_id=f"om_{number:032d}",
        user_id=user_id,
        user_name=name,
        content="hello",
        create_time=NOW + timedelta(minutes=number),
    )


def test_members_go_by_names_of_their_own_and_ids_are_short() -> None:
    said = [line(1, "ou_aaaaaaaaaa", "Ann"), line(2, "ou_bbbbbbbbbb", "Bo")]
    said += [line(30, "ou_cccccccccc", "Bo")]
    names = PromptNames.of([], said)

    shown = names.shortened(question([], said, NOW))["new_discussions"]

    assert [one.get("user_name") for one in shown] == [None, "Bo", "Bo"]
    assert shown[0]["user_id"] == "Ann"
    assert len({one["user_id"] for one in shown}) == 3
    assert all(len(one["id"]) == 6 for one in shown)
    assert ["time" in one for one in shown] == [True, False, True]
    assert [names.messages.whole(one["id"]) for one in shown] == [one.message_id for one in said]
    assert [names.user_id(one["user_id"]) for one in shown] == [one.user_id for one in said]
    assert names.user_id("nobody") == "nobody"


def test_a_short_id_does_not_depend_on_what_stands_beside_it() -> None:
    some, more = ShortIds(["first-of-all"]), ShortIds(["another-one", "first-of-all", "m1"])

    assert some.short("first-of-all") == more.short("first-of-all")
    assert more.short("m1") == more.whole("m1") == "m1"


def test_a_time_that_goes_back_is_told() -> None:
    times = ["2026-01-02T08:00Z", "2026-01-02T08:09Z", "2026-01-02T08:11Z", "2026-01-02T08:00Z"]

    shown = with_fewer_times([{"time": one} for one in times])

    assert [one.get("time") for one in shown] == [times[0], None, times[2], times[3]]
