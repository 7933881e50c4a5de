"""Who speaks in a discussion, and how what several say of themselves is put down."""

import re

from .english import capitalised
from .threads import Message, Thread
from .words import is_han

_SHORT_NAME = re.compile(r"[A-Za-z]{3,}|[\u3400-\u9fff]{2,}")


def people_of(messages: list[Message]) -> dict[str, str]:
    """Names to ids of those who speak: whole, and their first word where it is only theirs."""
    whole = {one.user_name: one.user_id for one in messages if one.user_name}
    found = dict(whole)
    for name, user_id in whole.items():
        first = _SHORT_NAME.search(name)
        if first is not None:
            shared = [id_ for other, id_ in whole.items() if first[0].lower() in other.lower()]
            if set(shared) == {user_id}:
                found.setdefault(first[0], user_id)
    return {name: id_ for name, id_ in found.items() if len(name) > 1}


_IS_A = re.compile(
    r"^(?P<adverb>(?:\w+ly|always|often|never) )?(?P<verb>is|works?|lives?|likes?|\w+s)(?: "
    r"(?P<rest>.*))?$"
)


def of_several(thread: Thread) -> str:
    """The same said by several of themselves: "several members like tea"."""
    statement = thread.statement
    for message in thread.sources:
        if message.user_name and statement.startswith(message.user_name):
            rest = statement.removeprefix(message.user_name).strip()
            if is_han(rest):
                return f"多位成员{rest}"
            return capitalised(f"several members {_plural_verb(rest)}")
    return statement


def _plural_verb(rest: str) -> str:
    match = _IS_A.match(rest)
    if match is None:
        return rest
    verb = {"is": "are", "has": "have", "does": "do", "goes": "go"}.get(match["verb"])
    if verb is None:
        verb = re.sub(r"ies$", "y", match["verb"])
        verb = re.sub(r"(ss|x|z|ch|sh)es$", r"\1", verb) if verb == match["verb"] else verb
        verb = verb.removesuffix("s") if verb == match["verb"] else verb
    tail = match["rest"] or ""
    if verb == "are" and re.match(r"an? ", tail):
        tail = re.sub(r"^an? ", "", tail)
        tail = tail if tail.endswith("s") else tail + "s"
    return f"{match['adverb'] or ''}{verb} {tail}".strip()
