"""An old backup, where something was forgotten since: what was made of it stays away."""

from shared.domain.transfer.imported_records import MADE_OF, NO_EARLIER, forgotten_lines
from shared.domain.transfer.lines import ExportLine


def memory(name: str, parent: str | None, *sources: str) -> ExportLine:
    data = {"memory_id": name, "parent_id": parent, "sources": list(sources)}
    return ExportLine("memory", name, data)


def test_a_memory_goes_with_its_later_versions_and_its_log_in_any_order() -> None:
    lines = [
        ExportLine("change", "c3", {"memory_id": "v3", "old_id": "v2"}),
        memory("v3", "v2", "m9"),
        memory("v2", "v1", "m8"),
        memory("v1", None, "m1"),
        memory("other", None, "m7"),
        ExportLine("change", "c4", {"memory_id": "other", "old_id": None}),
    ]
    assert forgotten_lines(lines, {"m1"}, set()) == {
        0: NO_EARLIER, 1: NO_EARLIER, 2: NO_EARLIER, 3: MADE_OF,
    }  # fmt: skip
    assert forgotten_lines(lines, set(), set()) == {}


def test_a_version_whose_parent_is_here_already_is_taken() -> None:
    assert forgotten_lines([memory("v2", "v1", "m8")], set(), {"v1"}) == {}


def test_summaries_tell_what_those_before_them_told() -> None:
    lines = [
        ExportLine("topic", "t", {"last_message_id": "m3"}),
        ExportLine("summary", "t/1", {"version": 1, "message_ids": ["m1"]}),
        ExportLine("summary", "t/2", {"version": 2, "message_ids": ["m2"]}),
        ExportLine("summary", "u/2", {"version": 2, "message_ids": ["m4"]}),
    ]
    assert set(forgotten_lines(lines, {"m1"}, set())) == {1, 2}
    assert set(forgotten_lines(lines, {"m3"}, set())) == {0}


def test_a_snapshot_has_its_sources_inside() -> None:
    line = ExportLine("snapshot", "user:a/1", {"profile": {"sources": ["m1"]}})
    assert forgotten_lines([line], {"m1"}, set()) == {0: MADE_OF}
