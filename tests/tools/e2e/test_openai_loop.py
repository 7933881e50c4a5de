"""A bot's loop with the OpenAI SDK, the schemas as they are served, and a model that uses them."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openai import OpenAI

from tests.local_cloud import LocalCloud
from tests.talk import new_group


class _Model(BaseHTTPRequestHandler):
    """Looks up what it is asked before it answers: first a call, then the words it was given."""

    refused: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        tools = {one["function"]["name"]: one["function"] for one in asked["tools"]}
        for one in asked["tools"]:
            if set(one) != {"type", "function"} or one["type"] != "function":
                self.refused.append(str(one))
            Draft202012Validator.check_schema(one["function"]["parameters"])
        last = asked["messages"][-1]
        if last["role"] == "tool":
            found = json.loads(last["content"])
            reply: dict[str, Any] = {"content": found["memories"][0]["statement"]}
        else:
            arguments = {"query": last["content"], "limit": 3}
            Draft202012Validator(tools["search_memories"]["parameters"]).validate(arguments)
            call = {"name": "search_memories", "arguments": json.dumps(arguments)}
            reply = {
                "content": None,
                "tool_calls": [{"id": "c1", "type": "function", "function": call}],
            }
        body = {
            "id": "x",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [
                {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **reply}}
            ],
        }
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@pytest.fixture
def model() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Model)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_tool_loop_works_with_the_schemas_as_served(cloud: LocalCloud, model: str) -> None:
    group = new_group()
    statement = {"statement": "Ann is allergic to peanuts"}
    cloud.ok("POST", f"/evolve_group/memory/{group}", statement)
    tools: Any = cloud.ok("GET", "/build_context/tools")["tools"]
    messages: list[Any] = [{"role": "user", "content": "What is Ann allergic to?"}]
    with OpenAI(base_url=model, api_key="local") as client:
        for _ in range(4):
            reply = client.chat.completions.create(model="m", messages=messages, tools=tools)
            message = reply.choices[0].message
            if not message.tool_calls:
                break
            messages.append(message.model_dump(exclude_none=True))
            for one in message.tool_calls:
                assert one.type == "function"
                answer = cloud.ok(
                    "POST",
                    f"/build_context/tools/{one.function.name}",
                    {"arguments": one.function.arguments},
                    headers={"X-Annals-Group": group},
                )
                content = json.dumps(answer["result"])
                messages.append({"role": "tool", "tool_call_id": one.id, "content": content})

    assert message.content == "Ann is allergic to peanuts"
    assert _Model.refused == []


def test_over_http_another_group_is_forbidden_and_the_older_names_answer(cloud: LocalCloud) -> None:
    group = new_group()
    path = "/build_context/tools"

    elsewhere = {"group_id": group, "arguments": {"group_id": "test:elsewhere"}}
    assert cloud.call("POST", f"{path}/get_memories", elsewhere).status_code == 403
    in_header = {"X-Annals-Group": "test:x"}
    two = cloud.call("POST", f"{path}/get_memories", {"group_id": group}, headers=in_header)
    assert two.status_code == 403
    assert cloud.call("POST", f"{path}/get_memories", {}).status_code == 400
    assert cloud.call("POST", f"{path}/nothing", {"group_id": group}).status_code == 404
    for name in ("quick_search", "topic_search", "cognitive.search_events"):
        argument = "message" if name == "quick_search" else "query"
        asked = {"group_id": group, "arguments": {argument: "anything"}}
        cloud.ok("POST", f"{path}/{name}", asked)
