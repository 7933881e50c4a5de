"""Writes `shared/domain/similarity/fitted.py`, where the product reads what was fitted."""

from collections.abc import Mapping
from pathlib import Path

from shared.domain.similarity import fitted
from shared.domain.similarity.fitted import Numbers

FILE = Path(fitted.__file__)
PAGE = '''"""Numbers fitted on labelled pairs, by embedding model and language; "all" is for others.

`python -m bench.fit.calibration --data FILE --write` rewrites this file; nothing else is in it.
"""

Pair = tuple[float, float]
Numbers = tuple[float, float, float, float, float, float, float]

TOGETHER: dict[str, dict[str, Pair]] = {together}
"""The a and b of `calibration.Logistic`: whether two texts belong together."""

ANSWERING: dict[str, dict[str, Numbers]] = {answering}
"""The numbers of `answering.Answering`, in its order: whether a text answers a question."""
'''


def write(
    together: Mapping[str, Mapping[str, tuple[float, float]]],
    answering: Mapping[str, Mapping[str, Numbers]],
) -> None:
    page = PAGE.replace("{together}", _printed(together))
    FILE.write_text(page.replace("{answering}", _printed(answering)), encoding="utf-8")


def _printed(table: Mapping[str, Mapping[str, tuple[float, ...]]]) -> str:
    models = [
        f'    "{model}": {{\n'
        + "".join(f'        "{language}": {row},\n' for language, row in rows.items())
        + "    },\n"
        for model, rows in table.items()
    ]
    return "{\n" + "".join(models) + "}"
