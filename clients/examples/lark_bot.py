"""A Lark (Feishu) bot that remembers. Lark sends events to one address, this bot's: it hands each
on to Annals as it came, which checks and stores it, and answers what was said to it.
Needs `pip install annals-client cryptography`; in the environment ANNALS_URL, ANNALS_KEY,
LARK_ENCRYPT_KEY and LARK_BOT_OPEN_ID (as Annals has them), LARK_APP_ID, LARK_APP_SECRET, LARK_URL
(https://open.larksuite.com outside China), OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL."""

import base64
import hashlib
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from annals import Annals

ENV, MODEL = os.environ, os.environ["OPENAI_MODEL"]
LARK = ENV.get("LARK_URL", "https://open.feishu.cn").rstrip("/") + "/open-apis"
CHARACTER = "You are a member of this group. Answer in one or two sentences."
memory, web, answered = Annals(), httpx.Client(timeout=30), set[str]()


def is_for_me(event: dict[str, Any]) -> bool:
    """A text in a private chat, or one that mentions the bot; each once, however often it comes."""
    message = event.get("event", {}).get("message", {})
    if message.get("message_type") != "text" or message["message_id"] in answered:
        return False
    answered.add(message["message_id"])
    mentioned = {one["id"].get("open_id") for one in message.get("mentions", ())}
    return message["chat_type"] == "p2p" or ENV["LARK_BOT_OPEN_ID"] in mentioned


def opened(body: bytes) -> dict[str, Any]:
    sealed = base64.b64decode(json.loads(body)["encrypt"])
    key = hashlib.sha256(ENV["LARK_ENCRYPT_KEY"].encode()).digest()
    plain = Cipher(algorithms.AES(key), modes.CBC(sealed[:16])).decryptor().update(sealed[16:])
    return dict(json.loads(plain[: -plain[-1]]))


def post(url: str, body: dict[str, Any], token: str) -> dict[str, Any]:
    answer = web.post(url, json=body, headers={"Authorization": f"Bearer {token}"})
    return dict(answer.raise_for_status().json())


def answer(message: dict[str, Any]) -> None:
    group, question = f"lark:{message['chat_id']}", json.loads(message["content"])["text"]
    for one in reversed(message.get("mentions", ())):  # `@_user_10` before `@_user_1`
        question = question.replace(one["key"], f"@{one['name']}")
    context = memory.context(group, message_id=message["message_id"])
    asked = {"model": MODEL, "messages": context.to_openai(question, system=CHARACTER)}
    url = ENV["OPENAI_BASE_URL"].rstrip("/") + "/chat/completions"
    reply = post(url, asked, ENV.get("OPENAI_API_KEY", "none"))["choices"][0]["message"]["content"]
    who = {"app_id": ENV["LARK_APP_ID"], "app_secret": ENV["LARK_APP_SECRET"]}
    token = post(f"{LARK}/auth/v3/tenant_access_token/internal", who, "none")["tenant_access_token"]
    sent = {"msg_type": "text", "content": json.dumps({"text": reply})}
    told = post(f"{LARK}/im/v1/messages/{message['message_id']}/reply", sent, token)["data"]
    own = {"group_id": group, "message_id": told["message_id"], "user_id": ENV["LARK_APP_ID"]}
    memory.ingest({**own, "role": "assistant", "content": reply})
    memory.feedback(context, llm_response=reply)


class Door(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        url = f"{ENV['ANNALS_URL'].rstrip('/')}/ingest_message/webhooks/lark"
        headers = {name: it for name, it in self.headers.items() if name.startswith("X-Lark-")}
        stored = web.post(url, content=body, headers=headers)  # else Lark tries again
        self.send_response(stored.status_code)
        self.end_headers()
        self.wfile.write(stored.content)
        if stored.is_success and b'"encrypt"' in body and is_for_me(event := opened(body)):
            threading.Thread(target=answer, args=(event["event"]["message"],)).start()


if __name__ == "__main__":
    ThreadingHTTPServer(("", int(ENV.get("PORT", "8082"))), Door).serve_forever()
