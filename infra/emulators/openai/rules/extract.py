"""`extract`: the plain things people say of themselves, with the relation each one states."""

from .change_words import is_end, is_passing
from .chat_text import clauses, is_question, sentences
from .prompt_input import Given, number, objects, text
from .self_facts import SelfFact, contradicts, self_fact
from .wording import is_of_self, statement

SAID_PLAINLY = 0.9


def extract_facts(given: Given) -> Given:
    known = objects(given, "existing_facts")
    facts: list[Given] = []
    entities: dict[str, Given] = {}
    relations: list[Given] = []
    for message in objects(given, "messages"):
        name = text(message, "user_name") or text(message, "user_id")
        for clause in _own_clauses(message):
            content = statement(clause, name)
            fact = self_fact(content, name)
            if fact is None or any(content == text(old, "content") for old in [*known, *facts]):
                continue
            source = text(message, "id")
            facts.append(
                {
                    "content": content,
                    "type": fact.type,
                    "subject": text(message, "user_id"),
                    "tags": ["stand-in"],
                    "confidence": SAID_PLAINLY,
                    "replaces": _replaced_by(fact, name, known),
                    "sources": [source],
                }
            )
            for entity, kind in ((name, "person"), (fact.value, fact.entity_type)):
                entities.setdefault(entity, _entity(entity, kind))
            relations.append(
                {
                    "source": name,
                    "target": fact.value,
                    "type": fact.relation,
                    "label": fact.label,
                    "evidence": content,
                    "confidence": SAID_PLAINLY,
                    "sources": [source],
                }
            )
    most = int(number(given, "max_facts", len(facts)))
    return {
        "facts": facts[:most],
        "entities": list(entities.values()),
        "relations": relations,
    }


def _own_clauses(message: Given) -> list[str]:
    """What a person says of themselves and of no single day, with days for words of time that the
    question explains."""
    if message.get("role") == "assistant":
        return []
    content = text(message, "content")
    for hint in objects(message, "dates"):
        if words := text(hint, "words"):
            content = content.replace(words, text(hint, "date"))
    stated = [sentence for sentence in sentences(content) if not is_question(sentence)]
    return [
        clause
        for sentence in stated
        for clause in clauses(sentence)
        if is_of_self(clause) and not is_passing(clause) and not is_end(clause)
    ]


def _replaced_by(fact: SelfFact, name: str, known: list[Given]) -> str | None:
    for old in known:
        before = self_fact(text(old, "content"), name)
        if before is not None and contradicts(fact, before):
            return text(old, "id")
    return None


def _entity(name: str, kind: str) -> Given:
    return {
        "name": name,
        "type": kind,
        "description": "",
        "aliases": [],
        "confidence": SAID_PLAINLY,
    }
