"""Google's own descriptions of its services, as they come with its client library, as JSON schemas;
and the Firestore indexes of the table held against them."""

import functools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FIRESTORE = ("firestore", "v1")
LONGEST_FIELDS = 100
"""Fields that Firestore takes in one composite index."""


@functools.cache
def document(service: str, version: str) -> dict[str, Any]:
    import googleapiclient.discovery_cache

    folder = Path(googleapiclient.discovery_cache.__file__).parent / "documents"
    found: dict[str, Any] = json.loads((folder / f"{service}.{version}.json").read_text("utf-8"))
    return found


@functools.cache
def schema(service: str, version: str, name: str) -> dict[str, Any]:
    """Of one type: a field that the service does not know, or that only it sets, is refused."""
    types = {
        key: _as_json_schema(one) for key, one in document(service, version)["schemas"].items()
    }
    return {"$ref": f"#/schemas/{name}", "schemas": types}


def _as_json_schema(told: Any) -> Any:
    """Discovery writes JSON schema of an old draft: references by bare name, a type `any`."""
    if isinstance(told, list):
        return [_as_json_schema(one) for one in told]
    if not isinstance(told, dict):
        return told
    made = {
        key: _as_json_schema(value)
        for key, value in told.items()
        if key not in ("id", "description", "enumDescriptions", "required", "format", "default")
        or isinstance(value, dict)
    }
    if isinstance(made.get("$ref"), str):
        made["$ref"] = f"#/schemas/{made['$ref']}"
    if made.get("type") == "any":
        del made["type"]
    if isinstance(told.get("properties"), dict) and "additionalProperties" not in made:
        made["additionalProperties"] = False
    return made


def complaints_of_indexes(tables: Mapping[str, Any]) -> Iterator[str]:
    """What Firestore's admin API would refuse of the indexes and of the exempted fields."""
    for index in tables["indexes"]:
        named = f"index of {index.get('collectionGroup')}"
        body = {key: value for key, value in index.items() if key != "collectionGroup"}
        yield from _against("GoogleFirestoreAdminV1Index", body, named)
        yield from (f"{named}: {one}" for one in _of_fields(index.get("fields", ())))
        if not 2 <= len(index.get("fields", ())) <= LONGEST_FIELDS:
            yield f"{named}: a composite index has 2 to {LONGEST_FIELDS} fields"
    for field in tables["field_overrides"]:
        named = f"field {field.get('fieldPath')} of {field.get('collectionGroup')}"
        indexes = [
            {
                "queryScope": one.get("queryScope", "COLLECTION"),
                "fields": [{key: value for key, value in one.items() if key != "queryScope"}],
            }
            for one in field["indexes"]
        ]
        body = {"name": "f", "indexConfig": {"indexes": indexes}}
        if field.get("ttl"):
            body["ttlConfig"] = {}
        yield from _against("GoogleFirestoreAdminV1Field", body, named)
        for one in indexes:
            yield from (f"{named}: {each}" for each in _of_fields(one["fields"]))


def _of_fields(fields: Any) -> Iterator[str]:
    for field in fields:
        told = [key for key in ("order", "arrayConfig", "vectorConfig") if key in field]
        if len(told) != 1 or "UNSPECIFIED" in str(field[told[0]]):
            yield f"{field.get('fieldPath', 'the field')} needs one order or arrayConfig"


def _against(name: str, body: Mapping[str, Any], named: str) -> Iterator[str]:
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

    for error in Draft202012Validator(schema(*FIRESTORE, name)).iter_errors(body):
        yield f"{named}: {error.message}"
