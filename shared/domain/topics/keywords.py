"""Keywords of a topic, and the title they make when nobody gives it one. Pure.

A keyword is a noun phrase that several lines of the topic come back to and that the group does not
use everywhere: TF-IDF over lines, against the keywords of the group's other topics.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from shared.language import Language, guess_language
from shared.language.phrases import Phrase, phrases

MAX_KEYWORDS = 10
"""What a topic is about; further ones are words it merely has."""
UNTITLED = "…"
"""The title of a topic of which nothing can be told yet."""
MAX_KEYWORD_CHARACTERS = 100
"""Keywords name fields of a topic's record, and Firestore takes no name of more than 1,500 bytes: a
line that is one endless word would keep its group from ever having topics."""
TITLE_HAN = 20
TITLE_WORDS = 8
TITLE_KEYWORDS = 3
"""A title is read in a list: it has at most so many characters or words, or so many keywords."""
LONGER_IS_CLEARER = 0.35
"""What each further word of a phrase adds: 门禁密码 tells more than 密码."""
OPENING = (2.5, 1.3, 1.3)
"""People say first what they want to talk about: what the first lines are worth. On six chats whose
threads a person had titled, the title shared a word with the person's for 69 of 107 with 1.3 for
the first line, and for 80 with this."""
NESTED = 0.6
"""A shorter phrase stays beside a longer one that holds it only if it is said so much more often
by itself."""
LOOSE = 0.4
"""A loose phrase that names at least so surely is one once it is said again."""
BESIDE_THE_FIRST = 0.25
"""Of the weight of the strongest keyword: what has less does not stand beside it in a title."""
NAMES_BESIDE = 0.55
"""The same for weights that grow line by line: of one thing that was surely named once."""


def may_be_keyword(word: str) -> bool:
    """Whether a field may have that name: `__x__` are Firestore's own."""
    is_reserved = len(word) >= 4 and word.startswith("__") and word.endswith("__")
    return 0 < len(word) <= MAX_KEYWORD_CHARACTERS and not is_reserved


def keywords_of(
    texts: Sequence[str],
    others: Sequence[Collection[str]] = (),
    names: Collection[str] = (),
    limit: int = MAX_KEYWORDS,
) -> dict[str, float]:
    """With weights up to 1, the heaviest first.

    `others` are the keywords of the group's other topics; `names` are the people who speak: who
    takes part is told apart from what it is about.
    """
    said_in: Counter[str] = Counter()
    worth: dict[str, float] = {}
    naming: dict[str, float] = {}
    known: dict[str, Phrase] = {}
    speakers = {name.casefold() for name in names}
    for place, text in enumerate(texts):
        for phrase in {one.key: one for one in phrases(text)}.values():
            is_named = phrase.names and may_be_keyword(phrase.written)
            if phrase.key.casefold() in speakers or not is_named:
                continue
            naming[phrase.key] = max(naming.get(phrase.key, 0.0), phrase.names)
            known.setdefault(phrase.key, phrase)
            said_in[phrase.key] += 1
            worth[phrase.key] = max(
                worth.get(phrase.key, 1.0), OPENING[place] if place < len(OPENING) else 1.0
            )
    elsewhere = Counter(word.casefold() for keywords in others for word in set(keywords))
    scores = {
        key: _score(phrase, naming[key], said_in[key])
        * worth[key]
        * _rarity(key, elsewhere, len(others))
        for key, phrase in known.items()
    }
    ranked = sorted(scores, key=lambda key: (-scores[key], list(known).index(key)))
    chosen: list[str] = []
    for key in ranked:
        if len(chosen) == limit:
            break
        if not any(_overlap(key, other, said_in) for other in chosen):
            chosen.append(key)
    top = scores[chosen[0]] if chosen else 1.0
    return {known[key].written: round(scores[key] / top, 3) for key in chosen}


def phrase_weights(text: str, names: Collection[str] = ()) -> dict[str, float]:
    """What one line adds to the keywords of a topic that grows: each phrase once. `names` are those
    of the people who speak."""
    speakers = {name.casefold() for name in names}
    return {
        one.written: round(one.names * _longer(one), 4)
        for one in phrases(text)
        if one.names and one.key.casefold() not in speakers and may_be_keyword(one.written)
    }


def strongest(weights: Mapping[str, float], limit: int) -> list[str]:
    """The heaviest that do not say the same, each in the longer form that is as sure. What names
    less surely than a thing that was said once stands beside no other."""
    ranked = sorted(weights, key=lambda one: (-weights[one], -len(one), one))
    least = NAMES_BESIDE * min(1.0, max(weights.values(), default=0.0))
    chosen: list[str] = []
    for word in ranked:
        if len(chosen) == limit or weights[word] < least:
            break
        longer = [one for one in ranked if word in one.split() and weights[one] >= 1.0]
        written = max(longer, key=lambda one: len(one.split()), default=word)
        if not any(_says_the_same(written, other) for other in chosen):
            chosen.append(written)
    return chosen


def _says_the_same(phrase: str, other: str) -> bool:
    """Whether one stands in the other, or they share a word."""
    one, two = phrase.casefold(), other.casefold()
    return one in two or two in one or bool(_stems(one) & _stems(two))


def _stems(phrase: str) -> set[str]:
    return {word.removesuffix("s") for word in phrase.split()}


def title_from(keywords: Mapping[str, float] | Sequence[str], fallback: str = "") -> str:
    """The strongest of them side by side, at most 20 Chinese characters or 8 words; never a cut
    word. Without any, the whole `fallback` if it is that short, else nothing said."""
    words = list(keywords)[:TITLE_KEYWORDS]
    if isinstance(keywords, Mapping):
        least = BESIDE_THE_FIRST * max(keywords.values(), default=0.0)
        words = [word for word in words if keywords[word] >= least]
    if not words:
        plain = " ".join(fallback.split())
        return plain if plain and fits_title(plain) else UNTITLED
    glue = "、" if guess_language("".join(words)) is Language.CHINESE else ", "
    while len(words) > 1 and not fits_title(glue.join(words)):
        words.pop()
    return glue.join(words)


def fits_title(title: str) -> bool:
    """Whether it is as short as a title should be."""
    if guess_language(title) is Language.CHINESE:
        return len(title) <= TITLE_HAN
    return len(title.split()) <= TITLE_WORDS


def _score(phrase: Phrase, names: float, lines: int) -> float:
    is_phrase = phrase.is_loose and lines > 1 and names >= LOOSE
    return (1.0 + math.log(lines)) * _longer(phrase) * (1.0 if is_phrase else names)


def _longer(phrase: Phrase) -> float:
    return 1.0 + LONGER_IS_CLEARER * (phrase.words - 1)


def _rarity(key: str, elsewhere: Mapping[str, int], topics: int) -> float:
    """1 for what no other topic is about, less the more are."""
    if not topics:
        return 1.0
    return math.log((1 + topics) / (1 + elsewhere.get(key, 0))) / math.log(1 + topics) + 0.1


def _overlap(key: str, other: str, said_in: Mapping[str, int]) -> bool:
    """Whether one says what the other does."""
    if key in other:
        return said_in[key] * NESTED <= said_in[other]
    return other in key
