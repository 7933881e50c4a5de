"""How a request is refused: a status code and a sentence, never a stack trace."""

from typing import NoReturn

import grpc


class Refused(Exception):
    """The request cannot be served; the code and the message are what the client sees."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def invalid(message: str) -> NoReturn:
    raise Refused(grpc.StatusCode.INVALID_ARGUMENT, message)


def failed_precondition(message: str) -> NoReturn:
    raise Refused(grpc.StatusCode.FAILED_PRECONDITION, message)


def aborted(message: str) -> NoReturn:
    raise Refused(grpc.StatusCode.ABORTED, message)


def unimplemented(message: str) -> NoReturn:
    raise Refused(grpc.StatusCode.UNIMPLEMENTED, message)
