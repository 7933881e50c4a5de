"""How many tokens a text costs, estimated without a tokenizer and never far too low.

Near what current models count on chat text: a Han character, kana or hangul is about one token, a
word of Latin letters about four characters to one, anything rarer at least one a character.
"""

import re

_WIDE = re.compile(r"[⺀-鿿ꀀ-꓏가-힯豈-﫿\U00020000-\U0003134f]")
_PLAIN = re.compile(r"[\x00-\x7f]")
PLAIN_CHARACTERS_A_TOKEN = 4
NARROW_CHARACTERS_A_TOKEN = 2


def estimate_tokens(text: str) -> int:
    """At least one for any text that is not empty."""
    wide = len(_WIDE.findall(text))
    plain = len(_PLAIN.findall(text))
    other = len(text) - wide - plain
    return wide + -(-plain // PLAIN_CHARACTERS_A_TOKEN) + -(-other // NARROW_CHARACTERS_A_TOKEN)
