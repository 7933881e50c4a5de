"""Whether a reply is right, by the labels of its case. No model judges here.

A check has the name of what it measures, so that the checks of a prompt add up to rates: of the
marked facts how many were told, of what was told how much is borne out, and so on.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from bench.prompts.cases import Case, user_id
from bench.prompts.matching import holds, numbers, plain
from bench.prompts.questions import (
    evolution_names,
    memories_of,
    news_of,
    profile_of,
    question_of,
    scene_of,
)
from functions.historian_job.handle_note import BOT, wording_of
from functions.historian_job.handle_profile import merge_of
from shared.config import load
from shared.contracts.prompt_names import PromptNames
from shared.contracts.replies import (
    Evolution,
    MergedProfile,
    RewrittenNote,
    SegmentSummary,
    SummaryQuality,
    TalkSummaries,
    TopicChoices,
)
from shared.domain.historian.gate import judged
from shared.domain.knowledge.profile_merge import judge
from shared.domain.topics.bursts import bursts
from shared.domain.topics.summary import speakers
from shared.language import Language, guess_language

MAX_LOSS = load({})[0].profile_max_loss
TITLE_WORDS, TITLE_CHARACTERS = 8, 15
"""What the prompts ask for."""
DAYS_AROUND = 40
"""A summary may name a day that "next month" means, though nobody wrote its number."""
SMALL = frozenset("12345")
"""Numbers that somebody may count: two people, three parts."""
BAD, GOOD = 0.6, 0.65
"""Scores that tell a bad summary from a good one; a case whose range is between tells neither."""
_HAN = re.compile(r"[一-鿿]")


@dataclass(frozen=True)
class Check:
    name: str
    is_right: bool
    detail: str = ""


Checks = Iterator[Check]


def checks_of(case: Case, reply: Any) -> list[Check]:
    return list(_JUDGES[case.prompt_id](case, reply))


def is_language(case: Case, text: str) -> bool:
    """Too little text to tell is of any language."""
    told = guess_language(text)
    wrong = Language.ENGLISH if case.language == "zh" else Language.CHINESE
    return told is not wrong


def is_title(title: str) -> bool:
    if _HAN.search(title):
        return 0 < len(title.strip()) <= TITLE_CHARACTERS
    return 0 < len(title.split()) <= TITLE_WORDS


# ---- topics


def _topics(case: Case, reply: TopicChoices) -> Checks:
    wanted = case.one("want")
    if wanted:
        chosen = str(reply.answers[0].choice) if reply.answers else "none"
        yield Check("choice", chosen in wanted.split("|"), f"{chosen}, not {wanted}")
    if wanted == "new" and reply.answers and reply.answers[0].choice == "new":
        yield Check("title form", is_title(reply.answers[0].title), reply.answers[0].title)
    for label in case.all("titled"):
        title = reply.titles[0].title if reply.titles else ""
        yield Check("title", holds(label, title), f"{title!r} has not {label}")
        yield Check("title form", is_title(title) and is_language(case, title), title)


# ---- summaries


def _summary(case: Case, reply: SegmentSummary) -> Checks:
    told = "\n".join([reply.summary, *reply.decisions, *reply.open_questions])
    for label in case.all("fact"):
        yield Check("covered", holds(label, told), f"not told: {label}")
    for label in case.all("not"):
        yield Check("not invented", not holds(label, told), f"invented: {label}")
    strange = _strange_numbers(case, told)
    yield Check("numbers", not strange, f"from nowhere: {sorted(strange)}")
    for name in case.one("people").split():
        yield Check("people", name in reply.people, f"missing: {name}")
    for name in case.one("absent").split():
        yield Check("people", name not in reply.people, f"not one of them: {name}")
    decided = "\n".join(reply.decisions)
    for label in case.all("decided"):
        yield Check("decisions", holds(label, decided), f"not decided: {label}")
    for label in case.all("undecided"):
        yield Check("decisions", not holds(label, decided), f"was not decided: {label}")
    asked = "\n".join(reply.open_questions)
    for label in case.all("open"):
        yield Check("questions", holds(label, asked), f"not open: {label}")
    for label in case.all("closed"):
        yield Check("questions", not holds(label, asked), f"is answered: {label}")
    yield Check("form", is_language(case, reply.summary), "language")
    yield Check("form", is_title(reply.title), f"title {reply.title!r}")


def _strange_numbers(case: Case, told: str) -> set[str]:
    given = numbers(str(question_of(case)))
    days = [case.at + timedelta(days=n) for n in range(-DAYS_AROUND, DAYS_AROUND + 1)]
    dated = {str(part) for day in days for part in (day.year, day.month, day.day)}
    return {one for one in numbers(told) if one not in given | dated and one not in SMALL}


def _quality(case: Case, reply: SummaryQuality) -> Checks:
    low, _, high = case.one("score").partition("..")
    is_within = float(low) - 1e-6 <= reply.score <= float(high) + 1e-6
    yield Check("score", is_within, f"{reply.score}, not {low}..{high}")
    if float(high) <= BAD or float(low) >= GOOD:
        is_good = float(low) >= GOOD
        yield Check("good or bad", (reply.score >= GOOD) == is_good, f"{reply.score}")
    for label in case.all("reason"):
        said = "\n".join(reply.reasons)
        yield Check("reason", holds(label, said), f"no reason: {label}")


# ---- memories


def _evolution(case: Case, reply: Evolution) -> Checks:
    """`do create label`, `do update id label`, `do delete id`, `do keep id`. What is not on the
    list is one change too many, but for a keep and for what `may label` allows. `voices Ann Ben /
    label` are those whose messages say it or agree, `denied Ann / label` those who speak against
    it; `entity label`, `relation source / type|type / target`."""
    memories = {one.memory_id: one for one in memories_of(case)}
    left = [line for line in reply.lines if line.action != "keep"]
    ids = {one.message_id for one in case.messages}
    for line in case.all("do"):
        action, _, rest = line.partition(" ")
        if action == "create":
            found = next(
                (
                    one
                    for one in left
                    if one.action in ("create", "update") and holds(rest, one.statement or "")
                ),
                None,
            )
            yield Check("operations", found is not None, f"not made: {rest}")
        else:
            memory_id, _, label = rest.partition(" ")
            found = next((one for one in left if one.old_id == memory_id), None)
            if action == "keep":
                same = found is not None and plain(found.statement or "") == plain(
                    memories[memory_id].statement
                )
                yield Check("left alone", found is None or same, f"{memory_id} is not to change")
            else:
                is_right = (
                    found is not None
                    and found.action == action
                    and (not label or holds(label, found.statement or ""))
                )
                yield Check("operations", is_right, f"{action} {memory_id} {label}")
        if found is not None:
            left.remove(found)
            if found.action != "delete":
                cited = set(found.sources)
                yield Check("sources", bool(cited) and cited <= ids, f"sources {found.sources}")
    left = [
        one for one in left if not any(holds(may, one.statement or "") for may in case.all("may"))
    ]
    for one in left:
        yield Check("nothing else", False, f"{one.action} {one.old_id} {one.statement}")
    yield from _voices(case, reply)
    yield from _graph(case, reply)
    is_wanted = any(not line.startswith("keep") for line in case.all("do"))
    has_changed = any(one.action != "keep" for one in reply.lines)
    if not left and (has_changed or not is_wanted):
        # Who does nothing where something was to be done earns nothing for it.
        yield Check("nothing else", True)
    for label in case.all("not"):
        said = "\n".join(one.statement or "" for one in reply.lines)
        yield Check("nothing else", not holds(label, said), f"remembered: {label}")
    for line in case.all("about"):
        name, _, label = line.partition(" ")
        told = [one for one in reply.lines if one.statement and holds(label, one.statement)]
        meant = None if name == "group" else user_id(name)
        is_meant = bool(told) and _whom(told[0].subject, evolution_names(case)) == meant
        yield Check("subject", is_meant, f"{label} is about {name}")


def _voices(case: Case, reply: Evolution) -> Checks:
    writers = {one.message_id: one.user_id for one in case.messages}
    for word in ("voices", "denied"):
        for line in case.all(word):
            names, _, label = line.partition(" / ")
            wanted = {user_id(name) for name in names.split()}
            told = [one for one in reply.lines if holds(label, one.statement or one.old_id or "")]
            ids = [
                message_id
                for one in told[:1]
                for message_id in ((*one.sources, *one.agree) if word == "voices" else one.deny)
            ]
            behind = {writers.get(message_id, "") for message_id in ids}
            yield Check(word, behind == wanted, f"{label}: {sorted(behind)}, not {names}")


def _graph(case: Case, reply: Evolution) -> Checks:
    named = "\n".join([*(one.name for one in reply.entities),
                       *(alias for one in reply.entities for alias in one.aliases)])  # fmt: skip
    for label in case.all("entity"):
        yield Check("entities", holds(label, named), f"no entity: {label}")
    for line in case.all("relation"):
        source, kinds, target = line.split(" / ")
        is_there = any(
            holds(source, one.source)
            and holds(target, one.target)
            and holds(kinds, f"{one.type} {one.label}")
            for one in reply.relations
        )
        yield Check("relations", is_there, f"no relation: {line}")


def _whom(subject: str | None, names: PromptNames) -> str | None:
    """The member whom the question called so."""
    return names.user_id(subject) if subject else None


# ---- notes, profiles


def _note(case: Case, reply: RewrittenNote) -> Checks:
    scene = scene_of(case)
    wording = judged(wording_of(reply, scene), scene.source)
    told = [f"{finding.kind}: {finding.word}" for finding in wording.findings]
    yield Check("gate", wording.is_absolute, "; ".join(told))
    for word, said in (("acts", wording.actor), ("about", wording.about)):
        for name in case.all(word):
            ids = {"group": "group", "bot": BOT, "nobody": ""}
            wanted = ids.get(name) if name in ids else user_id(name)
            yield Check("people", said == wanted, f"{word}: {said}, not {wanted}")
    for name in case.all("meant"):
        is_meant = set(wording.meant) == {user_id(one) for one in name.split()}
        yield Check("people", is_meant, f"meant: {wording.meant}, not {name}")
    for label in case.all("date"):
        yield Check("dates", holds(label, reply.canonical_text), f"no date: {label}")
    for label in case.all("has"):
        yield Check("kept", holds(label, reply.canonical_text), f"missing: {label}")
    for label in case.all("not"):
        yield Check("not added", not holds(label, reply.canonical_text), f"wrong: {label}")
    if "mixed" not in case.tags:
        yield Check("language", is_language(case, reply.canonical_text), reply.canonical_text[:40])
    for name in ("did", "info"):
        part = reply.did_what if name == "did" else reply.new_info
        is_right = bool(part.strip()) == bool(case.one(name))
        yield Check("parts", is_right, f"{name}: {part[:30]!r}")


def _profile(case: Case, reply: MergedProfile) -> Checks:
    whole = "\n".join(
        [reply.body, *reply.tags, *(one.value for one in reply.preferences),
         *(one.name for one in reply.traits)]
    )  # fmt: skip
    for label in case.all("keep"):
        yield Check("kept", holds(label, whole), f"lost: {label}")
    for label in case.all("has"):
        yield Check("taken in", holds(label, whole), f"missing: {label}")
    for label in case.all("gone"):
        yield Check("replaced", not holds(label, whole), f"still there: {label}")
    for label in case.all("not"):
        yield Check("not added", not holds(label, whole), f"added: {label}")
    verdict = judge(profile_of(case), merge_of(reply), news_of(case), MAX_LOSS)
    yield Check("gate", verdict.is_kept, f"lost {verdict.lost}")
    yield Check("language", is_language(case, reply.body), reply.body[:40])


def _talk(case: Case, reply: TalkSummaries) -> Checks:
    """The first of those asked about is the case."""
    told = next((one for one in reply.talks if one.n == 1), None)
    yield Check("told", told is not None, "nothing is said of it")
    if told is not None:
        # Who took part is not asked for: the product names those who spoke.
        people = list(speakers(bursts(case.messages)))
        yield from _summary(case, told.segment.model_copy(update={"people": people}))


_JUDGES: dict[str, Callable[[Case, Any], Checks]] = {
    "topic_attribute": _topics,
    "segment_summarize": _summary,
    "topics_summarize": _talk,
    "summary_merge": _summary,
    "summary_quality": _quality,
    "memory_evolve": _evolution,
    "note_rewrite": _note,
    "profile_merge": _profile,
}
