"""Do notes end in absolute words? 1,000 generated ones through the real pipeline and the gate.

    python -m bench.historian [--notes 1000]

Half of the notes are plain (the sender's "I", day words whose dates are computed apart), half are
put together from clauses with pronouns and places that only a language model can resolve; a third
quote somebody or name a title. Printed for each half: how many the gate refused at first, are
absolute in the end, are stored as they came and marked, have the right date; and the quotations
that stayed. The model is the stand-in, which does plain cases only: the second half shows that
what it cannot do is marked.
"""

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.results import keep
from shared.domain.knowledge.event import Event
from shared.errors import Transient
from tests.history.noting import Noting
from tests.services import Clock, all_emulators, in_process

NOTES = 1000
GROUPS = 3
"""A language; the notes of one group are worded one after the other."""
_PEOPLE = {"zh": ("林晓", "唐宁", "周遥", "何苗"), "en": ("Ida", "Jon", "Eva", "Tom")}
_DAYS = {
    "zh": {"昨天": -1, "今天": 0, "明天": 1, "后天": 2},
    "en": {"yesterday": -1, "today": 0, "tomorrow": 1},
}
_PLAIN_ACTIONS = {
    "zh": ("我回答了问题", "提醒了林晓带伞", "我整理了清单", "安慰了林晓"),
    "en": ("I answered the question", "Reminded Ida of the deadline", "I sent the list to Ida"),
}
_PLAIN_INFOS = {
    "zh": ("我{}要出差", "{}我去学吉他", "我{}考试，其他人不考", "我妈{}来，妈妈怕冷"),
    "en": ("I will travel {}", "I plan to move {}", "My brother will visit me {}"),
}
_ACTIONS = {
    "zh": (
        "我回答了他的问题", "帮她查了资料", "提醒了用户带伞", "和他们讨论了方案",
        "把它翻译成了英文", "我刚才整理了清单", "安慰了这位朋友", "把文件发给了她",
        "总结了大家的意见",
    ),
    "en": (
        "I answered his question", "Helped her with the form", "I told them about the plan",
        "Reminded the user of the deadline", "I just now sent the list to you", "Thanked him",
        "Looked it up", "Helped her write the letter",
    ),
}  # fmt: skip
_INFOS = {
    "zh": (
        "我{}要出差", "{}他会来这里", "她打算{}搬家", "我们{}聚餐", "我{}考试，其他人不考",
        "{}我去学吉他", "他说他{}到那边", "我{}提交本地化文档", "我妈{}来我这儿，她怕冷",
        "唐宁说他{}请假，让我替他", "我们公司{}搬到那边", "{}我跟他吵了一架",
    ),
    "en": (
        "I will travel {}", "She will come here {}", "They plan to move {}", "We will meet {}",
        "My brother will visit me {}", "He will start his job {}", "I need it {}",
        "My mum will visit us {} and she hates trains", "Jon says he will be away {}",
        "What I told him he will tell her {}",
    ),
}  # fmt: skip
_UNTOUCHED = {
    "zh": (
        "“我明天不去那边”", "《他山之石》", '"你来这里吧"', "我的世界", "《昨天今天明天》",
        "「他刚才走了」", "《你好，李焕英》", "“这里的他们”", "咱们裸熊", "《此地无银》", "其他人",
        "维他命", "本地化", "《那边的我们》", "“上周的事别提”",
    ),
    "en": (
        '"I am not going there tomorrow"', '"Here and Now"', "“you and me”",
        "'The Day After Tomorrow'", '"he left yesterday"', "`my_last_run`", '"Us"',
        "“see you next week”", '"It"', "USA Today",
    ),
}  # fmt: skip
_BEFORE = {"zh": "，唐宁提到了", "en": ", and Jon mentioned "}


@dataclass(frozen=True)
class MadeNote:
    """A note, the date that its time means, and what must stand in it unchanged."""

    lang: str
    is_plain: bool
    action: str
    info: str
    at: datetime
    date: str
    untouched: str


def made_note(seed: int) -> MadeNote:
    rng = random.Random(f"note:{seed}")
    lang, is_plain = rng.choice(("zh", "en")), seed % 2 == 0
    word, days = rng.choice(list(_DAYS[lang].items()))
    info = rng.choice((_PLAIN_INFOS if is_plain else _INFOS)[lang]).format(word)
    untouched = rng.choice(_UNTOUCHED[lang]) if rng.random() < 0.34 else ""
    if untouched:
        info += _BEFORE[lang] + untouched
    at = datetime(2026, 1, 1, 12, tzinfo=UTC) + timedelta(hours=rng.randrange(20_000))
    date = (at + timedelta(days=days)).date().isoformat()
    action = rng.choice((_PLAIN_ACTIONS if is_plain else _ACTIONS)[lang])
    return MadeNote(lang, is_plain, action, info, at, date, untouched)


async def through(notes: list[MadeNote]) -> Counter[str]:
    """Every note as `/end` takes it, through the model and the gate."""
    counts: Counter[str] = Counter()
    clock = Clock(datetime(2026, 11, 16, 9, tzinfo=UTC))
    with tempfile.TemporaryDirectory() as folder, all_emulators(Path(folder)) as running:
        async with in_process(running.told, clock) as made:

            async def one_group(lang: str, part: int) -> None:
                noting = Noting(made, clock, running.told, f"bench:{lang}-{part}")
                names = _PEOPLE[lang]
                await noting.say(*((name, "hi") for name in names))
                for number, note in enumerate(notes):
                    if (note.lang, number % GROUPS) != (lang, part):
                        continue
                    sent = noting.note(
                        note.action, note.info, request_id=f"r{number}", received_at=note.at,
                        location="Oslo", user_id=f"u-{names[0].lower()}", timezone="UTC",
                    )  # fmt: skip
                    with contextlib.suppress(Transient):
                        # The event is there before its vector is: a slow machine may miss that.
                        await noting.record(sent)
                    event = await noting.event(sent.event_id)
                    counts.update(_outcome(note, event) if event else {})

            await asyncio.gather(
                *(one_group(lang, part) for lang in _PEOPLE for part in range(GROUPS))
            )
    return counts


def _outcome(note: MadeNote, event: Event) -> Counter[str]:
    half = "plain" if note.is_plain else "vague"
    text = event.canonical_text
    counts = Counter(untouched=bool(note.untouched) and note.untouched in text)
    counts[f"{half} refused"] = event.rewrites > 0
    counts[f"{half} absolute"] = event.is_absolute
    counts[f"{half} marked"] = event.degraded
    counts[f"{half} date"] = note.date in text
    counts[f"{half} passed with another date"] = event.is_absolute and note.date not in text
    return counts


def _line(name: str, count: int, whole: int) -> str:
    return f"{name:42} {count:5} of {whole:5} ({100 * count / max(1, whole):.1f} %)"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.historian", description=__doc__)
    parser.add_argument("--notes", type=int, default=NOTES)
    notes = [made_note(seed) for seed in range(parser.parse_args(argv).notes)]
    counts = asyncio.run(through(notes))
    lines = []
    for half, is_plain in (("plain", True), ("vague", False)):
        whole = sum(note.is_plain is is_plain for note in notes)
        lines += [
            _line(f"{half}: {name}", counts[f"{half} {name}"], whole)
            for name in ("refused", "absolute", "marked", "date", "passed with another date")
        ]
    quoting = sum(bool(note.untouched) for note in notes)
    lines.append(_line("quotation, title or compound unchanged", counts["untouched"], quoting))
    print(keep("historian", "python -m bench.historian", "\n".join(lines)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
