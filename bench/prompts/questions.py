"""A case as the product would ask it: made with the handlers' own code, so that what is measured
is what ships."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bench.prompts.cases import GROUP_ID, BrokenCase, Case, beside, user_id
from functions.evolve_group.reading_question import question as evolution_question
from functions.historian_job.handle_note import BOT, NoteScene
from functions.historian_job.handle_note import question as note_question
from functions.historian_job.handle_note import scene_of as note_scene
from functions.historian_job.handle_profile import question as merge_question
from functions.summarize_topic.shared_model_call import KEYWORDS as SHARED_KEYWORDS
from functions.summarize_topic.write_summary import shown_talk
from shared.config import load
from shared.contracts.prompt_names import PromptNames
from shared.domain.attribution.proposing import Basis, Proposal
from shared.domain.attribution.questions import questions
from shared.domain.group import Group
from shared.domain.knowledge.event import Note
from shared.domain.knowledge.profile import EntityType, News, Preference, Profile
from shared.domain.knowledge.profile_merge import MergeVerdict
from shared.domain.memories.memory import Memory
from shared.domain.memories.reading import members_in
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.bursts import bursts
from shared.domain.topics.keywords import keywords_of
from shared.domain.topics.topic import Topic
from shared.threads import Candidate

GROUP = Group(GROUP_ID, "bench", name="")
SETTINGS = load({})[0]
KEYWORDS = 10
"""As many hints as a summary gets."""


def question_of(case: Case) -> dict[str, Any]:
    return dict(_MAKERS[case.prompt_id](case))


def _topics(case: Case) -> dict[str, Any]:
    """`topic title / Ann: text / Ben: text` are the candidates; the message is the last one.
    Without any, its topic wants a title."""
    *_, message = case.messages
    topics: dict[str, Topic] = {}
    quoted: dict[str, list[StoredMessage]] = {}
    for number, line in enumerate(case.all("topic"), 1):
        title, *lines = (part.strip() for part in line.split(" / "))
        topic_id = f"t{number}"
        quoted[topic_id] = [_line(case, f"{topic_id}-{n}", one) for n, one in enumerate(lines)]
        texts = [one.content for one in quoted[topic_id]]
        topics[topic_id] = Topic(
            topic_id, GROUP_ID, title, "", case.at, case.at,
            is_titled=True, keywords=keywords_of(texts),
        )  # fmt: skip
    if not topics:
        opened = Proposal(message, Basis.OPENS, "t1")
        return dict(questions([opened], {}, {"t1": case.messages}).data)
    candidates = tuple(Candidate(topic_id, 0.5, None) for topic_id in topics)
    asks = Proposal(message, Basis.ASKS, "t1", candidates=candidates)
    return dict(questions([asks], topics, quoted).data)


def _line(case: Case, message_id: str, said: str) -> StoredMessage:
    name, colon, text = said.partition(": ")
    if not colon:
        raise BrokenCase(f"{case.case_id}: who says this? {said}")
    return StoredMessage(
        group_id=GROUP_ID,
        message_id=message_id,
        user_id=user_id(name),
        user_name=name,
        content=text,
        create_time=case.at - timedelta(minutes=5),
    )


def _hints(case: Case, texts: list[str]) -> dict[str, Any]:
    found = keywords_of(texts, names={one.user_name for one in case.messages}, limit=KEYWORDS)
    weighted = [{"keyword": word, "weight": weight} for word, weight in found.items()]
    return {"topic": {"title": case.one("title")}, "keywords": weighted}


def _segment(case: Case) -> dict[str, Any]:
    talk = bursts(case.messages)
    return {
        **_hints(case, [one.content for one in talk]),
        "previous": case.one("previous"),
        "messages": shown_talk(talk),
    }


def _talks(case: Case) -> dict[str, Any]:
    talks = []
    for n, one in enumerate(beside(case), 1):
        talk = bursts(one.messages)
        hints = _hints(one, [each.content for each in talk])
        words = [each["keyword"] for each in hints["keywords"]][:SHARED_KEYWORDS]
        title = one.one("title")
        talks.append({"n": n, "title": title, "keywords": words, "messages": shown_talk(talk)})
    return {"talks": talks}


def _merge(case: Case) -> dict[str, Any]:
    """`part text / people / decisions ; decisions / questions ; questions`."""
    parts = []
    for line in case.all("part"):
        text, people, decided, asked = (f"{line} /  /  / ".split(" / ") + [""] * 4)[:4]
        parts.append(
            {
                "summary": text.strip(),
                "title": "",
                "keywords": [],
                "decisions": _listed(decided),
                "open_questions": _listed(asked),
                "people": people.split(),
                "sentiment": "",
            }
        )
    hints = _hints(case, [str(part["summary"]) for part in parts])
    return {**hints, "previous": case.one("previous"), "segments": parts}


def _listed(text: str) -> list[str]:
    return [one.strip() for one in text.split(" ; ") if one.strip()]


def _quality(case: Case) -> dict[str, Any]:
    return {
        "topic": {"title": case.one("title")},
        "summary": case.one("summary"),
        "messages": shown_talk(bursts(case.messages)),
    }


def memories_of(case: Case) -> list[Memory]:
    """`memory id kind subject days: statement`; the subject is a name or `group`, and the days
    are since it was last borne out."""
    found = []
    for line in case.all("memory"):
        head, _, statement = line.partition(": ")
        memory_id, kind, subject, days = head.split()
        supported = case.at - timedelta(days=int(days))
        found.append(
            Memory(
                memory_id,
                GROUP_ID,
                statement,
                1,
                supported,
                supported,
                kind=kind,
                subject="" if subject == "group" else user_id(subject),
                last_supported_at=supported,
            )
        )
    return found


def _evolution(case: Case) -> dict[str, Any]:
    now = max((one.create_time for one in case.messages), default=case.at)
    names, members = evolution_names(case), members_of(case)
    wish = case.one("remember")
    return evolution_question(memories_of(case), case.messages, now, names, members, wish)


def members_of(case: Case) -> dict[str, str]:
    """Those who speak, and the `people` who are spoken of."""
    return members_in(case.messages) | {user_id(name): name for name in case.one("people").split()}


def evolution_names(case: Case) -> PromptNames:
    return PromptNames.naming(memories_of(case), case.messages, members_of(case))


def scene_of(case: Case) -> NoteScene:
    """`did`, `info`, `place`, `zone`; the sender wrote the last message, `people` are there too."""
    *_, last = case.messages
    note = Note(
        GROUP_ID, last.user_id, "r1", 1, case.one("did"), case.one("info"), False,
        tuple(message.message_id for message in case.messages),
        location=case.one("place"), timezone=case.one("zone", "UTC"),
    )  # fmt: skip
    others = [replace(last, user_id=user_id(name), user_name=name, content="")
              for name in case.one("people").split()]  # fmt: skip
    bot = replace(last, user_id=BOT, user_name=case.one("bot", "Annals"), role="assistant")
    local = last.create_time.astimezone(ZoneInfo(note.timezone))
    return note_scene(note, GROUP, case.messages, [*others, *case.messages, bot], local)


def _note(case: Case) -> dict[str, Any]:
    return note_question(scene_of(case))


def profile_of(case: Case) -> Profile | None:
    """`old` lines are the bullets of its body, `likes key = value` its preferences."""
    if not case.all("old"):
        return None
    kind, name = _entity(case)
    pairs = [line.split(" = ") for line in case.all("likes")]
    return Profile(
        kind, user_id(name), GROUP_ID,
        "\n".join([f"# {name}", "", *(f"- {line}" for line in case.all("old"))]),
        case.at, name=name, tags=tuple(case.one("tags").split()),
        preferences=tuple(Preference(key, value) for key, value in pairs),
    )  # fmt: skip


def news_of(case: Case) -> News:
    kind, name = _entity(case)
    return News(kind, user_id(name), name, tuple(case.all("new")))


def _entity(case: Case) -> tuple[EntityType, str]:
    kind, _, name = case.one("entity").partition(" ")
    return ("group" if kind == "group" else "user"), name


def _profile(case: Case) -> dict[str, Any]:
    return merge_question(profile_of(case), news_of(case), MergeVerdict())


_MAKERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    "topic_attribute": _topics,
    "segment_summarize": _segment,
    "topics_summarize": _talks,
    "summary_merge": _merge,
    "summary_quality": _quality,
    "memory_evolve": _evolution,
    "note_rewrite": _note,
    "profile_merge": _profile,
}
