"""Do notes end in absolute words? 1,000 generated ones through the real pipeline and the gate.

    python -m bench.historian [--notes 1000] [--rules-only]

Notes are put together from clauses in both languages, with words of time whose dates are computed
apart, pronouns, places, and in each third a quotation, a title or a compound. Printed: the share
that rules alone put in absolute words, the share whose first wording by the model was refused and
rewritten, the share that is absolute in the end, the dates that are right, and the quotations that
stayed. In the pipeline nobody has spoken around the notes' times, so their sender is described
without a name. The model is the emulator's, which words what the rules left: what another model
needs in rewrites is its own. The gate's word on these clauses says little about other talk.
"""

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.quality.date_phrases import generated
from bench.results import keep
from shared.domain.historian.people import people_of
from shared.domain.historian.resolve import resolve_note
from shared.domain.historian.rewrite import judged
from shared.domain.knowledge.event import Event
from shared.errors import Transient
from shared.language import Language, guess_language
from tests.history.noting import Noting
from tests.services import Clock, all_emulators, in_process

NOTES = 1000
GROUPS = 3
"""A language; the notes of one group are worded one after the other."""
_PEOPLE = {"zh": ("林晓", "唐宁", "周遥", "何苗"), "en": ("Ida", "Jon", "Eva", "Tom")}
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
class Made:
    """A note, what its time is by another arithmetic, and what must stand in it unchanged."""

    lang: str
    action: str
    info: str
    at: datetime
    words: str
    date: str
    untouched: str


def made_note(seed: int) -> Made:
    rng = random.Random(f"note:{seed}")
    lang = rng.choice(("zh", "en"))
    phrase = generated(lang, seed)
    info = rng.choice(_INFOS[lang]).format(phrase.words)
    untouched = rng.choice(_UNTOUCHED[lang]) if rng.random() < 0.34 else ""
    if untouched:
        info += _BEFORE[lang] + untouched
    at = datetime.fromisoformat(phrase.reference).replace(tzinfo=UTC)
    return Made(lang, rng.choice(_ACTIONS[lang]), info, at, phrase.words, phrase.date, untouched)


def by_rules(note: Made) -> bool:
    """Whether the rules alone leave nothing relative."""
    names = _PEOPLE[note.lang]
    people = people_of(
        sender_id="u0",
        roster={f"u{number}": name for number, name in enumerate(names)},
        said=(),
        bot="小安" if note.lang == "zh" else "Wick",
        group="读书会" if note.lang == "zh" else "Readers",
        is_chinese=guess_language(note.action + note.info) is Language.CHINESE,
    )
    resolved = resolve_note(note.action, note.info, people, note.at, "Oslo")
    text = resolved.joined(is_chinese=people.is_chinese)
    source, known = f"{note.action}\n{note.info}", (*people.names, people.bot)
    return judged(text, resolved.learnt, "rules", source=source, names=known).is_absolute


async def through(notes: list[Made]) -> Counter[str]:
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


def _outcome(note: Made, event: Event) -> Counter[str]:
    text = event.canonical_text
    return Counter(
        absolute=event.is_absolute,
        rewritten=event.rewrites > 0,
        date=note.date in text or note.words in text,
        untouched=bool(note.untouched) and note.untouched in text,
    )


def _line(name: str, count: int, of: int) -> str:
    return f"{name:42} {count:5} of {of:5} ({100 * count / max(1, of):.1f} %)"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.historian", description=__doc__)
    parser.add_argument("--notes", type=int, default=NOTES)
    parser.add_argument("--rules-only", action="store_true", help="ask no model, start no emulator")
    asked = parser.parse_args(argv)
    notes = [made_note(seed) for seed in range(asked.notes)]
    lines = [_line("absolute by rules alone", sum(map(by_rules, notes)), len(notes))]
    if not asked.rules_only:
        counts = asyncio.run(through(notes))
        quoting = sum(bool(note.untouched) for note in notes)
        lines += [
            _line("refused by the gate and worded again", counts["rewritten"], len(notes)),
            _line("absolute in the end", counts["absolute"], len(notes)),
            _line("date as computed apart", counts["date"], len(notes)),
            _line("quotation, title or compound unchanged", counts["untouched"], quoting),
        ]
        print(keep("historian", "python -m bench.historian", "\n".join(lines)))
    else:
        print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
