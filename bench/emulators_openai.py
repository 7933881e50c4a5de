"""How fast the OpenAI emulator encodes and answers: `python -m bench.emulators_openai`.

Texts are seeded, half Chinese and half English, of about twenty tokens. On a busy machine the
rate per second of the server's own CPU time says more than the rate per second of the clock; both
are given. `measure` is the part that other benches call.
"""

import json
import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import psutil
from openai import OpenAI

from infra.emulators.testing import Emulators

LEAST_RATE = 300
"""Sentences a second in batches that are good enough."""
BATCH = 512
_ENGLISH = (
    "harbour ferry lamp copper violin market winter engine garden letter we will meet about the "
    "old new before after every friday and then with our friends budget train coffee release"
)
_CHINESE = (
    "我们 大家 每周 晚上 一起 讨论 港口 渡轮 项目 会议 咖啡 火车 周末 爬山 照片 预算 发布 朋友 "
    "今天 下午 时间 地点 问题 计划 的 了 在 和 去 吧"
)


def measure(batches: int = 5, singles: int = 60) -> dict[str, Any]:
    """Start-up, memory, sentences a second, and milliseconds of single calls, idle and busy."""
    with tempfile.TemporaryDirectory(prefix="annals-bench-") as folder:
        emulator = Emulators(["openai"], Path(folder))
        began = time.perf_counter()
        emulator.start()
        ready = time.perf_counter() - began
        try:
            with OpenAI(base_url=emulator.told["OPENAI_BASE_URL"], api_key="bench") as client:
                client.embeddings.create(model="usem3", input="hello")
                first_vector = time.perf_counter() - began
                process = psutil.Process(emulator.told["pids"]["openai"])
                return {
                    "start_seconds": round(ready, 2),
                    "first_vector_seconds": round(first_vector, 2),
                    "idle_rss_mb": _rss_mb(process),
                    **_throughput(client, process, batches),
                    **_latency(client, singles),
                    "busy_rss_mb": _rss_mb(process),
                }
        finally:
            emulator.stop()


def _throughput(client: OpenAI, process: psutil.Process, batches: int) -> dict[str, Any]:
    rates, per_cpu, tokens = [], [], 0
    for number in range(batches + 1):
        texts = _texts(number, BATCH)
        cpu, began = _cpu_seconds(process), time.perf_counter()
        answer = client.embeddings.create(model="usem3", input=texts)
        if number:  # the first batch warms up
            rates.append(BATCH / (time.perf_counter() - began))
            per_cpu.append(BATCH / (_cpu_seconds(process) - cpu))
            tokens += answer.usage.total_tokens
    return {
        "tokens_a_sentence": round(tokens / (batches * BATCH), 1),
        "sentences_a_second": round(statistics.median(rates)),
        "sentences_a_cpu_second": round(statistics.median(per_cpu)),
    }


def _latency(client: OpenAI, singles: int) -> dict[str, Any]:
    idle = {"embed": _embed_ms(client, singles), "chat": _chat_ms(client, singles)}
    loading = threading.Thread(target=_load, args=(client,))
    loading.start()
    busy: dict[str, list[float]] = {"embed": [], "chat": []}
    while loading.is_alive():
        busy["embed"] += _embed_ms(client, 1)
        busy["chat"] += _chat_ms(client, 1)
    return {
        f"{name}_ms_{state}": {
            "median": round(statistics.median(times), 1),
            "p95": round(sorted(times)[int(len(times) * 0.95)], 1),
        }
        for state, measured in (("idle", idle), ("while_encoding_a_batch", busy))
        for name, times in measured.items()
    }


def _load(client: OpenAI) -> None:
    client.embeddings.create(model="usem3", input=_texts(99, 2048))


def _embed_ms(client: OpenAI, calls: int) -> list[float]:
    return [
        _timed(lambda text=text: client.embeddings.create(model="usem3", input=text))
        for text in _texts(7, calls)
    ]


def _chat_ms(client: OpenAI, calls: int) -> list[float]:
    note = {
        "prompt": "note_rewrite",
        "action_summary": "I answered her question about yesterday",
        "new_info": "She will move to Porto next Friday",
        "time": "2026-03-20T10:00:00Z",
        "sender": {"user_id": "u", "user_name": "Ida"},
    }
    return [
        _timed(
            lambda: client.chat.completions.create(
                model="annals-rules", messages=[{"role": "user", "content": json.dumps(note)}]
            )
        )
        for _ in range(calls)
    ]


def _timed(call: Any) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def _texts(seed: int, count: int) -> list[str]:
    dice = random.Random(seed)
    english, chinese = _ENGLISH.split(), _CHINESE.split()
    return [
        "".join(dice.choices(chinese, k=12))
        if number % 2
        else " ".join(dice.choices(english, k=18))
        for number in range(count)
    ]


def _cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _rss_mb(process: psutil.Process) -> int:
    return round(process.memory_info().rss / 1e6)


def main() -> int:
    measured = measure()
    print(json.dumps(measured, indent=2))
    enough = measured["sentences_a_second"] >= LEAST_RATE
    print(f"at least {LEAST_RATE} sentences a second: {'yes' if enough else 'no'}")
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
