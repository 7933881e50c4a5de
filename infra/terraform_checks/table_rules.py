"""What Terraform does not look at: schedules, sizes, names and limits of both clouds. Pure."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

CLOUD_RUN_MEMORY = {0.5: (128, 2048), 1: (128, 4096), 2: (128, 8192), 4: (2048, 16384)}
"""MiB that go with each number of processors."""
LAMBDA_MEMORY = (128, 10_240)
LAMBDA_TIMEOUT_S = 900
CLOUD_RUN_TIMEOUT_S = 3600
QUEUE_RATE, QUEUE_CONCURRENCY = 500, 5000
MOST_INSTANCES = 1000
"""Of one service; a region's quota may be lower and can be raised."""
LONGEST_NAME = 63 - len("annals--") - 12
"""Of a Cloud Run service, with the longest environment's name before it."""
_CRON = (range(60), range(24), range(1, 32), range(1, 13), range(8))


def complaints(tables: Mapping[str, Any]) -> list[str]:
    """Everything that a cloud would refuse, or do otherwise than the table says."""
    return [
        *_of_deployments(tables["deployments"], tables["queues"], tables["secrets"]),
        *_of_queues(tables["queues"], tables["deployments"]),
        *_of_schedules(tables["schedules"], tables["deployments"]),
        *_of_sizes(tables["sizes"], tables["queues"], tables["deployments"]),
    ]


def _of_sizes(
    sizes: Mapping[str, Any], queues: Mapping[str, Any], deployments: Mapping[str, Any]
) -> Iterator[str]:
    """Each has a rate for every queue and instances for every deployment, within the limits."""
    for size, own in sizes.items():
        for name, row in own["queues"].items():
            if not 0 < row["rate_per_second"] <= QUEUE_RATE:
                yield f"size {size}, queue {name}: {row['rate_per_second']} a second"
            if not 0 < row["concurrency"] <= QUEUE_CONCURRENCY:
                yield f"size {size}, queue {name}: {row['concurrency']} at once"
            if not re.fullmatch(r"[a-zA-Z0-9-]{1,100}", name):
                yield f"size {size}: {name} is no name of a queue"
        if {row["row"] for row in own["queues"].values()} != set(queues):
            yield f"size {size}: other queues than there are"
        if set(own["deployments"]) != set(deployments):
            yield f"size {size}: other deployments than there are"
            continue
        for name, row in own["deployments"].items():
            yield from (f"size {size}, {name}: {one}" for one in _of_room(row, deployments[name]))


def _of_room(row: Mapping[str, Any], deployment: Mapping[str, Any]) -> Iterator[str]:
    if deployment["cpu"] < 1 and row["concurrency"] > 1:
        yield "under one processor Cloud Run takes one request at a time"
    if not 1 <= row["concurrency"] <= 1000:
        yield f"a concurrency of {row['concurrency']}"
    if not deployment["min_instances"] <= row["max_instances"] <= MOST_INSTANCES:
        yield f"{row['max_instances']} instances: fewer than are kept, or too many"


def _of_deployments(
    rows: Mapping[str, Any], queues: Mapping[str, Any], secrets: list[str]
) -> Iterator[str]:
    for name, row in rows.items():
        least, most = CLOUD_RUN_MEMORY.get(row["cpu"], (1, 0))
        if not least <= row["memory_mb"] <= most:
            yield f"{name}: {row['memory_mb']} MiB do not go with {row['cpu']} processors"
        if not LAMBDA_MEMORY[0] <= row["memory_mb"] <= LAMBDA_MEMORY[1]:
            yield f"{name}: Lambda has no {row['memory_mb']} MB"
        if not 0 < row["timeout_s"] <= min(LAMBDA_TIMEOUT_S, CLOUD_RUN_TIMEOUT_S):
            yield f"{name}: no cloud runs a request for {row['timeout_s']} s"
        if len(name) > LONGEST_NAME or not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
            yield f"{name}: is no name of a service"
        if row["public"] and row["task_auth"] == "iam":
            yield f"{name}: lets everybody in and leaves the check of tokens to the cloud"
        yield from (f"{name}: no queue {one}" for one in row["queues"] if one not in queues)
        yield from (f"{name}: no secret {one}" for one in row["secrets"] if one not in secrets)


def _of_queues(rows: Mapping[str, Any], deployments: Mapping[str, Any]) -> Iterator[str]:
    for name, row in rows.items():
        if not row["model_budget_s"] < row["function_timeout_s"] < row["dispatch_deadline_s"]:
            yield f"queue {name}: model budget, function timeout and deadline are out of order"
        if row["function"] not in deployments:
            yield f"queue {name}: there is no {row['function']}"
        elif deployments[row["function"]]["timeout_s"] != row["function_timeout_s"]:
            yield f"queue {name}: {row['function']} is cut after another time"


def _of_schedules(rows: list[Mapping[str, Any]], deployments: Mapping[str, Any]) -> Iterator[str]:
    for row in rows:
        if row["function"] not in deployments:
            yield f"{row['route']}: there is no {row['function']}"
        if not is_cron(row["cron"]):
            yield f"{row['route']}: {row['cron']} is no schedule"
        elif row["cron"].split()[4] != "*":
            yield f"{row['route']}: days of the week count differently on EventBridge"


def is_cron(text: str) -> bool:
    """Five fields of `*`, `*/n`, numbers, ranges and lists."""
    fields = text.split()
    return len(fields) == len(_CRON) and all(
        _is_field(part, allowed)
        for field, allowed in zip(fields, _CRON, strict=True)
        for part in field.split(",")
    )


def _is_field(part: str, allowed: range) -> bool:
    found = re.fullmatch(r"(?:\*|(\d+)(?:-(\d+))?)(?:/(\d+))?", part)
    if not found:
        return False
    numbers = [int(one) for one in found.groups()[:2] if one]
    step = found[3]
    return (
        all(one in allowed for one in numbers)
        and numbers == sorted(numbers)
        and (step is None or 0 < int(step) < len(allowed))
    )
