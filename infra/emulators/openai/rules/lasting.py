"""Whether a sentence tells something lasting: of its speaker, or laid down for all.

A small fitted table reads the sentence's vector and a few function words that mark time, doubt,
hearsay and person. It knows no topic by name, so it hears of a knee or a placement that no list
has; it is unsure where a remark only sounds lasting. The numbers and where they come from stand in
`lasting.json`; `python -m bench.fit.lasting` makes them.
"""

import functools
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..network import Matrix

NONE, SELF, RULE = "none", "self", "rule"
KINDS = (NONE, SELF, RULE)
SIGN_WEIGHT = 0.35
"""Of a sign beside a vector of length one."""
LONG = 40.0

_SIGNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"我(?!们)|\b(?:i|i'm|i've|i'll|i'd|my|me|mine)\b",
        (
            r"今[天晚早]|昨[天晚]|明[天晚早]|刚|待会|一会|马上|这次|上次|"
            r"\b(?:today|tonight|tomorrow|yesterday|just|this (?:morning|week|time|evening)|"
            r"last (?:night|time|week)|right now|later|soon)\b"
        ),
        (
            r"以后|从[^，。]{1,6}(?:起|开始)|一直|每|现在|固定|再也|永远|从来|从小|(?:到|至)[^，。]{0,4}月|"
            r"学期|这段时间|都是|\b(?:now|from|since|until|till|every|always|never|any ?more|"
            r"these days|only|still|usually|for good|in future|months?|years?|no longer|"
            r"permanently|regularly)\b"
        ),
        r"[?？吗]|谁|什么|怎么|哪|几点|\b(?:who|what|when|where|why|how|which|anyone|does|did)\b",
        r"哈哈|笑死|呢$|lol|haha|\b(?:obviously|basically|apparently|sure)\b|最爱|可太",
        (
            r"可能|也许|要是|如果|想|要不|说不定|打算|\b(?:maybe|might|perhaps|if|wish|could|would|"
            r"should|think|thinking|want|one day|hope)\b"
        ),
        r"听|据说|说是|都说|[^我]说|\b(?:heard|says?|said|told|reckons?|rumou?r)\b",
        r"不|没|别|\b(?:not|no|never|nobody|can't|cannot|don't|won't|doesn't|isn't|without)\b",
        r"你|您|\b(?:you|your|you're)\b",
        r"[他她它]|\b(?:he|she|they|his|her|their|it|that|this)\b",
        r"'ll\b|\b(?:will|going to|gonna)\b|要|会",
        r"我们|咱|大家|\b(?:we|us|our|everyone|everybody|whoever|all)\b",
        (
            r"周[一二三四五六日末]|星期|[0-9一二三四五六七八九十]+[点月号岁]|"
            r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\d|"
            r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b"
        ),
        r"了$|了[，。！]",
        r"\b(?:was|were|had|used to|got|went|came|did|\w+ed)\b",
    )
)
_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True)
class Chances:
    """How likely a sentence tells something lasting of its speaker, or a rule for all."""

    of_self: float
    of_rule: float


def signs(sentence: str) -> list[float]:
    """Function words that mark person, time, doubt and hearsay, and how long the sentence is."""
    han = len(_HAN.findall(sentence))
    length = han if han > 3 else len(sentence.split()) * 1.7
    found = [float(bool(one.search(sentence))) for one in _SIGNS]
    return [SIGN_WEIGHT * one for one in (*found, min(length, LONG) / LONG, float(length < 8))]


def chances(sentences: Sequence[str], vectors: "Matrix") -> list[Chances]:
    import numpy as np

    told = np.array([[*signs(one), 1.0] for one in sentences], np.float32)
    scores = np.concatenate([vectors, told], axis=1) @ _weights()
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    return [Chances(float(one[1]), float(one[2])) for one in likely]


@functools.cache
def _weights() -> Any:
    import numpy as np

    path = Path(__file__).with_name("lasting.json")
    return np.array(json.loads(path.read_text("utf-8"))["weights"], np.float32)
