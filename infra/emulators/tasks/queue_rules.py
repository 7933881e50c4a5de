"""What a queue may be asked to be: defaults, limits and field masks, decided without I/O."""

from .backoff import RetryPolicy
from .pacing import Limits, burst_for
from .protobuf import SECOND, Message, Queue, State, duration, duration_us
from .refusal import invalid, unserved

_RATE = 500.0
_CONCURRENCY = 1000
_ATTEMPTS = 100
_MIN_BACKOFF_US = SECOND // 10
_MAX_BACKOFF_US = 3600 * SECOND
_DOUBLINGS = 16


def created(asked: Message) -> Message:
    """A new queue: what was asked for, the service's defaults for the rest, running."""
    return merged(Queue(name=asked.name, state=State.RUNNING), asked, None)


def merged(current: Message, asked: Message, mask: Message | None) -> Message:
    """The queue after an update of the masked fields (of all settings without a mask).

    Name, state and purge time stay as they are: they are not a client's to set.
    """
    queue = Queue()
    queue.CopyFrom(current)
    if mask is None or not mask.paths:
        for name in ("rate_limits", "retry_config", "stackdriver_logging_config"):
            queue.ClearField(name)
        queue.MergeFrom(_settings(asked))
    else:
        unknown = [path for path in mask.paths if not _is_field(path)]
        if unknown:
            raise invalid(f"Invalid field mask: the queue has no field {', '.join(unknown)}.")
        mask.MergeMessage(asked, queue, True, True)
    queue.name, queue.state = current.name, current.state
    queue.ClearField("purge_time")
    if current.HasField("purge_time"):
        queue.purge_time.CopyFrom(current.purge_time)
    return _completed(queue)


def limits_of(queue: Message) -> Limits:
    rates = queue.rate_limits
    return Limits(
        rates.max_dispatches_per_second, rates.max_burst_size, rates.max_concurrent_dispatches
    )


def policy_of(config: Message) -> RetryPolicy:
    return RetryPolicy(
        config.max_attempts,
        duration_us(config.max_retry_duration),
        duration_us(config.min_backoff),
        duration_us(config.max_backoff),
        config.max_doublings,
    )


def complete_retries(config: Message) -> None:
    """Check retry settings and fill in what was left out, in place."""
    if config.max_attempts < -1:
        raise invalid("RetryConfig.maxAttempts must be greater or equal to -1.")
    if config.max_doublings < 0:
        raise invalid("RetryConfig.maxDoublings cannot be negative.")
    for field, name in (
        ("max_retry_duration", "maxRetryDuration"),
        ("min_backoff", "minBackoff"),
        ("max_backoff", "maxBackoff"),
    ):
        if duration_us(getattr(config, field)) < 0:
            raise invalid(f"RetryConfig.{name} cannot be negative.")
    config.max_attempts = config.max_attempts or _ATTEMPTS
    config.max_doublings = config.max_doublings or _DOUBLINGS
    if not config.HasField("min_backoff"):
        lowest = _MIN_BACKOFF_US
        if config.HasField("max_backoff"):
            lowest = min(lowest, duration_us(config.max_backoff))
        config.min_backoff.CopyFrom(duration(lowest))
    if not config.HasField("max_backoff"):
        highest = max(_MAX_BACKOFF_US, duration_us(config.min_backoff))
        config.max_backoff.CopyFrom(duration(highest))
    if duration_us(config.min_backoff) > duration_us(config.max_backoff):
        raise invalid(
            "RetryConfig.minBackoff must be less than or equal to RetryConfig.maxBackoff."
        )


def _settings(asked: Message) -> Message:
    settings = Queue()
    settings.CopyFrom(asked)
    for name in ("name", "state", "purge_time"):
        settings.ClearField(name)
    return settings


def _is_field(path: str) -> bool:
    descriptor = Queue.DESCRIPTOR
    for name in path.split("."):
        field = descriptor.fields_by_name.get(name) if descriptor else None
        if field is None:
            return False
        descriptor = field.message_type
    return True


def _completed(queue: Message) -> Message:
    if queue.HasField("http_target"):
        raise unserved("Queue.http_target (overrides for all tasks of a queue)")
    if queue.HasField("app_engine_routing_override"):
        raise unserved("App Engine routing")
    rates = queue.rate_limits
    if rates.max_dispatches_per_second < 0:
        raise invalid("RateLimits.maxDispatchesPerSecond cannot be negative.")
    if rates.max_dispatches_per_second > _RATE:
        raise invalid("RateLimits.maxDispatchesPerSecond must be less than or equal to 500.")
    if rates.max_concurrent_dispatches < 0:
        raise invalid("RateLimits.maxConcurrentDispatches cannot be negative.")
    if rates.max_concurrent_dispatches > 5000:
        raise invalid("RateLimits.maxConcurrentDispatches must be less than or equal to 5000.")
    rates.max_dispatches_per_second = rates.max_dispatches_per_second or _RATE
    rates.max_concurrent_dispatches = rates.max_concurrent_dispatches or _CONCURRENCY
    rates.max_burst_size = burst_for(rates.max_dispatches_per_second)
    complete_retries(queue.retry_config)
    return queue
