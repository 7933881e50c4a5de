"""Keywords of a topic, and what it is called until a model gives it a title. Pure.

A keyword is a word that several lines of the topic come back to and that the group does not use
everywhere: TF-IDF over lines, against the keywords of the group's other topics.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from shared.domain.secrets import without_secrets
from shared.language import Language, first_clause, guess_language, keywords, terms

MAX_KEYWORDS = 10
"""What a topic is about; further ones are words it merely has."""
LINE_KEYWORDS = 20
"""Of one line: a long paste does not fill a topic's list alone."""
UNTITLED = "…"
"""The title of a topic of which nothing can be told yet."""
MAX_KEYWORD_CHARACTERS = 100
"""Keywords name fields of a topic's record, and Firestore takes no name of more than 1,500 bytes: a
line that is one endless word would keep its group from ever having topics."""
TITLE_HAN = 20
TITLE_WORDS = 8
"""A title is read in a list: it has at most so many characters or words."""
OPENING = (2.5, 1.3, 1.3)
"""People say first what they want to talk about: what the first lines are worth."""


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
    written: dict[str, str] = {}
    for place, text in enumerate(texts):
        opening = OPENING[place] if place < len(OPENING) else 1.0
        for word, weight in line_keywords(text, names).items():
            stem = _stem(word)
            written.setdefault(stem, word)
            said_in[stem] += 1
            worth[stem] = max(worth.get(stem, 0.0), opening * weight)
    elsewhere = Counter(_stem(word) for listed in others for word in set(listed))
    scores = {
        stem: worth[stem] * (1.0 + math.log(said_in[stem])) * _rarity(elsewhere[stem], len(others))
        for stem in written
    }
    best = sorted(scores, key=lambda stem: -scores[stem])[:limit]
    return {written[stem]: round(scores[stem] / scores[best[0]], 3) for stem in best}


def line_keywords(text: str, names: Iterable[str] = ()) -> dict[str, float]:
    """What one line adds to the keywords of a topic that grows: each word once."""
    speakers = {name.casefold() for name in names}
    return {
        word: weight
        for word, weight in keywords(without_secrets(text), LINE_KEYWORDS).items()
        if word.casefold() not in speakers and may_be_keyword(word)
    }


def title_from(opening: str) -> str:
    """What a talk is called by its opening line."""
    return first_clause(without_secrets(opening), han=TITLE_HAN, words=TITLE_WORDS) or UNTITLED


def fits_title(title: str) -> bool:
    """Whether it is as short as a title should be."""
    if guess_language(title) is Language.CHINESE:
        return len(title) <= TITLE_HAN
    return len(title.split()) <= TITLE_WORDS


def _stem(word: str) -> str:
    """Under which two spellings of a word meet."""
    return " ".join(terms(word)) or word.casefold()


def _rarity(others_with_it: int, others: int) -> float:
    """1 for what no other topic is about, less the more are."""
    if not others:
        return 1.0
    return math.log((1 + others) / (1 + others_with_it)) / math.log(1 + others) + 0.1
