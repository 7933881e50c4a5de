"""Contexts of labelled chats under one encoder, and under others that it is turned into.

Whoever deploys has another encoder than this one: nothing may rest on the scale, the directions or
the number of its dimensions.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from infra.emulators.openai.encoder import Encoder
from shared.domain.ranking.anchors import ANCHORS
from shared.domain.ranking.floor import worth_spending
from shared.domain.ranking.lines import Line, prepare
from shared.domain.ranking.ranker import RankedQuestion, Ranking, rank
from shared.language import estimate_tokens
from tests.project import ROOT

CHATS = ("e1_zh_hiking", "e2_en_housing_coop", "f1_en_bakery", "g5_zh_book_corner",
         "h3_en_farm_family", "h4_zh_kaoyan")  # fmt: skip
TOKENS = 500
UNRELATED = (
    "what does a giraffe eat", "sing me a lullaby", "how do you spell necessary", "9 minus 4?",
    "good evening, bot", "who painted the Mona Lisa", "give me a riddle", "thanks a lot!",
    "今天天气真好啊", "给我讲个笑话", "法国的首都是哪里", "十五乘以三等于几", "早上好呀",
    "背一首古诗",
)  # fmt: skip
"""Greetings, sums and wishes that no talk answers; none of those that the floor was set on."""
Matrix = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True)
class Chat:
    """`vectors` has a row a text: the lines, then the questions, then what is unrelated."""

    texts: list[str]
    names: list[str]
    times: list[datetime]
    ids: list[str]
    questions: list[dict[str, Any]]
    vectors: Matrix


@pytest.fixture(scope="module")
def chats() -> tuple[list[Chat], Matrix]:
    encoder = Encoder()
    found = []
    for name in CHATS:
        told = json.loads((ROOT / "bench/chats/held_back" / f"{name}.json").read_text("utf-8"))
        names = {member["user_id"]: member["name"] for member in told["members"]}
        messages = told["messages"]
        texts = [message["text"] for message in messages]
        asked = [question["text"] for question in told["questions"]]
        found.append(
            Chat(
                texts,
                [names.get(message["user_id"], "") for message in messages],
                [datetime.fromisoformat(message["time"]).astimezone(UTC) for message in messages],
                [message["message_id"] for message in messages],
                told["questions"],
                np.asarray(encoder.vectors_of([*texts, *asked, *UNRELATED]), np.float32),
            )
        )
    anchors = np.asarray(encoder.vectors_of(list(ANCHORS)), np.float32)
    encoder.close()
    return found, anchors


def turned(rows: Matrix, how: str) -> Matrix:
    """Another encoder of the same meaning: turned, with half of the dimensions, or with everything
    near to everything."""
    dice = np.random.default_rng(11)
    square = dice.normal(size=(rows.shape[1], rows.shape[1])).astype(np.float32)
    turn = np.linalg.qr(square).Q
    if how == "plain":
        return rows
    found: Matrix = rows @ (turn if how == "rotated" else turn[:, : rows.shape[1] // 2])
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    if how == "squeezed":
        aside = dice.normal(size=(1, found.shape[1])).astype(np.float32)
        found = found + 2 * aside / np.linalg.norm(aside)
    return found


def ranked(
    chat: Chat, row: int, count: int, text: str, vectors: Matrix, anchors: Matrix
) -> Ranking:
    lines = [
        Line(chat.ids[n], chat.names[n], chat.texts[n], chat.times[n], vector=vectors[n].tolist())
        for n in range(count)
    ]
    return rank(RankedQuestion(text, vectors[row].tolist()), prepare(lines, anchors))


def spent(chat: Chat, ranking: Ranking, tokens: float) -> list[int]:
    taken = []
    for n in ranking.order:
        cost = estimate_tokens(f"> {chat.names[n]}: {chat.texts[n]}") + 2
        if cost <= tokens:
            taken.append(n)
            tokens -= cost
    return taken


def found_share(chats: list[Chat], anchors: Matrix, how: str) -> float:
    """Of what answers, within the budget."""
    shares = []
    for chat in chats:
        vectors = turned(np.concatenate([chat.vectors, anchors]), how)
        vectors, own = vectors[: len(chat.vectors)], vectors[len(chat.vectors) :]
        for n, question in enumerate(chat.questions):
            count = chat.ids.index(question["after"]) + 1
            row = len(chat.texts) + n
            ranking = ranked(chat, row, count, question["text"], vectors, own)
            got = {chat.ids[at] for at in spent(chat, ranking, TOKENS)}
            shares.append(len(got & set(question["gold"])) / len(question["gold"]))
    return 100 * float(np.mean(shares))


def test_another_encoder_costs_at_most_two_points_of_what_answers(
    chats: tuple[list[Chat], Matrix],
) -> None:
    plain = found_share(*chats, "plain")

    assert plain >= 84
    for how in ("rotated", "halved", "squeezed"):
        assert found_share(*chats, how) >= plain - 2, how


def test_what_nothing_answers_is_given_little(chats: tuple[list[Chat], Matrix]) -> None:
    """Half of what is asked for is far from the other half: a question of the chat gets it all."""
    told, anchors = chats
    worth, asked = [], []
    for chat in told:
        first = len(chat.texts) + len(chat.questions)
        for n, text in enumerate(UNRELATED):
            ranking = ranked(chat, first + n, len(chat.texts), text, chat.vectors, anchors)
            question = RankedQuestion(text, chat.vectors[first + n].tolist())
            worth.append(worth_spending(ranking, question, anchors))
        for n, one in enumerate(chat.questions):
            row = len(chat.texts) + n
            ranking = ranked(chat, row, len(chat.texts), one["text"], chat.vectors, anchors)
            question = RankedQuestion(one["text"], chat.vectors[row].tolist())
            asked.append(worth_spending(ranking, question, anchors))

    assert np.mean(worth) * TOKENS <= 150
    assert np.mean(asked) >= 0.9
