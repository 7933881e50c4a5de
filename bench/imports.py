"""Chat histories brought along by a command that is killed three times on the way: `--messages` of
each format, counted in the end. None may be missing, none twice, and the same file once more
changes nothing."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.results import keep
from tests.local_cloud import LocalCloud
from tests.project import ROOT

START = datetime(2025, 1, 1, tzinfo=UTC)
PEOPLE = ("Ada", "小满", "Jun")
KILLS = 3
COMMAND = "from annals.command import main; main()"


def talk(count: int) -> Iterator[tuple[int, datetime, int, str]]:
    """Number, time, person, words; some lines come twice in one second, as chats have them."""
    for number in range(count):
        words = "ha" if number % 50 < 2 else f"line {number} about the boat"
        yield number, START + timedelta(seconds=20 * (number // 2)), number % 3, words


def chatlab(count: int, path: Path) -> Path:
    messages = [
        {"sender": f"u{who}", "timestamp": int(at.timestamp()), "type": 0, "content": words}
        for _, at, who, words in talk(count)
    ]
    people = [{"platformId": f"u{n}", "accountName": one} for n, one in enumerate(PEOPLE)]
    meta = {"name": "Crew", "platform": "qq", "type": "group"}
    whole = {"chatlab": {"version": "0.0.2"}, "meta": meta, "members": people}
    return _json(path, {**whole, "messages": messages})


def qq(count: int, path: Path) -> Path:
    messages = [
        {
            "id": f"q{number}",
            "timestamp": int(at.timestamp() * 1000),
            "sender": {"uin": f"u{who}", "name": PEOPLE[who]},
            "content": {"text": words, "elements": []},
        }
        for number, at, who, words in talk(count)
    ]
    return _json(path, {"metadata": {}, "chatInfo": {"name": "Crew"}, "messages": messages})


def telegram(count: int, path: Path) -> Path:
    messages = [
        {
            "id": number,
            "type": "message",
            "date_unixtime": str(int(at.timestamp())),
            "from": PEOPLE[who],
            "from_id": f"user{who}",
            "text": words,
        }
        for number, at, who, words in talk(count)
    ]
    whole = {"name": "Crew", "type": "private_group", "id": 1, "messages": messages}
    return _json(path, whole)


def discord(count: int, path: Path) -> Path:
    messages = [
        {
            "id": f"d{number}",
            "type": "Default",
            "timestamp": at.isoformat(),
            "content": words,
            "author": {"id": f"u{who}", "name": PEOPLE[who], "isBot": False},
        }
        for number, at, who, words in talk(count)
    ]
    return _json(path, {"guild": {}, "channel": {"name": "Crew"}, "messages": messages})


def slack(count: int, path: Path) -> Path:
    rows = [
        {
            "type": "message",
            "user": f"u{who}",
            "ts": f"{int(at.timestamp())}.{number % 2:06}",
            "text": words,
        }
        for number, at, who, words in talk(count)
    ]
    people = [{"id": f"u{n}", "profile": {"display_name": one}} for n, one in enumerate(PEOPLE)]
    target = path.with_suffix(".zip")
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("users.json", json.dumps(people))
        archive.writestr("channels.json", "[]")
        archive.writestr("Crew/2025-01-01.json", json.dumps(rows))
    return target


def lines(count: int, path: Path) -> Path:
    rows = [
        {
            "user_id": f"u{who}",
            "user_name": PEOPLE[who],
            "content": words,
            "create_time": at.isoformat(),
        }
        for _, at, who, words in talk(count)
    ]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def _json(path: Path, whole: dict[str, Any]) -> Path:
    path.write_text(json.dumps(whole), "utf-8")
    return path


FORMATS: dict[str, Callable[[int, Path], Path]] = {
    "ChatLab": chatlab,
    "QQ": qq,
    "Telegram": telegram,
    "Discord": discord,
    "Slack": slack,
    "JSON lines": lines,
}


class Importing:
    """`annals import` of one file into one group, as a process."""

    def __init__(self, cloud: LocalCloud, group_id: str, path: Path) -> None:
        self._cloud = cloud
        self._group_id = group_id
        self._command = [sys.executable, "-c", COMMAND, "-o", "json", "import", group_id]
        self._command += [str(path), "--yes"]
        self._variables = {
            **os.environ,
            "PYTHONPATH": str(ROOT / "clients" / "python"),
            "ANNALS_URL": cloud.told["base"],
            "ANNALS_KEY": cloud.told["key"],
        }

    def stored(self) -> int:
        path = f"/summarize_topic/groups/{self._group_id}/messages?limit=1"
        answer = self._cloud.call("GET", path)
        return int(answer.json()["total"]) if answer.is_success else 0

    def killed_at(self, count: int) -> int:
        """Started, and killed as soon as so many are stored; how many there are then."""
        process = subprocess.Popen(
            self._command, env=self._variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while process.poll() is None and self.stored() < count:
            time.sleep(0.02)
        process.kill()
        process.wait()
        return self.stored()

    def whole(self) -> dict[str, int]:
        done = subprocess.run(
            self._command, env=self._variables, capture_output=True, text=True, check=True
        )
        told = json.loads(done.stdout)
        return {name: told[name] for name in ("stored", "duplicate") if name in told}


def measured(cloud: LocalCloud, name: str, count: int, folder: Path) -> tuple[str, bool]:
    path = FORMATS[name](count, folder / name.replace(" ", "-"))
    group_id = f"import:{name.replace(' ', '-').lower()}"
    importing = Importing(cloud, group_id, path)
    began = time.monotonic()
    cuts = [importing.killed_at(count * (kill + 1) // (KILLS + 1)) for kill in range(KILLS)]
    importing.whole()
    took = time.monotonic() - began
    total = importing.stored()
    again = importing.whole()
    is_right = total == count == importing.stored() and again == {"duplicate": count}
    line = f"{name:<12} {count:>7}  killed at {cuts}  {total:>7} stored  {took:6.1f} s"
    return (
        f"{line}  {'the same file again changed nothing' if is_right else f'WRONG: {again}'}",
        is_right,
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.imports", description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--formats", nargs="+", choices=list(FORMATS), default=list(FORMATS))
    args = parser.parse_args()
    told: list[str] = []
    right = True
    with tempfile.TemporaryDirectory(prefix="annals-imports-") as scratch:
        cloud = LocalCloud(Path(scratch) / "data").start()
        try:
            for name in args.formats:
                line, is_right = measured(cloud, name, args.messages, Path(scratch))
                print(line, flush=True)
                told.append(line)
                right = right and is_right
        finally:
            cloud.close()
    keep("imports", f"python -m bench.imports --messages {args.messages}", "\n".join(told))
    return 0 if right else 1


if __name__ == "__main__":
    raise SystemExit(main())
