"""The HTTP face: OpenAI's routes under `/v1`, this emulator's controls under `/admin`."""

import asyncio
import json
import time
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from . import embeddings, models
from .admin import admin_routes
from .call_counts import CallCounts
from .chat import Answerer
from .conversation import read_conversation
from .encoder import Encoder
from .faults import Call, Fault, Faults
from .refusal import Refusal, bad
from .reply import calling, reply
from .responses import CutJson, Events, Json, written

Endpoint = Callable[[Request], Awaitable[Response]]


class Service:
    """The endpoints and what they share: encoder, rules, counts and faults."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.answerer = Answerer()
        self.tally = CallCounts()
        self.faults = Faults()

    def forget_counts(self) -> None:
        self.tally = CallCounts()

    async def list_models(self, _: Request) -> Response:
        return await self._plain("models", {"object": "list", "data": models.listed()})

    async def retrieve_model(self, request: Request) -> Response:
        name = request.path_params["name"]
        if not models.exists(name):
            raise Refusal(
                404,
                f"The model '{name}' does not exist",
                param="model",
                code="model_not_found",
            )
        return await self._plain("models", models.described(name))

    async def embed(self, request: Request) -> Response:
        asked = embeddings.read_request(await _body(request))
        struck = await self._strike(Call("embeddings", texts=tuple(asked.texts)))
        tokens, vectors = await self.encoder.encoded(
            asked.texts, lambda lengths: embeddings.check_lengths(asked, lengths)
        )
        self.tally.embedded(len(asked.texts), tokens)
        body = await asyncio.to_thread(lambda: written(embeddings.answer(asked, vectors, tokens)))
        return CutJson(body) if "cut_body" in _kinds(struck) else Json(body)

    async def complete(self, request: Request) -> Response:
        conversation = read_conversation(await _body(request))
        prompt = self.answerer.prompt_of(conversation)
        self.tally.prompted(prompt, conversation.format)
        call = Call("chat", prompt, conversation.format, conversation.streams)
        try:
            struck = await self._strike(call)
        except Refusal:
            self.tally.prompt_refused(prompt)
            raise
        kinds = _kinds(struck)
        tool_call = conversation.tool_call
        if tool_call is not None:
            said = calling(conversation, tool_call)
        else:
            text = await asyncio.to_thread(self.answerer.answer, conversation, prompt, kinds)
            said = reply(conversation, text)
        self.tally.replied(prompt, said.prompt_tokens, said.completion_tokens)
        if conversation.streams:
            chunks = said.chunks(includes_usage=conversation.includes_usage)
            return Events(chunks, is_cut="cut_stream" in kinds)
        body = written(said.completion())
        return CutJson(body) if "cut_body" in kinds else Json(body)

    async def _plain(self, endpoint: str, content: dict[str, Any]) -> Response:
        struck = await self._strike(Call(endpoint))
        body = written(content)
        return CutJson(body) if "cut_body" in _kinds(struck) else Json(body)

    async def _strike(self, call: Call) -> list[Fault]:
        """Let the faults that hit this call happen: wait, refuse, or leave a mark for later."""
        struck = self.faults.strike(call)
        for fault in struck:
            self.tally.struck(fault.kind)
        wait_ms = sum(fault.latency_ms for fault in struck if fault.kind == "latency")
        if wait_ms:
            await asyncio.sleep(wait_ms / 1000)
        for fault in struck:
            if (refusal := fault.refusal(call)) is not None:
                raise refusal
        return struck

    def guarded(self, name: str, endpoint: Endpoint) -> Endpoint:
        """Counts the call, wants a key, and counts a refusal."""

        async def guard(request: Request) -> Response:
            self.tally.called(name)
            try:
                _check_key(request)
                return await endpoint(request)
            except Refusal as refusal:
                self.tally.refused(name)
                return refusal.response()

        return guard


def build_app(service: Service) -> ASGIApp:
    guarded = service.guarded
    app = Starlette(
        routes=[
            Route("/v1/models", guarded("models", service.list_models)),
            Route("/v1/models/{name:path}", guarded("models", service.retrieve_model)),
            Route("/v1/embeddings", guarded("embeddings", service.embed), methods=["POST"]),
            Route("/v1/chat/completions", guarded("chat", service.complete), methods=["POST"]),
            *admin_routes(service),
        ],
        exception_handlers={
            Refusal: _refused,
            HTTPException: _not_found,
            Exception: _broken,
        },
    )
    return Labelled(app)


class Labelled:
    """Puts the service's own headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.monotonic()

        async def labelled(message: Message) -> None:
            if message["type"] == "http.response.start":
                spent = int((time.monotonic() - began) * 1000)
                message["headers"] = [
                    *message["headers"],
                    (b"x-request-id", f"req_{uuid.uuid4().hex}".encode()),
                    (b"openai-processing-ms", str(spent).encode()),
                ]
            await send(message)

        await self._app(scope, receive, labelled)


def _kinds(struck: list[Fault]) -> list[str]:
    return [fault.kind for fault in struck]


def _check_key(request: Request) -> None:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not key.strip():
        raise Refusal(
            401,
            "You didn't provide an API key. You need to provide your API key in an Authorization "
            "header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
        )


async def _body(request: Request) -> dict[str, Any]:
    try:
        body = json.loads(await request.body())
    except ValueError:
        raise bad("We could not parse the JSON body of your request.") from None
    if not isinstance(body, dict):
        raise bad("The JSON body of your request must be an object.")
    return body


async def _refused(_: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, Refusal)
    return refusal.response()


async def _not_found(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    where = f"{request.method} {request.url.path}"
    if status == 405:
        return Refusal(
            405, f"Not allowed to {where}.", code="method_not_supported"
        ).response()  # fmt: skip
    return Refusal(404, f"Invalid URL ({where})", code="unknown_url").response()


async def _broken(_: Request, error: Exception) -> Response:
    body = {"message": f"{type(error).__name__}: {error}", "type": "server_error"}
    return JSONResponse({"error": {**body, "param": None, "code": None}}, status_code=500)
