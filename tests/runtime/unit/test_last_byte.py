"""No work after the last byte, and nobody else's work is touched."""

import asyncio
import contextlib
import contextvars
from collections.abc import AsyncIterator
from contextvars import ContextVar
from typing import Any

import pytest
import uvicorn
from fastapi import APIRouter, BackgroundTasks, FastAPI, Request
from starlette.responses import StreamingResponse

from shared.runtime.last_byte import watched
from tests.runtime.serving import AS_ROOT, client, make_app

pytest_plugins = ["tests.runtime.watching"]


class Probe:
    """Routes that leave work behind, and what became of it."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.release = asyncio.Event()
        self.inside = asyncio.Event()
        self.lasting: asyncio.Task[None] | None = None
        self.router = APIRouter()
        route = self.router.post
        route("/spawn")(self.spawn)
        route("/nested")(self.nested)
        route("/stubborn")(self.stubborn)
        route("/tidy")(self.tidy)
        route("/waits")(self.waits)
        route("/shared")(self.shared)
        route("/background")(self.background)
        route("/stream")(self.stream)
        route("/fails")(self.fails)
        route("/size")(self.size)

    async def work(self, name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            self.events.append(f"{name} ended")

    async def spawn(self) -> dict[str, bool]:
        asyncio.create_task(self.work("spawned"))  # noqa: RUF006 - the mistake under test
        await asyncio.sleep(0)
        return {"success": True}

    async def nested(self) -> dict[str, bool]:
        async def outer() -> None:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                asyncio.create_task(self.work("of a dying task"))  # noqa: RUF006
                raise

        asyncio.create_task(outer())  # noqa: RUF006
        await asyncio.sleep(0)
        return {"success": True}

    async def stubborn(self) -> dict[str, bool]:
        async def refuses() -> None:
            while not self.release.is_set():
                with contextlib.suppress(asyncio.CancelledError):
                    await self.release.wait()

        asyncio.create_task(refuses())  # noqa: RUF006
        await asyncio.sleep(0)
        return {"success": True}

    async def tidy(self) -> dict[str, bool]:
        async with asyncio.TaskGroup() as group:
            for _ in range(10):
                group.create_task(asyncio.sleep(0))
        return {"success": True}

    async def waits(self) -> dict[str, bool]:
        async def part() -> None:
            self.inside.set()
            await self.release.wait()
            self.events.append("part finished")

        await asyncio.create_task(part())
        return {"success": True}

    async def shared(self) -> dict[str, bool]:
        self.lasting = contextvars.Context().run(asyncio.create_task, self.work("shared"))
        return {"success": True}

    async def background(self, tasks: BackgroundTasks) -> dict[str, bool]:
        async def later() -> None:
            self.events.append("background")

        tasks.add_task(later)
        return {"success": True}

    async def stream(self) -> StreamingResponse:
        async def lines() -> AsyncIterator[bytes]:
            yield b"one\n"
            asyncio.create_task(self.work("of a stream"))  # noqa: RUF006
            await asyncio.sleep(0)
            yield b"two\n"

        return StreamingResponse(lines())

    async def fails(self) -> None:
        asyncio.create_task(self.work("of a failure"))  # noqa: RUF006
        await asyncio.sleep(0)
        raise KeyError

    async def size(self, request: Request) -> dict[str, int]:
        return {"size": len(await request.body())}


@pytest.fixture
async def probe() -> Probe:
    return Probe()


async def call(app: FastAPI, path: str, **more: Any) -> int:
    async with client(app, headers=AS_ROOT) as http:
        return (await http.post(path, **more)).status_code


@pytest.mark.parametrize(
    ("path", "left", "status"),
    [
        ("/spawn", "Probe.work", 200),
        ("/stream", "Probe.work", 200),
        ("/fails", "Probe.work", 500),
        ("/nested", "Probe.nested.<locals>.outer", 200),
    ],
)
async def test_what_a_request_leaves_behind_is_cancelled_and_named(
    probe: Probe, path: str, left: str, status: int
) -> None:
    app = make_app(probe.router)
    with watched() as seen:
        assert await call(app, path) == status
    assert left in seen
    assert [event for event in probe.events if event.endswith("ended")]
    assert _running("Probe.") == []


async def test_the_last_byte_leaves_after_all_work_has_ended(probe: Probe) -> None:
    app = make_app(probe.router)
    for path in ("/spawn", "/stream", "/background"):
        probe.events.clear()
        sent: list[str] = []

        async def send(message: Any, told: list[str] = sent) -> None:
            told.append(f"{message['type']} after {len(probe.events)}")

        await app(_scope(path), _empty_body, send)
        assert sent[-1] == "http.response.body after 1"


async def test_a_request_that_waits_for_its_tasks_leaves_nothing(
    probe: Probe, no_leftovers: None
) -> None:
    app = make_app(probe.router)
    assert await call(app, "/tidy") == 200
    assert await call(app, "/background") == 200


async def test_the_end_of_one_request_does_not_touch_the_tasks_of_another(probe: Probe) -> None:
    app = make_app(probe.router)
    slow = asyncio.create_task(call(app, "/waits"))
    await asyncio.wait_for(probe.inside.wait(), 10)
    with watched() as seen:
        assert await call(app, "/spawn") == 200
    assert seen == ["Probe.work"]
    probe.release.set()
    assert await slow == 200
    assert "part finished" in probe.events


async def test_what_is_made_outside_the_request_outlives_it(
    probe: Probe, no_leftovers: None
) -> None:
    app = make_app(probe.router)
    assert await call(app, "/shared") == 200
    assert await call(app, "/tidy") == 200
    assert probe.lasting is not None
    assert not probe.lasting.done()
    probe.lasting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await probe.lasting


async def test_work_that_refuses_to_end_does_not_hold_the_answer_for_ever(
    probe: Probe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.runtime.last_byte.GRACE_S", 0.05)
    app = make_app(probe.router)
    with watched() as seen:
        assert await call(app, "/stubborn") == 200
    assert seen == ["Probe.stubborn.<locals>.refuses"]
    probe.release.set()
    while _running("Probe.stubborn"):
        await asyncio.sleep(0)


async def test_a_task_given_another_context_belongs_to_that_context(probe: Probe) -> None:
    nobody = contextvars.Context()
    router = APIRouter()
    tasks: list[asyncio.Task[None]] = []

    @router.post("/given")
    async def given() -> dict[str, bool]:
        loop = asyncio.get_running_loop()
        tasks.append(loop.create_task(probe.work("given"), name="named", context=nobody))
        return {"success": True}

    with watched() as seen:
        assert await call(make_app(router), "/given") == 200
    assert seen == []
    assert tasks[0].get_name() == "named"
    tasks[0].cancel()
    await asyncio.wait(tasks)


async def test_a_task_factory_that_was_there_before_is_kept(probe: Probe) -> None:
    made: list[str] = []

    def factory(loop: Any, coroutine: Any, **options: Any) -> asyncio.Task[Any]:
        made.append(coroutine.__qualname__)
        return asyncio.Task(coroutine, loop=loop, **options)

    asyncio.get_running_loop().set_task_factory(factory)
    with watched() as seen:
        assert await call(make_app(probe.router), "/spawn") == 200
    assert "Probe.work" in made
    assert seen == ["Probe.work"]


async def test_the_probe_fails_on_leftovers(pytester_like: Any, probe: Probe) -> None:
    app = make_app(probe.router)
    check = pytester_like()
    next(check)
    await call(app, "/spawn")
    with pytest.raises(AssertionError, match=r"after the last byte.*Probe\.work"):
        next(check)


@pytest.fixture
def pytester_like() -> Any:
    """The fixture's own generator, to be run by hand."""
    from tests.runtime import watching

    return watching.no_leftovers.__wrapped__  # type: ignore[attr-defined]


@contextlib.asynccontextmanager
async def served(app: FastAPI) -> AsyncIterator[int]:
    """The app on a real server."""
    config = uvicorn.Config(app, port=0, log_level="error", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.001)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await serving


def _request(path: str, body: bytes = b"") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n"
    head += f"Authorization: {AS_ROOT['Authorization']}\r\n\r\n"
    return head.encode() + body


async def test_requests_on_one_connection_do_not_end_each_other(probe: Probe) -> None:
    """A large body makes the server pause and resume reading inside the request, and a request sent
    early is begun by the end of the one before: both hand the first one's context to the next."""
    async with served(make_app(probe.router)) as port:
        with watched() as seen:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(_request("/size", b"x" * 3_000_000))
            for _ in range(3):
                writer.write(_request("/spawn") + _request("/waits"))
            probe.release.set()
            statuses = [await _status(reader) for _ in range(7)]
            writer.close()
            await writer.wait_closed()
    assert statuses == [200] * 7
    assert probe.events.count("part finished") == 3
    assert seen == ["Probe.work"] * 3


async def _status(reader: asyncio.StreamReader) -> int:
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)).decode()
    length = int(head.lower().partition("content-length: ")[2].partition("\r\n")[0])
    await reader.readexactly(length)
    return int(head.split(" ")[1])


def _running(prefix: str) -> list[str]:
    names = [getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()]
    return [name for name in names if name.startswith(prefix)]


async def _empty_body() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}


def _scope(path: str) -> dict[str, Any]:
    headers = [(name.lower().encode(), value.encode()) for name, value in AS_ROOT.items()]
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": None,
        "server": None,
    }


somebodys: ContextVar[str] = ContextVar("somebodys", default="")


async def test_other_context_variables_are_left_alone(probe: Probe) -> None:
    somebodys.set("kept")
    assert await call(make_app(probe.router), "/tidy") == 200
    assert somebodys.get() == "kept"
