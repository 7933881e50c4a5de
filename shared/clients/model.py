"""Asks a chat model one of our prompts and hands back a checked reply, or says why there is none.

A server is asked for everything at first; what it refuses is remembered for its model, as
`server_options` decides.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from shared import log
from shared.clients.openai_calls import (
    Budget,
    NotAnAnswer,
    Refused,
    RetryingCaller,
    UsageSink,
    count,
)
from shared.clients.server_options import ServerOptions, loosened
from shared.contracts.parsing import FieldProblem, runs_on
from shared.contracts.reply_reading import Reply, shape_text, strict_schema
from shared.domain.jobs.kinds import NO_COST, ModelCost
from shared.errors import AnnalsError, BadReply
from shared.language import estimate_tokens
from shared.prompts.library import Prompt, PromptLibrary

if TYPE_CHECKING:
    from openai import AsyncOpenAI

R = TypeVar("R", bound=Reply)

SHOWN_CHARACTERS = 4_000
"""How much of a bad reply the model is shown again."""
FILTERED = "content_filter"
"""The finish reason of a reply that the provider's own filter held back."""

REPLY_TOKENS = 8_192
"""Well above what any prompt asks for (a profile of 600 words is the longest), so that a small
model that repeats itself without end stops."""

RETRY_FOR_LONG = RetryingCaller()


@dataclass(frozen=True)
class ModelAnswer(Generic[R]):
    """The checked reply, the text it was read from, and what it cost, a correction included.
    `is_cut`: it ended before its time, and what came of it is all there is."""

    reply: R
    raw: str
    cost: ModelCost = NO_COST
    is_cut: bool = False


@dataclass(frozen=True)
class _Said:
    text: str
    was_cut: bool
    is_refusal: bool
    """It said that it will not answer; to ask it the same again costs and does not help."""
    cost: ModelCost = NO_COST


@dataclass(frozen=True)
class ModelOf:
    """Which model answers a prompt, where it is, and how long and how often it is asked."""

    client: "AsyncOpenAI"
    model: str
    caller: RetryingCaller

    @property
    def server(self) -> tuple[int, str]:
        """What is known of a model's server does not hold for the same name elsewhere."""
        return id(self.client), self.model


class Model:
    """`others` are for prompts that another model, service or time limit is named for.
    `reply_tokens` is a bound that is never lifted; without one there is ours, which may be."""

    def __init__(
        self,
        client: "AsyncOpenAI",
        prompts: PromptLibrary,
        usage: UsageSink,
        *,
        model: str,
        others: Mapping[str, "ModelOf"] | None = None,
        caller: RetryingCaller = RETRY_FOR_LONG,
        reply_tokens: int | None = None,
    ) -> None:
        self._prompts = prompts
        self._usage = usage
        self._of_all = ModelOf(client, model, caller)
        self._others = others or {}
        self._reply_tokens = reply_tokens
        self._options: dict[tuple[int, str], ServerOptions] = {}

    async def ask(
        self,
        prompt_id: str,
        reply_type: type[R],
        data: Mapping[str, Any],
        *,
        group_id: str,
        budget_s: float,
    ) -> ModelAnswer[R]:
        """One question, at most one correction, all within `budget_s`.

        Raises BadReply when the model cannot be brought to a usable reply, Transient when it
        cannot be reached in time.
        """
        await self._usage.check(group_id)
        prompt = await self._prompts.get(prompt_id)
        asking = _Asking(
            prompt=prompt,
            reply_type=reply_type,
            of=self._others.get(prompt_id, self._of_all),
            group_id=group_id,
            budget=Budget(budget_s),
            reply_tokens=self._reply_tokens or REPLY_TOKENS,
        )
        said = await self._say(asking, data)
        reply, problems = _read(reply_type, said)
        if reply is None and not said.is_refusal:
            _log_problems("reply_to_be_corrected", asking, problems)
            correction = {
                "your_reply": said.text[:SHOWN_CHARACTERS],
                "problems": [str(problem) for problem in problems],
            }
            first = said
            # What was cut at our own limit gets the room that it needs, unless it would fill any.
            has_room = first.was_cut and not runs_on(first.text)
            said = await self._say(
                asking, {**data, "correction": correction}, is_limited=not has_room
            )
            said = replace(said, cost=first.cost + said.cost)
            reply, problems = _read(reply_type, said)
        if reply is None:
            _log_problems("reply_unusable", asking, problems)
            raise BadReply(
                f"the model's reply to {prompt_id} cannot be used: {problems[0]}",
                prompt_id=prompt_id,
                model=asking.model,
            )
        if problems:
            _log_problems("reply_items_skipped", asking, problems)
        is_cut = said.was_cut or any("cut off" in problem.reason for problem in problems)
        return ModelAnswer(reply, said.text, said.cost, is_cut)

    async def _say(
        self, asking: "_Asking", data: Mapping[str, Any], *, is_limited: bool = True
    ) -> _Said:
        """With the options this model is known to take, or the next ones it does not refuse."""
        known = self._options.get(asking.of.server, ServerOptions())
        is_limited = is_limited or self._reply_tokens is not None
        options = known if is_limited else known.without_limit()
        refusals = 0
        while True:
            try:
                said = await self._say_once(asking, data, options)
            except Refused as refused:
                looser = loosened(options, refused.reason, refused.text)
                if looser is None:
                    raise BadReply(
                        refused.message, prompt_id=asking.prompt.prompt_id, model=asking.model
                    ) from refused
                options = looser
                refusals += 1
            else:
                if refusals:
                    taken = options if is_limited else replace(options, limit=known.limit)
                    self._remember(asking.of, taken)
                elif said.was_cut and not said.text.strip() and self._may_lift(options):
                    # A model that thinks first used up the whole limit for its thoughts.
                    self._remember(asking.of, options.without_limit())
                return said

    def _may_lift(self, options: ServerOptions) -> bool:
        return bool(options.limit) and self._reply_tokens is None

    def _remember(self, of: "ModelOf", taken: ServerOptions) -> None:
        known = self._options.get(of.server, ServerOptions())
        self._options[of.server] = taken = known.and_also(taken)
        log.warning(
            "model_options_lowered",
            model=of.model,
            mode=taken.mode.name.lower(),
            limit=taken.limit,
            has_temperature=taken.has_temperature,
        )

    async def _say_once(
        self, asking: "_Asking", data: Mapping[str, Any], options: ServerOptions
    ) -> _Said:
        request = asking.request(data, options)
        began = time.monotonic()
        calls = 0

        async def attempt(timeout_s: float) -> Any:
            nonlocal calls
            calls += 1
            answer = await asking.of.client.chat.completions.create(**request, timeout=timeout_s)
            if not getattr(answer, "choices", None):
                raise NotAnAnswer
            return answer

        try:
            answer = await asking.of.caller.call(attempt, asking.budget, model=asking.model)
        except AnnalsError as error:
            log.warning(
                "model_call_failed",
                **asking.fields(),
                mode=options.mode.name.lower(),
                calls=calls,
                ms=_ms_since(began),
                code=error.code,
            )
            raise
        choice = answer.choices[0]
        text = choice.message.content or ""
        prompt_tokens, completion_tokens = _tokens(answer, request, text)
        problem = await count(
            self._usage.record(
                asking.group_id,
                asking.prompt.prompt_id,
                asking.model,
                calls=1,
                prompt_tokens=prompt_tokens,
                completion_tokens=completion_tokens,
            ),
            asking.budget,
        )
        log.info(
            "model_asked",
            **asking.fields(),
            mode=options.mode.name.lower(),
            calls=calls,
            ms=_ms_since(began),
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            usage_problem=problem,
        )
        cost = ModelCost(1, prompt_tokens, completion_tokens)
        is_refusal = not text.strip() and (
            bool(getattr(choice.message, "refusal", None)) or choice.finish_reason == FILTERED
        )
        return _Said(text, choice.finish_reason == "length", is_refusal, cost)


@dataclass(frozen=True)
class _Asking:
    prompt: Prompt
    reply_type: type[Reply]
    of: "ModelOf"
    group_id: str
    budget: Budget
    reply_tokens: int

    @property
    def model(self) -> str:
        return self.of.model

    def request(self, data: Mapping[str, Any], options: ServerOptions) -> dict[str, Any]:
        """The prompt, then everything that people said as one JSON object and nothing else."""
        asked = {"prompt": self.prompt.prompt_id, **data}
        question = json.dumps(asked, ensure_ascii=False, separators=(",", ":"))
        return {
            "model": self.model,
            "messages": [
                {
                    "role": "system",
                    "content": self.prompt.fill(reply_shape=shape_text(self.reply_type)),
                },
                # A lone surrogate, which no request can carry, becomes a question mark.
                {"role": "user", "content": question.encode("utf-8", "replace").decode()},
            ],
            **options.fields(
                self.prompt.prompt_id, strict_schema(self.reply_type), self.reply_tokens
            ),
        }

    def fields(self) -> dict[str, Any]:
        return {
            "prompt_id": self.prompt.prompt_id,
            "prompt_hash": self.prompt.hash,
            "prompt_version": self.prompt.version,
            "model": self.model,
            "group_id": self.group_id,
        }


def _ms_since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def _read(reply_type: type[R], said: _Said) -> tuple[R | None, list[FieldProblem]]:
    reply, problems = reply_type.read(said.text)
    if said.is_refusal:
        return None, [FieldProblem(0, "the model refused to answer")]
    if said.was_cut:
        problems = [
            FieldProblem(0, "the reply was cut off at its length limit; be shorter"),
            *problems,
        ]
    return reply, problems


def _tokens(answer: Any, request: Mapping[str, Any], text: str) -> tuple[int, int]:
    """What the server counted, or an estimate where it does not say."""
    usage = getattr(answer, "usage", None)
    if usage is not None:
        return usage.prompt_tokens or 0, usage.completion_tokens or 0
    asked = sum(estimate_tokens(message["content"]) for message in request["messages"])
    return asked, estimate_tokens(text)


def _log_problems(event: str, asking: _Asking, problems: list[FieldProblem]) -> None:
    log.warning(
        event,
        **asking.fields(),
        problems=[str(problem) for problem in problems[:10]],
        problem_count=len(problems),
    )
