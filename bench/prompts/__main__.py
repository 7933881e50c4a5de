"""`python -m bench.prompts [PROMPT ...]`: how well the prompts work on a model.

Without OPENAI_BASE_URL and OPENAI_API_KEY the emulator's `annals-rules` is asked, which is no
language model: its row shows what the rules can do. `--prompt ID=FILE` tries another text;
`--show CASE` prints a case in full; `--judge MODEL` lets another model judge too, apart.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.prompts.asking import Examiner, Outcome
from bench.prompts.cases import Case, cases
from bench.prompts.model_judge import second_opinion
from bench.prompts.questions import question_of
from bench.prompts.report import cost, difference, report_of, shown, table
from bench.results import keep
from infra.emulators.testing import emulators
from shared.contracts.replies import REPLIES
from shared.contracts.reply_reading import shape_text
from shared.language import estimate_tokens
from shared.prompts.library import file_prompt

RULES = "annals-rules"
AT_ONCE = 4
"""Enough for a service far away, and few enough for the limits of a new key."""
REPLY_TOKENS = 200
"""Of one reply, for the forecast: the mean of the prompts on models that were asked."""
RUNS = Path(".annals") / "prompts"
"""Where the JSON of each run stays, by model; not part of the repository."""


@contextmanager
def _server() -> Iterator[tuple[str, str]]:
    """The one that the environment names, or the emulator."""
    key = os.environ.get("OPENAI_API_KEY")
    if key:
        yield os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1", key
        return
    with (
        tempfile.TemporaryDirectory() as data,
        emulators(["openai"], Path(data)) as running,
    ):
        yield running.told["OPENAI_BASE_URL"], "a development key"


def _arguments(argv: list[str]) -> argparse.Namespace:
    found = argparse.ArgumentParser(prog="bench.prompts", description=__doc__)
    found.add_argument("prompts", nargs="*", default=list(REPLIES), metavar="PROMPT")
    found.add_argument("--model", default=os.environ.get("MODEL") or RULES)
    found.add_argument("--prompt", action="append", default=[], metavar="ID=FILE")
    found.add_argument("--show", metavar="CASE", help="one case in full, by its whole name")
    found.add_argument("--judge", metavar="MODEL", help="a second opinion, reported apart")
    found.add_argument("--limit", type=int, help="so many cases a prompt")
    found.add_argument("--at-once", type=int, default=AT_ONCE)
    found.add_argument("--reply-tokens", type=int, help="as MEMORY_MODEL_REPLY_TOKENS")
    found.add_argument("--json", type=Path, help="where the run is kept")
    found.add_argument("--against", type=Path, help="the run to compare with; else the last one")
    found.add_argument("--keep", action="store_true", help="leave the table in bench/results")
    arguments = found.parse_args(argv)
    if arguments.model == RULES and os.environ.get("OPENAI_API_KEY"):
        found.error("OPENAI_API_KEY is set: say which MODEL to ask")
    if arguments.model != RULES and not os.environ.get("OPENAI_API_KEY"):
        found.error(f"OPENAI_API_KEY is not set: {arguments.model} cannot be asked")
    unknown = set(arguments.prompts) - set(REPLIES)
    if unknown:
        found.error(f"no such prompt: {', '.join(sorted(unknown))}; there are {', '.join(REPLIES)}")
    return arguments


def _texts(pairs: list[str]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        prompt_id, _, path = pair.partition("=")
        found[prompt_id] = Path(path).read_text(encoding="utf-8")
    return found


async def _asked(
    arguments: argparse.Namespace, chosen: list[Case], base_url: str, key: str
) -> list[Outcome]:
    examiner = Examiner(
        base_url,
        key,
        arguments.model,
        prompts=_texts(arguments.prompt),
        reply_tokens=arguments.reply_tokens,
    )
    outcomes: list[Outcome] = []
    try:
        for prompt_id in dict.fromkeys(case.prompt_id for case in chosen):
            own = [case for case in chosen if case.prompt_id == prompt_id]
            outcomes += await examiner.examine(own, arguments.at_once)
            print(f"{prompt_id}: {len(own)} cases", file=sys.stderr, flush=True)
    finally:
        await examiner.close()
    return outcomes


def forecast(model: str, chosen: list[Case]) -> str:
    """What asking them will take, told before it begins; a correction asks again."""
    filled = {
        prompt_id: estimate_tokens(
            file_prompt(prompt_id).fill(reply_shape=shape_text(REPLIES[prompt_id]))
        )
        for prompt_id in {case.prompt_id for case in chosen}
    }
    questions = (json.dumps(question_of(case), ensure_ascii=False) for case in chosen)
    tokens_in = sum(filled[case.prompt_id] for case in chosen)
    tokens_in += sum(map(estimate_tokens, questions))
    tokens_out = REPLY_TOKENS * len(chosen)
    dollars = cost(model, tokens_in, tokens_out)
    price = "its price is not known here" if dollars is None else f"about ${dollars:.2f}"
    return (
        f"{len(chosen)} calls of {model}: some {tokens_in:,} tokens in and {tokens_out:,} out, "
        f"{price}"
    )


def _run(arguments: argparse.Namespace, base_url: str, key: str) -> int:
    wanted = [arguments.show.split("/")[0]] if arguments.show else arguments.prompts
    chosen = [
        case
        for prompt_id in wanted
        for case in cases([prompt_id])[: arguments.limit]
        if not arguments.show or case.case_id == arguments.show
    ]
    if not chosen:
        print(f"no such case: {arguments.show}", file=sys.stderr)
        return 2
    print(forecast(arguments.model, chosen), file=sys.stderr, flush=True)
    outcomes = asyncio.run(_asked(arguments, chosen, base_url, key))
    if arguments.show:
        print(shown(outcomes[0], question_of(outcomes[0].case)))
        return 0
    report = report_of(outcomes, arguments.model)
    page = table(report)
    print(page)
    if arguments.judge:
        opinion = asyncio.run(second_opinion(outcomes, base_url, key, arguments.judge))
        report["judge"] = opinion
        print(f"\nJudged by {arguments.judge}, which no score above knows of: {opinion}")
    is_whole = set(wanted) == set(REPLIES) and not arguments.limit and not arguments.prompt
    file: Path = arguments.json or RUNS / f"{arguments.model.replace('/', '_')}.json"
    last = arguments.against or file
    if last.exists():
        print("\n" + difference(json.loads(last.read_text(encoding="utf-8")), report))
    if is_whole or arguments.json:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(report, ensure_ascii=False, indent=1), encoding="utf-8")
        print(f"\nkept in {file}")
    if arguments.keep:
        keep("prompts", f"python -m bench.prompts --model {arguments.model}", page)
    return 0


def main(argv: list[str]) -> int:
    arguments = _arguments(argv)
    with _server() as (base_url, key):
        return _run(arguments, base_url, key)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
