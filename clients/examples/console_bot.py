"""A bot on the console whose memory outlives it: tell it something, stop it, start it, ask.

Needs `pip install annals-client`; in the environment ANNALS_URL and ANNALS_KEY (`make run` prints
both), and OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL of any server that speaks OpenAI's
chat completions.
"""

import os
from collections.abc import Iterator
from typing import Any

import httpx

from annals import Annals

GROUP = os.environ.get("ANNALS_GROUP", "console:home")
NAME = os.environ.get("USER", "you")
CHARACTER = "You are a friendly companion. Answer in one or two sentences, in the user's language."


def said_by(user_id: str, text: str, role: str = "user") -> dict[str, Any]:
    line = {"group_id": GROUP, "user_id": user_id, "user_name": user_id, "audience": "private"}
    return {**line, "content": text, "role": role}


def ask_model(messages: list[dict[str, Any]]) -> str:
    answer = httpx.post(
        f"{os.environ['OPENAI_BASE_URL'].rstrip('/')}/chat/completions",
        headers={"Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', 'none')}"},
        json={"model": os.environ.get("OPENAI_MODEL", "gpt-5-mini"), "messages": messages},
        timeout=60,
    )
    return str(answer.raise_for_status().json()["choices"][0]["message"]["content"])


def lines() -> Iterator[str]:
    try:
        while line := input(f"{NAME}> ").strip():
            yield line
    except EOFError:
        return


def main() -> None:
    with Annals() as memory:
        for line in lines():
            context = memory.context(GROUP, line, user_id=NAME)
            reply = ask_model(context.to_openai(line, system=CHARACTER))
            print(f"bot> {reply}", flush=True)
            memory.ingest(said_by(NAME, line), said_by("bot", reply, role="assistant"))
            memory.feedback(context, llm_response=reply)
        memory.flush()


if __name__ == "__main__":
    main()
