"""Asking a model that behaves as few servers do: what is tried again, stepped down or given up."""

import json
import logging
from typing import Any

import pytest

from shared.clients.call_retry import RetryPolicy
from shared.clients.model import Model, ModelAnswer, ModelOf
from shared.clients.openai_calls import RetryingCaller
from shared.contracts.replies import Evolution
from shared.contracts.reply_reading import Reply
from shared.errors import BadReply, Misconfigured, Transient
from shared.language import estimate_tokens
from shared.prompts.library import PromptLibrary, file_prompt
from tests.clients.service import (
    Service,
    Sleeps,
    Usage,
    breaks,
    half_json,
    page,
    refuses,
    says,
)

GOOD = '{"colour": "red"}'


class Colour(Reply):
    colour: str


class Asker:
    """One model on one service, and how it is asked."""

    def __init__(
        self,
        service: Service,
        usage: Usage | None = None,
        attempts: int = 3,
        reply_tokens: int | None = None,
    ) -> None:
        self.usage = usage or Usage()
        self.sleeps = Sleeps()
        caller = RetryingCaller(
            policy=RetryPolicy(attempts=attempts, first_s=1.0, longest_s=8.0),
            sleep=self.sleeps,
            chance=lambda: 1.0,
        )
        self.model = Model(
            service.client,
            PromptLibrary(None),
            self.usage,
            model="big",
            others={"profile_merge": ModelOf(service.client, "small", caller)},
            caller=caller,
            reply_tokens=reply_tokens,
        )

    async def ask(
        self, prompt_id: str = "note_rewrite", budget_s: float = 60
    ) -> ModelAnswer[Colour]:
        data = {"note": "it was \ud83d red"}
        return await self.model.ask(
            prompt_id, Colour, data, group_id="lark:oc_1", budget_s=budget_s
        )


def formats(service: Service) -> list[str]:
    return [asked.get("response_format", {}).get("type", "none") for asked in service.asked]


async def test_the_request_is_the_prompt_then_one_json_object_with_the_schema_named_for_it() -> (
    None
):
    service = Service(says(GOOD))
    answer = await Asker(service).ask()
    assert answer == ModelAnswer(Colour(colour="red"), GOOD, answer.cost)
    assert answer.cost.calls == 1
    assert answer.cost.prompt_tokens > 0
    (asked,) = service.asked
    system, user = asked["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert json.loads(user["content"]) == {"prompt": "note_rewrite", "note": "it was ? red"}
    schema = asked["response_format"]["json_schema"]
    assert (schema["name"], schema["strict"]) == ("note_rewrite", True)
    assert schema["schema"] == {
        "type": "object",
        "properties": {"colour": {"type": "string"}},
        "required": ["colour"],
        "additionalProperties": False,
    }
    assert '"colour": string' in system["content"]


async def test_each_prompt_goes_to_the_model_set_for_it() -> None:
    service = Service(says(GOOD))
    asker = Asker(service)
    await asker.ask("note_rewrite")
    await asker.ask("profile_merge")
    assert [asked["model"] for asked in service.asked] == ["big", "small"]


async def test_overload_faults_and_broken_answers_are_tried_again_until_one_is_good() -> None:
    for trouble in (
        refuses(429),
        refuses(500),
        refuses(503),
        refuses(408),
        breaks,
        half_json,
        page,
    ):
        service = Service(trouble, trouble, says(GOOD))
        asker = Asker(service)
        assert (await asker.ask()).reply.colour == "red"
        assert asker.sleeps.slept == [1.0, 2.0]
        assert len(asker.usage.recorded) == 1


async def test_it_waits_as_long_as_the_service_asks() -> None:
    service = Service(refuses(429, headers={"Retry-After": "7"}), says(GOOD))
    asker = Asker(service)
    await asker.ask()
    assert 7.0 <= asker.sleeps.slept[0] <= 8.0


async def test_it_gives_up_after_its_attempts() -> None:
    service = Service(refuses(500))
    with pytest.raises(Transient):
        await Asker(service, attempts=3).ask()
    assert len(service.asked) == 3


async def test_it_does_not_wait_beyond_its_budget() -> None:
    service = Service(refuses(429, headers={"Retry-After": "120"}))
    asker = Asker(service)
    with pytest.raises(Transient):
        await asker.ask(budget_s=60)
    assert (len(service.asked), asker.sleeps.slept) == (1, [])


async def test_no_budget_means_no_call() -> None:
    service = Service(says(GOOD))
    with pytest.raises(Transient):
        await Asker(service).ask(budget_s=0)
    assert service.asked == []


async def test_a_refused_form_steps_down_and_is_remembered_for_that_model_only() -> None:
    def picky(body: dict[str, Any]) -> Any:
        asked = body.get("response_format", {}).get("type")
        is_fine = body["model"] != "big" or asked is None
        return (says(GOOD) if is_fine else refuses(400, "unknown field"))(body)

    service = Service(picky)
    asker = Asker(service)
    await asker.ask("note_rewrite")
    # The first refusal named nothing: a smaller option might have been to blame.
    assert formats(service) == ["json_schema"] * 2 + ["json_object"] * 2 + ["none"]
    await asker.ask("note_rewrite")
    await asker.ask("profile_merge")
    assert formats(service)[5:] == ["none", "json_schema"]


async def test_a_request_refused_in_every_form_is_a_bad_reply_and_blames_no_form() -> None:
    no = refuses(400, "no")
    service = Service(no, no, no, no, refuses(422, "no"), says(GOOD))
    asker = Asker(service)
    with pytest.raises(BadReply):
        await asker.ask()
    await asker.ask()
    strict = "json_schema"
    assert formats(service) == [strict, strict, "json_object", "json_object", "none", strict]


async def test_too_long_a_request_is_not_tried_in_other_forms() -> None:
    service = Service(refuses(400, "too long", code="context_length_exceeded"))
    with pytest.raises(BadReply, match="context_length_exceeded"):
        await Asker(service).ask()
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    ("trouble", "named"),
    [
        (refuses(401), "OPENAI_API_KEY"),
        (refuses(403), "OPENAI_API_KEY"),
        (refuses(404), "OPENAI_BASE_URL.*big"),
        (refuses(429, code="insufficient_quota"), "quota"),
    ],
)
async def test_what_only_an_operator_can_mend_is_named_and_not_retried(
    trouble: Any, named: str
) -> None:
    service = Service(trouble)
    with pytest.raises(Misconfigured, match=named):
        await Asker(service).ask()
    assert len(service.asked) == 1


async def test_an_unusable_reply_is_corrected_once_with_what_was_wrong() -> None:
    service = Service(says('{"color": "red"}'), says(GOOD))
    asker = Asker(service)
    answer = await asker.ask()
    assert answer.raw == GOOD
    first, second = (json.loads(asked["messages"][-1]["content"]) for asked in service.asked)
    assert "correction" not in first
    assert second["note"] == first["note"]
    assert second["correction"]["your_reply"] == '{"color": "red"}'
    assert "colour" in second["correction"]["problems"][0]
    assert len(asker.usage.recorded) == 2


@pytest.mark.parametrize("text", ["", None, "no", '{"color": "red"}', '{"colour": "re'])
async def test_a_reply_that_stays_unusable_ends_after_two_calls(text: str | None) -> None:
    service = Service(says(text))
    with pytest.raises(BadReply):
        await Asker(service).ask()
    assert len(service.asked) == 2


async def test_parts_that_cannot_be_used_are_skipped_and_counted_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    text = '{"action": "keep", "old_id": "a"}\nit was red\n{"action": "fly", "old_id": "b"}'
    service = Service(says(text))
    answer = await Asker(service).model.ask(
        "memory_evolve", Evolution, {}, group_id="lark:oc_1", budget_s=60
    )
    assert [line.old_id for line in answer.reply.lines] == ["a"]
    assert answer.raw == text
    assert len(service.asked) == 1
    (entry,) = [record for record in caplog.records if record.message == "reply_items_skipped"]
    assert entry.__dict__["fields"]["problem_count"] == 2
    assert "red" not in str(entry.__dict__["fields"])


async def test_a_model_that_was_cut_off_is_told_to_be_shorter() -> None:
    service = Service(says('{"colour": "re', finish="length"), says(GOOD))
    await Asker(service).ask()
    correction = json.loads(service.asked[1]["messages"][-1]["content"])["correction"]
    assert "be shorter" in correction["problems"][0]


async def test_tokens_are_recorded_under_group_prompt_and_model() -> None:
    asker = Asker(Service(says(GOOD)))
    await asker.ask("profile_merge")
    assert asker.usage.recorded == [("lark:oc_1", "profile_merge", "small", 1, 30, 7)]


async def test_tokens_are_estimated_where_the_server_does_not_count() -> None:
    asker = Asker(Service(says(GOOD, usage=False)))
    await asker.ask()
    ((*_, prompt_tokens, completion_tokens),) = asker.usage.recorded
    assert prompt_tokens > 100
    assert completion_tokens == estimate_tokens(GOOD)


@pytest.mark.parametrize("failure", [Transient(), KeyError("shard"), OSError()])
async def test_a_failing_cost_entry_never_fails_the_call(failure: Exception) -> None:
    asker = Asker(Service(says(GOOD)), Usage(failure))
    assert (await asker.ask()).reply.colour == "red"


async def test_the_log_has_hash_time_and_tokens_and_no_word_of_the_chat(
    caplog: pytest.LogCaptureFixture,
) -> None:
    service = Service(says('{"colour": ["a secret"]}'), says(GOOD))
    with caplog.at_level(logging.INFO):
        await Asker(service).ask()
    told = [record.__dict__["fields"] for record in caplog.records if "fields" in vars(record)]
    calls = [fields for fields in told if "ms" in fields]
    assert len(calls) == 2
    assert calls[0]["prompt_hash"] == file_prompt("note_rewrite").hash
    assert (calls[0]["prompt_tokens"], calls[0]["completion_tokens"]) == (30, 7)
    assert calls[0]["mode"] == "schema"
    assert "secret" not in caplog.text + str(told)
    assert "it was" not in caplog.text + str(told)


async def test_a_call_that_fails_is_logged_with_its_prompt_and_its_cost_in_time(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(Transient):
        await Asker(Service(refuses(500)), attempts=2).ask()
    (entry,) = [record for record in caplog.records if record.message == "model_call_failed"]
    fields = entry.__dict__["fields"]
    assert (fields["calls"], fields["code"]) == (2, "unavailable")
    assert fields["prompt_hash"] == file_prompt("note_rewrite").hash
