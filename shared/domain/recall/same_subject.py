"""How likely two lines are of one matter, and what the lines of its matter say for a line. Pure.

Topics are found one line at a time and are never quite right: a matter that is taken up again is
often another topic, and a topic holds lines of others. So a line is not judged by its topic alone
but by every line that may be of its matter, each as far as it likely is. The chance is a logistic
of nine signs; the numbers are of `python -m bench.fit.matters` (three labelled chats and the first
two of `bench/asked_talks`, with the topics that attribution found in them).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shared.domain.messages.stored_message import StoredMessage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

WEIGHTS: Mapping[str, float] = {
    "topic": 0.84,  # both are of one topic
    "linked": 0.41,  # one replies to the other, or goes on with it
    "minutes": -0.38,  # of a logarithm
    "beside": 0.67,  # at most three lines and ten minutes apart
    "speaker": 0.33,
    "nearness": 0.86,  # of two lines' meanings, what all lines have in common taken out
    "words": 0.17,  # shared ones, rare ones more
    "topics_nearness": 3.38,  # of two topics' meanings
    "topics_words": 3.08,  # shared by two topics
}
CONSTANT = -0.75
BESIDE_LINES, BESIDE_MINUTES = 3, 10
MOST_SHARED_WORDS, MOST_SHARED_BY_TOPICS = 6.0, 3.0
"""Two texts that repeat each other are of one matter, but no surer than two that share a little."""
COMPANIONS = 4
"""So many lines speak for a line, itself among them, each half as loud as the one before."""
FEWEST = 5
"""Of fewer lines nobody can tell what is usual."""
LOUDNESS = 0.5
"""A power: a line that may well be of another matter still speaks up."""


def company(messages: Sequence[StoredMessage], scores: Sequence[float], model: str) -> list[float]:
    """For each line, what it and the likeliest of its matter say, less what is usual here: a line
    among good ones is a better one. `scores` are log-odds; half of the lines say nothing."""
    if len(messages) < FEWEST:
        return [0.0] * len(messages)
    import numpy as np

    found = np.asarray(scores, np.float64)
    worth = np.maximum(0.0, found - np.median(found))
    said = chances(messages, model) ** LOUDNESS * worth[None, :]
    np.fill_diagonal(said, worth)
    loudest = -np.sort(-said, axis=1)[:, :COMPANIONS]
    sums = loudest @ (0.5 ** np.arange(loudest.shape[1]))
    return [float(one) for one in sums - sums.mean()]


def chances(messages: Sequence[StoredMessage], model: str) -> "Matrix":
    """Between 0 and 1 for each two of the lines, which are in the order they were said; `model` is
    the embedding model whose vectors are compared."""
    import numpy as np

    found = np.full((len(messages), len(messages)), CONSTANT, np.float32)
    for name, one in signs(messages, model).items():
        found += np.float32(WEIGHTS[name]) * one
    likely: Matrix = np.reciprocal(1 + np.exp(-found))
    return likely


def signs(messages: Sequence[StoredMessage], model: str) -> "dict[str, Matrix]":
    """Each of `WEIGHTS` for each two of the lines; what a line has with itself means nothing."""
    import numpy as np

    own = _numbered([_topic(one) for one in messages])
    member = (np.arange(own.max() + 1)[:, None] == own[None, :]).astype(np.float32)
    same = _equal(own)
    times = np.array([one.create_time.timestamp() for one in messages]) / 60
    minutes = np.abs(times[:, None] - times[None, :])
    places = np.arange(len(messages))
    lines = np.abs(places[:, None] - places[None, :])
    meanings = _meanings(messages, model)
    units = _units(meanings)
    words, of_topics = _shared_words(messages, member)
    across = np.ix_(own, own)
    alike = _units(member @ meanings)
    return {
        "topic": same,
        "linked": _linked(messages),
        "minutes": np.log1p(minutes).astype(np.float32),
        "beside": ((lines <= BESIDE_LINES) & (minutes < BESIDE_MINUTES)).astype(np.float32),
        "speaker": _equal(_numbered([one.user_id for one in messages])),
        "nearness": units @ units.T,
        "words": np.minimum(words, MOST_SHARED_WORDS),
        "topics_nearness": (alike @ alike.T)[across] * (1 - same),
        "topics_words": np.minimum(of_topics, MOST_SHARED_BY_TOPICS)[across] * (1 - same),
    }


def _numbered(names: Sequence[str]) -> "NDArray[np.int64]":
    """The same number for the same name, from 0 on."""
    import numpy as np

    numbers = {one: n for n, one in enumerate(dict.fromkeys(names))}
    return np.array([numbers[one] for one in names], np.int64)


def _equal(numbers: "NDArray[np.int64]") -> "Matrix":
    import numpy as np

    found: Matrix = (numbers[:, None] == numbers[None, :]).astype(np.float32)
    return found


def _topic(message: StoredMessage) -> str:
    """A line that has no topic yet is one of its own."""
    return message.topic_id or f"-{message.message_id}"


def _linked(messages: Sequence[StoredMessage]) -> "Matrix":
    import numpy as np

    place = {one.message_id: n for n, one in enumerate(messages)}
    linked = np.zeros((len(messages), len(messages)), np.float32)
    for n, message in enumerate(messages):
        for one in (message.reply_message_id, message.continues):
            if one in place:
                linked[n, place[one]] = linked[place[one], n] = 1.0
    return linked


def _meanings(messages: Sequence[StoredMessage], model: str) -> "Matrix":
    """The lines' own vectors less their mean: what all of them have in common tells nothing. Zeros
    where there is none of this model."""
    import numpy as np

    known = [n for n, one in enumerate(messages) if one.vector and one.vector_model == model]
    sizes = {len(messages[n].vector) for n in known}
    if len(sizes) != 1:
        return np.zeros((len(messages), 1), np.float32)
    rows = np.stack([np.frombuffer(messages[n].vector, "<f2") for n in known]).astype(np.float32)
    rows = _units(rows)
    meanings = np.zeros((len(messages), rows.shape[1]), np.float32)
    meanings[known] = rows - rows.mean(axis=0)
    return meanings


def _units(rows: "Matrix") -> "Matrix":
    import numpy as np

    found: Matrix = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    return found


def _shared_words(messages: Sequence[StoredMessage], member: "Matrix") -> "tuple[Matrix, Matrix]":
    """Of each two lines, and of each two topics by how much they say: the rarity of the words they
    share. A word of a single line is shared by none, and only makes its topic larger."""
    import numpy as np

    lines = Counter(word for one in messages for word in set(one.terms))
    known = {one: n for n, one in enumerate(one for one, count in lines.items() if count > 1)}
    said = np.zeros((len(messages), max(1, len(known))), np.float32)
    for n, message in enumerate(messages):
        said[n, [known[word] for word in message.terms if word in known]] = 1.0
    rare = np.log(len(messages) / np.maximum(said.sum(axis=0), 1))
    of_topic = (member @ said > 0).astype(np.float32)
    rare_of_topics = np.log(max(2, len(member)) / np.maximum(of_topic.sum(axis=0), 1))
    alone = np.array([sum(lines[word] == 1 for word in set(one.terms)) for one in messages])
    size = np.sqrt(np.maximum(of_topic.sum(axis=1) + member @ alone, 1))
    shared = ((of_topic * rare_of_topics) @ of_topic.T) / (size[:, None] * size[None, :])
    return (said * rare) @ said.T, shared
