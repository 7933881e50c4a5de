"""Reads the labelled cases, `bench/prompts/cases/<prompt id>.txt`.

A case begins with `== name language tags`. A line `- Ann: text` is a message; `[2026-01-02 09:30]`
before the name sets its time (else a minute after the last one), and a star before the name marks
the bot. `filler 50` puts so many lines of chatter there. Every other line is a word and what is
said about it: what the question has, and what its reply should have.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zlib import crc32

from shared.contracts.replies import REPLIES
from shared.domain.messages.stored_message import MessageState, StoredMessage

FOLDER = Path(__file__).parent / "cases"
GROUP_ID = "bench:prompts"
BEGIN = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
"""A Wednesday, unless a case says `at`."""
_HEAD = re.compile(r"== (\S+) (zh|en)(?: (\S+))?$")
_SAID = re.compile(r"- (?:\[(\d{4}-\d\d-\d\d \d\d:\d\d)\] )?(\*?)([^:：]{1,20}): (.*)$")
FILLER = {
    "en": (
        "Tess: morning all", "Ravi: the lift is slow again", "Tess: same as ever", "Ravi: lol",
        "Tess: brb, coffee", "Ravi: did you see that goal", "Tess: what a save though",
        "Ravi: the rain does not stop", "Tess: took the bus today", "Ravi: ok back to it",
        "Tess: this song is stuck in my head", "Ravi: haha which one", "Tess: guess",
    ),
    "zh": (
        "路人甲: 早啊", "阿灰: 电梯又慢了", "路人甲: 老样子", "阿灰: 哈哈哈", "路人甲: 我去倒杯水",
        "阿灰: 昨晚那球看了没", "路人甲: 门将神了", "阿灰: 雨下个没完", "路人甲: 今天坐公交来的",
        "阿灰: 行，干活", "路人甲: 这首歌洗脑", "阿灰: 哪首", "路人甲: 你猜",
    ),
}  # fmt: skip
"""Lines from which nothing can be learnt: they make an input long."""


class BrokenCase(ValueError):
    """A case cannot be read; the message says which and why."""


@dataclass(frozen=True)
class Case:
    """`fields` are its lines by their first word, in order."""

    prompt_id: str
    name: str
    language: str
    tags: tuple[str, ...]
    messages: tuple[StoredMessage, ...] = ()
    fields: dict[str, list[str]] = field(default_factory=dict)

    @property
    def case_id(self) -> str:
        return f"{self.prompt_id}/{self.name}"

    @property
    def is_held_back(self) -> bool:
        """Half of the cases, by name: prompts are mended by looking at the other half only."""
        return crc32(self.case_id.encode()) % 2 == 1

    def all(self, word: str) -> list[str]:
        return self.fields.get(word, [])

    def one(self, word: str, default: str = "") -> str:
        return self.all(word)[-1] if self.all(word) else default

    @property
    def at(self) -> datetime:
        """When it is asked: a moment after the last message."""
        return moment(self.one("at")) if self.one("at") else BEGIN


SAME_CASES = {"topics_summarize": "segment_summarize"}
"""A talk among others is judged as a talk alone."""


def beside(case: Case) -> list[Case]:
    """The case, and the two after it in its set: what may not be mixed up with it."""
    found = [one for one in cases_of(case.prompt_id) if not one.one("previous") or one == case]
    at = next(place for place, one in enumerate(found) if one == case)
    return [found[(at + step) % len(found)] for step in range(3)]


def user_id(name: str) -> str:
    return f"u-{name.lower().replace(' ', '-')}"


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def cases(prompt_ids: Sequence[str] = tuple(REPLIES)) -> list[Case]:
    return [case for prompt_id in prompt_ids for case in cases_of(prompt_id)]


def cases_of(prompt_id: str, folder: Path = FOLDER) -> list[Case]:
    text = (folder / f"{SAME_CASES.get(prompt_id, prompt_id)}.txt").read_text(encoding="utf-8")
    blocks: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("=="):
            blocks.append([line])
        elif line.strip() and not line.startswith("#"):
            if not blocks:
                raise BrokenCase(f"{prompt_id}: a line before the first case: {line}")
            blocks[-1].append(line)
    return [_case(prompt_id, block) for block in blocks]


def _case(prompt_id: str, block: list[str]) -> Case:
    head = _HEAD.match(block[0])
    if head is None:
        raise BrokenCase(f"{prompt_id}: not a head: {block[0]}")
    name, language, tags = head[1], head[2], tuple((head[3] or "plain").split(","))
    fields: dict[str, list[str]] = {}
    said: list[tuple[str, str, str, str]] = []
    for line in block[1:]:
        if line.startswith("- "):
            found = _SAID.match(line)
            if found is None:
                raise BrokenCase(f"{prompt_id}/{name}: not a message: {line}")
            said.append((found[1] or "", found[2], found[3], found[4]))
            continue
        word, _, rest = line.partition(" ")
        if word == "filler":
            pool = FILLER[language]
            lines = [pool[n % len(pool)].partition(": ") for n in range(int(rest))]
            said += [("", "", who, text) for who, _, text in lines]
        else:
            fields.setdefault(word, []).append(rest.strip())
    begin = moment(fields["at"][0]) if "at" in fields else BEGIN
    return Case(prompt_id, name, language, tags, tuple(_messages(said, begin)), fields)


def _messages(said: list[tuple[str, str, str, str]], begin: datetime) -> list[StoredMessage]:
    messages: list[StoredMessage] = []
    now = begin
    for number, (time, star, name, text) in enumerate(said, 1):
        now = moment(time) if time else now + timedelta(minutes=1) if messages else now
        messages.append(
            StoredMessage(
                group_id=GROUP_ID,
                message_id=f"m{number}",
                user_id=user_id(name),
                user_name=name,
                content=text,
                create_time=now,
                role="assistant" if star else "user",
                state=MessageState.ATTRIBUTED,
            )
        )
    return messages
