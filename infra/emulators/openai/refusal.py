"""Errors in the one shape OpenAI's clients read: `{"error": {message, type, param, code}}`."""

from starlette.responses import JSONResponse

INVALID = "invalid_request_error"


class Refusal(Exception):
    """A request that is answered with an error; raised anywhere, rendered at the door."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        kind: str = INVALID,
        param: str | None = None,
        code: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.kind = kind
        self.param = param
        self.code = code
        self.headers = headers or {}

    def response(self) -> JSONResponse:
        body = {
            "message": self.message,
            "type": self.kind,
            "param": self.param,
            "code": self.code,
        }
        return JSONResponse({"error": body}, status_code=self.status, headers=self.headers)


def bad(message: str, param: str | None = None, code: str | None = None) -> Refusal:
    """A 400 about one parameter."""
    return Refusal(400, message, param=param, code=code)


def wrong_type(param: str, expected: str, got: object) -> Refusal:
    names = {
        str: "a string",
        bool: "a boolean",
        int: "an integer",
        float: "a decimal",
        list: "an array",
        dict: "an object",
        type(None): "null",
    }
    named = names.get(type(got), type(got).__name__)
    return bad(
        f"Invalid type for '{param}': expected {expected}, but got {named} instead.",
        param,
        "invalid_type",
    )


def no_such_model(name: str) -> Refusal:
    return Refusal(
        404,
        f"The model `{name}` does not exist or you do not have access to it.",
        param="model",
        code="model_not_found",
    )
