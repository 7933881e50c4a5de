"""The queue on disk: order, retries, what is refused, what has no room, and a new start."""

from collections.abc import Sequence
from pathlib import Path

from annals.outbox import FEEDBACK, MESSAGE, NOTE, Delivery, Entry, NotNow, Outbox
from tests.local_cloud import wait_for


class Post:
    """Where batches go: keeps what came, and is out of order for a while if told so."""

    def __init__(self, fails: int = 0, refuses: str = "") -> None:
        self.fails = fails
        self.refuses = refuses
        self.got: list[str] = []
        self.batches: list[int] = []

    def __call__(self, batch: Sequence[Entry]) -> Delivery:
        if self.fails:
            self.fails -= 1
            raise NotNow("out of order")
        self.batches.append(len(batch))
        texts = [entry.body["text"] for entry in batch]
        self.got += [text for text in texts if text != self.refuses]
        return Delivery([(one, "no") for one in batch if one.body["text"] == self.refuses])


def test_what_is_added_is_sent_in_order_through_failures(tmp_path: Path) -> None:
    post = Post(fails=3)
    box = Outbox(tmp_path / "box.db", post, first_pause_s=0.01)
    for n in range(500):
        box.add(MESSAGE, {"text": str(n)})

    assert box.flush(30)
    box.close()
    assert post.got == [str(n) for n in range(500)]
    assert max(post.batches) <= 200
    assert box.dropped == {}


def test_what_was_not_sent_goes_with_the_next_start(tmp_path: Path) -> None:
    away = Outbox(tmp_path / "box.db", Post(fails=10**6), first_pause_s=0.01)
    away.add(MESSAGE, {"text": "before"})
    away.close()

    post = Post()
    box = Outbox(tmp_path / "box.db", post, first_pause_s=0.01)
    box.add(MESSAGE, {"text": "after"})
    assert box.flush(30)
    box.close()
    assert post.got == ["before", "after"]


def test_what_is_refused_is_given_up_and_the_rest_goes_on(tmp_path: Path) -> None:
    post = Post(refuses="bad")
    box = Outbox(tmp_path / "box.db", post, first_pause_s=0.01)
    for text in ("one", "bad", "two"):
        box.add(MESSAGE, {"text": text})

    assert box.flush(30)
    box.close()
    assert post.got == ["one", "two"]
    assert box.dropped == {"refused": 1}


def test_past_its_bound_the_oldest_go_and_are_counted(tmp_path: Path) -> None:
    post = Post(fails=10**6)
    box = Outbox(tmp_path / "box.db", post, most_entries=10, first_pause_s=0.01)
    for n in range(25):
        box.add(MESSAGE, {"text": str(n)})
    assert len(box) == 10
    assert box.dropped == {"no room": 15}

    post.fails = 0
    assert box.flush(30)
    box.close()
    assert post.got == [str(n) for n in range(15, 25)]


def test_notes_between_messages_keep_their_place(tmp_path: Path) -> None:
    post = Post(fails=1)
    box = Outbox(tmp_path / "box.db", post, first_pause_s=0.2)
    for kind, text in ((MESSAGE, "a"), (MESSAGE, "b"), (NOTE, "c"), (NOTE, "d"), (MESSAGE, "e")):
        box.add(kind, {"text": text})
    assert box.flush(30)
    box.close()
    assert post.got == list("abcde")
    assert post.batches[-3:] == [1, 1, 1]


def test_two_who_share_a_file_send_each_entry_once(tmp_path: Path) -> None:
    post = Post()
    one, other = (Outbox(tmp_path / "box.db", post, first_pause_s=0.01) for _ in range(2))
    for n in range(100):
        (one if n % 2 else other).add(MESSAGE, {"text": str(n)})
    wait_for(lambda: not len(one), "an empty file")
    one.close()
    other.close()
    assert sorted(post.got, key=int) == [str(n) for n in range(100)]


def test_feedback_that_annals_fails_on_holds_up_no_message(tmp_path: Path) -> None:
    post = Post()

    def deliver(batch: Sequence[Entry]) -> Delivery:
        if batch[0].kind == FEEDBACK:
            raise NotNow("Annals answered 500", was_answered=True)
        return post(batch)

    box = Outbox(tmp_path / "box.db", deliver, first_pause_s=0.01)
    for kind, text in ((MESSAGE, "a"), (FEEDBACK, "poison"), (MESSAGE, "b")):
        box.add(kind, {"text": text})
    assert box.flush(30)
    box.close()
    assert post.got == ["a", "b"]
    assert box.dropped == {"refused": 1}


def test_feedback_waits_for_an_annals_that_is_away(tmp_path: Path) -> None:
    post = Post(fails=12)
    box = Outbox(tmp_path / "box.db", post, first_pause_s=0.001)
    box.add(FEEDBACK, {"text": "kept"})
    assert box.flush(30)
    box.close()
    assert post.got == ["kept"]
