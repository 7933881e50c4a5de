"""`note_rewrite`, plain cases only: the sender or the bot for "I", and day words by the calendar
in the question. What else is relative stays, and the asker's gate finds it."""

import re
from datetime import UTC, datetime, timedelta

from .chat_text import is_chinese
from .prompt_input import Given, child, moment, objects, text, texts

_DAYS_EN = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_DAYS = {**_DAYS_EN, "昨天": -1, "今天": 0, "今晚": 0, "明天": 1, "后天": 2}
_DAY = re.compile(
    rf"(?<![前后大])(?:昨天|今天|今晚|明天|后天)|\b(?:{'|'.join(_DAYS_EN)})\b|^To(?:day|morrow)\b"
)
_WEEKDAY = re.compile(
    r"(?<!每)([上下]?)(?:周|星期)([一二三四五六日])"
    r"|(?<!every )(?<!\ba )\b(?:on )?(last |next |this )?"
    r"((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b"
)
_WEEKS = {"上": "last week", "last ": "last week", "下": "next week", "next ": "next week"}
_QUOTED = re.compile(r"(“[^”]*”|「[^」]*」|《[^》]*》|\"[^\"]*\")")
_BASE = "need|want|like|love|live|work|play|leave|travel|prefer|hate|keep|own|plan"
_FIRST_PERSON = (
    (r"\bI(?: am|['’]m)\b", "{} is"),
    (r"\bI(?: have|['’]ve)\b", "{} has"),
    (rf"\bI ({_BASE})\b", r"{} \1s"),
    (r"\b[Mm]y\b", "{}'s"),
    (r"\b(?:I|[Mm]e)\b(?!\.\w)|(?<!自)我(?!们)", "{}"),
)
_THE_OTHER = (
    (r"\b[Hh]is\b", "{}'s"),
    (r"\b(?:[Hh]im|[Hh]er|[Hh]e|[Ss]he|[Tt]he user)\b|(?<!其)[他她](?!们)|用户", "{}"),
)


def rewrite_note(given: Given) -> Given:
    """What was done by the bot, what was learnt of the sender, and both as one text."""
    names = {text(person, "id"): text(person, "name") for person in objects(given, "roster")}
    bot, sender = text(given, "bot"), text(given, "sender")
    own, theirs = names.pop(bot, ""), names.get(sender, "")
    did = _absolute(text(given, "action_summary"), own, given)
    others = sum(len(re.findall(pattern, did)) for pattern, _ in _THE_OTHER)
    if others == 1 and not any(name in did for name in names.values()):
        did = _replaced(did, _THE_OTHER, theirs)
    if did and own not in did:
        did = own + did if is_chinese(did) else f"{own} {did[0].lower()}{did[1:]}"
    learnt = _absolute(text(given, "new_info"), theirs, given)
    about = [(learnt.find(name), key) for key, name in names.items() if name in learnt]
    is_group = re.search(r"\b(?:everyone|group|every|all|each)\b|大家|本群|每", learnt.lower())
    return {
        "did_what": did,
        "actor": bot if did else None,
        "meant": [key for key, name in names.items() if name in did],
        "new_info": learnt,
        "about": min(about)[1] if about else "group" if is_group else None,
        "canonical_text": " ".join(_ended(part) for part in (did, learnt) if part).replace(
            "。 ", "。"
        ),
    }


def _absolute(said: str, speaker: str, given: Given) -> str:
    parts = _QUOTED.split(said)
    parts[::2] = [_dated(_replaced(part, _FIRST_PERSON, speaker), given) for part in parts[::2]]
    return "".join(parts)


def _replaced(said: str, forms: tuple[tuple[str, str], ...], name: str) -> str:
    for pattern, form in forms:
        said = re.sub(pattern, form.replace("{}", name.replace("\\", "")), said)
    return said


def _dated(said: str, given: Given) -> str:
    today = (moment(text(given, "time")[:10]) or datetime.fromtimestamp(0, UTC)).date()
    calendar = child(given, "calendar")

    def weekday(match: re.Match[str]) -> str:
        week = _WEEKS.get(match[1] or match[3] or "", "this week")
        days = {day.split()[-1]: day[:10] for day in texts(calendar, week) if day.strip()}
        place = "一二三四五六日".find(match[2] or "?")
        in_order = list(days.values())
        day = in_order[place] if match[2] and place < len(in_order) else days.get(match[4] or "")
        return match[0] if day is None else day if match[2] else f"on {day}"

    def named(match: re.Match[str]) -> str:
        day = (today + timedelta(days=_DAYS[match[0].lower()])).isoformat()
        return f"on {day}" if match[0].isascii() else day

    said = _WEEKDAY.sub(weekday, _DAY.sub(named, said))
    return re.sub(r"\b(on|for|by|until) on (?=\d)", r"\1 ", said)


def _ended(part: str) -> str:
    part = re.sub(r"^(?:the|a) ", lambda article: article[0].capitalize(), part)
    return part if part[-1] in "。！？.!?…" else part + ("。" if is_chinese(part) else ".")
