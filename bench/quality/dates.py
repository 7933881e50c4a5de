"""How many words of time are read as the days they mean, in each language.

    python -m bench.quality dates --in FILE --out FILE [--data DIR]

FILE holds one case a line: `{lang, input, reference, dates: [accepted]}`; without the last there
is no score.
Out comes `{lang, input, reference, dates}` with the days found, in the order of the text.
Without `--in`, DIR/dates.jsonl is read and scored beside 1,000 generated phrases a language, whose
dates another arithmetic computes.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from bench.quality.date_phrases import generated
from shared.language.times.reading import read

GENERATED = 1000
"""Phrases a language, as many as the target is stated for."""


def found_dates(text: str, reference: str, lang: str) -> list[str]:
    """The first day of every time the text names. Days of the lunar calendar are given in its own
    numbers, and a date that does not exist as 0001-01-01, as the data has them."""
    found = read(text, datetime.fromisoformat(reference), in_chinese_chat=lang == "zh")
    return [named.first.isoformat() for named in found]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.quality dates", description=__doc__)
    parser.add_argument("--in", dest="source", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--data", type=Path)
    asked = parser.parse_args(argv)
    source = asked.source or (asked.data / "dates.jsonl" if asked.data else None)
    if source is not None:
        cases = [json.loads(line) for line in source.read_text("utf-8").splitlines() if line]
        answers = [
            {
                "lang": case["lang"],
                "input": case["input"],
                "reference": case["reference"],
                "dates": found_dates(case["input"], case["reference"], case["lang"]),
            }
            for case in cases
        ]
        if asked.out:
            lines = (json.dumps(answer, ensure_ascii=False) for answer in answers)
            asked.out.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        _report(
            "given",
            ((answer, case.get("dates")) for answer, case in zip(answers, cases, strict=True)),
        )
    if asked.source is None:
        for lang in ("en", "zh"):
            _report("generated", (_generated_case(lang, seed) for seed in range(GENERATED)))
    return 0


def _generated_case(lang: str, seed: int) -> tuple[dict[str, object], list[str]]:
    phrase = generated(lang, seed)
    found = found_dates(phrase.text, phrase.reference, lang)
    return {"lang": lang, "dates": found}, [phrase.date]


def _report(name: str, pairs: Iterable[tuple[dict[str, object], list[str] | None]]) -> None:
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for answer, accepted in pairs:
        if accepted is None:
            continue
        lang, dates = str(answer["lang"]), answer["dates"]
        assert isinstance(dates, list)
        total[lang] += 1
        right[lang] += any(date in accepted for date in dates)
    for lang in sorted(total):
        share = 100 * right[lang] / total[lang]
        print(f"dates {name} {lang}: {right[lang]} of {total[lang]} ({share:.1f} %)")
