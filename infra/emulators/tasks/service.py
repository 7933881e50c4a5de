"""google.cloud.tasks.v2.CloudTasks over gRPC: the rules decide, the store keeps, the lane wakes."""

import base64
import binascii
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from google.cloud import tasks_v2
from google.iam.v1 import iam_policy_pb2, policy_pb2  # type: ignore[import-untyped]
from google.longrunning import operations_pb2  # type: ignore[import-untyped]
from google.protobuf.empty_pb2 import Empty

from . import names, queue_rules, refusal, task_rules
from .dispatcher import Dispatcher, now_us
from .faults import Faults
from .outcome import End
from .protobuf import Message, Queue, State, Task, raw, timestamp_us
from .refusal import Refusal
from .store import Store
from .stored_task import TaskRow

NAME = "google.cloud.tasks.v2.CloudTasks"
_QUEUE_PAGE = 9800
_TASK_PAGE = 1000

_UNSERVED = {
    "GetIamPolicy": (iam_policy_pb2.GetIamPolicyRequest, policy_pb2.Policy),
    "SetIamPolicy": (iam_policy_pb2.SetIamPolicyRequest, policy_pb2.Policy),
    "TestIamPermissions": (
        iam_policy_pb2.TestIamPermissionsRequest,
        iam_policy_pb2.TestIamPermissionsResponse,
    ),
    "BatchCreateTasks": (raw(tasks_v2.BatchCreateTasksRequest), operations_pb2.Operation),
    "BatchDeleteTasks": (raw(tasks_v2.BatchDeleteTasksRequest), operations_pb2.Operation),
    "UpdateCmekConfig": (raw(tasks_v2.UpdateCmekConfigRequest), raw(tasks_v2.CmekConfig)),
    "GetCmekConfig": (raw(tasks_v2.GetCmekConfigRequest), raw(tasks_v2.CmekConfig)),
}


class Service:
    """The calls. Each answers a message or raises a refusal, and has stored what it answers."""

    def __init__(self, store: Store, dispatcher: Dispatcher, faults: Faults) -> None:
        self._store = store
        self._dispatcher = dispatcher
        self._faults = faults

    def handler(self) -> grpc.GenericRpcHandler:
        calls: dict[str, tuple[Callable[[Message], Message], Any, Any]] = {
            "ListQueues": (
                self.list_queues,
                raw(tasks_v2.ListQueuesRequest),
                raw(tasks_v2.ListQueuesResponse),
            ),
            "GetQueue": (self.get_queue, raw(tasks_v2.GetQueueRequest), Queue),
            "CreateQueue": (self.create_queue, raw(tasks_v2.CreateQueueRequest), Queue),
            "UpdateQueue": (self.update_queue, raw(tasks_v2.UpdateQueueRequest), Queue),
            "DeleteQueue": (self.delete_queue, raw(tasks_v2.DeleteQueueRequest), Empty),
            "PurgeQueue": (self.purge_queue, raw(tasks_v2.PurgeQueueRequest), Queue),
            "PauseQueue": (self.pause_queue, raw(tasks_v2.PauseQueueRequest), Queue),
            "ResumeQueue": (self.resume_queue, raw(tasks_v2.ResumeQueueRequest), Queue),
            "ListTasks": (
                self.list_tasks,
                raw(tasks_v2.ListTasksRequest),
                raw(tasks_v2.ListTasksResponse),
            ),
            "GetTask": (self.get_task, raw(tasks_v2.GetTaskRequest), Task),
            "CreateTask": (self.create_task, raw(tasks_v2.CreateTaskRequest), Task),
            "DeleteTask": (self.delete_task, raw(tasks_v2.DeleteTaskRequest), Empty),
            "RunTask": (self.run_task, raw(tasks_v2.RunTaskRequest), Task),
        }
        for name, (request, response) in _UNSERVED.items():
            calls[name] = (_refusing(name), request, response)
        return grpc.method_handlers_generic_handler(
            NAME,
            {
                name: grpc.unary_unary_rpc_method_handler(
                    _answering(call),
                    request_deserializer=request.FromString,
                    response_serializer=response.SerializeToString,
                )
                for name, (call, request, response) in calls.items()
            },
        )

    # Queues

    def list_queues(self, request: Message) -> Message:
        location = names.location(request.parent)
        if request.filter:
            raise refusal.unserved("ListQueues with a filter")
        size, after = _page(request, _QUEUE_PAGE)
        found = self._store.queues(f"{location}/queues/", after, size + 1)
        return raw(tasks_v2.ListQueuesResponse)(
            queues=found[:size], next_page_token=_next_page(found, size)
        )

    def get_queue(self, request: Message) -> Message:
        return self._queue(request.name)

    def create_queue(self, request: Message) -> Message:
        location = names.location(request.parent)
        name = names.queue(request.queue.name)
        if not name.startswith(f"{location}/"):
            raise refusal.invalid(f"{name} must begin with {location}.")
        if self._store.queue(name) is not None:
            raise refusal.taken(refusal.QUEUE_EXISTS)
        return self._keep(self._new(request.queue))

    def update_queue(self, request: Message) -> Message:
        current = self._store.queue(names.queue(request.queue.name))
        if current is None:
            return self._keep(self._new(request.queue))
        return self._keep(queue_rules.merged(current, request.queue, request.update_mask))

    def delete_queue(self, request: Message) -> Message:
        name = names.queue(request.name)
        if not self._store.delete_queue(name, now_us()):
            raise refusal.missing(refusal.ENTITY_MISSING)
        self._dispatcher.forget(name)
        return Empty()

    def purge_queue(self, request: Message) -> Message:
        queue = self._queue(request.name)
        self._store.purge(queue, now_us())
        self._dispatcher.wake(queue.name)
        return queue

    def pause_queue(self, request: Message) -> Message:
        queue = self._queue(request.name)
        queue.state = State.PAUSED
        return self._keep(queue)

    def resume_queue(self, request: Message) -> Message:
        queue = self._queue(request.name)
        queue.state = State.RUNNING
        return self._keep(queue)

    # Tasks

    def list_tasks(self, request: Message) -> Message:
        queue = self._queue(request.parent)
        size, after = _page(request, _TASK_PAGE)
        found = self._store.tasks(queue.name, after, size + 1)
        return raw(tasks_v2.ListTasksResponse)(
            tasks=[task_rules.shown(row.message(), request.response_view) for row in found[:size]],
            next_page_token=_next_page(found, size),
        )

    def get_task(self, request: Message) -> Message:
        name = names.task(request.name)
        self._queue(name.queue)
        row = self._store.task(name.full)
        if row is None:
            existed = self._store.finished(name.full, now_us()) is not None
            raise refusal.missing(refusal.TASK_GONE if existed else refusal.ENTITY_MISSING)
        return task_rules.shown(row.message(), request.response_view)

    def create_task(self, request: Message) -> Message:
        queue = self._queue(request.parent)
        if self._faults.refuses(queue.name):
            raise refusal.forbidden(refusal.NO_RIGHT)
        now = now_us()
        task = task_rules.admitted(request.task, queue.name, str(secrets.randbits(63)), now)
        if self._store.task(task.name) is not None:
            raise refusal.taken(refusal.TASK_EXISTS)
        if self._store.finished(task.name, now) is not None:
            raise refusal.taken(refusal.TASK_EXISTED)
        row = TaskRow(
            name=task.name,
            queue=queue.name,
            task=task.SerializeToString(),
            created_us=now,
            schedule_us=timestamp_us(task.schedule_time),
        )
        self._store.add(row)
        self._dispatcher.wake(queue.name)
        return task_rules.shown(row.message(), request.response_view)

    def delete_task(self, request: Message) -> Message:
        row = self._task(request.name)
        self._store.finish(row, End.DELETED, now_us())
        self._dispatcher.wake(row.queue)
        return Empty()

    def run_task(self, request: Message) -> Message:
        row = self._task(request.name)
        sent = self._dispatcher.run_now(row.name, row.queue)
        return task_rules.shown(sent.message(), request.response_view)

    # Parts

    def _queue(self, name: str) -> Message:
        queue = self._store.queue(names.queue(name))
        if queue is None:
            raise refusal.missing(refusal.QUEUE_MISSING)
        return queue

    def _task(self, text: str) -> TaskRow:
        name = names.task(text)
        self._queue(name.queue)
        row = self._store.task(name.full)
        if row is None:
            raise refusal.missing(refusal.ENTITY_MISSING)
        return row

    def _new(self, asked: Message) -> Message:
        if self._store.existed(asked.name, now_us()):
            raise refusal.not_now(refusal.QUEUE_EXISTED)
        return queue_rules.created(asked)

    def _keep(self, queue: Message) -> Message:
        self._store.put_queue(queue)
        self._dispatcher.configure(queue)
        return queue


def _answering(
    call: Callable[[Message], Message],
) -> Callable[[Message, Any], Awaitable[Message]]:
    async def answer(request: Message, context: Any) -> Message:
        try:
            return call(request)
        except Refusal as refused:
            await context.abort(refused.code, refused.message)

    return answer


def _refusing(name: str) -> Callable[[Message], Message]:
    def refuse(_: Message) -> Message:
        raise refusal.unserved(name)

    return refuse


def _page(request: Message, largest: int) -> tuple[int, str]:
    """The page's size and the name it starts after."""
    if request.page_size < 0:
        raise refusal.invalid("The page size must not be negative.")
    try:
        after = base64.b64decode(request.page_token, b"-_", validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise refusal.invalid("The page token is invalid.") from error
    return min(request.page_size or largest, largest), after


def _next_page(found: list[Any], size: int) -> str:
    if len(found) <= size:
        return ""
    last: str = found[size - 1].name
    return base64.urlsafe_b64encode(last.encode()).decode()
