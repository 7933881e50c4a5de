"""`extract`: the plain things people say of themselves, with the relation each one states."""

from .change_words import is_end, is_passing
from .chat_text import clauses, is_question, sentences
from .prompt_input import Given, objects, text
from .self_facts import self_fact
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
    return {"facts": facts, "entities": list(entities.values()), "relations": relations}


def _own_clauses(message: Given) -> list[str]:
    """What a person says of themselves and of no single day."""
    if message.get("role") == "assistant":
        return []
    return [
        clause
        for sentence in sentences(text(message, "content"))
        if not is_question(sentence)
        for clause in clauses(sentence)
        if is_of_self(clause) and not is_passing(clause) and not is_end(clause)
    ]


def _entity(name: str, kind: str) -> Given:
    return {
        "name": name,
        "type": kind,
        "description": "",
        "aliases": [],
        "confidence": SAID_PLAINLY,
    }
