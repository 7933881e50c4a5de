"""What two short texts can have in common by words: stems, Han characters and pairs of them.

Chinese words are cut differently in a question and in its answer ("考研" and "报考"), so the
characters and their neighbours are compared instead of words. Pure.
"""

import re

from shared.language.bm25 import Heard, heard
from shared.language.group_words import without_group_words
from shared.language.stop_words import CHINESE
from shared.language.words import terms

_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")
_EMPTY = frozenset(word for word in CHINESE if len(word) == 1) | frozenset("什怎样时候")
"""Characters that a question is made of and that tell nothing of its matter."""


def matching_units(text: str) -> frozenset[str]:
    """The stems, characters and pairs of characters by which a text may match another."""
    text = without_group_words(text)
    stems = {word for word in terms(text) if not _HAN_RUN.search(word)}
    units = set()
    for run in _HAN_RUN.findall(text):
        units |= {character for character in run if character not in _EMPTY}
        pairs = {run[at : at + 2] for at in range(len(run) - 1)}
        units |= {pair for pair in pairs if not _EMPTY.issuperset(pair)}
    return frozenset(stems | units)


def shared_rarity(asked: str, texts: list[str]) -> list[float]:
    """For each text how much it has in common with what is asked: what few of the texts have
    counts more. 0 if nothing is shared."""
    wanted, units = matching_units(asked), [matching_units(text) for text in texts]
    known: Heard = heard(list(one) for one in units)
    return [sum(known.rarity(unit) for unit in sorted(wanted & own)) for own in units]
