"""One real path through all five functions, over HTTP."""

from typing import Any

from tests.local_cloud import LocalCloud, wait_for
from tests.talk import conversation, new_group, said


def topics(cloud: LocalCloud, group_id: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = cloud.ok(
        "GET", f"/summarize_topic/topics?group_id={group_id}"
    )["topics"]
    return found


def say(cloud: LocalCloud, group_id: str) -> None:
    answer = cloud.call("POST", "/ingest_message/messages", conversation(group_id))
    assert answer.status_code == 202
    assert [one["outcome"] for one in answer.json()["results"]] == ["stored"] * 5


def attributed(cloud: LocalCloud, group_id: str) -> list[dict[str, object]]:
    wait_for(
        lambda: sum(int(str(one["message_count"])) for one in topics(cloud, group_id)) >= 5,
        "topics of five messages",
    )
    return topics(cloud, group_id)


def test_messages_become_topics_by_their_replies(cloud: LocalCloud) -> None:
    group_id = new_group()
    say(cloud, group_id)

    found = attributed(cloud, group_id)

    assert sorted(int(str(one["message_count"])) for one in found) == [2, 3]
    release = next(one for one in found if one["message_count"] == 3)
    said_there = cloud.ok("GET", f"/summarize_topic/topics/{release['topic_id']}/messages")
    assert [one["message_id"] for one in said_there["messages"]] == ["m1", "m2", "m4"]


def test_a_context_has_the_reply_chain_and_the_last_messages(cloud: LocalCloud) -> None:
    group_id = new_group()
    say(cloud, group_id)

    context = cloud.ok("POST", "/build_context/context", {"group_id": group_id, "message_id": "m4"})

    assert context["mode"] == "intelligent"
    reasons = {item["id"]: item["reasons"] for item in context["items"]}
    assert reasons["m1"][0] == reasons["m2"][0] == "reply chain"
    assert "The release ships on Friday" in context["text"]
    assert "m4" not in reasons
    assert context["tokens"]["total"] > 0


def test_a_topic_is_summarized_and_the_next_version_needs_something_new(cloud: LocalCloud) -> None:
    group_id = new_group()
    say(cloud, group_id)
    topic = max(attributed(cloud, group_id), key=lambda one: int(str(one["message_count"])))
    path = f"/summarize_topic/topics/{topic['topic_id']}"

    first = cloud.ok("POST", f"{path}/summarize")["summary"]
    again = cloud.ok("POST", f"{path}/summarize")["summary"]

    assert first["version"] == again["version"] == 1
    assert first["content"]
    assert first["generation_method"] == "extractive", "it is a small topic"
    assert cloud.ok("GET", f"{path}/summaries")["total"] == 1


def test_a_group_evolves_and_without_news_nothing_changes(cloud: LocalCloud) -> None:
    group_id = new_group()
    habit = "We always review code together every Friday afternoon"
    messages = [said(group_id, n, habit if n % 2 else f"note {n} on lunch") for n in range(1, 9)]
    cloud.ok("POST", "/ingest_message/messages", messages)

    first = cloud.ok("POST", f"/evolve_group/memory/evolve/{group_id}")
    again = cloud.ok("POST", f"/evolve_group/memory/evolve/{group_id}")

    listed = cloud.ok("GET", f"/evolve_group/memory/list/{group_id}")
    assert first["stats"]["created"] == len(first["changes"]) == listed["total"]
    assert listed["total"] >= 1
    assert all(one["version"] == 1 and one["parent_id"] is None for one in listed["memories"])
    assert (again["message"], again["stats"]["created"]) == ("no new messages", 0)


def _known(cloud: LocalCloud, path: str) -> bool:
    return cloud.call("GET", path).status_code == 200


def test_a_note_becomes_an_event_once_and_what_is_new_a_profile(cloud: LocalCloud) -> None:
    group_id = new_group()
    say(cloud, group_id)
    note = {
        "group_id": group_id,
        "user_id": "u1",
        "request_id": "req-1",
        "end_seq": 1,
        "action_summary": "Told Ann that the release ships on Friday",
        "new_info": "Bob lives in Porto",
        "message_ids": ["m2"],
    }

    job_ids = {cloud.ok("POST", "/ingest_message/end", note)["job_id"] for _ in range(3)}
    events = wait_for(
        lambda: cloud.ok("GET", f"/historian_job/events?group_id={group_id}")["events"],
        "the event",
    )

    assert len(job_ids) == 1
    assert [one["event_id"] for one in events] == ["req-1:1"]
    path = f"/historian_job/profiles/user/u1?group_id={group_id}"
    wait_for(lambda: _known(cloud, path), "the profile")
    profile = cloud.ok("GET", path)["profile"]
    assert "- Bob lives in Porto" in profile["markdown"]
    assert profile["source_event_id"] == "req-1:1"
    kept = cloud.ok("GET", path.replace("?", "/snapshots?"))
    assert kept["total"] == 0
    back = cloud.call("POST", path.replace("?", "/rollback?"), {})
    assert back.status_code == 404


def test_an_empty_note_is_a_valid_no_op(cloud: LocalCloud) -> None:
    note = {"group_id": new_group(), "user_id": "u1", "request_id": "r", "end_seq": 0}

    assert cloud.ok("POST", "/ingest_message/end", note)["job_id"] is None


def test_a_forgotten_message_is_gone_with_its_vector(cloud: LocalCloud) -> None:
    group_id = new_group()
    path = f"/historian_job/groups/{group_id}/settings"
    cloud.ok("PUT", path, {"index_every_messages": 1})
    say(cloud, group_id)
    attributed(cloud, group_id)
    wait_for(lambda: "message#m2" in vectors(cloud, group_id), "the vector")

    forgotten = cloud.ok("DELETE", f"/historian_job/groups/{group_id}/messages/m2")
    path = f"/historian_job/forgets/{forgotten['forget_id']}"
    wait_for(lambda: cloud.ok("GET", path)["state"] == "done", "the receipt")

    asked = {"group_id": group_id, "message": "when does the release ship?"}
    context = cloud.ok("POST", "/build_context/context", asked)
    assert "The release ships on Friday" not in context["text"]
    assert "m2" not in {item["id"] for item in context["items"]}
    wait_for(lambda: "message#m2" not in vectors(cloud, group_id), "the vector to go")
    assert "message#m1" in vectors(cloud, group_id)


def test_who_opts_out_is_no_longer_remembered(cloud: LocalCloud) -> None:
    group_id = new_group()
    path = f"/historian_job/groups/{group_id}/members/u1/opt-out"
    assert cloud.ok("PUT", path, {"opted_out": True})["opted_out"] is True
    cloud.ok(
        "POST", "/ingest_message/messages", said(group_id, 1, "the secret of the soup is basil")
    )
    cloud.ok("PUT", path, {"opted_out": False})
    cloud.ok("POST", "/ingest_message/messages", said(group_id, 4, "the soup is on Sundays"))

    asked = {"group_id": group_id, "message": "what about the soup?"}
    context = cloud.ok("POST", "/build_context/context", asked)

    assert "basil" not in context["text"]
    assert "the soup is on Sundays" in context["text"]


def vectors(cloud: LocalCloud, group_id: str) -> set[str]:
    """What the index holds of a group, asked of Pinecone itself."""
    from pinecone import Pinecone

    host = cloud.told["endpoints"]["PINECONE_CONTROLLER_HOST"]
    with Pinecone(api_key="local", host=host) as client, client.index("annals") as index:
        pages: Any = index.list(namespace=group_id)
        return {one.id for page in pages for one in page.vectors}


def test_nobody_else_on_the_machine_reads_what_is_kept(cloud: LocalCloud) -> None:
    """Folders for their owner alone, files too; also those that came later."""
    kept = [cloud.data, *cloud.data.rglob("*")]
    modes = {path: path.stat().st_mode & 0o777 for path in kept if not path.is_socket()}

    assert len(modes) > 8
    open_to_others = {str(path): oct(mode) for path, mode in modes.items() if mode & 0o077}
    assert open_to_others == {}
    assert oct(cloud.ready_mode) == "0o600", "it has the key"
