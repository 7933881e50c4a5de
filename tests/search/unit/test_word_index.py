"""Words as sparse vectors: terms, rows, weights."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.word_index.rows import rows_without, word_rows
from shared.domain.word_index.terms import asked_terms, dimension_of, indexed_terms, query_weights

START = datetime(2026, 3, 1, tzinfo=UTC)


def line(number: int, content: str, topic: str | None = "t", **changes: object) -> StoredMessage:
    fields: dict[str, object] = {
        "group_id": "lark:1",
        "message_id": f"m{number}",
        "user_id": "ann",
        "content": content,
        "create_time": START + timedelta(minutes=number),
        "topic_id": topic,
        "state": MessageState.ATTRIBUTED,
        **changes,
    }
    return StoredMessage(**fields)  # type: ignore[arg-type]


def test_words_pairs_and_characters_of_chinese_are_terms() -> None:
    found = indexed_terms("路由器密码")
    assert found["密码"] == 1.0
    assert found["器密"] == 1.0
    assert found["码"] == 0.3


def test_what_only_holds_a_sentence_together_is_no_term() -> None:
    assert not {"的", "了", "是的", "我们"} & indexed_terms("我们是的了").keys()


def test_english_is_stemmed_and_has_no_pairs() -> None:
    assert indexed_terms("the tickets") == {"ticket": 1.0}


def test_a_question_asks_also_for_the_single_characters_of_its_words() -> None:
    assert asked_terms(["密码", "wifi", "密码"]) == ["密码", "wifi", "密", "码"]


def test_a_vector_never_has_more_than_the_index_takes() -> None:
    text = "".join(chr(0x4E00 + n) for n in range(6_000)) + " ".join(f"w{n}x" for n in range(500))
    lines = [line(n, text[n:]) for n in range(5)]
    (row,) = [one for one in word_rows(lines, {"m2"}, {}) if one.message_id == "m2"]
    assert 100 < len(row.weights) <= 2_048


def test_a_term_has_the_same_dimension_in_every_process() -> None:
    code = "from shared.domain.word_index.terms import dimension_of; print(dimension_of('密码'))"
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(told.stdout) == dimension_of("密码") < 2**32


def test_a_line_counts_most_by_its_own_words_and_less_by_each_step_away() -> None:
    rows = {
        one.message_id: one.weights
        for one in word_rows(
            [line(0, "apple"), line(1, "x1y"), line(2, "y1z"), line(3, "z1a")], {"m0"}, {}
        )
    }
    apple = dimension_of("appl")
    assert rows["m0"][apple] == 1.0
    assert rows["m0"][apple] > rows["m1"][apple] > rows["m2"][apple] > 0
    assert "m3" not in rows


def test_neighbours_are_of_the_same_topic_as_it_is_decided_now() -> None:
    lines = [line(0, "apple", "a"), line(1, "pear", "b"), line(2, "plum", None)]
    rows = {one.message_id: one for one in word_rows(lines, {"m2"}, {"m2": "a"})}
    assert rows.keys() == {"m0", "m2"}
    assert dimension_of("pear") not in rows["m2"].weights


def test_what_may_not_be_read_is_in_no_row() -> None:
    lines = [line(0, "apple", state=MessageState.RECALLED), line(1, "pear"), line(2, "[image]")]
    rows = {one.message_id: one.weights for one in word_rows(lines, {"m0", "m1"}, {})}
    assert rows.keys() == {"m1", "m2"}
    assert all(dimension_of("appl") not in weights for weights in rows.values())


def test_the_rows_beside_a_forgotten_line_are_made_without_it() -> None:
    lines = [line(n, word) for n, word in enumerate(["a1", "b1", "secret1", "c1", "d1", "e1"])]
    rows = rows_without(lines, "t", "m2", lines[2].create_time)
    assert [one.message_id for one in rows] == ["m0", "m1", "m3", "m4"]
    assert all(dimension_of("secret1") not in one.weights for one in rows)


def test_rare_words_weigh_more_and_what_everybody_says_nothing() -> None:
    said = {"often": 10, "everywhere": 100}
    weights = query_weights(["often", "everywhere", "never"], said, 100)
    assert weights[dimension_of("never")] > weights[dimension_of("often")] > 0
    assert dimension_of("everywhere") not in weights
