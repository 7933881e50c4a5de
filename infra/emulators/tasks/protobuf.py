"""The protobuf classes behind the SDK's own types, and times as whole microseconds."""

from typing import Any, TypeAlias

from google.cloud import tasks_v2
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

Message: TypeAlias = Any
"""A protobuf message: the wheel makes its classes at run time, so no static type exists."""

SECOND = 1_000_000
"""Microseconds. Every `*_us` in this package is a time since 1970 or a span in them."""


def raw(kind: Any) -> Any:
    """The protobuf class that a proto-plus type wraps."""
    return type(kind.pb(kind()))


Task = raw(tasks_v2.Task)
Queue = raw(tasks_v2.Queue)
RetryConfig = raw(tasks_v2.RetryConfig)
State = tasks_v2.Queue.State
View = tasks_v2.Task.View
Method = tasks_v2.HttpMethod


def timestamp(us: int) -> Timestamp:
    return Timestamp(seconds=us // SECOND, nanos=us % SECOND * 1000)


def timestamp_us(stamp: Timestamp) -> int:
    return stamp.seconds * SECOND + stamp.nanos // 1000


def duration(us: int) -> Duration:
    return Duration(seconds=us // SECOND, nanos=us % SECOND * 1000)


def duration_us(span: Duration) -> int:
    return span.seconds * SECOND + int(span.nanos / 1000)
