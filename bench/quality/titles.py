"""Whether opening titles and keywords are about what a person says the talk is about.

    python -m bench.quality titles [--in FILE ...] [--shown]

Every labelled thread is one topic, told without a model. Counted: titles, and lists of keywords,
that share a content word with the title a person gave the thread (a stem in English, two
characters on end in Chinese). Without `--in`, the chats of `bench/chats`.
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from shared.domain.topics.keywords import keywords_of, title_from

CHATS = Path(__file__).parents[1] / "chats"
OTHERS = 20
"""As many other topics of the group as summarize_topic compares with."""
_STOP_WORDS = """
    the a an and or of to in on at for with from by is are was were be who what how when where why
    it its this that these those our my your his her their we i you he she they them us me not no
    new old about up out off over into
"""
_STOPS = frozenset(_STOP_WORDS.split())


def stems(title: str) -> set[str]:
    found = set()
    for written in re.findall(r"[a-z][a-z'-]+", title.lower().replace("’", "'")):
        word = written.removesuffix("'s")
        found |= {_stem(one) for one in (word, *word.split("-")) if one not in _STOPS}
    for run in re.findall(r"[\u3400-\u9fff]+", title):
        found |= {run[place : place + 2] for place in range(len(run) - 1)}
    return {one for one in found if len(one) > 1}


def _stem(word: str) -> str:
    word = word.removesuffix("s") if len(word) > 3 else word
    return re.sub(r"(?:ing|ed|er|e)$", "", word) if len(word) > 4 else word


def titled(path: Path) -> Iterator[tuple[str, str, list[str]]]:
    """(the person's title, ours, our keywords) of every thread of two lines and more."""
    chat = json.loads(path.read_text("utf-8"))
    names = {one["name"] for one in chat["members"] if one.get("name")}
    threads = defaultdict(list)
    for one in chat["messages"]:
        threads[one["thread"]].append(one["text"])
    first = {thread: list(keywords_of(lines)) for thread, lines in threads.items()}
    for thread, lines in threads.items():
        if len(lines) < 2 or thread not in chat["threads"]:
            continue
        others = [words for key, words in first.items() if key != thread][:OTHERS]
        words = keywords_of(lines, others, names)
        yield chat["threads"][thread], title_from(lines[0]), list(words)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.quality titles", description=__doc__)
    parser.add_argument("--in", dest="sources", type=Path, nargs="*")
    parser.add_argument(
        "--shown", action="store_true", help="print every title beside the person's"
    )
    asked = parser.parse_args(argv)
    threads = titles = lists = 0
    for path in asked.sources or sorted(CHATS.glob("*.json")):
        for wanted, title, words in titled(path):
            is_hit = bool(stems(wanted) & stems(title))
            threads += 1
            titles += is_hit
            lists += any(stems(wanted) & stems(word) for word in words)
            if asked.shown:
                print(f"{'+' if is_hit else '-'} {wanted} | {title} | {', '.join(words)}")
    print(f"{threads} threads, {titles} titles and {lists} lists of keywords share a word")
    return 0
