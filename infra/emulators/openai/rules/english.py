"""Hasty English spelled out, and the verb that follows an "I" made to follow a name.

Only the rules of memories need it: notes come with hints in their prompt that are grammatical
already, and hints for every line of a discussion would double what such a prompt costs."""

import re

from .wordlist import words_in

_PAST = frozenset(
    words_in(
        """
        ate became began bought broke brought built came caught chose did drank drew drove fell
        felt fought found flew forgot gave got grew had heard held hid hurt kept knew led left
        lent lost made meant met paid ran rode rose said sat saw sent shot slept sold spent spoke
        stole stood swam took taught thought threw told understood was went were woke won wore
        wrote
        """
    )
)
_UNCHANGED = frozenset(
    words_in(
        """
        can cannot can't could couldn't may might must mustn't ought shall should shouldn't will
        won't would wouldn't used and or who in on at of from with to for as both all is isn't
        has hasn't does doesn't wasn't weren't hadn't didn't if that because when while but
        """
    )
)
_IRREGULAR = {
    "am": "is", "are": "is", "aren't": "isn't", "were": "was", "weren't": "wasn't", "have": "has",
    "haven't": "hasn't", "do": "does", "don't": "doesn't", "go": "goes", "be": "is",
}  # fmt: skip
_ADVERBS = frozenset(
    words_in(
        "also always never often usually just really still already now sometimes rarely only not "
        "probably definitely actually generally mostly finally recently currently even"
    )
)
_CONTRACTED = {"'m": " is", "'ve": " has", "'ll": " will", "'d": " would"}
_WORD = re.compile(r"(\s+)([A-Za-z]+(?:['’][a-z]+)?)")


_HASTY = {
    "im": "I'm", "ive": "I've", "dont": "don't", "cant": "can't", "wont": "won't",
    "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't", "arent": "aren't",
    "wasnt": "wasn't", "hasnt": "hasn't", "havent": "haven't", "couldnt": "couldn't",
    "shouldnt": "shouldn't", "theyre": "they're", "youre": "you're", "hes": "he's",
    "shes": "she's", "thats": "that's", "whos": "who's", "weve": "we've", "theres": "there's",
}  # fmt: skip
_HASTY_WORD = re.compile(rf"\b(?:{'|'.join(_HASTY)})\b", re.IGNORECASE)
_HASTY_WILL = re.compile(
    r"\bi(?:ll(?= (?:be|do|bring|take|go|make|get|have|move|need|come|see|ask|keep)\b)|"
    r"d(?= (?:rather|like|love|prefer)\b))",
    re.IGNORECASE,
)
"""Without their apostrophe these two are also words of their own."""


def spelled(text: str) -> str:
    """Hasty English with the apostrophes that people leave out: "im", "dont", "ill be"."""
    text = text.replace("’", "'")
    text = _HASTY_WILL.sub(lambda found: f"I'{found[0][1:].lower()}", text)
    return _HASTY_WORD.sub(lambda found: _HASTY[found[0].lower()], text)


def _third_person(verb: str) -> str:
    """likes, goes, studies; a past or modal form stays."""
    low = verb.lower().replace("’", "'")
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low in _UNCHANGED or low in _PAST or low.endswith(("ed", "ing", "ly")):
        return verb
    if re.search(r"[^aeiou]y$", low):
        return verb[:-1] + "ies"
    if low.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    return verb + "s"


def agreeing(rest: str) -> str:
    """What follows an "I", made to follow a name: " like tea" becomes " likes tea"."""
    for short, long in _CONTRACTED.items():
        if (
            rest.lower().replace("’", "'").startswith(short)
            and not rest[len(short) :][:1].isalpha()
        ):
            return long + rest[len(short) :]
    at = 0
    while match := _WORD.match(rest, at):
        if match[2].lower() in _ADVERBS:
            at = match.end()
            continue
        return rest[: match.start(2)] + _third_person(match[2]) + rest[match.end() :]
    return rest


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
