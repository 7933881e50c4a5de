"""How many notes the rules alone put in absolute words: 1,000 generated ones, judged by the gate.

    python -m bench.historian [--notes 1000]

Notes are put together from clauses in both languages, with words of time whose dates are computed
apart, pronouns, places and quotations. Printed: the share that passes the gate before any model is
asked (the rest needs a rewrite), the dates that are right, the quotations that stayed.
"""

import argparse
import random
import sys
from collections import Counter
from datetime import UTC, datetime

from bench.quality.date_phrases import generated
from shared.domain.historian.people import people_of
from shared.domain.historian.resolve import resolve_note
from shared.domain.historian.rewrite import judged
from shared.domain.text.language import Language, guess_language

NOTES = 1000
_ZH_PEOPLE, _EN_PEOPLE = ("林晓", "唐宁", "周遥", "何苗"), ("Ida", "Jon", "Eva", "Tom")
_ACTIONS = {
    "zh": (
        "我回答了他的问题", "帮她查了资料", "提醒了用户带伞", "和他们讨论了方案",
        "我刚才整理了清单", "安慰了这位朋友", "把文件发给了她", "总结了大家的意见",
    ),
    "en": (
        "I answered his question", "Helped her with the form", "I told them about the plan",
        "Reminded the user of the deadline", "I just now sent the list to you", "Thanked him",
    ),
}  # fmt: skip
_INFOS = {
    "zh": (
        "我{}要出差", "{}他会来这里", "她打算{}搬家", "我们{}聚餐", "我{}考试，其他人不考",
        "{}我去学吉他", "他说他{}到那边", "我{}提交本地化文档",
    ),
    "en": (
        "I will travel {}", "She will come here {}", "They plan to move {}", "We will meet {}",
        "My brother will visit me {}", "He will start his job {}",
    ),
}  # fmt: skip
_QUOTES = {
    "zh": (
        "，他说“我明天不去那边”",
        "，她在读《他山之石》",
        '，唐宁说"你来这里吧"',
        "，我爱玩我的世界",
    ),
    "en": (', he said "I am not going there tomorrow"', ', she reads "Here and Now"'),
}
_MARKED = {
    "zh": ("“我明天不去那边”", "《他山之石》", '"你来这里吧"', "我的世界"),
    "en": ('"I am not going there tomorrow"', '"Here and Now"'),
}


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.historian", description=__doc__)
    parser.add_argument("--notes", type=int, default=NOTES)
    asked = parser.parse_args(argv)
    counts: Counter[str] = Counter()
    for seed in range(asked.notes):
        counts.update(_measured(seed))
    for name in ("absolute by rules alone", "date as computed apart", "quotation unchanged"):
        of = counts[f"{name} of"]
        print(f"{name}: {counts[name]} of {of} ({100 * counts[name] / max(1, of):.1f} %)")
    return 0


def _measured(seed: int) -> Counter[str]:
    rng = random.Random(f"note:{seed}")
    lang = rng.choice(("zh", "en"))
    phrase = generated(lang, seed)
    bare = phrase.words
    place = rng.randrange(len(_QUOTES[lang])) if rng.random() < 0.3 else None
    info = rng.choice(_INFOS[lang]).format(bare)
    if place is not None:
        info += _QUOTES[lang][place]
    names = _ZH_PEOPLE if lang == "zh" else _EN_PEOPLE
    people = people_of(
        sender_id="u0",
        roster={f"u{number}": name for number, name in enumerate(names)},
        said=(),
        bot="小安" if lang == "zh" else "Wick",
        group="读书会" if lang == "zh" else "Readers",
        is_chinese=guess_language(info) is Language.CHINESE,
    )
    now = datetime.fromisoformat(phrase.reference).replace(tzinfo=UTC)
    action = rng.choice(_ACTIONS[lang])
    resolved = resolve_note(action, info, people, now, "Oslo" if lang == "en" else "杭州")
    text = resolved.joined(is_chinese=people.is_chinese)
    wording = judged(
        text,
        resolved.learnt,
        "rules",
        source=f"{action}\n{info}",
        names=(*people.names, people.bot),
    )
    counts = Counter({"absolute by rules alone of": 1, "date as computed apart of": 1})
    counts["absolute by rules alone"] += wording.is_absolute
    counts["date as computed apart"] += phrase.date in text or bare in text
    if place is not None:
        counts["quotation unchanged of"] += 1
        counts["quotation unchanged"] += _MARKED[lang][place] in text
    return counts


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
