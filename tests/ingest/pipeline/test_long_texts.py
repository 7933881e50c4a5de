"""Long texts are read beside the event loop: nobody else waits for them."""

import threading
from uuid import uuid4

import pytest

from functions.ingest_message import handle_messages
from shared.domain.messages.analyser import analysed
from shared.domain.messages.features import Features
from shared.domain.messages.message import Message
from shared.wiring import Services


@pytest.mark.parametrize(("size", "is_beside"), [(200, False), (64_000, True)])
async def test_a_long_text_is_read_in_a_thread_of_its_own(
    made: Services, size: int, is_beside: bool
) -> None:
    read_in: set[int] = set()

    def analyse(message: Message) -> tuple[Features, tuple[str, ...]]:
        read_in.add(threading.get_ident())
        return analysed(message)

    deps = handle_messages.IngestDeps(made.groups, made.messages, made.dispatch, analyse, made.now)
    group_id = f"test:{uuid4().hex[:12]}"
    message = Message(
        group_id=group_id, message_id="m1", user_id="u1", content="[image: " * (size // 8),
        create_time=made.now(),
    )  # fmt: skip
    await handle_messages.ingest(group_id, [message], deps)
    assert (threading.get_ident() not in read_in) is is_beside
    assert read_in
