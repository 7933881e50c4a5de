"""A group's own weights from its feedback: read, fit, and take them if they prove better."""

from collections.abc import Mapping
from dataclasses import replace

from shared.config import settings_for
from shared.contracts.tuning import TuneAnswer, TuneRequest
from shared.domain.context.record import ContextRecord
from shared.domain.feedback.labelled_lines import WeighedSettings, labelled_lines, weighed_by
from shared.domain.feedback.tuning import Tuned, tuned
from shared.stores.contexts import Contexts
from shared.wiring import Services

MOST = 600
"""Contexts with feedback that are read, the newest: more move weights in the third digit."""
PAGE = 100


async def tune(group_id: str, asked: TuneRequest, made: Services) -> TuneAnswer:
    group = await made.groups.get(group_id)
    records = await _labelled(group_id, made.contexts)
    weighed = weighed_by(settings_for(group, made.settings))
    lines = [own for one in records if (own := labelled_lines(one, weighed))]
    found = tuned(lines, weighed.start, weighed.most)
    changes = weighed.settings(found.weights) if found.weights else {}
    is_applied = asked.apply and found.is_better
    if is_applied:
        await made.groups.change(
            group_id,
            lambda now: replace(now, settings={**now.settings, **changes}),
            made.now(),
        )
    return _answer(group_id, weighed, len(records), found, changes, is_applied)


async def _labelled(group_id: str, contexts: Contexts) -> list[ContextRecord]:
    found: list[ContextRecord] = []
    while len(found) < MOST:
        _, page = await contexts.listed(group_id, limit=PAGE, offset=len(found), is_labelled=True)
        found += page
        if len(page) < PAGE:
            break
    return found


def _answer(
    group_id: str,
    weighed: WeighedSettings,
    contexts: int,
    found: Tuned,
    changes: Mapping[str, float | dict[str, float]],
    is_applied: bool,
) -> TuneAnswer:
    return TuneAnswer(
        group_id=group_id,
        scorer=weighed.scorer,
        contexts=contexts,
        fitted=found.fitted,
        held_back=found.held_back,
        before=found.before,
        after=found.after,
        is_better=found.is_better,
        is_applied=is_applied,
        why=found.why,
        settings=dict(changes),
    )
