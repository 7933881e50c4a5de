"""`note_rewrite`: the bot's end-of-turn note in absolute words.

The words come from the hints in the prompt (`resolved`), where the asker's own rules have put
names, dates and places; this rule joins them, and takes out what a gate objected to.
"""

import re

from .prompt_input import Given, child, objects, text
from .words import CHINESE, language


def rewrite_note(given: Given) -> Given:
    """What was done, what was learnt, and both as one text."""
    hints = child(given, "resolved")
    did = text(hints, "action_summary") or text(given, "action_summary")
    learnt = text(hints, "new_info") or text(given, "new_info")
    lang = language(did + learnt)
    flagged = _flagged(given)
    did, learnt = (_without(said, flagged, given, lang) for said in (did, learnt))
    return {"did_what": did, "new_info": learnt, "canonical_text": _joined(did, learnt, lang)}


def _joined(did: str, learnt: str, lang: str) -> str:
    parts = [did] if did else []
    if learnt and learnt.strip("。.!！ ") not in did:
        parts.append(learnt)
    mark, glue = ("。", "") if lang == CHINESE else (".", " ")
    ended = [part if part[-1] in "。！？.!?…" else part + mark for part in parts]
    return glue.join(ended)


_PLACE_WORDS = re.compile(
    r"这里|那里|这儿|那儿|这边|那边|本地|当地|此地|此处|.*\b(?:here|there|locally|nearby)\b.*",
    re.IGNORECASE,
)
_TIME_WORDS = re.compile(
    r"[\u3400-\u9fff\d]*[天日周月年晚早才刚后前近在]|.*\b(?:day|night|week|month|year|ago|now|later|"
    r"soon|tomorrow|yesterday|today|tonight|recently|currently)s?\b.*",
    re.IGNORECASE,
)


def _flagged(given: Given) -> list[str]:
    found = objects(given, "violations")
    words = [word for one in found if (word := text(one, "content", "word", "text", "match"))]
    return sorted(words, key=len, reverse=True)


def _without(said: str, flagged: list[str], given: Given, lang: str) -> str:
    """Whatever the gate objected to and is still here goes, by the plainest replacement."""
    is_chinese = lang == CHINESE
    day = text(given, "time")[:10] or "1970-01-01"
    for word in flagged:
        if _PLACE_WORDS.fullmatch(word):
            instead = text(given, "location") or ("聊天中" if is_chinese else "in the chat")
        elif _TIME_WORDS.fullmatch(word):
            instead = day
        else:
            instead = _plain_person(word, given, is_chinese=is_chinese)
        edge = r"\b" if word.isascii() else ""
        said = re.sub(
            rf"{edge}{re.escape(word)}{edge}", instead.replace("\\", ""), said, flags=re.IGNORECASE
        )
    return said


def _plain_person(word: str, given: Given, *, is_chinese: bool) -> str:
    if word.lower() in ("it", "its", "it's", "itself", "this", "that", "these", "those"):
        return "the matter"
    if word.startswith("它"):
        return "该事物"
    sender = text(child(given, "sender"), "user_name", "name")
    return sender or ("一位群成员" if is_chinese else "a member of the group")
