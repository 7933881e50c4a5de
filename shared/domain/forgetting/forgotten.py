"""What is to be forgotten, and whether the rest still tells a text. Pure."""

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from shared.domain.messages.stored_message import StoredMessage
from shared.language import terms

_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W_]+")
MARK = "forgotten-"
"""How the id of a forgotten member begins, wherever one must stand."""


@dataclass(frozen=True)
class Forgotten:
    """Messages by their ids; members by theirs, with all that they said and all that is kept of
    them; memories by the ids of their first versions."""

    message_ids: frozenset[str] = frozenset()
    user_ids: frozenset[str] = frozenset()
    root_ids: frozenset[str] = frozenset()

    def touches(self, sources: Iterable[str], users: Iterable[str] = ()) -> bool:
        return not (self.message_ids.isdisjoint(sources) and self.user_ids.isdisjoint(users))

    def left_of(self, sources: Iterable[str]) -> tuple[str, ...]:
        return tuple(source for source in sources if source not in self.message_ids)

    def evidence(self, messages: Iterable[StoredMessage]) -> list[StoredMessage]:
        """Of the sources of a record those that stay and can be read."""
        return [
            message
            for message in messages
            if message.is_readable
            and message.message_id not in self.message_ids
            and message.user_id not in self.user_ids
        ]


def texts_of(messages: Iterable[StoredMessage]) -> list[str]:
    """With who said it: a statement names people."""
    return [f"{message.user_name or message.user_id} {message.content}" for message in messages]


def is_still_told(text: str, left: Sequence[str]) -> bool:
    """Whether what is left tells it too: every number, and every word but those that frame any
    statement.

    A word that nobody is left to have said may be the very one that was taken back: "lives in
    Bergen" is not told by who said Oslo. So a good paraphrase goes with one of its sources too.
    """
    if not left:
        return False
    if not _numbers(text) <= _numbers(" ".join(left)):
        return False
    told = set().union(*map(_signs, left))
    return _signs(text) - told <= _FRAME


def is_told_in_one(text: str, left: Sequence[str]) -> bool:
    """The same, in one place: of many places all words are somewhere."""
    return any(is_still_told(text, [sentence]) for sentence in left)


def hashed_member(user_id: str, hash_key: str) -> str:
    """What stands where a forgotten member's id stood: always the same, and nobody's to undo."""
    mac = hmac.new(hash_key.encode(), f"member:{user_id}".encode(), hashlib.sha256)
    return f"{MARK}{mac.hexdigest()[:24]}"


def is_opted_out(opted_out: Collection[str], user_id: str, hash_key: str | None) -> bool:
    """Whether the member is on the list, by their id or, once they were forgotten, by its hash."""
    if user_id in opted_out:
        return True
    is_hashed = bool(hash_key) and any(user_id.startswith(MARK) for user_id in opted_out)
    return is_hashed and hashed_member(user_id, hash_key or "") in opted_out


def _numbers(text: str) -> set[str]:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return {word for word in _WORD.findall(plain) if any(each.isdigit() for each in word)}


def _signs(text: str) -> set[str]:
    """Words by their stems, Chinese by its characters."""
    return {*_HAN.findall(text), *(term for term in terms(text) if not _HAN.search(term))}


_FRAME = _signs(
    """member members group groups everyone everybody people together every each usually always
    often regularly normally typically mostly like likes love loves prefer prefers enjoy enjoys hate
    dislike think believe plan plans hold holds take takes use uses said told asked mentioned
    群成员本群组里大家都每固定定期习惯经常通常总是一般喜欢爱偏好讨厌觉得认为会要在是有和与也很的了着过被把给对于这那个位名"""
)
"""What who words a statement adds of their own."""
