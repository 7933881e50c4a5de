"""What the local cloud says when it is up: to who started it, and to programs, in a file."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from infra.secrets import secrets_file

STAND_IN = "annals-rules"
"""The emulator's chat model: plain rules that answer the product's prompts."""


def announcement(
    base: str, key: str, data: Path, functions: Sequence[str], model: str | None = None
) -> str:
    """`data` as it was named by who started it; `model` is the chat model, if it is a real one."""
    if model is None:
        model = f"{STAND_IN}, a stand-in; set OPENAI_BASE_URL and MEMORY_MODEL for a real one"
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"""
Annals is running at {base} (data in {data}; Ctrl-C stops it, nothing is lost).

  functions   {", ".join(f"/{name}" for name in functions)}
  your key    {key}
  chat model  {model}
  secrets     for webhooks of platforms: {secrets_file(data)}

Say something, wait a few seconds, then ask for the context of a reply:

  curl -s {base}/ingest_message/messages -H 'Authorization: Bearer {key}' \\
    -H 'Content-Type: application/json' -d '{{"group_id": "demo:1", "message_id": "m1",
    "user_id": "u1", "user_name": "Ada", "content": "Shall we ship on Friday?",
    "role": "user", "create_time": "{now}"}}'

  curl -s {base}/build_context/context -H 'Authorization: Bearer {key}' \\
    -H 'Content-Type: application/json' -d '{{"group_id": "demo:1", "message": "When?"}}'

Every route is described at {base}/<function>/docs
"""


def write_ready_file(
    path: Path, base: str, held: Mapping[str, Any], endpoints: Mapping[str, Any]
) -> None:
    """In one step, so that a reader never sees half of it."""
    told = {"base": base, "key": held["key"], "endpoints": endpoints, "secrets": held["secrets"]}
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".draft")
    draft.write_text(json.dumps(told, indent=2) + "\n")
    draft.replace(path)
