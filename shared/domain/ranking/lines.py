"""What is known of lines before the question: their words, vectors and forms, page by page. Pure.

A page is prepared once and kept; pages are joined, oldest first, without going through their lines.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shared.domain.ranking.words import asks_anything, has_amount, line_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]
    Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class Line:
    """One thing somebody said. `vector` is of its text, None where it is not known; so are `terms`,
    the words of it. `is_to_bot`: spoken to the bot, or by it."""

    message_id: str
    user_name: str
    text: str
    time: datetime
    reply_to: str | None = None
    is_to_bot: bool = False
    vector: Sequence[float] | None = None
    terms: Sequence[str] | None = None


Postings = Mapping[str, Sequence[int]]
"""For a word: the lines in which it stands."""


@dataclass(frozen=True)
class PreparedLines:
    """Oldest first. `words` are the postings of each page after the number of its first line.
    `vectors` have a row a line, all zero where it is not known; `anchored` is the nearness of each
    line to each of the fixed questions."""

    message_ids: tuple[str, ...]
    replies: tuple[str | None, ...]
    speakers: tuple[str, ...]
    words: tuple[tuple[int, Postings], ...]
    vectors: "Matrix"
    anchored: "Matrix"
    asks: "Floats"
    amounts: "Floats"
    to_bot: "Floats"
    minutes: "Floats"

    def __len__(self) -> int:
        return len(self.message_ids)


def prepare(lines: Sequence[Line], anchors: "Matrix | None") -> PreparedLines:
    """`anchors` are the vectors of the fixed questions, a row each; without them, or for a line
    whose vector is not of their length, meaning counts as usual."""
    import numpy as np

    words_of = [line_words(line.user_name, line.text, line.terms) for line in lines]
    postings: dict[str, list[int]] = {}
    for n, words in enumerate(words_of):
        for word in words:
            postings.setdefault(word, []).append(n)
    width = next((len(line.vector) for line in lines if line.vector is not None), 0)
    width = width if anchors is None else anchors.shape[1]
    vectors = np.zeros((len(lines), width), np.float32)
    for n, line in enumerate(lines):
        if line.vector is not None and len(line.vector) == width:
            vectors[n] = line.vector
    vectors = unit_rows(vectors)
    none = np.zeros((len(lines), 0), np.float32)
    return PreparedLines(
        message_ids=tuple(line.message_id for line in lines),
        replies=tuple(line.reply_to for line in lines),
        speakers=tuple(line.user_name for line in lines),
        words=((0, postings),),
        vectors=vectors,
        anchored=none if anchors is None else vectors @ unit_rows(anchors).T,
        asks=np.array([asks_anything(line.text) for line in lines], np.float32),
        amounts=np.array([has_amount(line.text) for line in lines], np.float32),
        to_bot=np.array([line.is_to_bot for line in lines], np.float32),
        minutes=np.array([line.time.timestamp() / 60 for line in lines], np.float64),
    )


def joined(pages: Sequence[PreparedLines]) -> PreparedLines:
    """As if they had been prepared as one. Pages whose vectors have another length than those of
    the last have none."""
    import numpy as np

    pages = [page for page in pages if len(page)] or list(pages[:1])
    if len(pages) == 1:
        return pages[0]
    starts = [0]
    for page in pages:
        starts.append(starts[-1] + len(page))
    return PreparedLines(
        message_ids=tuple(key for page in pages for key in page.message_ids),
        replies=tuple(key for page in pages for key in page.replies),
        speakers=tuple(name for page in pages for name in page.speakers),
        words=tuple(
            (start + own, postings)
            for start, page in zip(starts, pages, strict=False)
            for own, postings in page.words
        ),
        vectors=_stacked([page.vectors for page in pages]),
        anchored=_stacked([page.anchored for page in pages]),
        asks=np.concatenate([page.asks for page in pages]),
        amounts=np.concatenate([page.amounts for page in pages]),
        to_bot=np.concatenate([page.to_bot for page in pages]),
        minutes=np.concatenate([page.minutes for page in pages]),
    )


def without(lines: PreparedLines, message_ids: Collection[str]) -> PreparedLines:
    """The same without some of them: the question itself, or what was forgotten since."""
    import numpy as np

    kept = [n for n, key in enumerate(lines.message_ids) if key not in message_ids]
    if len(kept) == len(lines):
        return lines
    place = {n: new for new, n in enumerate(kept)}
    words = [(0, _renumbered(start, postings, place)) for start, postings in lines.words]
    rows = np.array(kept, np.intp)
    return PreparedLines(
        message_ids=tuple(lines.message_ids[n] for n in kept),
        replies=tuple(lines.replies[n] for n in kept),
        speakers=tuple(lines.speakers[n] for n in kept),
        words=tuple(words),
        vectors=lines.vectors[rows],
        anchored=lines.anchored[rows],
        asks=lines.asks[rows],
        amounts=lines.amounts[rows],
        to_bot=lines.to_bot[rows],
        minutes=lines.minutes[rows],
    )


def unit_rows(rows: "Matrix") -> "Matrix":
    """Each of length one; what has no direction stays zero."""
    import numpy as np

    found: Matrix = np.asarray(rows, np.float32)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    units: Matrix = np.divide(found, lengths, out=np.zeros_like(found), where=lengths > 0)
    return units


def _renumbered(start: int, postings: Postings, place: Mapping[int, int]) -> Postings:
    found: dict[str, Sequence[int]] = {}
    for word, places in postings.items():
        if left := [place[start + n] for n in places if start + n in place]:
            found[word] = left
    return found


def _stacked(parts: Sequence["Matrix"]) -> "Matrix":
    import numpy as np

    width = parts[-1].shape[1]
    return np.concatenate(
        [
            part if part.shape[1] == width else np.zeros((len(part), width), np.float32)
            for part in parts
        ]
    )
