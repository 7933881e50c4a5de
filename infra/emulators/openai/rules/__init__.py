"""The rules of `annals-rules`: one a prompt, pure functions of the JSON they are given."""

from collections.abc import Callable

from .evolve import evolve_memories
from .note import rewrite_note
from .profile import merge_profile
from .prompt_input import Given
from .summary import judge_summary, merge_summaries, summarize_segment, summarize_talks
from .topic import attribute_topics

Rule = Callable[[Given], Given]

RULES: dict[str, Rule] = {
    "topic_attribute": attribute_topics,
    "segment_summarize": summarize_segment,
    "topics_summarize": summarize_talks,
    "summary_merge": merge_summaries,
    "summary_quality": judge_summary,
    "memory_evolve": evolve_memories,
    "note_rewrite": rewrite_note,
    "profile_merge": merge_profile,
}


def answer(prompt: str, given: Given) -> Given:
    """What the rule of this prompt says to this input."""
    return RULES[prompt](given)
