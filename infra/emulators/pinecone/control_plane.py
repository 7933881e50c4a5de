"""Creating, listing, describing, configuring and deleting indexes."""

import json
import re
import secrets
from typing import Any, cast

from . import limits
from .errors import ControlRefusal
from .exchange import Answer, Asked
from .indexes import Description, Indexes
from .scoring import METRICS, Metric

DENSE_FIELD = "_values"
SPARSE_FIELD = "_sparse_values"
"""The fields of an index that is served by the vectors API: one of them, or both."""

DATA_PLANE = "/svc"
"""An index's host is this server's address and `/svc/{name}`: one port serves them all."""

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")
_TAG_KEY = re.compile(r"[A-Za-z0-9_-]+")


def create_index(indexes: Indexes, asked: Asked) -> Answer:
    given = _body(asked)
    _only(given, "name schema deployment read_capacity deletion_protection tags")
    name = _name(given.get("name"))
    dimension, metric, is_sparse = _vector_fields(given.get("schema"))
    cloud, region = _deployment(given.get("deployment"))
    _check_read_capacity(given.get("read_capacity"))
    description = Description(
        name,
        dimension,
        metric,
        cloud,
        region,
        _deletion_protection(given.get("deletion_protection") or "disabled"),
        _tags({}, given.get("tags")),
        is_sparse,
    )
    if indexes.get(name) is not None:
        raise ControlRefusal(409, "Resource  already exists")
    indexes.create(description)
    return Answer(_shown(description, asked.host), status=201)


def list_indexes(indexes: Indexes, asked: Asked) -> Answer:
    return Answer({"indexes": [_shown(each, asked.host) for each in indexes.all()]})


def describe_index(indexes: Indexes, asked: Asked) -> Answer:
    return Answer(_shown(_existing(indexes, asked), asked.host))


def configure_index(indexes: Indexes, asked: Asked) -> Answer:
    description = _existing(indexes, asked)
    given = _body(asked)
    _only(given, "schema deployment read_capacity deletion_protection tags")
    if given.get("schema"):
        raise ControlRefusal(400, "The schema of an index cannot be changed")
    if given.get("deployment"):
        raise ControlRefusal(400, "Only pod-based indexes can change their deployment")
    _check_read_capacity(given.get("read_capacity"))
    changes: dict[str, Any] = {"tags": _tags(description.tags, given.get("tags"))}
    if given.get("deletion_protection") is not None:
        changes["deletion_protection"] = _deletion_protection(given["deletion_protection"])
    return Answer(_shown(indexes.configure(description, **changes), asked.host))


def delete_index(indexes: Indexes, asked: Asked) -> Answer:
    description = _existing(indexes, asked)
    if description.deletion_protection == "enabled":
        raise ControlRefusal(
            403,
            "Deletion protection is enabled for this index. "
            "Disable deletion protection before retrying.",
        )
    indexes.delete(description.name)
    return Answer(None, status=202)


def _existing(indexes: Indexes, asked: Asked) -> Description:
    description = indexes.get(asked.path["index"])
    if description is None:
        raise ControlRefusal(404, f"Resource {asked.path['index']} not found")
    return description


def _shown(description: Description, host: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if description.dimension:
        fields[DENSE_FIELD] = {
            "type": "dense_vector",
            "dimension": description.dimension,
            "metric": description.metric,
        }
    if description.is_sparse:
        fields[SPARSE_FIELD] = {"type": "sparse_vector"}
    return {
        "name": description.name,
        "host": f"http://{host}{DATA_PLANE}/{description.name}",
        "status": {"ready": True, "state": "Ready"},
        "schema": {"fields": fields},
        "deployment": {
            "deployment_type": "managed",
            "cloud": description.cloud,
            "region": description.region,
            "environment": f"{description.cloud}-{description.region}",
        },
        "read_capacity": {"mode": "OnDemand", "status": {"state": "Ready"}},
        "deletion_protection": description.deletion_protection,
        "tags": description.tags or None,
    }


def _body(asked: Asked) -> dict[str, Any]:
    try:
        given = json.loads(asked.body)
    except ValueError as error:
        raise ControlRefusal(400, f"Failed to parse the request body as JSON: {error}") from error
    if not isinstance(given, dict):
        raise _unreadable("invalid type, expected an object")
    return given


def _only(given: dict[str, Any], known: str) -> None:
    for key in given:
        if key in ("source_collection", "source_backup_id", "cmek_id"):
            raise _not_emulated(key)
        if key not in known.split():
            raise _unreadable(f"unknown field `{key}`")


def _name(given: Any) -> str:
    if given is None:
        return f"index-{secrets.token_hex(4)}"
    if not isinstance(given, str):
        raise _unreadable("name: invalid type, expected a string")
    if not 1 <= len(given) <= limits.MAX_INDEX_NAME_LENGTH:
        most = limits.MAX_INDEX_NAME_LENGTH
        raise ControlRefusal(400, f"Name must be between 1 and {most} characters long")
    if not _NAME.fullmatch(given):
        raise ControlRefusal(
            400,
            "Name must consist of lower case alphanumeric characters or '-', and must start and "
            "end with an alphanumeric character",
        )
    return given


def _vector_fields(schema: Any) -> tuple[int, Metric, bool]:
    """The dimension (0 without a dense field), the metric, and whether there is a sparse field."""
    fields = schema.get("fields") if isinstance(schema, dict) else None
    if not isinstance(fields, dict) or not fields:
        raise _unreadable("missing field `schema`")
    kinds = {
        name: field.get("type") if isinstance(field, dict) else None
        for name, field in fields.items()
    }
    known = {DENSE_FIELD: "dense_vector", SPARSE_FIELD: "sparse_vector"}
    if not kinds.items() <= known.items():
        raise _not_emulated(
            f"a schema other than a dense_vector {DENSE_FIELD!r}, a sparse_vector "
            f"{SPARSE_FIELD!r}, or both (documents, full text, integrated embedding)"
        )
    is_sparse = SPARSE_FIELD in fields
    if is_sparse and (more := sorted(set(fields[SPARSE_FIELD]) - {"type", "description"})):
        raise _unreadable(f"a sparse_vector has no field `{more[0]}`")
    if DENSE_FIELD not in fields:
        return 0, "dotproduct", True
    dimension, metric = _dense_field(fields[DENSE_FIELD])
    if is_sparse and metric != "dotproduct":
        raise ControlRefusal(400, f"Hybrid indexes must use the metric dotproduct, got {metric}")
    return dimension, metric, is_sparse


def _dense_field(field: dict[str, Any]) -> tuple[int, Metric]:
    dimension, metric = field.get("dimension"), field.get("metric", "cosine")
    if type(dimension) is not int or not 1 <= dimension <= limits.MAX_DIMENSION:
        most = limits.MAX_DIMENSION
        raise ControlRefusal(400, f"Dimension must be between 1 and {most}, got {dimension}")
    if metric not in METRICS:
        raise ControlRefusal(400, f"Metric must be one of {', '.join(METRICS)}, got {metric}")
    return dimension, cast(Metric, metric)


def _deployment(given: Any) -> tuple[str, str]:
    if given is None:
        return "aws", "us-east-1"
    if not isinstance(given, dict):
        raise _unreadable("deployment: invalid type, expected an object")
    if given.get("deployment_type", "managed") != "managed":
        raise _not_emulated(f"deployment_type {given['deployment_type']!r}")
    cloud, region = given.get("cloud"), given.get("region")
    if not isinstance(cloud, str) or not isinstance(region, str):
        raise _unreadable("deployment: missing field `cloud` or `region`")
    return cloud, region


def _check_read_capacity(given: Any) -> None:
    if given is not None and (not isinstance(given, dict) or given.get("mode") != "OnDemand"):
        raise _not_emulated("read_capacity other than OnDemand")


def _deletion_protection(given: Any) -> str:
    if given not in ("enabled", "disabled"):
        raise ControlRefusal(400, f"deletion_protection must be enabled or disabled, got {given}")
    return str(given)


def _tags(present: dict[str, str], given: Any) -> dict[str, str]:
    """Tags merged into those there are; an empty value takes a tag away."""
    if given is None:
        return present
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise _unreadable("tags: invalid type, expected a map of strings")
    for key, value in given.items():
        if not _TAG_KEY.fullmatch(key) or len(key) > limits.MAX_TAG_KEY_LENGTH:
            raise ControlRefusal(400, f"Tag key '{key}' is not valid")
        if len(value) > limits.MAX_TAG_VALUE_LENGTH or not (
            value.isascii() and value.isprintable()
        ):
            raise ControlRefusal(400, f"Tag value for key '{key}' is not valid")
    merged = {key: value for key, value in (present | given).items() if value}
    if len(merged) > limits.MAX_TAGS:
        raise ControlRefusal(400, f"An index can have at most {limits.MAX_TAGS} tags")
    return merged


def _unreadable(reason: str) -> ControlRefusal:
    return ControlRefusal(
        422, f"Failed to deserialize the JSON body into the target type: {reason}"
    )


def _not_emulated(what: str) -> ControlRefusal:
    return ControlRefusal(501, f"This emulator does not have {what}")
