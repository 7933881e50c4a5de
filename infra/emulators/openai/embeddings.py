"""`POST /v1/embeddings`: what is refused, and how vectors are written down."""

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .encoder import DIMENSIONS
from .models import EMBEDDER, exists
from .refusal import Refusal, bad, no_such_model, wrong_type

if TYPE_CHECKING:
    from .network import Matrix

MAX_INPUTS = 2048
MAX_TOKENS_A_TEXT = 8192
MAX_TOKENS_A_CALL = 300_000
_PARAMETERS = {"model", "input", "encoding_format", "dimensions", "user"}


@dataclass(frozen=True)
class EmbeddingRequest:
    texts: list[str]
    is_single: bool
    as_base64: bool


def read_request(body: dict[str, Any]) -> EmbeddingRequest:
    """The request, or a `Refusal` worded as the service words it."""
    for name in body.keys() - _PARAMETERS:
        raise bad(f"Unknown parameter: '{name}'.", name, "unknown_parameter")
    _check_model(body.get("model"))
    encoding = body.get("encoding_format", "float")
    if encoding not in ("float", "base64"):
        raise bad(
            f"Invalid value: '{encoding}'. Supported values are: 'float' and 'base64'.",
            "encoding_format",
            "invalid_value",
        )
    dimensions = body.get("dimensions", DIMENSIONS)
    if dimensions != DIMENSIONS or isinstance(dimensions, bool):
        raise bad(
            f"Invalid value for 'dimensions' = {dimensions}. This model has {DIMENSIONS}.",
            "dimensions",
            "invalid_value",
        )
    return EmbeddingRequest(
        _texts(body.get("input")), isinstance(body.get("input"), str), encoding == "base64"
    )


def _check_model(model: object) -> None:
    if not isinstance(model, str) or not model:
        raise bad("you must provide a model parameter")
    if not exists(model):
        raise no_such_model(model)
    if model != EMBEDDER:
        raise Refusal(403, "You are not allowed to generate embeddings from this model")


def _texts(given: object) -> list[str]:
    if given is None:
        raise bad("Missing required parameter: 'input'.", "input", "missing_required_parameter")
    if isinstance(given, str):
        if not given:
            raise bad("Invalid 'input': input cannot be an empty string.", "input")
        return [given]
    if not isinstance(given, list):
        raise wrong_type("input", "a string or an array of strings", given)
    if not given:
        raise bad("Invalid 'input': input cannot be an empty array.", "input", "empty_array")
    if all(isinstance(item, int | list) and not isinstance(item, bool) for item in given):
        raise bad(
            "Invalid 'input': token arrays are not accepted here: this model has its own "
            "vocabulary. Send the text.",
            "input",
            "unsupported_value",
        )
    if len(given) > MAX_INPUTS:
        raise bad(
            f"Invalid 'input': array too long. Expected an array with maximum length "
            f"{MAX_INPUTS}, but got an array with length {len(given)} instead.",
            "input",
            "array_above_max_length",
        )
    for place, item in enumerate(given):
        if not isinstance(item, str):
            raise wrong_type(f"input[{place}]", "a string", item)
        if not item:
            raise bad(f"Invalid 'input[{place}]': input cannot be an empty string.", "input")
    return given


def check_lengths(request: EmbeddingRequest, lengths: list[int]) -> None:
    for place, length in enumerate(lengths):
        if length > MAX_TOKENS_A_TEXT:
            where = "input" if request.is_single else f"input[{place}]"
            raise bad(f"Invalid '{where}': maximum context length is {MAX_TOKENS_A_TEXT} tokens.")
    if sum(lengths) > MAX_TOKENS_A_CALL:
        raise Refusal(
            400,
            f"Requested {sum(lengths)} tokens, max {MAX_TOKENS_A_CALL} tokens per request",
            kind="max_tokens_per_request",
            code="max_tokens_per_request",
        )


def answer(request: EmbeddingRequest, vectors: "Matrix", tokens: int) -> dict[str, Any]:
    data = [
        {"object": "embedding", "index": index, "embedding": _written(vector, request.as_base64)}
        for index, vector in enumerate(vectors)
    ]
    return {
        "object": "list",
        "data": data,
        "model": EMBEDDER,
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def _written(vector: Any, as_base64: bool) -> str | list[float]:
    if as_base64:
        return base64.b64encode(vector.astype("<f4").tobytes()).decode("ascii")
    numbers: list[float] = vector.tolist()
    return numbers
