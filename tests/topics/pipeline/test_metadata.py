"""What a version tells beside its text: people, decisions, open questions, links, the time."""

import pytest

from shared.contracts.topics import ShownSummary
from tests.services import replaced
from tests.topics.attributing import Attributing
from tests.topics.summarizing import Summarizing

TALKS = {
    "en": (
        ("Ann", "the boat needs new paint before the season"),
        ("Bo", "the harbour shop has paint, see https://example.org/paint?tin=2"),
        ("Cleo", "blue fades less than red in the sun"),
        ("Ann", "ok we decided to paint the boat blue on Sunday"),
        ("Bo", "the sail has a tear near the mast as well"),
        ("Cleo", "I can sew the sail at home this evening"),
        ("Dan", "who brings the brushes?"),
    ),
    "zh": (
        ("阿澜", "船得在开季前重新刷漆"),
        ("小鹿", "港口商店有油漆 链接 https://example.org/paint?tin=2"),
        ("老魏", "蓝色比红色耐晒"),
        ("阿澜", "那就决定周日把船刷成蓝色"),
        ("小鹿", "船帆靠桅杆那边也裂了"),
        ("老魏", "船帆我晚上在家缝"),
        ("大头", "谁带刷子过来？"),
    ),
}
LATER = {
    "en": (
        ("Eve", "the anchor chain is rusty, it needs grease"),
        ("Ann", "grease is in the shed, second shelf"),
        ("Eve", "found the grease, the chain is done"),
    ),
    "zh": (
        ("思思", "锚链生锈了 得上油"),
        ("阿澜", "油在棚子里 第二层"),
        ("思思", "找到油了 锚链弄好了"),
    ),
}
WORDS = {"en": ("blue", "brushes"), "zh": ("蓝色", "刷子")}


@pytest.fixture
def talk(group: Attributing) -> Summarizing:
    one = Summarizing(group)
    one.deps = replaced(one.deps, settings=one.deps.settings.replaced(quality_sample=0.0))
    return one


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("small", [1, 100], ids=["by the model", "by its own lines"])
async def test_people_decisions_questions_links_and_the_time_are_told(
    talk: Summarizing, language: str, small: int
) -> None:
    settings = talk.deps.settings.replaced(small_topic_messages=small, shared_topic_messages=0)
    talk.deps = replaced(talk.deps, settings=settings)
    began = talk.group.clock()
    lines = TALKS[language]
    await talk.say(*lines)

    await talk.run()

    [version] = await talk.versions()
    shown = ShownSummary.from_record(version).model_dump(mode="json")
    colour, brushes = WORDS[language]
    assert shown["generation_method"] == ("model" if small == 1 else "extractive")
    assert set(shown["people"]) == {name for name, _ in lines}
    [decision] = shown["decisions"]
    assert colour in decision
    [question] = shown["open_questions"]
    assert brushes in question
    assert shown["links"] == ["https://example.org/paint?tin=2"]
    assert began < version.span["from"] < version.span["to"] == talk.group.clock()
    assert shown["keyword_weights"].keys() == set(shown["keywords"])
    assert shown["title"] != "…"


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_later_version_still_tells_what_was_decided_before_it(
    talk: Summarizing, language: str
) -> None:
    await talk.say(*TALKS[language])
    await talk.run()
    await talk.say(*LATER[language])
    await talk.run()

    newest, first = await talk.versions()
    assert newest.parent_version == first.version == 1
    assert set(newest.people) == {name for name, _ in (*TALKS[language], *LATER[language])}
    assert set(first.decisions) <= set(newest.decisions)
    assert set(first.open_questions) <= set(newest.open_questions)
    assert newest.links == first.links
    assert newest.span["from"] == first.span["from"]


async def test_a_question_that_was_answered_since_is_open_no_more(talk: Summarizing) -> None:
    await talk.say(*TALKS["en"])
    await talk.run()
    await talk.say(
        ("Eve", "I have three brushes, I bring them"),
        ("Ann", "change of plan, we decided to paint the boat on Saturday, blue as we said"),
    )
    await talk.run()

    newest = (await talk.versions())[0]
    assert newest.open_questions == ()
    [decision] = newest.decisions
    assert "Saturday" in decision


async def test_while_the_model_is_away_nothing_of_the_last_version_is_lost(
    talk: Summarizing,
) -> None:
    await talk.say(*TALKS["en"])
    await talk.run()
    await talk.say(*LATER["en"])
    talk.group.fault("server_error", endpoint="chat")
    try:
        await talk.run()
    finally:
        talk.group.heal()

    newest, first = await talk.versions()
    assert newest.generation_method == "simple"
    assert set(newest.people) == {name for name, _ in (*TALKS["en"], *LATER["en"])}
    assert set(first.decisions) <= set(newest.decisions)
    assert set(first.open_questions) <= set(newest.open_questions)


async def test_what_is_taken_back_is_not_carried_on(talk: Summarizing) -> None:
    await talk.say(*TALKS["en"])
    await talk.run()
    await talk.edit(4, "ok we decided to sell the boat")
    await talk.say(*LATER["en"])
    await talk.run()

    newest = (await talk.versions())[0]
    assert newest.parent_version is None
    assert "blue on Sunday" not in " ".join(newest.decisions)
