"""What is known of a line: who speaks, to whom, when, in which words."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared.language import is_stop_word

BOT = "assistant"
"""Who an assistant's message is from and a mention of the bot is to, whatever ids it has."""

_LEADING = re.compile(r"\A[\s>(]*[@＠]?([^\s:,;>：，；、@＠]+)\s*([:,;>：，；、]|-(?=\s)|\.{2,})?")
_TOKEN = re.compile(r"[^\s,:;!?()\"'<>@，。！？；：、（）《》“”＠]+")
_HAN = re.compile(r"[㐀-鿿豈-﫿]")
_BRACKETS = "(（[【|"
_SEPARATORS = frozenset(" \t\n:,;>：，；、!！?？-.")
LIST_SIGNS = frozenset(",，、")
ADDRESSED = 20
"""Names at the head of a message: a longer list addresses nobody, and each costs a look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message as this package takes it. `mentions` are (name, user id), without those of the bot,
    which `calls_bot` tells; `kind` is the type of the message (question, casual, ...). `answers`,
    `topic_id` and `continues` are what is known of where it belongs, `vector` is of its text."""

    message_id: str
    user_id: str
    user_name: str
    at: float
    text: str
    is_bot: bool = False
    calls_bot: bool = False
    mentions: tuple[tuple[str, str], ...] = ()
    terms: tuple[str, ...] = ()
    kind: str = ""
    thread: str | None = None
    answers: str | None = None
    topic_id: str | None = None
    continues: str | None = None
    vector: Sequence[float] | None = None

    @property
    def speaker(self) -> str:
        return BOT if self.is_bot else self.user_id


@dataclass(frozen=True, slots=True)
class ThreadLine:
    """`to` are those it addresses (a mention, or a name before anything else), `names` those it
    names further on; both by user id. The bot is in neither: everybody calls it, about anything."""

    message_id: str
    speaker: str
    at: float
    to: frozenset[str]
    names: frozenset[str]
    terms: frozenset[str]
    kind: str
    thread: str | None
    calls_bot: bool = False
    said: str = ""


class Names:
    """Who goes by which name, of the people who spoke lately."""

    def __init__(self, messages: Iterable[Said] = ()) -> None:
        self._people: dict[str, set[str]] = {}
        self._bare: dict[str, set[str]] = {}
        """By names without what adorns them; such a name counts if it is one person's."""
        self._phrases: set[str] = set()
        for message in messages:
            self.learn(message)

    def learn(self, message: Said) -> None:
        speaker = message.speaker
        for name in (_plain(message.user_name), _plain(message.user_id)):
            if len(name) < 2:
                continue
            self._people.setdefault(name, set()).add(speaker)
            if _HAN.search(name) or not _TOKEN.fullmatch(name):
                self._phrases.add(name)
        bare = _unadorned(_plain(message.user_name))
        if len(bare) > 1 and _is_telling(bare):
            self._bare.setdefault(bare, set()).add(speaker)
            if _HAN.search(bare) or not _TOKEN.fullmatch(bare):
                self._phrases.add(bare)

    def knows(self, word: str) -> bool:
        """Whether somebody who spoke lately goes by it."""
        return bool(self._called(_plain(word)))

    def _called(self, name: str) -> set[str]:
        """Who goes by it: "ann_2" also by "ann", if nobody else does."""
        bare = self._bare.get(name, set())
        return self._people.get(name) or (bare if len(bare) == 1 else set())

    def line(self, message: Said) -> ThreadLine:
        """The message as a line, read with the names known so far."""
        speaker = message.speaker
        to = self._mentioned(message)
        leading, rest = self._leading(_plain(message.text))
        to |= leading
        return ThreadLine(
            message_id=message.message_id,
            speaker=speaker,
            at=message.at,
            to=frozenset(to - {speaker, BOT}),
            names=frozenset(self._inside(rest) - to - {speaker, BOT}),
            terms=frozenset(term for term in message.terms if not self._called(term)),
            kind=message.kind,
            thread=message.thread,
            calls_bot=BOT in to,
            said=message.text,
        )

    def _mentioned(self, message: Said) -> set[str]:
        found = {BOT} if message.calls_bot else set()
        for name, user_id in message.mentions:
            names = (name, user_id, user_id.lstrip("@"))
            known = [people for name in names if (people := self._called(_plain(name)))]
            found |= known[0] if known else {user_id}
        return found

    def _leading(self, text: str) -> tuple[set[str], str]:
        """Those named before anything else, and the text after them: "ann, bob: look"."""
        found: set[str] = set()
        for _ in range(ADDRESSED):
            name, sign, rest = self._first_name(text)
            if not self._called(name) or not (sign or (not found and _is_telling(name))):
                break
            found |= self._called(name)
            text = rest
            if sign not in LIST_SIGNS:
                break
        return found, text

    def _first_name(self, text: str) -> tuple[str, str, str]:
        """The name the text begins with, the sign after it, and the rest."""
        head = text.lstrip(" \t\n>(@＠")
        for phrase in sorted(self._phrases, key=len, reverse=True):
            if head.startswith(phrase):
                rest = head[len(phrase) :]
                if _HAN.match(phrase[-1]) or not rest or rest[0] in _SEPARATORS:
                    after = rest.lstrip()
                    sign = after[:1] if after[:1] in ":,;>：，；、" else ""
                    return phrase, sign, after[len(sign) :]
        begins = _LEADING.match(text)
        if begins and self._called(begins[1]):
            return begins[1], begins[2] or "", text[begins.end() :]
        return "", "", text

    def _inside(self, text: str) -> set[str]:
        found: set[str] = set()
        for token in _TOKEN.findall(text):
            name = token.rstrip(".")
            if _is_telling(name):
                found |= self._called(name)
        for phrase in self._phrases:
            if phrase in text:
                found |= self._called(phrase)
        return found


def _is_telling(name: str) -> bool:
    """Whether a name can hardly be meant as a word."""
    return bool(_HAN.search(name)) or (len(name) > 2 and not is_stop_word(name))


def _unadorned(name: str) -> str:
    """Without what stands in brackets, signs around it and a number after it."""
    for sign in _BRACKETS:
        before = name.partition(sign)[0]
        name = before if any(map(str.isalpha, before)) else name
    start = next((n for n, sign in enumerate(name) if sign.isalnum()), len(name))
    end = next((n for n in range(len(name), start, -1) if name[n - 1].isalpha()), start)
    return name[start:end]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().lower()
