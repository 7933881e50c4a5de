"""Whether replies' references to memories are seen: `python -m bench.feedback`.

A hundred labelled replies, each with the memories it was offered: quoted, paraphrased, in the other
language, or not used at all. The rule was fitted on the scenes at even places; the others were held
back. Precision is of what counts as used, recall of what was used.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.feedback_replies import SCENES, Scene
from bench.results import keep
from shared.domain.context.record import asked_units
from shared.domain.feedback.references import parts_of, references
from shared.domain.memories.embedded_wording import embedded_as, memory_text
from shared.domain.memories.memory import Memory
from shared.domain.similarity.matching import usual_nearness
from shared.domain.similarity.vectors import pack
from shared.language import guess_language
from shared.search.asked import fixed_vectors
from shared.wiring import Services
from tests.services import Clock, all_emulators, in_process

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LEAST_PRECISION, LEAST_RECALL = 0.9, 0.75
"""Of the held-back half: strength moves slowly, so a wrong step matters more than a missed one."""


@dataclass(frozen=True)
class Judged:
    is_held_back: bool
    is_other_language: bool
    was_used: bool
    is_seen: bool


async def judged(made: Services) -> list[Judged]:
    found: list[Judged] = []
    for at, scene in enumerate(SCENES):
        found += [one async for one in _scene(scene, at % 2 == 1, made)]
    return found


async def _scene(scene: Scene, is_held_back: bool, made: Services):  # type: ignore[no-untyped-def]
    texts = [memory_text(one, "fact") for one in scene.memories]
    vectors = await made.embedder.embed(texts, group_id="bench:feedback", budget_s=30)
    memories = [
        Memory(
            f"memory-{place}", "bench:feedback", statement, 1, NOW, NOW,
            vector=pack(vector or ()), embedded_as=embedded_as(made.embedder.model),
        )
        for place, (statement, vector) in enumerate(zip(scene.memories, vectors, strict=True))
    ]  # fmt: skip
    asked = set(asked_units(scene.question))
    usual = usual_nearness(
        await fixed_vectors(made.embedder, group_id="bench:feedback", budget_s=30)
    )
    for reply, used in scene.replies:
        parts = await made.embedder.embed(parts_of(reply), group_id="bench:feedback", budget_s=30)
        seen = references(
            reply,
            [one for one in parts if one],
            memories,
            asked=asked,
            model=made.embedder.model,
            usual=usual,
        )
        for place, one in enumerate(seen):
            other = guess_language(reply) is not guess_language(scene.memories[place])
            yield Judged(is_held_back, other, place in used, one.is_one)


def told(found: list[Judged]) -> Iterator[str]:
    yield f"{sum(len(one.replies) for one in SCENES)} replies, {len(found)} offered memories"
    yield "| replies | used | precision | recall |"
    yield "|---|---|---|---|"
    halves = {"looked at": False, "held back": True}
    for name, is_held_back in halves.items():
        for language, is_other in (("same language", False), ("other language", True)):
            rows = [
                one
                for one in found
                if one.is_held_back is is_held_back and one.is_other_language is is_other
            ]
            yield _row(f"{name}, {language}", rows)
        yield _row(f"{name}, all", [one for one in found if one.is_held_back is is_held_back])


def _row(name: str, rows: list[Judged]) -> str:
    precision, recall = scores(rows)
    used = sum(one.was_used for one in rows)
    return f"| {name} | {used} | {precision:.2f} | {recall:.2f} |"


def scores(rows: list[Judged]) -> tuple[float, float]:
    both = sum(one.was_used and one.is_seen for one in rows)
    seen, used = sum(one.is_seen for one in rows), sum(one.was_used for one in rows)
    return both / max(1, seen), both / max(1, used)


async def _run(told_by: dict[str, str]) -> list[Judged]:
    async with in_process(told_by, Clock(NOW)) as made:
        return await judged(made)


def main() -> int:
    with (
        tempfile.TemporaryDirectory(prefix="annals-bench-") as folder,
        all_emulators(Path(folder)) as running,
    ):
        found = asyncio.run(_run(running.told))
    print(keep("feedback", "python -m bench.feedback", "\n".join(told(found))), end="")
    precision, recall = scores([one for one in found if one.is_held_back])
    return int(precision < LEAST_PRECISION or recall < LEAST_RECALL)


if __name__ == "__main__":
    raise SystemExit(main())
