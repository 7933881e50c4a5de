"""The signs of a line where it stands: what it says, what was asked before it, what follows it.

Half of what people tell of themselves is an answer, or goes on in their next line, or is taken up
by others. So a line is weighed with its neighbours, not alone.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from . import speech
from .english import spelled
from .lasting_signs import signs
from .lasting_words import FORMS, matters_in
from .threads import Message
from .words import is_han, marks

BEFORE, AFTER = 4, 5
"""So many lines before and after are looked at."""
RARE = range(2, 7)
"""A word that so many lines of the talk have tells that they speak of one thing."""
_NAME_PART = re.compile(r"[A-Za-z]{3,}|[\u3400-\u9fff]{2,}")
_PROPER = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}")


class TalkSigns:
    """Of the messages of people, in their order."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._said = list(messages)
        self._texts = [spelled(one.content) for one in messages]
        self._marks = [marks(text) for text in self._texts]
        self._matters = [matters_in(text) for text in self._texts]
        self._names = {one.user_id: _short(one.user_name) for one in messages}
        counts = Counter(word for one in self._marks for word in one)
        self._rare = [{word for word in one if counts[word] in RARE} for one in self._marks]

    def of(self, place: int, text: str | None = None) -> list[float]:
        """Of the line at that place, or of a piece of it."""
        text = self._texts[place] if text is None else text
        return [*signs(text), *self._around(place, text)]

    def _around(self, place: int, text: str) -> list[float]:
        me = self._said[place].user_id
        before = range(max(0, place - BEFORE), place)
        after = range(place + 1, min(len(self._said), place + 1 + AFTER))
        others_before = [at for at in before if self._said[at].user_id != me][-2:]
        others_after = [at for at in after if self._said[at].user_id != me][:3]
        follows = place > 0 and self._said[place - 1].user_id == me
        goes_on = place + 1 < len(self._said) and self._said[place + 1].user_id == me
        is_answer = place > 0 and not follows and speech.asks(self._texts[place - 1])
        own, others = self._said_again(place)
        named = [name for id_, name in self._names.items() if id_ != me and name]
        lower = text.lower()
        found = [
            is_answer,
            self._any(others_before, speech.asks),
            follows,
            goes_on,
            self._any(others_after, speech.bears_out),
            self._any(others_after, speech.asks),
            self._any(others_after, lambda one: bool(FORMS["laugh"].search(one))),
            self._any(others_after, speech.says_me_too),
            any(name in lower for name in named),
            any(lower.startswith(name) for name in named),
            self._any(others_before, lambda one: bool(self._names[me]) and self._names[me] in one),
            min(own, 3) / 3,
            min(others, 4) / 4,
            own > 0,
            others > 0,
            not follows and not self._rare[place],
            follows and self._matters[place - 1] >= 2,
            goes_on and self._matters[place + 1] >= 2,
            bool(_PROPER.search(text)),
            is_answer and matters_in(text) > 0,
            is_han(text),
        ]
        return [float(one) for one in found]

    def _any(self, places: Sequence[int], holds: Callable[[str], bool]) -> bool:
        return any(holds(self._texts[at].lower()) for at in places)

    def _said_again(self, place: int) -> tuple[int, int]:
        """How many other lines have its telling words: of its speaker, and of others."""
        own = others = 0
        for at, one in enumerate(self._said):
            if at != place and self._rare[place] & self._marks[at]:
                if one.user_id == self._said[place].user_id:
                    own += 1
                else:
                    others += 1
        return own, others


def _short(name: str) -> str:
    found = _NAME_PART.search(name)
    return (found[0] if found else name).lower()
