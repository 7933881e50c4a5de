"""Feedback on a context, once: which memories the reply used, and what that makes of them."""

from collections.abc import Sequence
from dataclasses import replace

from shared import log
from shared.config import settings_for
from shared.contracts.context_records import Feedback, FeedbackAnswer
from shared.domain.context.record import ContextRecord, Usage
from shared.domain.context.stats import labelled_stats
from shared.domain.feedback.references import StrengthRules, parts_of, references, weighed
from shared.domain.memories.memory import Memory
from shared.domain.similarity.matching import UNKNOWN, usual_nearness
from shared.errors import Transient
from shared.search.asked import fixed_vectors
from shared.wiring import Services

EMBED_BUDGET_S = 5.0
"""Nobody waits for feedback; without an embedder words decide."""


async def take_feedback(record: ContextRecord, said: Feedback, made: Services) -> FeedbackAnswer:
    if record.is_labelled:
        return _answer(record, False, [], [])
    group = await made.groups.find(record.group_id)
    own = settings_for(group, made.settings)
    memory_ids = [item.id for item in record.items if item.kind == "memory"]
    memories = list((await made.memories.get_many(record.group_id, memory_ids)).values())
    usage = await _usage(record, said, memories, made)
    used = {one.id for one in usage if one.kind == "memory" and one.was_referenced}
    rules, now = StrengthRules(own.strength_up, own.strength_down), made.now()
    before = {memory.memory_id: memory.strength for memory in memories}

    def label(
        found: ContextRecord, current: list[Memory]
    ) -> tuple[ContextRecord, Sequence[Memory]] | None:
        """Strengths as they are in the transaction: another context may have moved them."""
        if found.is_labelled:
            return None
        before.update({one.memory_id: one.strength for one in current})
        moved[:] = weighed(current, used, rules, now)
        count = sum(one.was_referenced for one in usage)
        stats = labelled_stats(
            dict(found.stats), used=count, success_indicator=said.success_indicator
        )
        labelled = replace(
            found,
            is_labelled=True,
            usage=tuple(usage),
            llm_response=said.llm_response,
            user_feedback=said.user_feedback,
            success_indicator=said.success_indicator,
            reply_type=said.reply_type,
            stats=stats,
        )
        return labelled, moved

    moved: list[Memory] = []
    labelled = await made.contexts.label(record, memory_ids, label)
    if labelled is None:
        return _answer(await made.contexts.find(record.context_id), False, [], [])
    up = [one.memory_id for one in moved if one.strength > before[one.memory_id]]
    down = [one.memory_id for one in moved if one.strength < before[one.memory_id]]
    return _answer(labelled, True, up, down)


async def _usage(
    record: ContextRecord, said: Feedback, memories: Sequence[Memory], made: Services
) -> list[Usage]:
    """Memories by id, words and meaning; everything else by what the host names."""
    parts = parts_of(said.llm_response)
    vectors, usual = [], UNKNOWN
    if memories and parts:
        try:
            embedded = await made.embedder.embed(
                parts, group_id=record.group_id, budget_s=EMBED_BUDGET_S
            )
            vectors = [one for one in embedded if one]
            anchors = await fixed_vectors(
                made.embedder, group_id=record.group_id, budget_s=EMBED_BUDGET_S
            )
            usual = usual_nearness(anchors)
        except Transient as error:  # then words decide
            log.warning("reply_not_embedded", group_id=record.group_id, code=error.code)
    named = set(said.used_ids)
    found = {
        one.memory_id: one
        for one in references(
            said.llm_response,
            vectors,
            memories,
            asked=set(record.asked),
            used_ids=named,
            model=made.settings.embedding_model,
            usual=usual,
        )
    }
    usage = []
    for item in record.items:
        is_named = item.id in named or f"{item.kind}:{item.id}" in named
        seen = found.get(item.id) if item.kind == "memory" else None
        if seen is not None and not is_named:
            usage.append(Usage(item.kind, item.id, seen.is_one, seen.by, seen.chance))
        else:
            by, chance = ("id", 1.0) if is_named else ("", 0.0)
            usage.append(Usage(item.kind, item.id, is_named, by, chance))
    return usage


def _answer(
    record: ContextRecord, is_new: bool, up: Sequence[str], down: Sequence[str]
) -> FeedbackAnswer:
    return FeedbackAnswer(
        context_id=record.context_id,
        is_new=is_new,
        usage=list(record.usage),
        strengthened=sorted(up),
        faded=sorted(down),
    )
