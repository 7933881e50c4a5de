"""One write of a commit: read from the wire, and what it makes of a document. No storage here."""

from typing import NamedTuple

import grpc

from .limits import check_document
from .names import DocumentName, parse_document_in
from .paths import Path, assign, lookup, parse, remove
from .protobuf import Document, Message, micros
from .refusal import Refused, failed_precondition, invalid
from .transforms import Transform, apply, check_disjoint, parse_transform

EXISTS = grpc.StatusCode.ALREADY_EXISTS
NOT_FOUND = grpc.StatusCode.NOT_FOUND


class Change(NamedTuple):
    """A checked write. Without `document` it deletes, or only verifies; no mask replaces all."""

    name: DocumentName
    text: str
    document: Message | None
    mask: tuple[Path, ...] | None
    transforms: list[Transform]
    exists: bool | None
    update_time: int | None


def parse_write(write: Message, database: str) -> Change:
    """Everything that can be refused without looking at what is stored."""
    kind = write.WhichOneof("operation")
    mask = None
    transforms: list[Transform] = []
    document = None
    if kind == "update":
        document = write.update
        text = document.name
        document.ClearField("name")
        document.ClearField("create_time")
        document.ClearField("update_time")
        if write.HasField("update_mask"):
            mask = tuple(map(parse, write.update_mask.field_paths))
        if write.update_transforms:
            transforms = list(map(parse_transform, write.update_transforms))
    elif kind == "delete":
        _check_bare(write, kind)
        text = write.delete
    elif kind == "transform":
        _check_bare(write, kind)
        if not write.transform.field_transforms:
            invalid("The list of FieldTransform must not be empty.")
        text = write.transform.document
        document = Document()
        mask = ()
        transforms = list(map(parse_transform, write.transform.field_transforms))
    else:
        invalid("empty write operation")
    if len(transforms) > 1:
        check_disjoint(transforms)
    name = parse_document_in(text, database)
    if name.database != database:
        invalid(
            f"The request was for database '{database}' but was attempting to access database "
            f"'{name.database}'"
        )
    if document is not None:
        check_document(document, text)
    exists = update_time = None
    if write.HasField("current_document"):
        condition = write.current_document
        which = condition.WhichOneof("condition_type")
        if which == "exists":
            exists = bool(condition.exists)
        elif which == "update_time":
            if condition.update_time.nanos % 1000:
                invalid("The precondition's update_time must be in whole microseconds.")
            update_time = micros(condition.update_time)
    return Change(name, text, document, mask, transforms, exists, update_time)


def _check_bare(write: Message, kind: str) -> None:
    if write.HasField("update_mask"):
        invalid(f"a {kind} must not specify a document mask.")
    if write.update_transforms:
        invalid(f"a {kind} must not specify a update transform.")


def check_together(changes: list[Change]) -> None:
    """Writes of one commit to one document must not contradict each other."""
    before: dict[DocumentName, str] = {}
    for change in changes:
        verb = _verb(change)
        earlier = before.get(change.name)
        if earlier is not None and (
            (verb == "insert" and earlier != "delete")
            or (earlier == "delete" and verb in ("update", "delete") and change.exists)
        ):
            invalid(f"Cannot {earlier} then {verb} an entity in the same request.")
        before[change.name] = verb


def _verb(change: Change) -> str:
    if change.document is None:
        return "delete"
    if change.exists is None:
        return "upsert"
    return "update" if change.exists else "insert"


def check_precondition(change: Change, updated: int, before: int) -> None:
    """`updated` is the document's update time (0: none), `before` that before the whole commit."""
    if change.exists is not None:
        if change.exists and not updated:
            raise Refused(NOT_FOUND, f"No document to update: {change.text}")
        if not change.exists and updated:
            raise Refused(EXISTS, f"Document already exists: {change.text}")
    if change.update_time is not None and change.update_time != before:
        if 0 < before < change.update_time:
            invalid(
                "Invalid base version, it is greater than the stored version: "
                f"{change.text} has {before}, not {change.update_time}"
            )
        failed_precondition(
            f"the stored version ({before}) does not match the required base version "
            f"({change.update_time})"
        )


def make(
    change: Change, stored: Message | None, request_time: int
) -> tuple[Message, list[Message]]:
    """The document after the write, and the transforms' results.

    `stored` is the document as it is (None where there is none); it may be changed in place.
    """
    document = change.document
    assert document is not None
    if change.mask is not None:
        merged = stored if stored is not None else Document()
        for path in change.mask:
            value = lookup(document.fields, path)
            if value is None:
                remove(merged.fields, path)
            else:
                assign(merged.fields, path, value)
        document = merged
    if not change.transforms and change.mask is None:
        return document, []
    results = [apply(document.fields, one, request_time) for one in change.transforms]
    check_document(document, change.text)
    return document, results
