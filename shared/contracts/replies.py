"""The reply to each prompt, one model each; `shared/prompts/<id>.md` asks for it."""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AliasChoices, BeforeValidator, Field, model_validator

from shared.contracts.parsing import FieldProblem, parse_items, parse_object
from shared.contracts.reply_reading import ECHOED, Kept, Maybe, Reply, Sentences, Share, Text, Words

_ACTIONS = {
    "add": "create",
    "new": "create",
    "insert": "create",
    "modify": "update",
    "merge": "update",
    "remove": "delete",
    "deprecate": "delete",
    "retain": "keep",
    "unchanged": "keep",
}


_SOURCES = AliasChoices("sources", "source_ids", "message_ids")
"""Models name a list of ids after what is in it."""


def _action(value: Any) -> Any:
    """The four actions under the names that models also give them."""
    if not isinstance(value, str):
        return value
    word = value.strip().lower()
    return _ACTIONS.get(word, word)


def _subject(value: Any) -> Any:
    """Nothing means the group, which models also name."""
    if isinstance(value, str) and value.strip().lower() in ("group", "the group", "群", "群组"):
        return None
    return value


def _label(value: Any) -> Any:
    """A label of the wrong make is left out: it is not worth the line."""
    return None if isinstance(value, list | dict) else value


def _labels(value: Any) -> Any:
    return value if isinstance(value, list | str) else []


def _entity_type(value: Any) -> Any:
    word = value.strip().lower() if isinstance(value, str) else ""
    word = {"place": "location", "organisation": "organization", "company": "organization"}.get(
        word, word
    )
    return word if word in _ENTITY_TYPES else "other"


def _likely(value: Any) -> Any:
    """A missing confidence counts as fairly sure."""
    return value or 0.8


# ---- topic_attribute

NEW_TOPIC: Literal["new"] = "new"
_NO_CANDIDATE = re.compile(r"新|无|\b(?:new|none|null|no)\b|^0$", re.IGNORECASE)


def _choice(value: Any) -> Any:
    """A candidate's number however it is written ("2", "2.", "主题 2"), or the word for none."""
    if value is None or value == 0:
        return NEW_TOPIC
    if not isinstance(value, str):
        return value
    if _NO_CANDIDATE.search(value.strip()):
        return NEW_TOPIC
    number = re.search(r"\d+", value)
    return int(number[0]) if number else value


class TopicChoice(Reply):
    """Question `n`'s answer: the number of a candidate, or a new topic with its title."""

    n: int = Field(description="number of the question")
    choice: Annotated[int | Literal["new"], BeforeValidator(_choice)] = Field(
        description="number of the candidate"
    )
    title: Text = Field("", description="of a new topic, else empty")
    description: Text = Field("", description="one sentence on a new topic, else empty")


class TopicTitle(Reply):
    n: int = Field(description="number of the wish for a title")
    title: str = Field(min_length=1)
    description: Text = ""


class TopicChoices(Reply):
    answers: Kept[TopicChoice] = Field(default_factory=list)
    titles: Kept[TopicTitle] = Field(default_factory=list)


# ---- segment_summarize, topics_summarize, summary_merge, summary_quality


def _keyword(value: Any) -> Any:
    return {"keyword": value} if isinstance(value, str) else value


def _words_alone(value: Any) -> Any:
    """Keywords of which a model gave the weights as well, as other prompts ask."""
    if not isinstance(value, list):
        return value
    return [keyword.get("keyword") if isinstance(keyword, dict) else keyword for keyword in value]


def _sentiment(value: Any) -> Any:
    """Anything but the three words means that it is not clear."""
    word = value.strip().lower() if isinstance(value, str) else ""
    return word if word in ("positive", "negative", "mixed") else ""


class Keyword(Reply):
    keyword: str = Field(min_length=1)
    weight: Share = Field(1.0, description="0 to 1")


class SegmentSummary(Reply):
    """Of a whole talk, or of one part of a long one."""

    summary: str = Field(min_length=1)
    title: Text = ""
    keywords: Kept[Annotated[Keyword, BeforeValidator(_keyword)]] = Field(default_factory=list)
    decisions: Sentences = Field(default_factory=list)
    open_questions: Sentences = Field(default_factory=list)
    people: Words = Field(default_factory=list)
    sentiment: Annotated[Text, BeforeValidator(_sentiment)] = Field(
        "", description="positive, negative, mixed or empty"
    )


class TalkSummary(Reply):
    """Of one of several short talks. What can be counted is not asked for: those who took part, and
    weights, which follow from the order."""

    n: int = Field(description="number of the talk")
    summary: str = Field(min_length=1)
    title: Text = ""
    keywords: Annotated[Words, BeforeValidator(_words_alone)] = Field(default_factory=list)
    decisions: Sentences = Field(default_factory=list)
    open_questions: Sentences = Field(default_factory=list)
    sentiment: Annotated[Text, BeforeValidator(_sentiment)] = Field(
        "", description="positive, negative, mixed or empty"
    )

    @property
    def segment(self) -> SegmentSummary:
        return SegmentSummary(
            summary=self.summary,
            title=self.title,
            keywords=[
                Keyword(keyword=word, weight=round(1 / place, 2))
                for place, word in enumerate(self.keywords, 1)
            ],
            decisions=self.decisions,
            open_questions=self.open_questions,
            sentiment=self.sentiment,
        )


class TalkSummaries(Reply):
    talks: Kept[TalkSummary] = Field(default_factory=list)


class MergedSummary(SegmentSummary):
    """Of several parts, and of what was known before them."""


class SummaryQuality(Reply):
    score: Share = Field(description="0 to 1")
    reasons: Sentences = Field(default_factory=list)


# ---- memory_evolve

_KINDS = ("habit", "view", "trait", "culture", "taboo", "fact", "preference", "project")
_ENTITY_TYPES = ("person", "location", "organization", "product", "event", "other")
_RELATION_TYPES = (
    "knows", "family_of", "works_at", "studies_at", "lives_in", "comes_from", "located_in",
    "member_of", "part_of", "owns", "uses", "likes", "dislikes", "made", "takes_part_in",
    "related_to",
)  # fmt: skip


def _kind(value: Any) -> Any:
    """A kind that is not on the list is none: the statement is still worth having."""
    word = value.strip().lower() if isinstance(value, str) else ""
    return word if word in _KINDS else None


class EvolutionLine(Reply):
    """What becomes of one memory. Which fields an action needs is for the decision to judge."""

    action: Annotated[Literal["keep", "update", "delete", "create"], BeforeValidator(_action)]
    old_id: Maybe = Field(
        None,
        validation_alias=AliasChoices("old_id", "memory_id", "replaces", "id"),
        description="id of the memory; null for create",
    )
    statement: Maybe = Field(
        None,
        validation_alias=AliasChoices("statement", "content"),
        description="the new wording, one sentence that stands alone; null for keep",
    )
    kind: Annotated[
        Literal["habit", "view", "trait", "culture", "taboo", "fact", "preference", "project"]
        | None,
        BeforeValidator(_kind),
    ] = None
    subject: Annotated[Maybe, BeforeValidator(_subject)] = Field(
        None, description="user_id of the member it is about; null for the group"
    )
    change_reason: Annotated[Maybe, BeforeValidator(_label)] = Field(
        None, description="why; null for keep"
    )
    tags: Annotated[Words, BeforeValidator(_labels)] = Field(default_factory=list)
    confidence: Annotated[Share, BeforeValidator(_likely)] = 0.8
    sources: Annotated[Words, BeforeValidator(_labels)] = Field(
        default_factory=list,
        validation_alias=_SOURCES,
        description="ids of the messages that say it",
    )
    agree: Annotated[Words, BeforeValidator(_labels)] = Field(
        default_factory=list, description="ids of messages in which others agree with it"
    )
    deny: Annotated[Words, BeforeValidator(_labels)] = Field(
        default_factory=list,
        description="ids of messages that deny or replace what the memory says, or this statement",
    )
    valid_from: Annotated[Maybe, BeforeValidator(_label)] = Field(
        None, description="YYYY-MM-DD if said from when on it holds, else null"
    )
    valid_until: Annotated[Maybe, BeforeValidator(_label)] = Field(
        None, description="YYYY-MM-DD if said until when it holds, else null"
    )


class EntityLine(Reply):
    name: str = Field(min_length=1, validation_alias=AliasChoices("name", "entity_name"))
    type: Annotated[
        Literal["person", "location", "organization", "product", "event", "other"],
        BeforeValidator(_entity_type),
    ] = Field("other", validation_alias=AliasChoices("type", "entity_type"))
    description: Text = Field("", description="one sentence from the messages")
    aliases: Annotated[Words, BeforeValidator(_labels)] = Field(
        default_factory=list, description="other names of it in the messages"
    )
    confidence: Annotated[Share, BeforeValidator(_likely)] = 0.8


class RelationLine(Reply):
    """`type` is one of few; what it does not tell ("sister of") is the label."""

    source: str = Field(min_length=1, validation_alias=AliasChoices("source", "source_entity"))
    type: Literal[
        "knows", "family_of", "works_at", "studies_at", "lives_in", "comes_from", "located_in",
        "member_of", "part_of", "owns", "uses", "likes", "dislikes", "made", "takes_part_in",
        "related_to",
    ] = Field("related_to", validation_alias=AliasChoices("type", "relation_type"))  # fmt: skip
    target: str = Field(min_length=1, validation_alias=AliasChoices("target", "target_entity"))
    label: Text = Field("", description="in the chat's words, if the type says too little")
    evidence: Text = Field("", validation_alias=AliasChoices("evidence", "description"))
    confidence: Annotated[Share, BeforeValidator(_likely)] = 0.8
    sources: Annotated[Words, BeforeValidator(_labels)] = Field(
        default_factory=list, validation_alias=_SOURCES
    )

    @model_validator(mode="before")
    @classmethod
    def _with_own_word(cls, value: Any) -> Any:
        """A type that is not on the list becomes the label."""
        if not isinstance(value, dict):
            return value
        given = value.get("type") or value.get("relation_type")
        word = "_".join(given.lower().split()) if isinstance(given, str) else ""
        if word in _RELATION_TYPES:
            return {**value, "type": word}
        return {**value, "type": "related_to", "label": value.get("label") or word}


class Evolution(Reply):
    """Comes as an object, as an array of `lines` or as JSON lines; each line stands alone."""

    lines: Kept[EvolutionLine] = Field(default_factory=list)
    entities: Kept[EntityLine] = Field(default_factory=list)
    relations: Kept[RelationLine] = Field(default_factory=list)

    @classmethod
    def read(cls, text: str) -> tuple[Self | None, list[FieldProblem]]:
        if cls.is_echoed(text):
            return None, [ECHOED]
        whole, _ = parse_object(text)
        graph = {
            str(key): whole[key] for key in ("entities", "relations") if whole and key in whole
        }
        is_graph_alone = bool(whole) and bool(graph) and "lines" not in (whole or {})
        items, problems = ([], []) if is_graph_alone else parse_items(text, "lines")
        if problems and not items:
            return None, problems
        reply, more = cls.check({"lines": items, **graph})
        return reply, [*problems, *more]


# ---- note_rewrite, profile_merge


class RewrittenNote(Reply):
    """People are named by their ids in the roster, so that code can check them."""

    did_what: Text = Field("", description="what was done, in absolute words, or empty")
    actor: Maybe = Field(None, description="id of who did it")
    meant: Words = Field(default_factory=list, description="ids of those it was done to or for")
    new_info: Text = Field("", description="the new information alone in absolute words, or empty")
    about: Maybe = Field(
        None,
        description="id of the member new_info is about, group or null",
    )
    canonical_text: str = Field(min_length=1, description="the whole note in absolute words")


class PreferenceLine(Reply):
    key: str = Field(min_length=1)
    value: str = Field(min_length=1)
    confidence: Share = 0.8


class TraitLine(Reply):
    name: str = Field(min_length=1, validation_alias=AliasChoices("name", "trait_name"))
    confidence: Share = 0.8


class MergedProfile(Reply):
    """Front matter and body of a profile, whole: it overwrites the old one."""

    name: Text = ""
    body: str = Field(min_length=1, description="Markdown")
    tags: Words = Field(default_factory=list)
    preferences: Kept[PreferenceLine] = Field(default_factory=list)
    traits: Kept[TraitLine] = Field(default_factory=list)


REPLIES: dict[str, type[Reply]] = {
    "topic_attribute": TopicChoices,
    "segment_summarize": SegmentSummary,
    "topics_summarize": TalkSummaries,
    "summary_merge": MergedSummary,
    "summary_quality": SummaryQuality,
    "memory_evolve": Evolution,
    "note_rewrite": RewrittenNote,
    "profile_merge": MergedProfile,
}
"""Every prompt id with the model of its reply."""
