"""Topics over HTTP: versions that differ, messages by time, search in this group only, digests."""

from typing import Any

from tests.local_cloud import LocalCloud, wait_for
from tests.talk import new_group, said

DIRECT = "/summarize_topic"
LINES = (
    "the canoe needs varnish before the regatta",
    "I have two tins of varnish in the shed",
    "we decided to varnish the canoe on Sunday",
    "who brings the sandpaper",
)


def one_topic(cloud: LocalCloud, group_id: str, lines: int) -> dict[str, Any]:
    """The topic with so many messages, once attribution is through."""

    def found() -> dict[str, Any] | None:
        path = f"{DIRECT}/topics?group_id={group_id}"
        topics: list[dict[str, Any]] = cloud.ok("GET", path)["topics"]
        return next((one for one in topics if one["message_count"] == lines), None)

    topic = wait_for(found, f"a topic of {lines} messages")
    assert topic is not None
    return topic


def test_a_topic_is_told_in_versions_and_found_again(cloud: LocalCloud) -> None:
    group_id, other = new_group(), new_group()
    chained = [
        said(group_id, n, text, **({"reply_message_id": f"m{n - 1}"} if n > 1 else {}))
        for n, text in enumerate(LINES, 1)
    ]
    cloud.ok("POST", "/ingest_message/messages", chained[:3])
    topic_id = one_topic(cloud, group_id, 3)["topic_id"]
    path = f"{DIRECT}/topics/{topic_id}"
    cloud.ok("POST", f"{path}/summarize")
    cloud.ok("POST", "/ingest_message/messages", chained[3:])
    one_topic(cloud, group_id, 4)

    again = cloud.ok("POST", f"{path}/summarize")

    assert again["summary"]["version"] == 2
    assert again["cost"]["calls"] == 0, "a small topic is told by its own lines"
    newest, first = cloud.ok("GET", f"{path}/summaries")["summaries"]
    assert newest["parent_version"] in (None, 1)
    assert {"coverage", "coherence", "relevance", "total"} <= first["quality"].keys()
    times = [one["create_time"] for one in cloud.ok("GET", f"{path}/messages")["messages"]]
    part = cloud.ok("GET", f"{path}/messages", params={"from": times[1], "to": times[2]})
    between = {one["message_id"] for one in part["messages"]}
    assert "m2" in between
    assert between.isdisjoint({"m1", "m4"})

    for mode in ("keyword", "vector", "hybrid"):
        asked = {"group_id": group_id, "q": "varnish for the canoe", "mode": mode}
        hits = cloud.ok("GET", f"{DIRECT}/topics/search", params=asked)["topics"]
        assert [one["topic_id"] for one in hits] == [topic_id], mode
        by_nobody = {**asked, "user_id": "nobody"}
        assert cloud.ok("GET", f"{DIRECT}/topics/search", params=by_nobody)["topics"] == []
        elsewhere = {**asked, "group_id": other}
        assert cloud.ok("GET", f"{DIRECT}/topics/search", params=elsewhere)["topics"] == []


def test_digests_are_listed_and_off_by_default(cloud: LocalCloud) -> None:
    answer = cloud.ok("GET", f"{DIRECT}/groups/{new_group()}/digests")
    assert (answer["total"], answer["digests"]) == (0, [])
