"""A message that every pipeline has used: forgotten, nothing anywhere holds its words."""

from functions.historian_job import handle_forget
from tests.forgetting.whole_group import Saying, WholeGroup

MARKER = "889900"
SECRET = f"my card's shelf is {MARKER}"
EVERY_KIND = {
    "messages", "topics", "summaries", "memories", "changes", "events", "profiles", "entities",
    "relations", "contexts", "tail",
}  # fmt: skip


async def used_by_all(whole: WholeGroup) -> str:
    """The secret, in every kind of record; its message's id."""
    await whole.say(("Ann", "The bank sent me a new card"), ("Bob", "Which bank is it?"))
    (secret,) = await whole.say(("Ann", SECRET))
    await whole.say(
        ("Bot", "Understood."),
        ("Cid", "Let us meet at the harbour on Friday"),
        ("Ann", "The harbour is fine for me"),
        ("Bob", "I will bring the boat to the harbour"),
        ("Bot", "Harbour on Friday, noted."),
    )
    await whole.attribute()
    fact = f"Ann's card has the shelf {MARKER}"
    whole.model = Saying(
        whole.made.model,
        {
            "segment_summarize": {
                "summary": f"Ann has a new card with the shelf {MARKER}; they meet at the harbour.",
                "title": f"Shelf {MARKER}",
                "keywords": [{"keyword": MARKER, "weight": 1.0}],
                "people": ["Ann"], "decisions": [f"use {MARKER}"], "open_questions": [],
            },
            "memory_evolve": {
                "lines": [
                    {"action": "create", "statement": fact, "kind": "fact",
                     "subject": "u-ann", "confidence": 0.95,
                     "tags": [MARKER], "sources": [secret]},
                ],
                "entities": [
                    {"name": "Ann", "type": "person", "confidence": 0.9,
                     "description": f"Her shelf is {MARKER}"},
                    {"name": MARKER, "type": "other", "confidence": 0.9},
                ],
                "relations": [
                    {"source": "Ann", "target": MARKER, "type": "owns", "confidence": 0.9,
                     "evidence": SECRET, "sources": [secret]},
                ],
            },
        },
    )  # fmt: skip
    await whole.summarize()
    await whole.evolve()
    await whole.note("Ann", f"Noted Ann's shelf is {MARKER}", f"Ann's shelf is {MARKER}", secret)
    await whole.evolve()
    answer = await whole.context("What is Ann's shelf?")
    await whole.reply(answer, f"Her shelf is {MARKER}.")
    return secret


async def test_nothing_holds_the_words_of_a_message_that_was_deleted(whole: WholeGroup) -> None:
    secret = await used_by_all(whole)
    before = (await whole.where(MARKER))[MARKER]
    kinds = {part for path in before for part in path.split("/")}
    assert kinds >= EVERY_KIND, f"the secret never got to {EVERY_KIND - kinds}"

    job = await handle_forget.forget_message(whole.group_id, secret, whole.forgetting())
    at_once = await whole.where(MARKER)
    answer = await whole.context("What is Ann's shelf?")
    receipt = await whole.forgotten(job)

    assert MARKER not in answer.text
    assert [one for one in at_once[MARKER] if "tail" not in one] == [], "gone before the job ran"
    assert (await whole.where(MARKER))[MARKER] == []
    assert whole.in_files(MARKER)[MARKER] == []
    assert receipt.messages == 1
    assert receipt.memories >= 1
    assert receipt.events >= 1
    assert receipt.finished_at is not None
    assert (await whole.where("harbour"))["harbour"], "what others said stays"
    await whole.run_all()
    _, topics = await whole.made.topics.listed(whole.group_id, is_active=None, limit=9, offset=0)
    assert sum(one.message_count for one in topics) == 7
