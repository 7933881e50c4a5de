"""Health: alive, ready, and what is missing."""

from shared.platforms.registry import PLATFORMS
from tests.runtime.serving import ENVIRON, client, make_app


async def test_a_function_is_alive_whatever_is_missing() -> None:
    async with client(make_app(environ={})) as http:
        answer = await http.get("/health/live")
    assert answer.status_code == 200
    assert answer.json() == {"success": True, "function": "ingest_message", "status": "live"}


async def test_a_function_that_lacks_a_needed_security_setting_is_not_ready_and_names_it() -> None:
    environ = {**ENVIRON, "ANNALS_TASK_AUTH": "sometimes", "ANNALS_HASH_KEY": ""}
    async with client(make_app(environ=environ)) as http:
        answer = await http.get("/health/ready")
    assert answer.status_code == 503
    error = answer.json()["error"]
    assert error["detail"]["settings"] == ["ANNALS_TASK_AUTH", "ANNALS_HASH_KEY"]
    assert "ANNALS_TASK_AUTH, ANNALS_HASH_KEY" in error["message"]


async def test_a_ready_function_tells_which_platforms_are_not_set_up_and_what_is_odd() -> None:
    environ = {**ENVIRON, "ONEBOT_SECRET": "s", "MEMORY_AUTO_TOP_K": "x"}
    async with client(make_app(environ=environ)) as http:
        answer = await http.get("/health/ready")
    assert answer.status_code == 200
    body = answer.json()
    needed = {name.upper() for one in PLATFORMS.values() for name in one.secrets}
    assert set(body["unset"]) == needed - {"ONEBOT_SECRET"}
    assert len(body["warnings"]) == 1
    assert "MEMORY_AUTO_TOP_K" in body["warnings"][0]


async def test_a_ready_function_warns_of_what_will_not_work() -> None:
    bad = "ftp://joe:hunter2@models.example"
    environ = {**ENVIRON, "PINECONE_API_KEY": "", "MEMORY_EMBEDDING_BASE_URL": bad}
    environ["ANNALS_URL_EVOLVE_GROUP"] = ""
    async with client(make_app(environ=environ)) as http:
        answer = await http.get("/health/ready")
    warnings = answer.json()["warnings"]
    assert answer.status_code == 200
    assert "ftp://***@models.example" in warnings[0]
    assert [one.partition(" ")[0] for one in warnings[1:]] == [
        "PINECONE_API_KEY",
        "ANNALS_URL_EVOLVE_GROUP",
    ]


async def test_what_a_function_needs_is_its_own_affair() -> None:
    app = make_app(needed=("LARK_ENCRYPT_KEY",))
    async with client(app) as http:
        answer = await http.get("/health/ready")
    assert answer.json()["error"]["detail"]["settings"] == ["LARK_ENCRYPT_KEY"]


async def test_the_shape_of_errors_is_in_the_description() -> None:
    async with client(make_app()) as http:
        described = (await http.get("/openapi.json")).json()
    live = described["paths"]["/health/live"]["get"]["responses"]
    assert live["default"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/ErrorBody"
    }
