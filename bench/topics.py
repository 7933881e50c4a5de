"""Are topics found again? Labelled conversations as topics, asked for by title and by a rare word.

`python -m bench.topics --data ../shared/data` puts every labelled thread of the chats and some
conversations of the woven and IRC chats into one group, has them summarised without a model, and
asks for each by the title a person gave it (where there is one) and by a rare word.
"""

import argparse
import asyncio
import gzip
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zlib import crc32

from bench.results import keep
from shared.domain.messages.analyser import analysed
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.topics.bursts import bursts
from shared.domain.topics.extractive_summary import extract
from shared.domain.topics.keywords import keywords_of
from shared.domain.topics.quality import measure
from shared.domain.topics.summary import EXTRACTIVE, extracted, next_summary, topic_after
from shared.domain.topics.topic import SearchMode, Topic
from shared.language import terms
from shared.stores.topics import put_summary, put_topic
from shared.stores.vectors import Vector, VectorPlan
from shared.wiring import Services
from tests.services import Clock, all_emulators, in_process

GROUP = "generic:bench"
MODES: tuple[SearchMode, ...] = ("keyword", "vector", "hybrid")
WOVEN, IRC = 90, 60
PRINTED = {"zh": 60, "en": 30}
START = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Talk:
    """`title` is what a person called it, or empty."""

    talk_id: str
    language: str
    source: str
    title: str
    lines: list[tuple[str, str]]


def talks(data: Path) -> list[Talk]:
    found: list[Talk] = []
    for path in sorted((data / "chats").glob("*.json")):
        chat = json.loads(path.read_text("utf-8"))
        threads = defaultdict(list)
        for one in chat["messages"]:
            threads[one["thread"]].append((one["user_id"], one["text"]))
        for thread, lines in threads.items():
            talk_id = f"{path.stem}-{thread}"
            title = chat["threads"][thread]
            found.append(Talk(talk_id, chat["language"], "chats", title, lines))
    found += _conversations(data / "zh_woven_dev.jsonl.gz", "zh", WOVEN)
    found += _conversations(data / "irc_dev.jsonl.gz", "en", IRC)
    return found


def _conversations(path: Path, language: str, most: int) -> list[Talk]:
    threads: dict[str, list[tuple[str, str]]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if row["annotated"] and row["kind"] != "system" and row["conversation"] is not None:
                threads[f"{row['chat']}-{row['conversation']}"].append((row["user"], row["text"]))
    long = [(key, lines) for key, lines in threads.items() if len(lines) >= 5]
    return [Talk(key, language, path.name.split("_")[0], "", lines) for key, lines in long[:most]]


def stored(talk: Talk) -> list[StoredMessage]:
    messages = []
    for number, (user, text) in enumerate(talk.lines):
        plain = StoredMessage(
            group_id=GROUP,
            message_id=f"{talk.talk_id}-{number}",
            user_id=user,
            user_name=user,
            content=text,
            create_time=START + timedelta(minutes=number),
            updated_at=START + timedelta(minutes=number),
            state=MessageState.ATTRIBUTED,
            topic_id=talk.talk_id,
        )
        features, found = analysed(plain)
        messages.append(replace(plain, features=features, terms=found))
    return messages


async def put(all_talks: list[Talk], made: Services) -> dict[str, Topic]:
    """Every topic with its summary and its two vectors, as summarize_topic would leave them."""
    first = {one.talk_id: list(keywords_of([text for _, text in one.lines])) for one in all_talks}
    topics: dict[str, Topic] = {}
    for talk in all_talks:
        messages = stored(talk)
        said = bursts(messages)
        others = [words for key, words in list(first.items())[:20] if key != talk.talk_id]
        words = keywords_of([one.content for one in said], others, {who for who, _ in talk.lines})
        digest = extracted(extract(said, words), words, said, EXTRACTIVE)
        plain = Topic(talk.talk_id, GROUP, "", "u", START, messages[-1].create_time)
        summary = next_summary(
            plain, None, None, messages, digest, measure(digest.content, said),
            most_worse=1.0, now=START,
        )  # fmt: skip
        topic = topic_after(plain, summary, digest, len(messages), START)
        topics[talk.talk_id] = replace(topic, is_active=False)
        await made.topics.apply([put_topic(topics[talk.talk_id]), put_summary(summary)])
        embedded = await made.embedder.embed(
            [f"{summary.title}\n{summary.content}", *(one.content for one in messages)],
            group_id=GROUP,
            budget_s=60,
        )
        own, *rest = [list(one) for one in embedded if one is not None]
        mean = [sum(column) / len(rest) for column in zip(*rest, strict=True)]
        await made.vectors.apply(
            GROUP,
            VectorPlan(
                [
                    Vector("summary", talk.talk_id, own, 1, START),
                    Vector("topic", talk.talk_id, mean, 1, START),
                ]
            ),
        )
    return topics


def questions(all_talks: list[Talk]) -> Iterable[tuple[str, str, str, str]]:
    """(kind, language, what is asked, whose topic)."""
    frequency = Counter(term for talk in all_talks for term in _terms(talk))
    for talk in all_talks:
        if talk.title:
            yield "title", talk.language, talk.title, talk.talk_id
        rare = [one for one in _terms(talk) if frequency[one] == 1 and len(one) > 1]
        if rare:
            yield "rare word", talk.language, max(rare, key=_chance), talk.talk_id


def _chance(word: str) -> int:
    """Any of them, the same one every time."""
    return crc32(word.encode())


def _terms(talk: Talk) -> set[str]:
    return {term for _, text in talk.lines for term in terms(text) if not term.isdigit()}


async def run(data: Path, *, prints_titles: bool = False) -> str:
    all_talks = talks(data)
    hits: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, all_emulators(Path(folder)) as running:
        async with in_process(running.told, Clock()) as made:
            topics = await put(all_talks, made)
            if prints_titles:
                print("\n".join(_titles(all_talks, topics)))
            for kind, language, asked, talk_id in questions(all_talks):
                for mode in MODES:
                    found = await made.topic_search.find(GROUP, asked, mode=mode, limit=5)
                    ids = [one.topic.topic_id for one in found]
                    place = ids.index(talk_id) + 1 if talk_id in ids else 0
                    hits[kind, language, mode].append(place)
    lines = [f"{len(all_talks)} topics, asked for by title and by a rare word", ""]
    lines.append(f"{'asked by':10} {'lang':4} {'mode':8} {'asked':>5} {'at 1':>6} {'at 5':>6}")
    for (kind, language, searched), places in sorted(hits.items()):
        first = sum(place == 1 for place in places) / len(places)
        five = sum(place > 0 for place in places) / len(places)
        lines.append(
            f"{kind:10} {language:4} {searched:8} {len(places):5} {first:6.1%} {five:6.1%}"
        )
    return "\n".join(lines)


def _titles(all_talks: list[Talk], topics: dict[str, Topic]) -> Iterable[str]:
    """For a person to read beside the talk; never kept, as the chats are not ours."""
    for language, most in PRINTED.items():
        public = [one for one in all_talks if one.source != "chats" and one.language == language]
        for talk in public[:most]:
            topic = topics[talk.talk_id]
            yield f"{talk.source:6} {topic.title} | {', '.join(topic.keywords)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument(
        "--titles", action="store_true", help="print titles and keywords of 60 zh and 30 en topics"
    )
    asked = parser.parse_args()
    table = asyncio.run(run(asked.data, prints_titles=asked.titles))
    print(keep("topics", "python -m bench.topics", table))


if __name__ == "__main__":
    main()
