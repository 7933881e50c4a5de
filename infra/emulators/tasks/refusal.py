"""Calls that the service would refuse, with its status codes and its words."""

import grpc

QUEUE_MISSING = (
    "Queue does not exist. If you just created the queue, wait at least a minute for the queue "
    "to initialize."
)
ENTITY_MISSING = "Requested entity was not found."
TASK_EXISTS = "Requested entity already exists"
TASK_EXISTED = (
    "The task cannot be created because a task with this name existed too recently. For more "
    "information about task de-duplication see https://cloud.google.com/tasks/docs/reference/rest/"
    "v2/projects.locations.queues.tasks/create#body.request_body.FIELDS.task."
)
TASK_GONE = (
    "The task no longer exists, though a task with this name existed recently. The task either "
    "successfully completed or was deleted."
)
QUEUE_EXISTS = "Queue already exists"
NO_RIGHT = 'The principal lacks IAM permission "cloudtasks.tasks.create" for the resource.'
QUEUE_EXISTED = "The queue cannot be created because a queue with this name existed too recently."


class Refusal(Exception):
    """A call that changes nothing and is answered with this status."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def invalid(message: str) -> Refusal:
    return Refusal(grpc.StatusCode.INVALID_ARGUMENT, message)


def missing(message: str) -> Refusal:
    return Refusal(grpc.StatusCode.NOT_FOUND, message)


def taken(message: str) -> Refusal:
    return Refusal(grpc.StatusCode.ALREADY_EXISTS, message)


def not_now(message: str) -> Refusal:
    return Refusal(grpc.StatusCode.FAILED_PRECONDITION, message)


def forbidden(message: str) -> Refusal:
    return Refusal(grpc.StatusCode.PERMISSION_DENIED, message)


def unserved(what: str) -> Refusal:
    """The service has it, this emulator does not, and says so."""
    return Refusal(grpc.StatusCode.UNIMPLEMENTED, f"{what} is not served by this emulator.")
