"""One handler for a search in both its forms: GET as a link, and POST where the words that are
looked for must not stand in an access log."""

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query

from shared.contracts.api import Body

A = TypeVar("A", bound=Callable[..., Awaitable[Any]])
QUESTION = "asked"
"""The parameter of the handler that is read from the query or from the body."""


def search_route(router: APIRouter, path: str) -> Callable[[A], A]:
    """Decorates a handler with a parameter `asked`. A body, unlike a query, has no fields that are
    not known."""

    def register(handler: A) -> A:
        question = inspect.signature(handler).parameters[QUESTION].annotation
        of_module = {"__module__": question.__module__, "__doc__": "The same in a body."}
        in_body = type(f"{question.__name__}Body", (question, Body), of_module)
        router.get(path)(_reading(handler, Annotated[question, Query()]))
        told = "The same; what is asked for stands in no access log."
        router.post(path, description=told)(_reading(handler, in_body))
        return handler

    return register


def _reading(handler: Callable[..., Awaitable[Any]], question: Any) -> Callable[..., Any]:
    """The handler, with another annotation of its question."""

    @functools.wraps(handler)
    async def route(**given: Any) -> Any:
        return await handler(**given)

    signature = inspect.signature(handler)
    parameters = [
        parameter.replace(annotation=question) if name == QUESTION else parameter
        for name, parameter in signature.parameters.items()
    ]
    route.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return route
