"""The SDK's two clients behind one way of calling them, so that every case runs on both."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
from google.cloud.tasks_v2 import CloudTasksAsyncClient, CloudTasksClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import (
    CloudTasksGrpcAsyncIOTransport,
    CloudTasksGrpcTransport,
)

KINDS = ("sync", "async")


class Client:
    """`await client.call("create_task", parent=..., task=...)` on the real SDK."""

    def __init__(self, sdk: CloudTasksClient | CloudTasksAsyncClient) -> None:
        self._sdk = sdk

    async def call(self, method: str, **arguments: Any) -> Any:
        function = getattr(self._sdk, method)
        if isinstance(self._sdk, CloudTasksAsyncClient):
            return await function(**arguments)
        return await asyncio.to_thread(function, **arguments)

    async def listed(self, method: str, **request: Any) -> list[Any]:
        """All items of all pages."""
        pager = await self.call(method, request=request)
        if isinstance(self._sdk, CloudTasksAsyncClient):
            return [item async for item in pager]
        return await asyncio.to_thread(list, pager)


@asynccontextmanager
async def connected(kind: str, endpoint: str) -> AsyncIterator[Client]:
    if kind == "async":
        channel = grpc.aio.insecure_channel(endpoint)
        transport = CloudTasksGrpcAsyncIOTransport(channel=channel)
        yield Client(CloudTasksAsyncClient(transport=transport))
        await channel.close()
    else:
        with grpc.insecure_channel(endpoint) as plain:
            yield Client(CloudTasksClient(transport=CloudTasksGrpcTransport(channel=plain)))
