"""The outcomes of a run as one table, one JSON object, and a comparison with the run before."""

import json
import statistics
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.prompts.asking import CORRECTED, FAILED, REPAIRED, STRICT, Outcome
from bench.prompts.cases import Case
from bench.prompts.judging import checks_of
from shared.contracts.replies import REPLIES
from shared.language import estimate_tokens
from shared.prompts.library import file_prompt

PRICES = Path(__file__).parent / "prices.toml"
MILLION = 1_000_000
HEAD = (
    "| prompt | cases | score | held back | silent | all right | valid at once | + repair "
    "| + asked again | prompt | in | out | median s | p95 s | $ / 1,000 |"
)
"""`silent` is what a reply with nothing in it scores; `prompt` are the tokens of the prompt itself,
`in` and `out` those of a case."""
MOVED = 0.005
"""A difference below half a point is not shown."""


def report_of(outcomes: Sequence[Outcome], model: str) -> dict[str, Any]:
    by_prompt: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        by_prompt[one.case.prompt_id].append(one)
    return {
        "model": model,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "prompts": {
            prompt_id: _row(by_prompt[prompt_id], model)
            for prompt_id in REPLIES
            if prompt_id in by_prompt
        },
        "tags": _by_tag(outcomes),
        "cases": {
            one.case.case_id: {
                "score": round(one.score, 3),
                "how": one.how,
                "wrong": [
                    f"{check.name}: {check.detail}" for check in one.checks if not check.is_right
                ]
                or ([one.problem] if one.problem else []),
            }
            for one in outcomes
        },
    }


def _row(outcomes: Sequence[Outcome], model: str) -> dict[str, Any]:
    hows = Counter(one.how for one in outcomes)
    count = len(outcomes)
    held = [one.score for one in outcomes if one.case.is_held_back]
    shown = [one.score for one in outcomes if not one.case.is_held_back]
    seconds = sorted(sum(one.tape.seconds) for one in outcomes)
    tokens_in = sum(one.tape.prompt_tokens for one in outcomes) / count
    tokens_out = sum(one.tape.completion_tokens for one in outcomes) / count
    rates: dict[str, list[bool]] = defaultdict(list)
    for one in outcomes:
        for check in one.checks:
            rates[check.name].append(check.is_right)
    return {
        "prompt_hash": file_prompt(outcomes[0].case.prompt_id).hash,
        "cases": count,
        "score": round(statistics.fmean(one.score for one in outcomes), 3),
        "held_back": round(statistics.fmean(held), 3) if held else None,
        "seen": round(statistics.fmean(shown), 3) if shown else None,
        "silent": _silent([one.case for one in outcomes]),
        "all_right": round(sum(one.score == 1 for one in outcomes) / count, 3),
        "at_once": round(hows[STRICT] / count, 3),
        "after_repair": round((hows[STRICT] + hows[REPAIRED]) / count, 3),
        "after_correction": round((count - hows[FAILED]) / count, 3),
        "corrected": hows[CORRECTED],
        "failed": hows[FAILED],
        "prompt_tokens": estimate_tokens(outcomes[0].tape.system),
        "tokens_in": round(tokens_in),
        "tokens_out": round(tokens_out),
        "seconds_median": round(statistics.median(seconds), 3),
        "seconds_p95": round(seconds[min(count - 1, round(count * 0.95))], 3),
        "usd_per_1000": cost(model, tokens_in * 1000, tokens_out * 1000),
        "rates": {name: {"right": sum(found), "of": len(found)} for name, found in rates.items()},
    }


def _silent(cases: Sequence[Case]) -> float | None:
    """What a model would score that never says anything, where the prompt allows for that: half
    of some sets is made of what must not be taken."""
    reply_type = REPLIES[cases[0].prompt_id]
    needed = [name for name, field in reply_type.model_fields.items() if field.is_required()]
    empty, _ = reply_type.check({name: [] for name in needed or reply_type.model_fields})
    if empty is None:
        return None
    scores = []
    for case in cases:
        checks = checks_of(case, empty)
        scores.append(sum(one.is_right for one in checks) / len(checks) if checks else 0.0)
    return round(statistics.fmean(scores), 3)


def _by_tag(outcomes: Sequence[Outcome]) -> dict[str, dict[str, Any]]:
    scores: dict[str, list[float]] = defaultdict(list)
    for one in outcomes:
        for tag in (one.case.language, *one.case.tags):
            scores[tag].append(one.score)
    return {
        tag: {"cases": len(found), "score": round(statistics.fmean(found), 3)}
        for tag, found in sorted(scores.items())
    }


def cost(model: str, tokens_in: float, tokens_out: float) -> float | None:
    """In dollars by the table of prices; None for a model that is not on it."""
    prices: Mapping[str, Any] = tomllib.loads(PRICES.read_text(encoding="utf-8"))["usd_per_million"]
    if model not in prices:
        return None
    price_in, price_out = (float(price) for price in prices[model])
    return round((tokens_in * price_in + tokens_out * price_out) / MILLION, 4)


def table(report: Mapping[str, Any]) -> str:
    """Markdown: a row a prompt, then the rates behind each score, then the hard ones."""
    lines = [
        f"Model `{report['model']}`, {report['date']}.",
        "",
        HEAD,
        "|---" + "|--:" * 14 + "|",
    ]
    for prompt_id, row in report["prompts"].items():
        dollars = "" if row["usd_per_1000"] is None else f"{row['usd_per_1000']:.2f}"
        silent = "" if row["silent"] is None else f"{row['silent']:.2f}"
        held = "" if row["held_back"] is None else f"{row['held_back']:.2f}"
        lines.append(
            f"| {prompt_id} | {row['cases']} | {row['score']:.2f} | {held} | {silent} "
            f"| {row['all_right']:.0%} | {row['at_once']:.0%} | {row['after_repair']:.0%} "
            f"| {row['after_correction']:.0%} | {row['prompt_tokens']} | {row['tokens_in']} "
            f"| {row['tokens_out']} | {row['seconds_median']:.2f} | {row['seconds_p95']:.2f} "
            f"| {dollars} |"
        )
    lines += ["", "| prompt | what holds, of how many |", "|---|---|"]
    for prompt_id, row in report["prompts"].items():
        rates = [
            f"{name} {rate['right'] / rate['of']:.2f} ({rate['of']})"
            for name, rate in row["rates"].items()
        ]
        lines.append(f"| {prompt_id} | {', '.join(rates)} |")
    tags = [
        f"{tag} {found['score']:.2f} ({found['cases']})" for tag, found in report["tags"].items()
    ]
    lines += ["", f"By kind of case: {', '.join(tags)}."]
    return "\n".join(lines)


def difference(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Rows and cases that moved since the run before; of another model too, for comparison."""
    lines = [f"Against {before['model']}, {before['date']}:"]
    for prompt_id, row in now["prompts"].items():
        old = before["prompts"].get(prompt_id)
        if old is None:
            continue
        moved = row["score"] - old["score"]
        cheaper = row["prompt_tokens"] - old["prompt_tokens"]
        if abs(moved) >= MOVED or cheaper:
            lines.append(
                f"  {prompt_id}: score {old['score']:.3f} -> {row['score']:.3f} ({moved:+.3f}), "
                f"prompt {old['prompt_tokens']} -> {row['prompt_tokens']} tokens"
            )
    for case_id, found in now["cases"].items():
        old = before["cases"].get(case_id)
        if old is not None and abs(found["score"] - old["score"]) >= MOVED:
            lines.append(f"    {case_id}: {old['score']:.2f} -> {found['score']:.2f}")
    return "\n".join(lines if len(lines) > 1 else [*lines, "  nothing moved"])


def shown(outcome: Outcome, question: Mapping[str, Any]) -> str:
    """One case in full: what was asked, what was said, what holds."""
    said = [f"--- reply {n}\n{text}" for n, text in enumerate(outcome.tape.texts, 1)]
    checks = [
        f"  {'ok   ' if one.is_right else 'WRONG'} {one.name}"
        + ("" if one.is_right else f": {one.detail}")
        for one in outcome.checks
    ]
    return "\n".join(
        [
            f"=== {outcome.case.case_id} ({outcome.case.language}, {', '.join(outcome.case.tags)})",
            "--- prompt",
            outcome.tape.system,
            "--- question",
            json.dumps(question, ensure_ascii=False, indent=2),
            *said,
            f"--- {outcome.how}, score {outcome.score:.2f} {outcome.problem}",
            *checks,
        ]
    )
