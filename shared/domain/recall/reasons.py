"""Why a line was found, in words that the owner of a bot understands."""

from shared.domain.recall.ranking import Ranked

COUNTS = 0.3
"""A part of the score of at least this much is told."""
TOLD = {
    "words": "it or a line beside it has words of the question",
    "meaning": "near in meaning",
    "reply": "fits as an answer",
    "speaker": "said by who is asked about",
    "about": "names who is asked about",
    "own": "said by who asks",
    "when": "tells a time",
    "amount": "tells an amount",
    "day": "of the days that are asked about",
    "company": "among other lines that fit",
    "recent": "said lately",
}


def reasons_of(line: Ranked) -> tuple[str, ...]:
    """The weightiest first, what it has of its company last; always at least one."""
    told = sorted(
        ((name != "company", part, name) for name, part in line.parts.items() if name in TOLD),
        reverse=True,
    )
    found = tuple(TOLD[name] for _, part, name in told if part >= COUNTS)
    return found or ("several weak signs",)
