"""What attribution asks the model, once in a while and all in one call: doubts and titles."""

from functions.ingest_message.topic_reads import Read, TopicReads
from shared import log
from shared.clients.model import Model
from shared.contracts.replies import NEW_TOPIC, TopicChoices
from shared.domain.attribution.deciding import Placed
from shared.domain.attribution.model_answers import Answers, Choice, Title
from shared.domain.attribution.poison_texts import blaming_texts
from shared.domain.attribution.questions import TITLE_TRIES, Questions, questions, quotable
from shared.errors import BadReply, Transient


def untitled(read: Read) -> set[str]:
    """Topics that still lack a title, and of which there are lines to make it from."""
    shown = {one.topic_id for one in read.before}
    return {
        one.topic_id
        for one in read.outlines.values()
        if not one.is_titled and one.title_tries < TITLE_TRIES and one.topic_id in shown
    }


def is_time_to_ask(before: int, count: int, every: int) -> bool:
    """Doubts and titles are collected: one question for so many messages."""
    return (before + count) // every > before // every


async def questions_about(
    group_id: str, placed: Placed, read: Read, reads: TopicReads
) -> Questions:
    quoted = quotable(read.before, placed.proposals)
    unquoted = quoted.lacking(placed.proposals)
    if unquoted:
        quoted = quoted.also(await reads.last_of(group_id, unquoted))
    with blaming_texts():
        return questions(placed.proposals, read.topics, quoted)


async def ask(group_id: str, wishes: Questions, model: Model, budget_s: float) -> Answers | None:
    """One call for everything; None if there is no model: then likeness decides, keywords name."""
    if not wishes:
        return None
    try:
        answer = await model.ask(
            "topic_attribute",
            TopicChoices,
            wishes.data,
            group_id=group_id,
            budget_s=budget_s,
        )
    except (Transient, BadReply) as error:
        log.warning("topics_without_model", group_id=group_id, code=error.code)
        return None
    return _answers(answer.reply, wishes)


def _answers(reply: TopicChoices, wishes: Questions) -> Answers:
    """What the model said, by message and topic; what it says of no question is passed over."""
    choices: dict[str, Choice] = {}
    for one in reply.answers:
        if 1 <= one.n <= len(wishes.asked):
            message_id = wishes.asked[one.n - 1].message.message_id
            candidate = None if one.choice == NEW_TOPIC else int(one.choice)
            title = Title(one.title, one.description) if one.title else None
            choices.setdefault(message_id, Choice(candidate, title))
    titles: dict[str, Title] = {}
    for wish in reply.titles:
        if 1 <= wish.n <= len(wishes.untitled):
            titles.setdefault(wishes.untitled[wish.n - 1], Title(wish.title, wish.description))
    return Answers(choices, titles)
