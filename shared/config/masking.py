"""What may be shown of a setting's value: addresses may carry a user, a password or a key."""

import re

HIDDEN = "***"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}://")
LONGEST_SHOWN = 80


def masked(text: str) -> str:
    """Without what stands before an `@`, and without an address's query. Masked first and cut then:
    a cut may take the `@` away by which a password is known."""
    scheme = _SCHEME.match(text)
    _, at, place = text.rpartition("@")
    if at:
        text = f"{scheme.group() if scheme else ''}{HIDDEN}@{place}"
    if scheme:
        address, mark, _ = text.partition("?")
        text = f"{address}?{HIDDEN}" if mark else address
    return text[:LONGEST_SHOWN]
