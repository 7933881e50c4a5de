"""A text cut into its sentences, Chinese and English."""

import re

_SENTENCE = re.compile(r"[^。！？!?\n]+[。！？!?]*|[^\n]+")
_END = re.compile(r"(?<=[.;])\s+")


def sentences_of(text: str) -> list[str]:
    found = [part.strip() for line in _SENTENCE.findall(text) for part in _END.split(line)]
    return [one for one in found if one]
