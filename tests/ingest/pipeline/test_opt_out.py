"""Who wants nothing remembered is not remembered by the bot's notes either."""

from uuid import uuid4

from functions.ingest_message.routes_messages import end_turn
from shared.domain.knowledge.event import Note
from shared.wiring import Services


async def test_a_note_about_somebody_who_opted_out_is_not_kept(made: Services) -> None:
    group_id = f"test:{uuid4().hex[:12]}"
    await made.member_requests.opt_out(group_id, "ann", True, made.settings.hash_key, made.now())
    deps = made

    def note(user_id: str) -> Note:
        return Note(
            group_id=group_id,
            user_id=user_id,
            request_id=f"r-{user_id}",
            end_seq=0,
            action_summary="told Ann where the key is",
            new_info="",
            force=False,
            message_ids=(),
        )

    assert await end_turn(note("ann"), deps) is None
    assert await end_turn(note("bob"), deps) is not None
    total, jobs = await made.jobs.listed(state=None, group_id=group_id, limit=10, offset=0)
    assert total == 1
    assert "r-ann" not in str(jobs[0].payload)

    await made.member_requests.opt_out(group_id, "ann", False, made.settings.hash_key, made.now())
    assert await end_turn(note("ann"), deps) is not None
