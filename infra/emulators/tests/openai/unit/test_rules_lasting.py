"""What lasts is weighed by signs of a line where it stands."""

from infra.emulators.openai.rules.lasting import Chances, tables
from infra.emulators.openai.rules.lasting_context import TalkSigns
from infra.emulators.openai.rules.lasting_statements import UNSAID_FROM, heard_statement
from infra.emulators.openai.rules.prompt_input import Given
from infra.emulators.openai.rules.statements import put_down, statement_in
from infra.emulators.openai.rules.threads import Message
from infra.emulators.tests.openai.likeness import answer


def said(*lines: tuple[str, str]) -> list[Message]:
    return [Message(str(at), who, who, text, None, at) for at, (who, text) in enumerate(lines)]


def remembered(*lines: tuple[str, str]) -> list[Given]:
    talk = [
        {"id": str(at), "user_id": who, "content": text} for at, (who, text) in enumerate(lines)
    ]
    given: Given = {"new_discussions": talk, "existing_memories": []}
    return list(answer("memory_evolve", given)["lines"])


def test_the_tables_have_a_weight_for_each_sign() -> None:
    signs = TalkSigns(said(("Ida", "I'm a baker"))).of(0)
    assert [len(one.signs) for one in tables()] == [len(signs)] * 2


def test_an_answer_has_other_signs_than_the_same_line_alone() -> None:
    asked = TalkSigns(said(("Jon", "what do you do?"), ("Ida", "I'm a baker"))).of(1)
    assert asked != TalkSigns(said(("Ida", "I'm a baker"))).of(0)


def test_a_message_of_several_sentences_gives_one_statement() -> None:
    text = "I'm allergic to nuts. I carry an epipen. My doctor said no nuts at all."
    found = remembered(("Ida", text))
    assert [one["subject"] for one in found] == ["Ida"]


def test_a_reaction_after_the_matter_is_left_out() -> None:
    (found,) = remembered(("Ida", "I'm allergic to peanuts, ugh, typical"))
    assert found["statement"] == "Ida is allergic to peanuts"


def test_what_is_proposed_first_is_no_part_of_the_statement() -> None:
    (chinese,) = remembered(("林晓", "换一家吧，我一点辣都碰不了，胃刚做完手术"))
    (english,) = remembered(("Ida", "let's take the other place, I'm allergic to peanuts"))
    assert chinese["statement"] == "林晓一点辣都碰不了，胃刚做完手术"
    assert english["statement"] == "Ida is allergic to peanuts"


def test_a_guess_is_no_statement_and_a_laugh_is_no_guess() -> None:
    assert not remembered(("Ida", "maybe I'm allergic to peanuts"))
    assert remembered(("Ida", "haha I'm allergic to peanuts"))


def test_whom_it_is_said_to_is_no_part_of_the_statement() -> None:
    (found,) = remembered(("小宇", "大娘我猫毛过敏"))
    assert found["statement"] == "小宇猫毛过敏"


def test_a_line_that_does_not_say_i_must_be_surer() -> None:
    first = ["the date is 14 september at southland, in for three nights"]
    assert heard_statement(first, "Ida", Chances(UNSAID_FROM - 0.01, 0.0)) is None
    assert heard_statement(first, "Ida", Chances(UNSAID_FROM, 0.0)) is not None


def test_that_there_is_a_rule_is_no_statement_without_the_rule() -> None:
    assert statement_in("那我们定个规矩", "Ida") is None
    found = statement_in("立个规矩，群里不许发广告", "Ida")
    assert found is not None
    assert (found.kind, found.text) == ("taboo", "群里不许发广告")


def test_a_verb_before_its_i_agrees_with_the_name() -> None:
    text = "I gave up nights, the baby does not sleep and neither do I"
    assert put_down(text, "Rafi", is_own=True) == (
        "Rafi gave up nights, the baby does not sleep and neither does Rafi"
    )


def test_who_agrees_agrees_to_what_was_laid_down_last() -> None:
    found = remembered(
        ("Ida", "we rehearse every Tuesday at 8"),
        ("Jon", "from now on everyone pays the 5 euro on the day, no exceptions"),
        ("Kim", "+1"),
    )
    behind = {one["statement"]: one["sources"] for one in found}
    assert behind["Members rehearse every Tuesday at 8"] == ["0"]
    assert ["1", "2"] in behind.values()


def test_what_is_guessed_or_passes_goes_and_what_is_so_stays() -> None:
    (found,) = remembered(("小葵", "我不吃鱼 我怕刺 小时候卡过 现在闻到都不行"))
    assert found["statement"].startswith("小葵不吃鱼")
    assert "小时候" not in found["statement"]
    assert not remembered(("Ida", "if I'm allergic to peanuts, I'll find out, I live here"))
