"""What a question about memories calls things, and how an answer is read again."""

from datetime import UTC, datetime, timedelta

from functions.evolve_group.reading_question import question
from shared.contracts.prompt_names import PromptNames
from shared.contracts.prompts import ShortIds, as_table, with_fewer_times
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
    names = PromptNames.naming([], said)

    table = question([], said, NOW, names, {})["new_discussions"]
    shown = [dict(zip(table["columns"], row, strict=False)) for row in table["rows"]]

    assert [one.get("user_name") for one in shown] == [None, "Bo", "Bo"]
    assert shown[0]["user_id"] == "Ann"
    assert len({one["user_id"] for one in shown}) == 3
    assert all(len(one["id"]) == 6 for one in shown)
    assert [bool(one.get("time")) for one in shown] == [True, False, True]
    assert [names.messages.whole(one["id"]) for one in shown] == [one.message_id for one in said]
    assert [names.user_id(one["user_id"]) for one in shown] == [one.user_id for one in said]
    assert names.user_id("nobody") == "nobody"


def test_who_is_only_spoken_of_has_a_name_too_and_a_shared_one_is_nobodys() -> None:
    said = [line(1, "ou_aaaaaaaaaa", "Ann")]
    names = PromptNames.naming([], said, {"ou_dddddddddd": "Dee", "ou_eeeeeeeeee": "Ann"})

    assert names.member("ou_dddddddddd") == "Dee"
    assert names.user_id("Dee") == "ou_dddddddddd"
    assert "Ann" not in {names.member("ou_aaaaaaaaaa"), names.member("ou_eeeeeeeeee")}
    assert names.user_id(names.member("ou_eeeeeeeeee")) == "ou_eeeeeeeeee"
    assert names.whole_messages([names.messages.short(said[0].message_id)]) == [said[0].message_id]


def test_a_short_id_does_not_depend_on_what_stands_beside_it() -> None:
    some, more = ShortIds(["first-of-all"]), ShortIds(["another-one", "first-of-all", "m1"])

    assert some.short("first-of-all") == more.short("first-of-all")
    assert more.short("m1") == more.whole("m1") == "m1"


def test_a_table_names_its_columns_once_and_leaves_out_what_its_rows_lack_at_the_end() -> None:
    lines = [
        {"id": "1", "content": "hello", "role": "assistant"},
        {"id": "2", "content": "hi", "time": "2026-01-02T08:00Z"},
        {"id": "3", "content": "and you?"},
    ]

    table = as_table(lines, ("id", "content", "time", "role", "dates"))

    assert table == {
        "columns": ["id", "content", "time", "role"],
        "rows": [
            ["1", "hello", None, "assistant"],
            ["2", "hi", "2026-01-02T08:00Z"],
            ["3", "and you?"],
        ],
    }


def test_a_time_that_goes_back_is_told() -> None:
    times = ["2026-01-02T08:00Z", "2026-01-02T08:09Z", "2026-01-02T08:11Z", "2026-01-02T08:00Z"]

    shown = with_fewer_times([{"time": one} for one in times])

    assert [one.get("time") for one in shown] == [times[0], None, times[2], times[3]]
