"""Whom a message addresses and what it answers."""

from typing import Any

import pytest

from shared.domain.messages.addressing import find_mentions
from shared.domain.messages.analyser import analyse
from shared.domain.messages.message import EVERYONE, Mention
from tests.ingest.unit.sentences import message


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("@bob look", ["bob"]),
        ("辛苦啦@小陈", ["小陈"]),
        ("＠小陈 看下", ["小陈"]),
        ("cc @maria, @li.wei.", ["maria", "li.wei"]),
        ("@所有人明天开会", ["all"]),
        ("@here lunch", ["all"]),
        ("mail me at ann@example.com", []),
        ("use `@property` and `@cache`", []),
        ("```\n@dataclass\nclass A: ...\n```", []),
        ("install @types/node first", []),
        ("call @3pm, lunch @12", []),
        ("ssh root@server", []),
        ("@ noon", []),
    ],
)
def test_names_written_with_an_at_are_mentions(content: str, names: list[str]) -> None:
    assert [mention.name for mention in find_mentions(message(content))] == names


def test_a_resolved_name_with_a_space_is_one_mention() -> None:
    ann = Mention("u1", "Ann Lee")

    found = find_mentions(message("@Ann Lee and @bob", mentions=(ann,)))

    assert found == (ann, Mention("@bob", "bob"))


def test_whom_it_addresses_is_not_what_it_is_about() -> None:
    features = analyse(message("@kubernetes please restart nginx", mentions=()))

    assert "kubernetes" not in features.keywords
    assert "nginx" in features.keywords


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ({}, None),
        ({"reply_message_id": "m0"}, ("quote", "m0", None)),
        ({"reply_native_id": "77"}, ("quote", None, "77")),
        ({"reply_message_id": "m5", "root_message_id": "m0"}, ("quote", "m5", None)),
        (
            {"reply_message_id": "m5", "root_message_id": "m0", "thread_id": "t"},
            ("quote", "m5", None),
        ),
        (
            {"reply_message_id": "m0", "root_message_id": "m0", "thread_id": "t"},
            ("thread", "m0", None),
        ),
        ({"thread_id": "t"}, ("thread", None, None)),
        ({"root_message_id": "m0"}, ("thread", "m0", None)),
    ],
)
def test_a_quote_answers_one_message_and_a_thread_its_first(
    links: dict[str, Any], expected: tuple[str, str | None, str | None] | None
) -> None:
    reply = analyse(message("ok", **links)).reply

    assert expected == (
        reply and (reply.reply_type, reply.reply_to_message_id, reply.reply_to_native_id)
    )


def test_a_mention_answers_somebody_and_everyone_is_nobody() -> None:
    reply = analyse(message("@bob yes", mentions=(Mention("u2", "bob"),))).reply
    assert reply is not None
    assert (reply.reply_type, reply.reply_to_user_id) == ("mention", "u2")

    assert analyse(message("@all hello", mentions=(EVERYONE,))).reply is None


def test_a_reply_knows_whose_message_it_answers_if_that_is_known() -> None:
    replied = message("when?", message_id="m0", user_id="ann")

    reply = analyse(message("noon", reply_message_id="m0"), replied).reply

    assert reply is not None
    assert reply.reply_to_user_id == "ann"
