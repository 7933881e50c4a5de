"""A bot's loop with the OpenAI SDK and the schemas as they are served."""

import json
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openai import OpenAI

from tests.local_cloud import LocalCloud
from tests.talk import new_group

QUESTION = "Search the memories: what is Ann allergic to?"


def test_a_tool_loop_works_with_the_schemas_as_served(cloud: LocalCloud) -> None:
    group = new_group()
    statement = {"statement": "Ann is allergic to peanuts"}
    cloud.ok("POST", f"/evolve_group/memory/{group}", statement)
    tools: Any = cloud.ok("GET", "/build_context/tools")["tools"]
    schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in tools}
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    called: list[str] = []
    with OpenAI(base_url=cloud.told["endpoints"]["OPENAI_BASE_URL"], api_key="local") as client:
        for _ in range(4):
            reply = client.chat.completions.create(
                model="annals-rules", messages=messages, tools=tools
            )
            message = reply.choices[0].message
            if not message.tool_calls:
                break
            messages.append(message.model_dump(exclude_none=True))
            for call in message.tool_calls:
                assert call.type == "function"
                called.append(call.function.name)
                Draft202012Validator(schemas[call.function.name]).validate(
                    json.loads(call.function.arguments)
                )
                answer = cloud.ok(
                    "POST",
                    f"/build_context/tools/{call.function.name}",
                    {"arguments": call.function.arguments},
                    headers={"X-Annals-Group": group},
                )
                content = json.dumps(answer["result"])
                messages.append({"role": "tool", "tool_call_id": call.id, "content": content})

    assert called == ["search_memories"]
    assert reply.model == "stand-in"
    assert "Ann is allergic to peanuts" in str(message.content)


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
