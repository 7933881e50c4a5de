"""Which messages are a member's wish about their own words, and what they are told."""

import pytest

from shared.domain.knowledge.known_member import KnownOfMember, told
from shared.domain.messages.member_commands import MemberCommand, command_of


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("What do you know about me?", MemberCommand.KNOWN),
        ("@annals  what do you remember about me", MemberCommand.KNOWN),
        ("你记得我什么", MemberCommand.KNOWN),
        ("@小助手 你记得我什么？", MemberCommand.KNOWN),
        ("Forget me.", MemberCommand.FORGET),
        ("Please forget me!", MemberCommand.FORGET),
        ("忘了我", MemberCommand.FORGET),
        ("请忘了我吧。", MemberCommand.FORGET),
        ("Don’t remember me", MemberCommand.OPT_OUT),
        ("don't remember what I say", MemberCommand.OPT_OUT),
        ("别记我说的话", MemberCommand.OPT_OUT),
        ("可以记我说的话了", MemberCommand.OPT_IN),
    ],
)
def test_a_wish_in_so_many_words_is_one(text: str, command: MemberCommand) -> None:
    assert command_of(text) is command


@pytest.mark.parametrize(
    "text",
    [
        "forget me not is a flower",
        "did you forget me?",
        "do you think he will forget me",
        "你别忘了我的生日",
        "她忘了我",
        "what do you know about me and Bob",
        "",
        "忘了我" * 50,
        "@" * 80,
    ],
)
def test_who_only_speaks_of_it_asks_for_nothing(text: str) -> None:
    assert command_of(text) is None


def test_who_is_unknown_is_told_so_in_their_language() -> None:
    nothing = KnownOfMember(False, 0, None, [], [])
    assert told(nothing, in_chinese=False) == "I keep nothing about you."
    assert told(nothing, in_chinese=True) == "我没有记住任何关于你的内容。"
    out = KnownOfMember(True, 3, None, [], [])
    assert told(out, in_chinese=False).splitlines() == [
        "I keep 3 of your messages.",
        "I do not remember what you say.",
    ]
