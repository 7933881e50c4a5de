"""Text exports of phones: WhatsApp's, a stamp a line, and LINE's, a date and then its lines.

Neither says in which zone its clock ran, nor WhatsApp whether day or month comes first.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, tzinfo
from itertools import pairwise
from zoneinfo import ZoneInfo

from annals.histories.history import History, Line
from annals.histories.values import file_kind

_MARKS = dict.fromkeys(map(ord, "\u200e\u200f\u202a\u202c\ufeff")) | {0x202F: " ", 0xA0: " "}
_DATE = r"(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})"
_HALF = r"[AaPp]\.? ?[Mm]\.?|上午|下午|午前|午後|오전|오후"
_TIME = rf"({_HALF})? ?(\d{{1,2}})[:.](\d{{2}})(?:[:.](\d{{2}}))? ?({_HALF})?"
_WHATSAPP = re.compile(rf"\[?{_DATE},? {_TIME}(?:\] | - )(.*)")
_LINE_DATE = re.compile(rf"(?:\w{{3}}, )?{_DATE}(?:[ (].{{0,12}})?")
_LINE = re.compile(rf"{_TIME}\t([^\t]*)\t(.*)")
_AFTERNOON = ("p", "下午", "午後", "오후")
_OMITTED = {
    "image": r"<?(?:image|photo)s? omitted>?|\[(?:photo|写真|圖片|图片)\]",
    "audio": r"<?(?:audio|voice message) omitted>?|\[(?:voice message|ボイスメッセージ|語音訊息)\]",
    "video": r"<?(?:video|video note|GIF) omitted>?|\[(?:video|動画|影片)\]",
    "sticker": r"<?sticker omitted>?|\[(?:sticker|スタンプ|貼圖)\]",
    "contact": r"<?contact card omitted>?|\[contact\]",
    "file": r"<?document omitted>?|\[(?:file|ファイル|檔案)\]",
    "other": r"<(?:Media omitted|媒体已省略|省略多媒體檔案|略過多媒體檔)>",
}
"""What phones write where something stood beside the text, by its kind."""
_DELETED = re.compile(r"(?:You deleted this message|This message was deleted)\.?", re.IGNORECASE)
_EDITED = "<This message was edited>"


class UnknownOrder(ValueError):
    """No date of the file says whether the day or the month comes first: `--dates`."""


def is_whatsapp(text: str) -> bool:
    return bool(_WHATSAPP.match(text.translate(_MARKS).lstrip()))


def is_line(text: str) -> bool:
    head = text.translate(_MARKS).lstrip()[:2000]
    is_dated = any(map(_LINE_DATE.fullmatch, head.splitlines()))
    return is_dated and any(map(_LINE.match, head.splitlines()))


def read_whatsapp(name: str, text: str, order: str | None, zone: str | None) -> History:
    stamped: list[tuple[re.Match[str], list[str]]] = []
    for line in text.translate(_MARKS).splitlines():
        if found := _WHATSAPP.match(line):
            stamped.append((found, [found[9]]))
        elif stamped:
            stamped[-1][1].append(line)
    order = order or _order([found for found, _ in stamped])
    rows = ((_moment(found, order, zone), *_said("\n".join(words))) for found, words in stamped)
    return _history("WhatsApp", name, rows)


def read_line(name: str, text: str, order: str | None, zone: str | None) -> History:
    rows: list[tuple[datetime, str | None, str]] = []
    lines = text.translate(_MARKS).splitlines()
    order = order or _order([found for line in lines if (found := _LINE_DATE.fullmatch(line))])
    day: date | None = None
    for line in lines:
        if found := _LINE_DATE.fullmatch(line):
            day = _day(found, order)
        elif day and (found := _LINE.match(line)):
            at = datetime.combine(day, _time(found.groups()[:5]))
            rows.append((_in_zone(at, zone), found[6] or None, found[7]))
        elif rows and line:
            at, who, said = rows[-1]
            rows[-1] = at, who, f"{said}\n{line}"
    return _history("LINE", name, ((at, who, said.strip('"')) for at, who, said in rows))


def _history(form: str, name: str, rows: Iterable[tuple[datetime, str | None, str]]) -> History:
    lines: list[Line] = []
    skipped: Counter[str] = Counter()
    for number, (at, who, words) in enumerate(rows):
        text, attachments = _without_omitted(words.replace(_EDITED, "").strip())
        if not who:
            skipped["of the system"] += 1
        elif _DELETED.fullmatch(text):
            skipped["recalled"] += 1
        elif not text and not attachments:
            skipped["empty"] += 1
        else:
            lines.append(Line(f"line {number}", at, who, who, text, attachments=attachments))
    return History(form, name, lines, skipped)


def _said(words: str) -> tuple[str | None, str]:
    """Who, and what; what the system tells has no colon."""
    who, colon, text = words.partition(": ")
    if not colon and words.endswith(":"):
        who, colon = words[:-1], ":"
    return (who, text) if colon and "\n" not in who else (None, words)


def _without_omitted(text: str) -> tuple[str, Sequence[tuple[str, str]]]:
    for kind, pattern in _OMITTED.items():
        if found := re.search(pattern, text, re.IGNORECASE):
            return text.replace(found[0], "", 1).strip(), [(kind, "")]
    if attached := re.search(r"<attached: ([^>]+)>|(\S+\.\w{2,4}) \(file attached\)", text):
        name = attached[1] or attached[2]
        return text.replace(attached[0], "").strip(), [(file_kind(name), name)]
    return text, ()


def _order(found: Sequence[re.Match[str]]) -> str:
    """`dmy` or `mdy`: a number above 12 tells, or that time would run backwards. A date that
    begins with its year needs none."""
    shorts = [one for one in found if len(one[1]) < 4]
    fitting = [order for order in ("dmy", "mdy") if _runs_forward(shorts, order)]
    if len(fitting) != 1 and shorts:
        raise UnknownOrder("which comes first in its dates: --dates dmy (day) or mdy (month)?")
    return fitting[0] if fitting else "dmy"


def _runs_forward(found: Sequence[re.Match[str]], order: str) -> bool:
    try:
        days = [_day(one, order) for one in found]
    except ValueError:
        return False
    return all(one <= later for one, later in pairwise(days))


def _day(found: re.Match[str], order: str) -> date:
    first, second, third = (int(found[at]) for at in (1, 2, 3))
    if len(found[1]) == 4:
        return date(first, second, third)
    year = third if third > 99 else 2000 + third
    return date(year, second, first) if order == "dmy" else date(year, first, second)


def _time(parts: Sequence[str | None]) -> time:
    before, hour, minute, second, after = parts
    half = (before or after or "").lower()
    hours = int(hour or 0)
    if half:
        hours = hours % 12 + (12 if half.startswith(_AFTERNOON) else 0)
    return time(hours, int(minute or 0), int(second or 0))


def _moment(found: re.Match[str], order: str, zone: str | None) -> datetime:
    return _in_zone(datetime.combine(_day(found, order), _time(found.groups()[3:8])), zone)


def _in_zone(at: datetime, zone: str | None) -> datetime:
    """Without a name, that of this computer."""
    place: tzinfo | None = ZoneInfo(zone) if zone else None
    return (at.replace(tzinfo=place) if place else at.astimezone()).astimezone(UTC)
