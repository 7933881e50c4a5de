"""The client for plain threads. Made from `async_client.py` by `generate.py`: do not edit."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from annals import answers, calls
from annals.addresses import Addresses, context_deadline, find_addresses
from annals.asking import ContextAsker
from annals.context import Context, nothing, read_context
from annals.deadlines import apart, within
from annals.errors import Broken, Unreachable
from annals.outbox import FEEDBACK, MESSAGE, NOTE, RELAY, Outbox
from annals.sending import Call, given, read_answer, whole_message
from annals.storing import Storing, outbox_file

log = logging.getLogger("annals")
Answer = TypeVar("Answer", bound=BaseModel)

TIMEOUT_S = 30.0
"""For everything nobody's reply waits for."""
CLOSING_S = 5.0
"""For giving back connections."""
LEAST_SERVER_MS = 50
"""Annals takes no shorter deadline."""
MOST_QUESTION_CHARACTERS = 4096
"""Annals takes no longer question: a longer message is asked by its beginning."""


class Annals:
    """Memory for a bot.

    `ingest`, `end` and `feedback` write to a queue on disk and return at once. `context` comes
    within its deadline, empty if need be, and never raises. Everything else asks Annals and raises
    `AnnalsError` if it cannot be done.
    """

    def __init__(
        self,
        url: str | Addresses | None = None,
        key: str | None = None,
        *,
        queue: Path | str | None = None,
        context_deadline_s: float | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._addresses = url if isinstance(url, Addresses) else find_addresses(url, key)
        self._deadline_s = context_deadline() if context_deadline_s is None else context_deadline_s
        tls = httpx.create_ssl_context()
        self._http = httpx.Client(timeout=timeout_s, verify=tls)
        self._asker = ContextAsker(self._addresses, timeout_s, tls)
        self._storing = Storing(self._addresses, timeout_s, tls)
        self._outbox = Outbox(queue or outbox_file(self._addresses), self._storing.deliver)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """What is not sent yet stays on disk and goes with the next start."""
        apart(self._outbox.close)
        self._storing.close()
        within(CLOSING_S, self._asker.stop)
        self._http.close()

    # A turn of a bot

    def ingest(self, *events: Mapping[str, Any]) -> None:
        """Messages as `POST /messages` takes them, of users and of the bot itself (`role`
        assistant). One without `create_time` was said now; one without `message_id` gets one
        derived from its time, sender and text."""
        for event in events:
            self._outbox.add(MESSAGE, whole_message(event))

    def relay(self, platform: str, event: Mapping[str, Any]) -> None:
        """An event as OneBot or Discord sent it to the bot: messages, recalls, new names. Annals
        reads it as if the platform itself had posted it, so the ids are the same."""
        self._outbox.add(RELAY, {"platform": platform, "event": dict(event)})

    def context(
        self,
        group_id: str,
        message: str | None = None,
        *,
        message_id: str | None = None,
        user_id: str | None = None,
        max_tokens: int | None = None,
        include: Sequence[str] | None = None,
        deadline_s: float | None = None,
    ) -> Context:
        """What the bot should know before it answers `message` (or the stored `message_id`)."""
        allowed = self._deadline_s if deadline_s is None else deadline_s
        try:
            question = given(
                message=message[:MOST_QUESTION_CHARACTERS] if message is not None else None,
                message_id=message_id,
                user_id=user_id,
                max_tokens=max_tokens,
                include=list(include) if include is not None else None,
                deadline_ms=max(LEAST_SERVER_MS, int(allowed * 1000)),
            )
            call = calls.build_context(group_id, question)
            return read_context(within(allowed, self._asker.ask, call))
        except TimeoutError:
            why = f"no context within {allowed:g} s"
        except Exception as error:  # noqa: BLE001  a bot replies, whatever became of its memory
            why = f"no context: {error}"
        log.warning("annals: %s", why)
        return nothing(why)

    def end(
        self,
        group_id: str,
        *,
        user_id: str,
        request_id: str,
        action_summary: str = "",
        new_info: str = "",
        message_ids: Sequence[str] = (),
        end_seq: int = 0,
        **more: Any,
    ) -> None:
        """The bot's note as its turn ends; `request_id` and `end_seq` make it one, however often
        it is sent."""
        note = {
            "group_id": group_id,
            "user_id": user_id,
            "request_id": request_id,
            "end_seq": end_seq,
            "action_summary": action_summary,
            "new_info": new_info,
            "message_ids": list(message_ids),
            **more,
        }
        self._outbox.add(NOTE, note)

    def feedback(
        self,
        context: Context | str,
        *,
        llm_response: str | None = None,
        used_ids: Sequence[str] | None = None,
        user_feedback: str | None = None,
        success_indicator: float | None = None,
        **more: Any,
    ) -> None:
        """What became of a context: memories that the reply refers to grow stronger."""
        context_id = context if isinstance(context, str) else context.context_id
        if not context_id:
            return
        said = given(
            llm_response=llm_response,
            used_ids=list(used_ids) if used_ids is not None else None,
            user_feedback=user_feedback,
            success_indicator=success_indicator,
            **more,
        )
        self._outbox.add(FEEDBACK, {"context_id": context_id, "said": said})

    def flush(self, timeout_s: float = 10.0) -> bool:
        """Waits until everything is stored; False if it is not within that time."""
        return apart(self._outbox.flush, timeout_s)

    @property
    def waiting(self) -> int:
        """Entries on disk that Annals does not have yet."""
        return len(self._outbox)

    @property
    def dropped(self) -> dict[str, int]:
        """Entries that were given up, by reason."""
        return self._outbox.dropped

    # Memories

    def add(self, group_id: str, statement: str, **fields: Any) -> answers.MemoryAnswer:
        call = calls.add_memory(group_id, statement, fields)
        return self._read(answers.MemoryAnswer, call)

    def search(
        self, group_id: str, text: str, *, limit: int = 5, threshold: float | None = None
    ) -> answers.MemoryHits:
        call = calls.search_memories(group_id, text, limit=limit, threshold=threshold)
        return self._read(answers.MemoryHits, call)

    def get_all(
        self, group_id: str, *, status: str | None = None, limit: int = 20, offset: int = 0
    ) -> answers.MemoryList:
        call = calls.list_memories(group_id, status=status, limit=limit, offset=offset)
        return self._read(answers.MemoryList, call)

    def update(self, memory_id: str, statement: str, **fields: Any) -> answers.MemoryAnswer:
        """A new version; the old one stays in the history."""
        return self._read(answers.MemoryAnswer, calls.update_memory(memory_id, statement, fields))

    def delete(self, memory_id: str, *, forget: bool = False) -> dict[str, Any]:
        """Can be undone with `restore`, unless `forget`: that erases every version."""
        return self.request(calls.delete_memory(memory_id, forget=forget))

    def restore(self, memory_id: str) -> answers.MemoryAnswer:
        return self._read(answers.MemoryAnswer, calls.restore_memory(memory_id))

    def history(self, memory_id: str) -> answers.MemoryHistory:
        return self._read(answers.MemoryHistory, calls.memory_history(memory_id))

    def changes(self, group_id: str, *, days: int = 7) -> answers.ChangeList:
        return self._read(answers.ChangeList, calls.memory_changes(group_id, days=days))

    def stats(self, group_id: str) -> answers.MemoryStats:
        return self._read(answers.MemoryStats, calls.memory_stats(group_id))

    def evolve(self, group_id: str, *, days: int | None = None) -> dict[str, Any]:
        """A report, or `job_id` and `status: running` where it takes longer."""
        return self.request(calls.evolve(group_id, days=days))

    # Topics, events

    def topics(
        self, group_id: str, *, limit: int = 20, cursor: str | None = None
    ) -> answers.TopicList:
        call = calls.list_topics(group_id, limit=limit, cursor=cursor)
        return self._read(answers.TopicList, call)

    def search_topics(self, group_id: str, text: str, *, limit: int = 5) -> answers.FoundTopics:
        return self._read(answers.FoundTopics, calls.search_topics(group_id, text, limit=limit))

    def summarize(self, topic_id: str) -> dict[str, Any]:
        return self.request(calls.summarize_topic(topic_id))

    def events(self, group_id: str, **query: Any) -> answers.EventList:
        return self._read(answers.EventList, calls.list_events(group_id, query))

    # Tools for a model

    def tools(self) -> list[dict[str, Any]]:
        """Schemas as the `tools` of a chat completion."""
        answer = self.request(calls.list_tools())
        tools: list[dict[str, Any]] = answer["tools"]
        return tools

    def call_tool(
        self,
        group_id: str,
        name: str,
        arguments: Mapping[str, Any] | str,
        *,
        user_id: str | None = None,
        request_id: str | None = None,
        message_ids: Sequence[str] | None = None,
    ) -> dict[str, Any]:
        """One call that a model made, with its arguments as an object or as the text that model
        APIs hand over. The group is the host's to say: an argument that names another one is
        refused."""
        turn = given(
            user_id=user_id,
            request_id=request_id,
            message_ids=list(message_ids) if message_ids is not None else None,
        )
        return self.request(calls.call_tool(group_id, name, arguments, turn))

    # Forgetting

    def forget(
        self, group_id: str, *, user_id: str | None = None, message_id: str | None = None
    ) -> answers.ForgetAccepted:
        """A message, a member, or with neither the whole group."""
        call = calls.forget(group_id, user_id=user_id, message_id=message_id)
        return self._read(answers.ForgetAccepted, call)

    def receipt(self, forget_id: str) -> answers.ForgetAnswer:
        return self._read(answers.ForgetAnswer, calls.show_forget(forget_id))

    # A whole group

    def export(self, group_id: str) -> Iterator[str]:
        """Everything of a group, a line of JSON a record, what others refer to first."""
        cursor: str | None = None
        while True:
            response = self._response(calls.export_group(group_id, cursor=cursor))
            if response.status_code >= 400:
                read_answer(response.status_code, response.content)
            for line in response.text.split("\n"):
                if line:
                    yield line
            cursor = response.headers.get(calls.NEXT_CURSOR)
            if not cursor:
                return

    def import_(self, group_id: str, lines: Sequence[str]) -> answers.ImportReport:
        """At most some hundred lines of an export; what is there already stays as it is."""
        return self._read(answers.ImportReport, calls.import_group(group_id, lines))

    def labelled_contexts(self, group_id: str) -> list[dict[str, Any]]:
        """Contexts whose use is known from feedback, the newest first."""
        response = self._response(calls.export_contexts(group_id))
        if response.status_code >= 400:
            read_answer(response.status_code, response.content)
        return [json.loads(line) for line in response.text.split("\n") if line]

    # Anything else

    def request(self, call: Call) -> dict[str, Any]:
        """The answer to one of `annals.calls` as it came."""
        return self._asked(call)

    def pages(self, call: Call, items: str, *, most: int | None = None) -> Iterator[dict[str, Any]]:
        """The items of a list, page by page, following its `cursor`."""
        count = 0
        cursor: str | None = None
        while True:
            query = {**call.query, **given(cursor=cursor)}
            page = self._asked(
                Call(call.function, call.method, call.path, query, call.body, call.headers)
            )
            for item in page.get(items, []):
                yield item
                count += 1
                if most is not None and count >= most:
                    return
            cursor = page.get("next_cursor")
            if not cursor:
                return

    def _read(self, model: type[Answer], call: Call) -> Answer:
        answer = self._asked(call)
        try:
            return model.model_validate(answer)
        except ValidationError as error:
            raise Broken(f"an answer that is no {model.__name__}: {error}") from error

    def _asked(self, call: Call) -> dict[str, Any]:
        response = self._response(call)
        return read_answer(response.status_code, response.content)

    def _response(self, call: Call) -> httpx.Response:
        try:
            return self._http.request(**call.request(self._addresses))
        except httpx.HTTPError as error:
            raise Unreachable(
                f"{self._addresses.of(call.function)} did not answer: {error!r}"
            ) from error
