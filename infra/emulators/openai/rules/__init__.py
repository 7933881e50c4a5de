"""The rules of `annals-rules`: one a prompt, pure functions of the JSON they are given."""

from collections.abc import Callable

from infra.emulators.openai.rules.evolve import evolve_memories
from infra.emulators.openai.rules.extract import extract_facts
from infra.emulators.openai.rules.given import Given
from infra.emulators.openai.rules.likeness import Likeness
from infra.emulators.openai.rules.note import rewrite_note
from infra.emulators.openai.rules.profile import merge_profile
from infra.emulators.openai.rules.summary import judge_summary, merge_summaries, summarize_segment
from infra.emulators.openai.rules.topic import attribute_topics

Rule = Callable[[Given, Likeness], Given]

RULES: dict[str, Rule] = {
    "topic_attribute": attribute_topics,
    "segment_summarize": summarize_segment,
    "summary_merge": merge_summaries,
    "summary_quality": judge_summary,
    "memory_evolve": evolve_memories,
    "note_rewrite": rewrite_note,
    "profile_merge": merge_profile,
    "extract": extract_facts,
}
