"""Which lines of a backup were made of something that was forgotten since. Pure."""

from collections.abc import Collection, Sequence

from shared.domain.transfer.lines import ExportLine

MADE_OF = "it was made of something that was forgotten here"
NO_EARLIER = "what it continues is not here: it was forgotten, or comes later in the file"


def forgotten_lines(
    lines: Sequence[ExportLine], blank: Collection[str], known: Collection[str]
) -> dict[int, str]:
    """The places of those that are not to be taken, each with the reason. `blank` are messages that
    were taken back here, `known` memories that are here; versions may come in any order."""
    gone = set(blank)
    refused = {at: MADE_OF for at, one in enumerate(lines) if not gone.isdisjoint(sources_of(one))}
    told_again = {_topic(lines[at]) for at in refused if lines[at].kind == "summary"}
    for at, one in enumerate(lines):
        is_later = one.kind == "summary" and int(one.data.get("version") or 1) > 1
        if is_later and _topic(one) in told_again:
            refused.setdefault(at, NO_EARLIER)
    while lost := _lost(lines, refused, set(known)):
        refused |= dict.fromkeys(lost, NO_EARLIER)
    return refused


def _lost(lines: Sequence[ExportLine], refused: Collection[int], known: set[str]) -> list[int]:
    left = [(at, one) for at, one in enumerate(lines) if at not in refused]
    here = known | {str(one.data.get("memory_id")) for _, one in left if one.kind == "memory"}
    return [at for at, one in left if not here.issuperset(rests_on_memories(one))]


def sources_of(line: ExportLine) -> list[str]:
    """The messages that a record was made of; a profile's snapshot has them inside."""
    if line.kind in ("message", "group"):
        return []
    if (
        line.kind == "topic"
    ):  # it has no list; without its last line it was told again here, or went
        return [str(line.data.get("last_message_id") or "-")]
    data = line.data["profile"] if line.kind == "snapshot" else line.data
    return [*(data.get("sources") or ()), *(data.get("message_ids") or ())]


def rests_on_memories(line: ExportLine) -> list[str]:
    """The versions that a line repeats or continues."""
    data = line.data
    if line.kind == "memory":
        return [str(data["parent_id"])] if data.get("parent_id") else []
    if line.kind == "change":
        return [str(one) for one in (data.get("memory_id"), data.get("old_id")) if one]
    return []


def _topic(line: ExportLine) -> str:
    return line.id.partition("/")[0]
